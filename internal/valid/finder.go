package valid

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/tool"
	"whittle/oracle"
)

// Options selects the validity checks. By default they are all known programs that accept the input.
type Options struct {
	Off     bool
	Command string // only this shell command; Any means the known programs, with a warning if there are none
}

// Any selects the known programs.
const Any = "any"

// Known reports whether known programs are checks.
func (o Options) Known() bool { return !o.Off && !o.own() }

func (o Options) own() bool { return o.Command != "" && o.Command != Any }

// A Finder finds the validity checks of a test.
type Finder struct {
	Options
	Input    Input
	Name     string    // of the input, for messages
	Single   bool      // the input is one file
	Differs  *DiffTest // may be nil
	Programs oracle.Executor
	Test     oracle.Test // without checks
	Machine  *tool.Machine
	Warn     func(text string)
}

// Found are the checks of a test.
type Found struct {
	Guards   []Check
	Crash    *CrashPlace   // may be nil
	Agree    []chain.Stage // of --differs: programs that agree with one side
	Rejected string        // programs that reject the input, if none accepts it
	Sides    *DiffStages   // nil without --differs
}

// Find finds the checks. The error may be a [*failure.UnfitError].
func (f *Finder) Find(ctx context.Context) (found Found, err error) {
	if f.Differs != nil {
		if found.Sides, err = f.FindSides(ctx); err != nil {
			return found, err
		}
		for _, note := range found.Sides.Notes {
			f.Warn(note)
		}
		found.Agree = found.Sides.Checks()
	}
	var asked []Check
	if f.own() {
		asked = []Check{Command(f.Command)}
	} else if f.Known() {
		asked = f.Asked(ctx)
	}
	if found.Guards, err = f.Accepted(ctx, asked); err != nil {
		return found, err
	}
	switch {
	case len(found.Guards) > 0:
	case f.own():
		run, err := asked[0].run(ctx, f.Programs, f.Input)
		lines := strings.Split(strings.TrimSpace(string(run.Output)), "\n")
		why := strings.TrimSuffix("as it does not exit with 0: "+lines[len(lines)-1], ": ")
		return found, cmp.Or(err, fmt.Errorf("--valid: %s does not accept %s, %s", f.Command, f.Name, why))
	case len(asked) > 0:
		found.Rejected = Names(slices.DeleteFunc(asked, func(g Check) bool {
			return g.Last || g.Program.Dialect // Last is the failing compiler, with other arguments
		}))
	case f.Command == Any:
		f.Warn(fmt.Sprintf("--valid: there is no program for %s on PATH; going on without", f.Input.Language))
	}
	if !f.Known() {
		return found, nil
	}
	whole, err := f.Accepted(ctx, f.Whole(ctx))
	if err != nil {
		return found, err
	}
	sanitizers, err := f.sanitizers(ctx)
	if err != nil {
		return found, err
	}
	found.Guards = slices.Concat(found.Guards, whole, sanitizers)
	found.Crash, err = f.Place(ctx)
	return found, err
}

// sanitizers returns sanitizers that accept the input, if the test runs the program in the file.
// Commands of known compilers do not, and tests of two commands have sanitizers as stages.
func (f *Finder) sanitizers(ctx context.Context) ([]Check, error) {
	program, _ := f.Input.Program(ctx, f.Machine)
	if f.Differs != nil || program.Tool != nil || !f.Single {
		return nil, nil
	}
	ends, goesOn, ok := f.probes(ctx)
	if !ok {
		return nil, nil
	}
	if outcome, err := f.Test.Ask(ctx, ends); err != nil || outcome == algo.Interesting {
		return nil, err // as for a crash of the compiler
	}
	found, err := f.Accepted(ctx, f.Sanitized(ctx))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if outcome, err := f.Test.Ask(ctx, goesOn); err != nil || outcome != algo.Interesting {
		return nil, err
	}
	return found, nil
}

// Stages returns the checks as stages, with --differs in place of the test.
func (f Found) Stages() []chain.Stage {
	stages := Stages(f.Guards)
	if f.Sides != nil {
		// Undefined behaviour shows no wrong code: it is uninteresting, not unresolved.
		for i := range stages {
			stages[i].Refused = algo.Uninteresting
		}
		stages = slices.Concat(f.Sides.Sides(), stages, f.Agree)
	}
	if f.Crash != nil {
		stages = append(stages, f.Crash.Stage)
	}
	return stages
}

// Describe describes the checks of an input in sentences.
func (f Found) Describe(name string) (all []string) {
	var names []string
	for _, g := range f.Guards {
		names = append(names, g.String())
	}
	if len(names) > 0 {
		all = append(all, fmt.Sprintf("keeping it valid for %s; --no-valid switches that off",
			english.OxfordWordSeries(names, "and")))
	}
	if f.Rejected != "" {
		all = append(all, fmt.Sprintf("the result may be invalid, as %s is: rejected by %s", name, f.Rejected))
	}
	if len(f.Agree) > 0 {
		all = append(all, fmt.Sprintf("one side is right, as %s say, and have to say of the result, too",
			chain.Names(f.Agree)))
	}
	return append(all, f.Crash.Notes()...)
}
