package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ReadPlain reads a regular file that another program controls. Other kinds are errors: a FIFO
// waits for a writer, and devices may be endless.
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
	if !info.Mode().IsRegular() && !info.IsDir() { // reading a directory has its own error
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is no plain file")}
	}
	return io.ReadAll(f)
}
