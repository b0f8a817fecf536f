package local

import "whittle/internal/process"

// A Reaper kills leftover processes of tests. [Adopt] returns one.
type Reaper = process.Reaper

// Adopt makes this process adopt orphans, and returns its [Reaper], which must be closed.
func Adopt() *Reaper { return process.Adopt() }
