package account

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"whittle/internal/report"
)

// system describes the machine.
func system() []report.Fact {
	var parts []string
	release, _ := os.ReadFile("/etc/os-release")
	for line := range strings.Lines(string(release)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			parts = append(parts, strings.Trim(name, `"`))
		}
	}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		parts = append(parts, text(u.Sysname[:])+" "+text(u.Release[:])+" "+text(u.Machine[:]))
	} else {
		parts = append(parts, runtime.GOOS+" "+runtime.GOARCH)
	}
	return []report.Fact{{Name: "system", Text: strings.Join(parts, ", ")}}
}

// text converts a C string.
func text(b []byte) string { return string(b[:max(bytes.IndexByte(b, 0), 0)]) }

// Lines of an excerpt around the failure.
const (
	around     = 6
	mostOutput = 80 // lines; enough for the stack of a crash
)

// excerpt returns the lines of an output for a report: those that show the failure with their
// context, or the last lines if those are unknown.
func excerpt(output []byte, shown []string) []string {
	if len(output) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimRight(string(output), "\n"), "\n")
	if len(lines) <= mostOutput {
		return lines
	}
	start := len(lines) - mostOutput
	if len(shown) > 0 {
		if at := slices.Index(lines, shown[0]); at >= 0 {
			start = max(at-around, 0)
		}
	}
	end := min(start+mostOutput, len(lines))
	cut := slices.Clone(lines[start:end])
	if start > 0 {
		cut = slices.Insert(cut, 0, "[…]")
	}
	if end < len(lines) {
		cut = append(cut, "[…]")
	}
	return cut
}
