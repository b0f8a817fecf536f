//go:build !linux

package local

import "os"

// sharedMemory would be a place for files in memory.
const sharedMemory = ""

func workPlace(uint64) string { return os.TempDir() }
