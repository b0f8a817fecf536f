package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"whittle/algo"
)

// As in git bisect.
const exitUnresolved = 125

// ExitSignal plus a signal is a shell's exit code.
const ExitSignal = 128

// LastSignal is the highest signal.
const LastSignal = 64

// Criteria define interesting ends of a test. All must hold. The zero value requires exit code 0.
type Criteria struct {
	ExitCodes []int            // one of these
	Signals   []syscall.Signal // one of these; a shell's exit code 128+n is signal n
	Output    *regexp.Regexp   // in stdout and stderr, interleaved
	Lines     []Line           // likewise
	Timeout   bool             // the time limit was exceeded
	Memory    bool             // the memory limit was exceeded

	// ElseZero makes other runs unresolved, except with exit code 0: they fail in another way.
	ElseZero bool
}

// A Line limits the number of output lines that match a pattern.
type Line struct {
	Pattern *regexp.Regexp // for lines without their ends
	Least   int
	Most    int // 0 means no limit
}

// Certain reports whether a run with at least so many lines for each pattern is interesting, however it ends, except
// with exit code 125.
func (c *Criteria) Certain(counts []int) bool {
	return len(c.Lines) > 0 && len(c.ExitCodes) == 0 && len(c.Signals) == 0 && c.Output == nil &&
		!c.Timeout && !c.Memory && !slices.ContainsFunc(c.Lines, func(l Line) bool { return l.Most > 0 }) &&
		c.holdAll(&Run{Counts: counts})
}

func (l Line) holds(n int) bool { return n >= l.Least && (l.Most == 0 || n <= l.Most) }

// Patterns returns the patterns of Lines.
func (c *Criteria) Patterns() []*regexp.Regexp {
	var patterns []*regexp.Regexp
	for _, l := range c.Lines {
		patterns = append(patterns, l.Pattern)
	}
	return patterns
}

// Judge returns the outcome of a run. An exceeded limit or exit code 125 is unresolved, unless
// the criteria ask for it.
func (c *Criteria) Judge(r *Run) algo.Outcome {
	switch {
	case r.Exceeded != NoLimit && !(c.Memory && r.Exceeded == MemoryLimit),
		r.TimedOut && !c.Timeout,
		r.ExitCode == exitUnresolved && !slices.Contains(c.ExitCodes, exitUnresolved):
		return algo.Unresolved
	case c.holdAll(r):
		return algo.Interesting
	case c.ElseZero && !r.Ended(0):
		return algo.Unresolved
	}
	return algo.Uninteresting
}

func (c *Criteria) holdAll(r *Run) bool {
	if c.IsZero() {
		return r.ExitCode == 0
	}
	for i, line := range c.Lines {
		if i >= len(r.Counts) || !line.holds(r.Counts[i]) {
			return false
		}
	}
	return (!c.Timeout || r.TimedOut) &&
		(!c.Memory || r.Exceeded == MemoryLimit) &&
		(c.Output == nil || r.Matched) &&
		(len(c.ExitCodes) == 0 || slices.Contains(c.ExitCodes, r.ExitCode)) &&
		(len(c.Signals) == 0 || slices.Contains(c.Signals, r.Died))
}

// IsZero reports whether exit code 0 is the only criterion.
func (c *Criteria) IsZero() bool {
	return len(c.ExitCodes) == 0 && len(c.Signals) == 0 && c.Output == nil && len(c.Lines) == 0 &&
		!c.Timeout && !c.Memory
}

// Telling reports whether the criteria inspect more than exit codes.
func (c *Criteria) Telling() bool {
	return len(c.Signals) > 0 || c.Output != nil || len(c.Lines) > 0 || c.Timeout || c.Memory
}

