//go:build !linux

package disk

func unmountAt(string) error { return nil }

func unmountBelow(string) error { return nil }

// Move renames a file, directory or link, or returns fs.ErrExist if the target exists.
func Move(from, to string) error { return moveInSteps(from, to) }

// NoExec returns false: only Linux tells.
func NoExec(string) bool { return false }
