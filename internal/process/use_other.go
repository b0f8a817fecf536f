//go:build !linux

package process

import "math"

func (g *Group) use(string, uint64) use { return use{} }

// MachineMemory is known on Linux only.
func MachineMemory() uint64 { return math.MaxUint64 }

// FreeMemory is known on Linux only.
func FreeMemory() uint64 { return math.MaxUint64 }
