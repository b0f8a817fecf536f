package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ReadPlain reads a file that a program of the user's has made. Where the program left
// anything but a plain file the error says so: to open a FIFO would wait for a writer, and
// a device may have no end.
func ReadPlain(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() { // to read a directory fails with its own words
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no plain file")}
	}
	return io.ReadAll(f)
}
