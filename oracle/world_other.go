//go:build !linux

package oracle

import (
	"math"
	"os"
)

// sharedMemory would be a place for files in memory.
const sharedMemory = ""

func workPlace(uint64) string { return os.TempDir() }

func memoryUse(int, string, uint64, *Processes) uint64 { return 0 }

func machineMemory() uint64 { return math.MaxUint64 }
