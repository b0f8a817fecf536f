// Package sandbox starts programs that cannot harm the machine: they have limited places to write
// to, signal only each other, and have no network.
//
// A helper, this program started again, lives as long as its owner. It has a user, mount, network
// and IPC namespace, and sees all files read-only. Each program gets a mount namespace with the
// writable directories, an overlay on /tmp and a /dev/shm of its own, and a Landlock domain that
// confines signals. So a program costs a few system calls, not a set of namespaces. Without
// namespaces, Landlock alone restricts writing and TCP, and does not protect modes and times of
// outside files.
//
// Programs are siblings of the helper (CLONE_PARENT), for the owner to wait for and kill. If the
// owner dies, the helper kills them.
package sandbox

import (
	"fmt"
	"strings"
)

// A Policy extends the rights of programs, which may always write to their own directory.
type Policy struct {
	Write []string // absolute paths of writable files and trees
	Net   bool     // network and services of this machine
	Over  []Overlay
	// Home, if not "", is an absolute directory that shows the program's directory. So the program finds its own files
	// even by paths that were stored elsewhere.
	Home string
}

// An Overlay shows a directory at another path. Changes go to the directories upper and work in Changes, and are there
// again for the next program. Without Changes they go to the directory itself.
type Overlay struct {
	Lower, At, Changes string            // absolute directories
	Except             []string          // paths below At that are not from Lower
	Links              map[string]string // targets of symbolic links in place of those of Lower
}

// A Sandbox starts programs under a policy, and is safe for concurrent use.
type Sandbox struct {
	*Starter
	Policy
}

// A Level says how the kernel protects the machine.
type Level struct {
	Namespaces bool // user, mount, network and IPC
	Landlock   int  // ABI version, or 0
}

// Landlock's first ABI versions with a feature.
const (
	abiRefer = 2 // files move between writable directories
	abiTCP   = 4
	abiScope = 6 // signals and abstract sockets
)

// None reports whether the machine is not protected.
func (l Level) None() bool { return !l.Namespaces && l.Landlock < abiRefer }

// Signals reports whether programs cannot signal others.
func (l Level) Signals() bool { return l.Landlock >= abiScope }

// String names the means and the gaps.
func (l Level) String() string {
	if l.None() {
		return "none: the kernel offers neither user namespaces nor Landlock"
	}
	var means, gaps []string
	if l.Namespaces {
		means = append(means, "namespaces")
	} else {
		gaps = append(gaps, "modes and times of other files can be changed")
		if l.Landlock < abiTCP {
			gaps = append(gaps, "the network can be used")
		} else {
			gaps = append(gaps, "UDP can be used")
		}
	}
	if l.Landlock > 0 {
		means = append(means, fmt.Sprintf("Landlock %d", l.Landlock))
	}
	if !l.Signals() {
		gaps = append(gaps, "other processes can be signalled")
	}
	text := strings.Join(means, " and ")
	if len(gaps) > 0 {
		text += "; " + strings.Join(gaps, ", ")
	}
	return text
}

const argument = "sandbox-for-whittle"

// IsHelper reports whether a command line starts a helper, which calls [Serve].
func IsHelper(args []string) bool { return len(args) == 2 && args[1] == argument }

// Messages between owner and helper.
type (
	config struct {
		Namespaces bool
		Net        bool
		Keep       string // visible directory
	}
	request struct {
		Argv, Env []string // Argv may be empty: no program
		Dir       string
		Write     []string
		Size      uint64   // bytes of files below /tmp and /dev/shm
		Trace     []string // directories replaced by copies
		Over      []Overlay
		Collect   int // process id
	}
	reply struct {
		Level   Level
		Pid     int
		Errno   int
		Problem string // of the sandbox, not of the program
		Paths   []string
	}
)