// Weak describes criteria that any failure of the same kind meets, as "any death by SIGSEGV". Others return "".
func (c *Criteria) Weak() string {
	switch {
	case c.IsZero() || len(c.Lines) > 0 || c.Output != nil && !matchesAny(c.Output):
		return ""
	case c.Timeout:
		return "any candidate that does not end in time"
	case c.Memory:
		return "any candidate that uses too much memory"
	case len(c.Signals) == LastSignal:
		return "any death by a signal"
	case len(c.Signals) > 0:
		return "any " + Criteria{Signals: c.Signals}.String()
	case len(c.ExitCodes) > 0:
		return "any end with exit code " + ranges(c.ExitCodes)
	}
	return "any output"
}

func matchesAny(pattern *regexp.Regexp) bool {
	return pattern.MatchString("a") && pattern.MatchString("1 2") && pattern.MatchString(".,:")
}

// String describes an interesting end, as the subject of a sentence.
func (c Criteria) String() string {
	if c.IsZero() {
		return "0"
	}
	var parts []string
	if len(c.ExitCodes) > 0 {
		parts = append(parts, ranges(c.ExitCodes))
	}
	if n := len(c.Signals); n == LastSignal {
		parts = append(parts, "death by a signal")
	} else if n > 0 {
		var names []string
		for _, s := range c.Signals {
			names = append(names, unix.SignalName(s))
		}
		parts = append(parts, "death by "+strings.Join(names, " or "))
	}
	if c.Timeout {
		parts = append(parts, "no end in time")
	}
	if c.Memory {
		parts = append(parts, "more memory than the limit")
	}
	for _, l := range c.Lines {
		count := ""
		switch {
		case l.Least == l.Most:
			count = fmt.Sprintf("exactly %d ", l.Most)
		case l.Most > 0 && l.Least <= 1:
			count = fmt.Sprintf("at most %d ", l.Most)
		case l.Most > 0:
			count = fmt.Sprintf("%d to %d ", l.Least, l.Most)
		case l.Least > 1:
			count = fmt.Sprintf("at least %d ", l.Least)
		}
		parts = append(parts, fmt.Sprintf("%slines that match \"%s\"", count, l.Pattern))
	}
	if c.Output != nil {
		parts = append(parts, fmt.Sprintf("output that matches \"%s\"", strings.TrimPrefix(c.Output.String(), "(?m)")))
	}
	return strings.Join(parts, " with ")
}

// ranges formats numbers as 1,3,5-9.
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i + 1
		for j < len(numbers) && numbers[j] == numbers[j-1]+1 {
			j++
		}
		part := strconv.Itoa(numbers[i])
		if j > i+1 {
			part += "-" + strconv.Itoa(numbers[j-1])
		}
		parts = append(parts, part)
		i = j
	}
	return strings.Join(parts, ",")
}

// ParseExitCodes parses a list of exit codes and ranges, as 1,3,5-9.
func ParseExitCodes(text string) ([]int, error) {
	var codes []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		a, errA := strconv.Atoi(low)
		b, errB := strconv.Atoi(high)
		if errA != nil || errB != nil || a > b || a < 0 || b > 255 {
			return nil, fmt.Errorf("%q is no exit code from 0 to 255, and no range of them as 1-255", part)
		}
		for ; a <= b; a++ {
			codes = append(codes, a)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes), nil
}

// ParseSignals parses a list of signals, as SEGV,SIGABRT,9; "any" means all.
func ParseSignals(text string) ([]syscall.Signal, error) {
	var signals []syscall.Signal
	for part := range strings.SplitSeq(text, ",") {
		name := strings.ToUpper(part)
		number, err := strconv.Atoi(part)
		if err != nil {
			number = int(unix.SignalNum("SIG" + strings.TrimPrefix(name, "SIG")))
		}
		switch {
		case name == "ANY":
			for s := range LastSignal {
				signals = append(signals, syscall.Signal(s+1))
			}
		case number < 1 || number > LastSignal:
			return nil, fmt.Errorf("there is no signal %q; for example SEGV, ABRT, or any", part)
		default:
			signals = append(signals, syscall.Signal(number))
		}
	}
	slices.Sort(signals)
	return slices.Compact(signals), nil
}
