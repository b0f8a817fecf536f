//go:build !linux

package process

import "math"

func (g *Group) use(string, uint64) use { return use{} }

func killProduct(int, string) bool { return false }

// MachineMemory returns no limit: only Linux reports it.
func MachineMemory() uint64 { return math.MaxUint64 }

// FreeMemory returns no limit, likewise.
func FreeMemory() uint64 { return math.MaxUint64 }
