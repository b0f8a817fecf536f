package reduction

import (
	"context"
	"slices"

	"whittle"
	"whittle/algo"
	"whittle/internal/arguments"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// shrinks reports whether arguments of the command may go: what it is about must show in
// how it fails. Where an exit code decides, the arguments say what is looked for.
func (r *Run) shrinks() bool {
	driver, err := whittle.Drivers().Find(r.options.Reduce.Driver)
	return r.Test.Inline && !r.options.KeepFlags && err == nil && !driver.Flat && r.Spec.Interesting.Telling()
}

// withArguments makes the arguments of the command a part of what is reduced.
func (r *Run) withArguments(o *whittle.Options) {
	l := r.list
	r.atAll = r.beside()
	o.Input, o.Language = l.Archive(), l
	o.Passes = slices.Concat([]pass.Pass{l.Faster()}, o.Passes, []pass.Pass{l.Weaker(), l.Slower()})
	if o.TargetTokens > 0 {
		o.TargetTokens += l.Heads() // and the words that are left
	}
}

// candidate returns what is asked about a file, with all arguments.
func (r *Run) candidate() []byte {
	if r.list == nil {
		return r.Input.Bytes
	}
	return r.list.Archive()
}

// open returns the file of a candidate, and how the command is called for it. What is none
// has neither.
func (r *Run) open(candidate []byte) (file []byte, called arguments.Invocation, ok bool) {
	if r.list == nil {
		return candidate, called, true
	}
	called, ok = r.list.Open(candidate)
	return called.File, called, ok
}

// length returns the bytes of the files of a candidate.
func (r *Run) length(candidate []byte) int {
	file, _, ok := r.open(candidate)
	if !ok {
		return len(candidate)
	}
	_, size := r.Input.Measure(file)
	return size
}

// ask asks about a candidate.
func (r *Run) ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	if r.list == nil {
		return r.Ask(ctx, candidate)
	}
	called, ok := r.list.Open(candidate)
	if !ok {
		return algo.Unresolved, nil
	}
	return r.Chain.Ask(ctx, called.Spec(r.Spec), called.File)
}

// again asks about a candidate that was interesting before, at least so many times.
func (r *Run) again(ctx context.Context, candidate []byte, least int) (algo.Outcome, error) {
	_, called, ok := r.open(candidate)
	switch {
	case r.list == nil:
		return r.Again(ctx, candidate, least)
	case !ok:
		return algo.Unresolved, nil
	}
	return r.Chain.Again(ctx, called.Spec(r.Spec), called.File, least)
}

// plainly returns the measure of the file of a candidate; how the command is called for
// it is that of the best from now on. The journal knows the file without its arguments,
// for a later run finds no more on the disk.
func (r *Run) plainly(best parse.Measure) parse.Measure {
	if r.list == nil {
		return best
	}
	called, _ := r.list.Open(best.File)
	r.Journal.Learn(oracle.KeyOf(called.File), algo.Interesting, 0)
	r.called = called
	return parse.Measure{Tokens: best.Tokens - r.beside(), File: called.File}
}

// beside returns how many tokens of the best candidate are none of its file.
func (r *Run) beside() int {
	if r.list == nil {
		return 0
	}
	return r.list.Heads() + r.called.Free
}

// result is that of a reduction of the file.
func (r *Run) result(of whittle.Result) whittle.Result {
	if r.list == nil || of.File == nil {
		return of
	}
	of.File, _, _ = r.open(of.File)
	of.TokensAtAll, of.Tokens = of.TokensAtAll-r.atAll, of.Tokens-r.beside()
	return of
}

// command is how the command of the test is called for the best file, for a shell, and what
// was added to it for speed.
func (r *Run) command() (command string, added []string) {
	if r.list == nil {
		return "", nil
	}
	file := r.Spec.Name
	if r.Input.Set == nil && r.Out.Replaces() {
		file = r.Out.Path
	}
	command = r.called.Shell(file)
	if r.Spec.Stdin {
		command += " <" + shell.Quote(file)
	}
	return command, r.called.Added
}

// arguments returns how many arguments there were that could go, and are.
func (r *Run) arguments() *run.Arguments {
	if r.list == nil {
		return nil
	}
	return &run.Arguments{Before: r.atAll - r.list.Heads(), After: r.called.Free}
}

// Within changes the file of a candidate, and nothing else of it.
func (r *Run) Within(candidate []byte, change func(file []byte) ([]byte, error)) ([]byte, error) {
	file, called, ok := r.open(candidate)
	changed, err := change(file)
	if err != nil || r.list == nil || !ok {
		return changed, err
	}
	called.File = changed
	return r.list.Close(called), nil
}

// Replay goes on from what the journal knows.
func (r *Run) Replay() { r.Run.Replay(r.Journal, r.candidate()) }
