// Package place finds where a program crashes that a test builds and runs: the program is
// built with a sanitizer, or run below a debugger. A candidate must crash at the same
// place, not only by the same signal. In the same run the compilers of a project are asked
// for new warnings that make undefined behaviour likely.
package place

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"time"

	"whittle/algo"
	"whittle/internal/failure"
	"whittle/internal/stages"
	"whittle/internal/tool"
	"whittle/internal/valid"
	"whittle/oracle"
)

// A Place is a stage behind the test, and what it asks for.
type Place struct {
	failure.Place // of the crash; without a Title if that is not known
	By            string
	Warns         bool            // a candidate may have no new warnings
	Allowed       []valid.Allowed // the warnings that the input has
	Stage         stages.Stage

	warning func(name string) *regexp.Regexp // of a line that has a warning
}

// An Input says what is wanted of an input.
type Input struct {
	valid.Input
	Crash bool          // the place where a program dies
	Debug bool          // by a debugger, if no sanitizer reports it
	Warns bool          // no new warnings
	Took  time.Duration // by the test of the input
}

// The least time limit of the stage, and how many times as long as on the input it may take.
const (
	leastTimeout = 10 * time.Second
	slack        = 10
)

// Find returns the place of the crash of the input, and the warnings that it has; nil if
// neither is wanted or to be had.
func Find(ctx context.Context, executor oracle.Executor, m *tool.Machine, in Input) (*Place, error) {
	f := finder{executor: executor, in: in, compilers: m.Compilers()}
	for _, w := range f.ways() {
		p, err := f.find(ctx, w)
		if p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// A finder finds the place of an input.
type finder struct {
	executor  oracle.Executor
	in        Input
	compilers []tool.Program
	unused    bool // the command calls none of them
}

// A way is one of several to find a place.
type way struct {
	how how
	by  string
	row int // of the arguments of a sanitizer
}

// ways returns the ways to find a place, the best first.
func (f *finder) ways() (all []way) {
	if f.in.Crash && len(f.compilers) > 0 {
		for i, row := range f.compilers[0].Traced {
			all = append(all, way{sanitised, row[len(row)-1], i})
		}
	}
	if _, err := exec.LookPath("gdb"); err == nil && f.in.Crash && f.in.Debug {
		gdb := way{how: debugged, by: "gdb"}
		all = append(all, gdb, gdb) // on a busy machine it sometimes loses a process
	}
	if f.in.Warns && len(f.compilers) > 0 {
		all = append(all, way{how: plainly})
	}
	return all
}

// added returns what a compiler gets besides its arguments.
func (w way) added(p tool.Program, warns bool, allowed []valid.Allowed) (words []string) {
	switch w.how {
	case sanitised:
		words = append(slices.Clone(p.Traced[min(w.row, len(p.Traced)-1)]), "-Wno-error")
	case debugged:
		words = append(words, "-g")
	}
	if !warns {
		return words
	}
	for _, b := range p.Bars {
		words = append(words, p.Bar(b))
	}
	for _, a := range allowed {
		words = append(words, p.Allow(a.Name))
	}
	return words
}

// find returns the place as one way shows it; nil if it does not, or not twice.
func (f *finder) find(ctx context.Context, w way) (*Place, error) {
	if f.unused && w.how != debugged {
		return nil, nil
	}
	p := &Place{By: w.by, Warns: f.in.Warns && !f.unused}
	if p.Warns {
		p.warning = f.compilers[0].Warning
	}
	s := setting{how: w.how, compilers: f.compilers, probe: true}
	s.added = func(program tool.Program) []string { return w.added(program, p.Warns, p.Allowed) }
	run, shown, err := f.show(ctx, s, p)
	if err != nil || !shown {
		return nil, err
	}
	s.undefined, s.probe = p.Undefined, false
	for i, n := range run.Counts[len(run.Counts)-len(p.Allowed):] {
		p.Allowed[i].Most = n
	}
	p.Stage = stages.Stage{
		Name: p.name(), Command: s.command, Interesting: p.criteria(f.in.Spec.Interesting, w.how),
		Refused: algo.Uninteresting, Timeout: max(leastTimeout, slack*run.Elapsed),
	}
	run, err = f.run(ctx, s, p.Stage.Interesting)
	if err != nil || run.Outcome != algo.Interesting {
		return nil, err
	}
	return p, nil
}

// show runs the command until the input shows its failure, with the warnings allowed that
// are in the way.
func (f *finder) show(ctx context.Context, s setting, p *Place) (run oracle.Run, shown bool, err error) {
	for {
		criteria := p.criteria(f.in.Spec.Interesting, s.how)
		run, err = f.run(ctx, s, criteria)
		switch {
		case err != nil:
			return run, false, err
		case run.ExitCode == 125:
			f.unused = true
		case s.how == plainly:
			shown = run.Outcome == algo.Interesting
		default:
			p.Place, shown = failure.PlaceOf(run)
		}
		if shown || f.unused && s.how != debugged || !p.allow(f.compilers, run.Output) {
			return run, shown, nil
		}
	}
}

// allow allows the warnings in what compilers printed. It reports whether there were some
// that were not allowed yet.
func (p *Place) allow(compilers []tool.Program, output []byte) bool {
	before := len(p.Allowed)
	for _, c := range compilers {
		for _, name := range c.Errors(output) {
			known := func(a valid.Allowed) bool { return a.Name == name }
			if p.Warns && slices.Contains(c.Bars, name) && !slices.ContainsFunc(p.Allowed, known) {
				p.Allowed = append(p.Allowed, valid.Allowed{Name: name})
			}
		}
	}
	return len(p.Allowed) > before
}

// criteria returns what a run must meet.
func (p *Place) criteria(test oracle.Criteria, how how) oracle.Criteria {
	c := p.Criteria
	if how == plainly {
		c = test
	} else {
		c.ExitCodes = []int{0}
	}
	c.Lines = slices.Clone(c.Lines)
	for _, a := range p.Allowed {
		c.Lines = append(c.Lines, oracle.Line{Pattern: p.warning(a.Name), Most: a.Most})
	}
	return c
}

// run runs the command on the input.
func (f *finder) run(ctx context.Context, s setting, criteria oracle.Criteria) (oracle.Run, error) {
	spec := f.in.Spec
	spec.Argv, spec.Interesting, spec.KeepOutput = s.command(spec.Argv), criteria, true
	spec.Timeout, spec.Processor = leastTimeout+slack*f.in.Took, 0
	return f.executor.Run(ctx, spec, f.in.File)
}

// name is what the stage is called.
func (p *Place) name() string {
	if p.Title == "" {
		return "no new warnings"
	}
	return "place by " + p.By
}

// Notes says what is kept, in sentences.
func (p *Place) Notes() (notes []string) {
	if p == nil {
		return nil
	}
	if p.Title != "" {
		notes = append(notes, fmt.Sprintf("the place of the crash, by %s: %s; --no-valid leaves it out", p.By, p.Title))
	}
	if p.Warns {
		names := ""
		for _, a := range p.Allowed {
			names += " -W" + a.Name
		}
		if names != "" {
			names = " (but for" + names + ")"
		}
		notes = append(notes, "keeping it free of new warnings of undefined behaviour"+names+"; --no-valid switches that off")
	}
	return notes
}
