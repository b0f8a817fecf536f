package diagnose

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"whittle/internal/failure"
	"whittle/oracle"
)

// Frames is how many functions of a stack belong to a failure by default, and at most.
const Frames = failure.Frames

// names are the words in the title of a frame that may be the name of a function.
var names = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// addCallers adds the callers of the innermost frame to the criterion of a failure: as many
// as Frames allows, that were there the second time, too, and that are none of the input's
// own functions, which change while it shrinks.
func (t *Test) addCallers(f *Failure, again oracle.Run) {
	callers := f.Callers[:min(len(f.Callers), cmp.Or(t.Frames, Frames)-1)]
	f.Callers = nil
	for _, c := range callers {
		if t.mentions(c) {
			return
		}
		if !c.Printed(again.Output) {
			f.Dropped = fmt.Sprintf("%s: not each time it fails, so the callers may change", c.Title)
			return
		}
		f.Callers = append(f.Callers, c)
		f.Shown = append(f.Shown, c.Shown)
		f.Criteria.Lines = append(f.Criteria.Lines, oracle.Line{Pattern: c.Like, Least: 1})
	}
}

// mentions reports whether the input has the function of a frame, by its name without what
// qualifies it.
func (t *Test) mentions(c failure.Frame) bool {
	title, _, _ := strings.Cut(c.Title, ", at ")
	all := names.FindAllString(title, -1)
	if len(all) == 0 {
		return false
	}
	name := regexp.QuoteMeta(all[len(all)-1])
	return regexp.MustCompile(`(^|[^\pL\pN_])` + name + `([^\pL\pN_]|$)`).Match(t.Input)
}
