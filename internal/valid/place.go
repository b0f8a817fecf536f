package valid

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"time"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/failure"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A CrashPlace is the place where a program crashes that a test builds and runs, found with a
// sanitizer or a debugger. Candidates must crash there, not only by the same signal. The same run
// checks for new warnings of undefined behavior.
type CrashPlace struct {
	failure.Place           // without a Title if unknown
	By            string    // the sanitizer or debugger
	Warns         bool      // candidates may have no new warnings
	Allowed       []Allowed // warnings that the input has
	Stage         chain.Stage

	warning func(name string) *regexp.Regexp // matches a line with the named warning
}

// A PlaceInput is the input of [FindPlace].
type PlaceInput struct {
	Input
	Crash bool          // find the place where a program dies
	Debug bool          // use a debugger if no sanitizer reports it
	Warns bool          // allow no new warnings
	Took  time.Duration // the time of the test of the input
}

// FindPlace returns the place of the crash of the input, and its warnings; nil without either.
func FindPlace(ctx context.Context, executor oracle.Executor, m *tool.Machine, in PlaceInput) (*CrashPlace, error) {
	f := placeFinder{executor: executor, in: in, compilers: m.Compilers()}
	for _, w := range f.ways() {
		p, err := f.find(ctx, w)
		if p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

type placeFinder struct {
	executor  oracle.Executor
	in        PlaceInput
	compilers []tool.Program
	unused    bool // the command calls no compiler of these
}

type way struct {
	how how
	by  string
	row int // index in Traced of the sanitizer's arguments
}

func (f *placeFinder) ways() (all []way) {
	if f.in.Crash && len(f.compilers) > 0 {
		for i, row := range f.compilers[0].Traced {
			all = append(all, way{withSanitizer, row[len(row)-1], i})
		}
	}
	if _, err := exec.LookPath("gdb"); err == nil && f.in.Crash && f.in.Debug {
		gdb := way{how: withDebugger, by: "gdb"}
		all = append(all, gdb, gdb) // on a busy machine it sometimes loses a process
	}
	if f.in.Warns && len(f.compilers) > 0 {
		all = append(all, way{how: unchanged})
	}
	return all
}

func (w way) added(p tool.Program, warns bool, allowed []Allowed) (words []string) {
	switch w.how {
	case withSanitizer:
		words = append(slices.Clone(p.Traced[min(w.row, len(p.Traced)-1)]), "-Wno-error")
	case withDebugger:
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

// find returns the place that one way shows twice, or nil.
func (f *placeFinder) find(ctx context.Context, w way) (*CrashPlace, error) {
	if f.unused && w.how != withDebugger {
		return nil, nil
	}
	p := &CrashPlace{By: w.by, Warns: f.in.Warns && !f.unused}
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
	p.Stage = chain.Stage{
		Name: p.name(), Command: s.command, Interesting: p.criteria(f.in.Spec.Interesting, w.how),
		Refused: algo.Uninteresting, Timeout: max(leastTimeout, slack*run.Elapsed),
	}
	run, err = f.run(ctx, s, p.Stage.Interesting)
	if err != nil || run.Outcome != algo.Interesting {
		return nil, err
	}
	return p, nil
}

// show runs the command until the input fails. It allows the warnings that prevent that.
func (f *placeFinder) show(ctx context.Context, s setting, p *CrashPlace) (run oracle.Run, shown bool, err error) {
	for {
		criteria := p.criteria(f.in.Spec.Interesting, s.how)
		run, err = f.run(ctx, s, criteria)
		switch {
		case err != nil:
			return run, false, err
		case run.ExitCode == 125:
			f.unused = true
		case s.how == unchanged:
			shown = run.Outcome == algo.Interesting
		default:
			p.Place, shown = failure.PlaceOf(run)
		}
		if shown || f.unused && s.how != withDebugger || !p.allow(f.compilers, run.Output) {
			return run, shown, nil
		}
	}
}

// allow allows the printed warnings, and reports whether one is new.
func (p *CrashPlace) allow(compilers []tool.Program, output []byte) bool {
	before := len(p.Allowed)
	for _, c := range compilers {
		for _, name := range c.Errors(output) {
			known := func(a Allowed) bool { return a.Name == name }
			if p.Warns && slices.Contains(c.Bars, name) && !slices.ContainsFunc(p.Allowed, known) {
				p.Allowed = append(p.Allowed, Allowed{Name: name})
			}
		}
	}
	return len(p.Allowed) > before
}

func (p *CrashPlace) criteria(test oracle.Criteria, how how) oracle.Criteria {
	c := p.Criteria
	if how == unchanged {
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

func (f *placeFinder) run(ctx context.Context, s setting, criteria oracle.Criteria) (oracle.Run, error) {
	spec := f.in.Spec
	spec.Argv, spec.Interesting, spec.KeepOutput = s.command(spec.Argv), criteria, true
	spec.Timeout, spec.Processor = leastTimeout+slack*f.in.Took, 0
	return f.executor.Run(ctx, spec, f.in.File)
}

func (p *CrashPlace) name() string {
	if p.Title == "" {
		return "no new warnings"
	}
	return "place by " + p.By
}

// Notes describes the conditions to the user.
func (p *CrashPlace) Notes() (notes []string) {
	if p == nil {
		return nil
	}
	if p.Title != "" {
		notes = append(notes, fmt.Sprintf(
			"keeping the place of the crash, found by %s: %s; --no-valid switches that off", p.By, p.Title))
	}
	if p.Warns {
		names := ""
		for _, a := range p.Allowed {
			names += " -W" + a.Name
		}
		if names != "" {
			names = " (except" + names + ")"
		}
		notes = append(notes, "keeping it free of new warnings of undefined behavior"+names+"; --no-valid switches that off")
	}
	return notes
}
