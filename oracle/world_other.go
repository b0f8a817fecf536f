//go:build !linux

package oracle

import (
	"math"
	"os"
)

// sharedMemory would be a place for files in memory.
const sharedMemory = ""

func workPlace(uint64) string { return os.TempDir() }

func (g *group) use(string, uint64) use { return use{} }

func machineMemory() uint64 { return math.MaxUint64 }

// FreeMemory gives the bytes of memory that a program may still take, as many as
// can be where that is not known.
func FreeMemory() uint64 { return math.MaxUint64 }

// NoExec is told on Linux only.
func NoExec(string) bool { return false }
