package oracle

// Limits bound the resources of a test other than time. Zero means no limit.
type Limits struct {
	// Memory bounds all processes of a test together, in bytes.
	Memory uint64
	// Disk bounds the files in the directory of a test, in bytes, at least 4 KiB each.
	Disk uint64
}

// A Limit is the reason for a kill.
type Limit int32

const (
	NoLimit Limit = iota
	MemoryLimit
	DiskLimit     // all files together
	FileSizeLimit // one file, see LimitFiles

	ProcessorLimit // or time without a processor; the Run is TimedOut
	ProcessLimit   // see MaxProcesses
)

// MaxProcesses bounds the processes of a test at once.
const MaxProcesses = 2000

// What returns the name of the resource.
func (l Limit) What() string {
	switch l {
	case MemoryLimit:
		return "memory"
	case ProcessLimit:
		return "processes"
	}
	return "space on disk"
}
