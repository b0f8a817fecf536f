package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// IsProgram reports whether a file is executable.
func IsProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// WriteFile writes a new file with these permissions, ready to execute.
func WriteFile(root *os.Root, name string, mode fs.FileMode, data []byte) error {
	if mode&0o111 != 0 {
		// Execution fails with ETXTBSY while a process has the file open for writing, as one forked now
		// would until its exec.
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Chmod(mode), f.Close()) // the umask may have removed bits of the mode
}
