//go:build !unix

package treesitter

func limit(int) {}
