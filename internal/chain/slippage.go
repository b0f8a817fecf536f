package chain

import (
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"whittle/algo"
	"whittle/internal/failure"
	"whittle/oracle"
)

// slippage finds uninteresting candidates that crash in another way than the input.
type slippage struct {
	title   string          // of the failure; "" disables slippage
	callers []failure.Frame // of the failure, too
	called  string          // the title with them
	other   func(s failure.Signature, by oracle.Spec, candidate []byte)
	refused atomic.Int64
}

// Watch calls other, from any goroutine, with tests whose strong signature has another title or
// lacks a caller.
func (c *Chain) Watch(
	title string, callers []failure.Frame, other func(s failure.Signature, by oracle.Spec, candidate []byte),
) {
	c.slippage.title, c.slippage.callers, c.slippage.other = title, callers, other
	c.slippage.called = failure.Signature{Title: title, Callers: callers}.Called()
}

// Slipped returns the number of tests that failed in another way.
func (c *Chain) Slipped() int { return int(c.slippage.refused.Load()) }

func (d *slippage) look(spec oracle.Spec, candidate []byte, run oracle.Run) {
	if d.title == "" || run.Outcome == algo.Interesting {
		return
	}
	if s, ok := failure.Of(run); ok && d.isOther(s, run) && ofTool(s, &spec) {
		if s.Title == d.title {
			s.Title = s.Called()
		}
		if s.Title == d.called { // in another file, as a stub that throws it
			return
		}
		d.refused.Add(1)
		d.other(s, spec, candidate)
	}
}

func (d *slippage) isOther(s failure.Signature, run oracle.Run) bool {
	isMissing := func(f failure.Frame) bool { return !f.Printed(run.Output) }
	return s.Title != d.title || slices.ContainsFunc(d.callers, isMissing)
}

// ofTool reports whether the tool failed, and not the candidate as a program.
func ofTool(s failure.Signature, spec *oracle.Spec) bool {
	return s.Kind != failure.Hang && s.Kind != failure.Memory &&
		!strings.Contains(s.Title, filepath.Base(spec.Name)) && !strings.Contains(s.Title, "<stdin>")
}
