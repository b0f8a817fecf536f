package main

import (
	"errors"
	"fmt"

	"whittle"
	"whittle/internal/account"
	"whittle/internal/diagnose"
	"whittle/internal/explain"
	"whittle/internal/interrupt"
	"whittle/internal/valid"
	"whittle/oracle"
)

// The exit codes, as documented in the README.
const (
	exitDone        = 0
	exitNo          = 1 // the input is not interesting, the test is bad, a file does not parse, …
	exitUsage       = 2
	exitEnvironment = 3
	exitSignal      = 128 // plus the signal's number
)

// exitError is an error with its exit code.
type exitError struct {
	code int
	error
}

func (e exitError) Unwrap() error { return e.error }

// usagef formats an error in the arguments.
func usagef(format string, args ...any) error {
	return exitError{exitUsage, fmt.Errorf(format, args...)}
}

// nof formats a negative answer.
func nof(format string, args ...any) error { return exitError{exitNo, fmt.Errorf(format, args...)} }

// exitCode returns the exit code for an error. The default is wrong usage.
func exitCode(err error) int {
	var signal interrupt.Error
	var exit exitError
	switch {
	case errors.As(err, &signal):
		return exitSignal + int(signal.Signal)
	case errors.As(err, new(*oracle.EnvironmentError)):
		return exitEnvironment
	case errors.Is(err, whittle.ErrUninteresting), errors.As(err, new(*explain.Error)),
		errors.As(err, new(*valid.SameError)), errors.As(err, new(*diagnose.PassesError)),
		errors.As(err, new(*account.NoFailureError)):
		return exitNo
	case errors.As(err, &exit):
		return exit.code
	}
	return exitUsage
}
