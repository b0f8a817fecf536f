package local

import "whittle/internal/process"

// A Reaper knows the tests that run, so that what they leave behind can be told
// from them and killed. [Adopt] makes one.
type Reaper = process.Reaper

// Adopt makes orphans of this process's descendants its own children, and returns
// the [Reaper] that looks after them. Whoever calls it must close that.
func Adopt() *Reaper { return process.Adopt() }
