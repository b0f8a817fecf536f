package local

import "whittle/internal/process"

// A Reaper tracks running tests and kills what they leave behind. [Adopt] returns one.
type Reaper = process.Reaper

// Adopt makes orphans of this process's descendants its children, and returns their [Reaper],
// which must be closed.
func Adopt() *Reaper { return process.Adopt() }
