package oracle

// Limits bound the resources of a test, in addition to time. Zero means no limit.
type Limits struct {
	// Memory bounds the memory of all processes of a test together, in bytes.
	Memory uint64
	// Disk bounds the files in the directory of a test, in bytes. Each file counts as at least 4
	// KiB.
	Disk uint64
}

// A Limit is the reason for which a test was killed.
type Limit int32

const (
	NoLimit Limit = iota
	MemoryLimit
	DiskLimit     // all files together
	FileSizeLimit // one file, see LimitFiles

	ProcessorLimit // processor time, or time without any; the Run is TimedOut
	ProcessLimit   // number of processes, see MaxProcesses
)

// MaxProcesses is the number of processes that a test may have at once. A fork bomb exceeds it
// within a tenth of a second.
const MaxProcesses = 2000

// What returns the name of the exhausted resource.
func (l Limit) What() string {
	switch l {
	case MemoryLimit:
		return "memory"
	case ProcessLimit:
		return "processes"
	}
	return "space on disk"
}
