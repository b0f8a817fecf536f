//go:build !linux

package beside

// Move renames a file, directory or link. Where there is something already, it
// does not, and the error is fs.ErrExist.
func Move(from, to string) error { return move(from, to) }
