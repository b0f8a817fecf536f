package oracle

// Limits bound what a test may use, beside time. Zero is no limit.
type Limits struct {
	// Memory is how many bytes of memory a test's processes may have together.
	Memory uint64
	// Disk is how many bytes the files in a test's directory may take, of
	// which each takes at least 4 KiB.
	Disk uint64
}

// A Limit is one that a test was killed for.
type Limit int32

// The limits.
const (
	NoLimit Limit = iota
	MemoryLimit
	DiskLimit     // for all its files together
	FileSizeLimit // for one file, see LimitFiles

	ProcessorLimit // of its use, or of the time without any; it makes a Run TimedOut
	ProcessLimit   // of the number of its processes, see MaxProcesses
)

// MaxProcesses is how many processes a test may have at once. A fork bomb has more within a
// tenth of a second.
const MaxProcesses = 2000

// What says of what there was too much.
func (l Limit) What() string {
	switch l {
	case MemoryLimit:
		return "memory"
	case ProcessLimit:
		return "processes"
	}
	return "space on disk"
}
