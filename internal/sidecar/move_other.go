//go:build !linux

package sidecar

// Move renames a file, directory or link. Where there is something already, it
// does not, and the error is fs.ErrExist.
func Move(from, to string) error { return move(from, to) }
