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

	"whittle/internal/disk"
	"whittle/internal/printable"
	"whittle/oracle"
)

// An Output receives the best file of a run.
//
// Invariant: no file changes before Claim. Foreign files are moved aside, never overwritten.
type Output struct {
	Path string
	// Moved is called after a foreign file moved aside. It may be nil.
	Moved func(path, kept string)

	in   *Input
	to   target
	puts func(digest)
}

// A target is a destination on the disk, or a stream.
type target interface {
	// claim locks the target until release. The error wraps disk.ErrInUse if another process has
	// it.
	claim() error
	release()
	// takeUp returns the present content or nil.
	takeUp() []byte
	// disown makes the next write move different content aside.
	disown()
	// write replaces different content.
	write(file []byte) error
	// finish syncs or sends the last content. It waits for a reader briefly after ctx is done,
	// not at all after hurry is.
	finish(ctx, hurry context.Context) error
}

// NewOutput returns the output at path, or the default for "". It replaces a file, or a directory
// for several files, or writes to a device or pipe. It refuses links, the input and the test.
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

func (o *Output) openFile(test string) (target, error) {
	path := o.Path
	if isStandard(path) {
		return &stream{path: path}, nil
	}
	info, err := os.Stat(path)
	link, _ := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && link != nil:
		return nil, fmt.Errorf("%s is a dangling symbolic link; remove it or choose another output with -o", path)
	case errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(path, "/"):
		return nil, fmt.Errorf("%s does not exist and ends with a slash; name a file with -o", path)
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

// String returns the path as printable text.
func (o *Output) String() string { return printable.Line(o.Path) }

// Claim locks the output until Release. The error wraps disk.ErrInUse if another whittle has it.
// In place, no other whittle may have reduced the inputs since they were read.
func (o *Output) Claim() error {
	if err := o.to.claim(); err != nil {
		return err
	}
	for path, source := range o.in.sources {
		if now, err := o.in.source(path); err != nil || now != source {
			o.Release()
			return fmt.Errorf("%s was reduced by another whittle just now; look at its result, then start again", path)
		}
	}
	return nil
}

// Release unlocks the output.
func (o *Output) Release() { o.to.release() }

// Write replaces different content of the output.
func (o *Output) Write(file []byte) error { return o.to.write(file) }

// Finish syncs the last file, or sends it to a stream. It waits for a reader briefly after ctx is
// done, not at all after hurry is.
func (o *Output) Finish(ctx, hurry context.Context) error { return o.to.finish(ctx, hurry) }

// Replaces reports whether the output replaces its own files: neither stream nor in place.
func (o *Output) Replaces() bool {
	_, onDisk := o.to.(*places)
	return onDisk && !o.in.inPlace
}

// Sidecar returns the result's path with a suffix; for streams the default path.
func (o *Output) Sidecar(suffix string) string {
	path := o.Path
	info, err := os.Stat(path)
	switch {
	case isStandard(path) || err == nil && !info.Mode().IsRegular() && !info.IsDir():
		path = o.in.ResultPath()
	case o.in.Set != nil && o.in.inPlace && path == o.in.String():
		path = o.in.Paths[0]
	}
	return disk.AddSuffix(filepath.Clean(path), suffix)
}

func cannotWrite(path string, err error) error {
	err = fmt.Errorf("cannot write the result to %s: %w; choose another place with -o", path, err)
	return &oracle.EnvironmentError{Err: err}
}
