//go:build !linux

// Package forkserver runs programs that were built with AFL's compilers, on Linux.
package forkserver

import (
	"errors"
	"io"
	"time"
)

// Options of a fork server.
type Options struct {
	Argv    []string
	File    string
	Timeout time.Duration
	Memory  uint64
}

// Kinds select the criterion of an input.
type Kinds struct{ Exits, Hangs, Coverage, Edges bool }

// Serve fails.
func Serve(Options, string, io.Reader, io.Writer) error { return errors.ErrUnsupported }
