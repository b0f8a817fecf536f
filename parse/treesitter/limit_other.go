//go:build !unix

package treesitter

// limit does nothing here.
func limit(int) {}
