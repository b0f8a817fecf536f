package process

import (
	"slices"
	"strings"

	"whittle/oracle"
)

// Bounds of the reasons of a test.
const (
	mostReasons = 64
	mostClues   = 16      // among them
	mostRead    = 1 << 20 // bytes of output
)

// Reasons collects the first reasons of a failure from an output, see [oracle.Spec].
type Reasons struct {
	Of      func(line []byte) string
	lines   lines
	read    int
	clues   int
	placing bool // the place of the last reason may follow
	all     []string
}

func (r *Reasons) Write(p []byte) (int, error) {
	if r.read += len(p); r.read <= mostRead && len(r.all) < mostReasons {
		r.lines.write(p, r.add)
	}
	return len(p), nil
}

// add takes a line. One with only a place belongs to the line with only names before it. The place of a warning is
// ignored.
func (r *Reasons) add(line []byte) {
	reason, isPlace := strings.CutPrefix(r.Of(line), oracle.Place)
	place, _, named := strings.Cut(reason, " ")
	last := len(r.all) - 1
	if reason == "" {
		return
	}
	if r.placing && !named {
		r.all[last] = place + r.all[last][1:]
	} else if !isPlace && len(r.all) < mostReasons && !slices.Contains(r.all, reason) && !r.isFull(reason) {
		r.all = append(r.all, reason)
	}
	r.placing = place == "-" && len(r.all) > last+1
}

// isFull counts clues.
func (r *Reasons) isFull(reason string) bool {
	if strings.HasPrefix(reason, oracle.Clue) {
		r.clues++
		return r.clues > mostClues
	}
	return false
}

// All ends the use of Reasons, and returns them.
func (r *Reasons) All() []string {
	r.lines.end(r.add)
	return slices.DeleteFunc(r.all, func(reason string) bool { return reason == "-" })
}
