package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"whittle/oracle"
)

// output is where the best file goes.
type output struct {
	path   string
	mode   fs.FileMode
	stream bool // a device or pipe: written once, at the end

	begun  bool   // something was written, or would have been to a stream
	best   []byte // the last of it
	synced time.Time
	broken bool // the last write failed: the file is not the best
}

// syncInterval is how often an improvement waits for the disk. Every
// improvement replaces the file, but to flush each would cost more than many a
// test does.
const syncInterval = time.Second

// streamGrace is how long an interrupted whittle waits for a reader of its
// output.
const streamGrace = 2 * time.Second

// resultPath gives the default output: small.reduced.c for small.c.
func resultPath(input string) string {
	dir, base := filepath.Split(input)
	ext := filepath.Ext(base)
	if ext == base { // .profile
		ext = ""
	}
	return dir + strings.TrimSuffix(base, ext) + ".reduced" + ext
}

// openOutput finds out what path is. A file is replaced, a device or a pipe
// written to; a link, the input or the test is left alone.
func openOutput(path, input, test string, mode fs.FileMode) (*output, error) {
	out := &output{path: path, mode: mode}
	if _, ok := standard(path); ok {
		out.stream = true
		return out, nil
	}
	info, err := os.Stat(path)
	link, _ := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && link != nil:
		return nil, usagef("%s is a symbolic link to nothing; remove it or choose another output with -o", path)
	case errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(path, "/"):
		return nil, usagef("%s is not a directory, and would be no file; name a file with -o", path)
	case errors.Is(err, fs.ErrNotExist):
		return out, out.probe()
	case err != nil:
		return nil, out.failed(err)
	case info.IsDir():
		return nil, usagef("%s is a directory; name a file with -o", path)
	case !info.Mode().IsRegular():
		out.stream = true
		if err := unix.Access(path, unix.W_OK); err != nil {
			return nil, out.failed(err)
		}
		return out, nil
	case samePath(path, input):
		return nil, usagef("%s is the file to reduce, which is never overwritten; use --in-place for that", path)
	case samePath(path, test):
		return nil, usagef("%s is the test and would be overwritten; choose another output with -o", path)
	case link.Mode()&fs.ModeSymlink != 0:
		return nil, usagef("%s is a symbolic link and would be replaced; name the file itself with -o", path)
	}
	return out, out.probe()
}

// openInPlace prepares to replace the input.
func openInPlace(path string, mode fs.FileMode) (*output, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, usagef("%s is a symbolic link and would be replaced; name the file itself for --in-place", path)
	}
	if _, err := os.Lstat(backUpPath(path)); err == nil {
		return nil, backUpExists(path)
	}
	out := &output{path: path, mode: mode}
	return out, out.probe()
}

// standard gives the open file behind /dev/stdout and /dev/stderr, which may be
// a file that is appended to.
func standard(path string) (f *os.File, ok bool) {
	switch path {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return os.Stdout, true
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return os.Stderr, true
	}
	return nil, false
}

// samePath tells whether a write to one file would harm the other.
func samePath(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	a, errA = filepath.Abs(a)
	b, errB = filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}

// probe finds out early whether the file can be replaced.
func (o *output) probe() error {
	f, err := o.temporary()
	if err != nil {
		return o.failed(err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// temporary makes a file beside the output, to be renamed onto it.
func (o *output) temporary() (*os.File, error) {
	return os.CreateTemp(filepath.Dir(o.path), ".whittle-")
}

// write replaces the file, in one step.
func (o *output) write(file []byte) error {
	o.begun, o.best = true, file
	if o.stream {
		return nil
	}
	if err := o.replace(file, time.Since(o.synced) > syncInterval); err != nil {
		return o.failed(err)
	}
	return nil
}

func (o *output) replace(file []byte, sync bool) (err error) {
	f, err := o.temporary()
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(file)
	err = errors.Join(err, f.Chmod(o.mode))
	if sync && err == nil {
		err = f.Sync()
		o.synced = time.Now()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), o.path)
}

// finish makes the best file last: on the disk, or in the stream. It does nothing
// if nothing was written before.
func (o *output) finish(ctx context.Context) error {
	if !o.begun {
		return nil
	}
	if !o.stream {
		err := o.replace(o.best, true)
		if err != nil && !o.broken { // else it has been told
			return o.failed(err)
		}
		o.broken = err != nil
		return nil
	}
	written := make(chan error, 1)
	go func() { written <- o.writeStream(o.best) }()
	var err error
	select {
	case err = <-written:
	case <-ctx.Done():
		select {
		case err = <-written:
		case <-time.After(streamGrace):
			err = errors.New("nobody reads it")
		}
	}
	if err != nil {
		return o.failed(err)
	}
	return nil
}

// writeStream writes to a device or pipe. It may have to wait for a reader.
func (o *output) writeStream(file []byte) error {
	if f, ok := standard(o.path); ok {
		_, err := f.Write(file)
		return err
	}
	f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(file)
	return errors.Join(err, f.Close())
}

func (o *output) failed(err error) error {
	o.broken = true
	return &oracle.EnvironmentError{Err: fmt.Errorf("cannot write the result to %s: %w; choose another place with -o", o.path, err)}
}

func backUpPath(path string) string { return path + ".orig" }

func backUpExists(path string) error {
	return usagef("%s exists already and may be the only copy of an earlier input; move it away, then use --in-place", backUpPath(path))
}

// backUp keeps the input as FILE.orig, and never over another file.
func backUp(path string, input []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(backUpPath(path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return backUpExists(path)
	}
	if err == nil {
		_, err = f.Write(input)
		if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
			os.Remove(f.Name())
		}
	}
	if err != nil {
		return &oracle.EnvironmentError{Err: fmt.Errorf("cannot keep the input as %s: %w", backUpPath(path), err)}
	}
	return nil
}
