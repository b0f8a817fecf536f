package output

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"whittle/internal/printable"
	"whittle/internal/sidecar"
	"whittle/oracle"
)

// An Output is where the best file of a run goes.
//
// Invariant: nothing is touched before Claim, and what was not put there by whittle
// is moved aside, never overwritten.
type Output struct {
	Path string // as the user knows it
	// Moved is told where what was at a path is kept, if it was not ours; nil is
	// nobody.
	Moved func(path, kept string)

	in   *Input
	to   target
	puts func(digest) // called before anything comes to a place
}

// A target takes files, on the disk or to somebody who reads them.
type target interface {
	// claim makes the target ours until release; nothing is touched before. The
	// error wraps disk.ErrInUse if another whittle has it.
	claim() error
	release()
	// takeUp returns what is there, nil if there is nothing.
	takeUp() []byte
	// disown has the next write keep what is there elsewhere, unless it is the same.
	disown()
	// write takes the best file so far. If it is there, nothing happens.
	write(file []byte) error
	// finish makes the last that was written stay. Once ctx is done it does not
	// wait long for others, once hurry is done it does not wait at all.
	finish(ctx, hurry context.Context) error
}

// NewOutput finds out what path, or the default if it is "", is. A file or, for
// several, a directory is replaced, a device or a pipe written to; a link, the
// input or the test is left alone.
func NewOutput(in *Input, path, test string) (*Output, error) {
	o := &Output{Path: cmp.Or(path, in.ResultPath()), in: in}
	var err error
	if in.Set != nil {
		o.to, err = o.openDirectory(test)
	} else {
		o.to, err = o.openFile(test)
	}
	return o, err
}

// openFile finds out whether a file, a device or a pipe may be written to.
func (o *Output) openFile(test string) (target, error) {
	path := o.Path
	if isStandard(path) {
		return &stream{path: path}, nil
	}
	info, err := os.Stat(path)
	link, _ := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && link != nil:
		return nil, fmt.Errorf("%s is a symbolic link to nothing; remove it or choose another output with -o", path)
	case errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(path, "/"):
		return nil, fmt.Errorf("%s is not a directory, and would be no file; name a file with -o", path)
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, cannotWrite(path, err)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory; name a file with -o", path)
	case !info.Mode().IsRegular():
		if err := unix.Access(path, unix.W_OK); err != nil {
			return nil, cannotWrite(path, err)
		}
		return &stream{path: path}, nil
	case SamePath(path, o.in.Paths[0]):
		return nil, fmt.Errorf("%s is the file to reduce, which is never overwritten; use --in-place for that", path)
	case SamePath(path, test):
		return nil, fmt.Errorf("%s is the test and would be overwritten; choose another output with -o", path)
	case link.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%s is a symbolic link and would be replaced; name the file itself with -o", path)
	}
	return &places{out: o, in: o.in, all: []*place{{path: path, name: "."}}}, nil
}

// String returns the path for people.
func (o *Output) String() string { return printable.Line(o.Path) }

// Claim makes the output ours until Release. The error wraps disk.ErrInUse if
// another whittle has it. In place it checks that the inputs are where they were
// when they were read: before they were claimed, another whittle may have worked on
// them.
func (o *Output) Claim() error {
	if err := o.to.claim(); err != nil {
		return err
	}
	for path, source := range o.in.sources {
		if now, err := o.in.source(path); err != nil || now != source {
			o.Release()
			return fmt.Errorf("%s has been reduced by another whittle just now; see what became of it, then start again", path)
		}
	}
	return nil
}

// Release gives the output up.
func (o *Output) Release() { o.to.release() }

// Write puts a file there. If it is there already, nothing happens.
func (o *Output) Write(file []byte) error { return o.to.write(file) }

// Finish makes the last file that was written stay. Once ctx is done it does not
// wait long for others, once hurry is done it does not wait at all.
func (o *Output) Finish(ctx, hurry context.Context) error { return o.to.finish(ctx, hurry) }

// Replaces reports whether the output is a path of its own at which something is
// replaced, not a device, nor the inputs in place.
func (o *Output) Replaces() bool {
	_, onDisk := o.to.(*places)
	return onDisk && !o.in.inPlace
}

// Beside returns the path of a file about the result: named after that, or if it is
// a device after where it goes by default.
func (o *Output) Beside(suffix string) string {
	path := o.Path
	info, err := os.Stat(path)
	switch {
	case isStandard(path) || err == nil && !info.Mode().IsRegular() && !info.IsDir():
		path = o.in.ResultPath()
	case o.in.Set != nil && o.in.inPlace && path == o.in.String():
		path = o.in.Paths[0]
	}
	return sidecar.With(filepath.Clean(path), suffix)
}

func cannotWrite(path string, err error) error {
	err = fmt.Errorf("cannot write the result to %s: %w; choose another place with -o", path, err)
	return &oracle.EnvironmentError{Err: err}
}
