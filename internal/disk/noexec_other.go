//go:build !linux

package disk

// NoExec is known on Linux only.
func NoExec(string) bool { return false }
