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
	placing bool   // the place of the last reason may follow
	around  string // the function of the next message
	all     []string
}

func (r *Reasons) Write(p []byte) (int, error) {
	if r.read += len(p); r.read <= mostRead && len(r.all) < mostReasons {
		r.lines.write(p, r.add)
	}
	return len(p), nil
}

// add takes a line. One with only a place belongs to the line with only names before it. The place of a warning is
// ignored. A clue gets the names of the function before it, since a failure after parsing may be placed at the end of
// the file.
func (r *Reasons) add(line []byte) {
	reason, isPlace := strings.CutPrefix(r.Of(line), oracle.Place)
	place, names, named := strings.Cut(reason, " ")
	last := len(r.all) - 1
	switch {
	case reason == "":
		return
	case isPlace && named:
		r.around = " " + names
		return
	case !named && strings.HasPrefix(reason, oracle.Clue):
		reason += r.around
	}
	r.around = ""
	if r.placing && !named {
		r.all[last] = strings.Replace(r.all[last], "-", place, 1)
	} else if !isPlace && len(r.all) < mostReasons && !slices.Contains(r.all, reason) && !r.isFull(reason) {
		r.all = append(r.all, reason)
	}
	r.placing = strings.TrimPrefix(place, oracle.Clue) == "-" && len(r.all) > last+1
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
	return slices.DeleteFunc(r.all, func(reason string) bool { return strings.TrimPrefix(reason, oracle.Clue) == "-" })
}
