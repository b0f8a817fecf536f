package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"whittle/grammars"
	"whittle/oracle"
)

// gcPercent keeps the memory small: what whittle allocates are mostly files that
// it renders, used once.
const gcPercent = 40

// A subject is what is reduced or checked: a file, how it is read, and its test.
type subject struct {
	file     string
	input    []byte
	mode     fs.FileMode // of the file
	language grammars.Language
	command  *oracle.Command // but for its work directory
}

// open reads what the command line names.
func (f *reduceFlags) open(call call) (subject, error) {
	s := subject{file: call.inputs[0]}
	err := f.check()
	if err != nil {
		return s, err
	}
	if s.language, err = f.findLanguage(s.file); err != nil {
		return s, err
	}
	if s.language.FrontEnd != "antlr" { // ANTLR's tables are much to go through
		debug.SetGCPercent(gcPercent)
	}
	var info fs.FileInfo
	if s.input, info, err = readInput(s.file); err != nil {
		return s, err
	}
	if s.command, err = call.command(info); err != nil {
		return s, err
	}
	s.mode = info.Mode().Perm()
	s.command.Name, s.command.Mode, s.command.Timeout = filepath.Base(s.file), s.mode|0o600, f.timeout
	s.command.Stdin, s.command.Interesting = f.stdin, f.interesting
	return s, nil
}

// makeWork makes the directory that the tests run in.
func makeWork() (string, error) {
	dir, err := os.MkdirTemp("", "whittle-")
	if err != nil {
		return "", &oracle.EnvironmentError{Err: fmt.Errorf("cannot make a directory for the tests: %w; set TMPDIR to a directory that can be written to", err)}
	}
	return dir, nil
}
