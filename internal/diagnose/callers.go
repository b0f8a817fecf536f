package diagnose

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"whittle/internal/failure"
	"whittle/oracle"
)

// Frames is the default and maximal number of stack frames that identify a failure.
const Frames = failure.Frames

// names matches possible function names in the title of a frame.
var names = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// addCallers adds callers of the innermost frame to the criterion, up to t.Frames in total. They
// must be on the stack of the second run, too. Functions of the input, which reductions change,
// end the list.
func (t *Test) addCallers(f *Failure, again oracle.Run) {
	callers := f.Callers[:min(len(f.Callers), cmp.Or(t.Frames, Frames)-1)]
	f.Callers = nil
	for _, c := range callers {
		if t.mentions(c) {
			return
		}
		if !c.Printed(again.Output) {
			f.Dropped = fmt.Sprintf("%s: not in each failing run, so the callers may change", c.Title)
			return
		}
		f.Callers = append(f.Callers, c)
		f.Shown = append(f.Shown, c.Shown)
		f.Criteria.Lines = append(f.Criteria.Lines, oracle.Line{Pattern: c.Like, Least: 1})
	}
}

func (t *Test) mentions(c failure.Frame) bool {
	title, _, _ := strings.Cut(c.Title, ", at ")
	all := names.FindAllString(title, -1)
	if len(all) == 0 {
		return false
	}
	name := regexp.QuoteMeta(all[len(all)-1])
	return regexp.MustCompile(`(^|[^\pL\pN_])` + name + `([^\pL\pN_]|$)`).Match(t.Input)
}
