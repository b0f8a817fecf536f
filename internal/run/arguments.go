package run

import (
	"context"
	"slices"

	"whittle"
	"whittle/algo"
	"whittle/internal/arguments"
	"whittle/internal/shell"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// shrinks reports whether arguments of the command may be deleted: only if the criterion inspects
// the output, not if an exit code decides.
func (r *Run) shrinks() bool {
	driver, err := whittle.Drivers().Find(r.Search.Driver)
	return r.Test.Inline && !r.KeepFlags && err == nil && !driver.Flat && r.Spec.Interesting.Telling()
}

func (r *Run) withArguments(o *whittle.Options) {
	l := r.list
	r.atAll = r.extraTokens()
	o.Input, o.Language = l.Archive(), l
	o.Passes = slices.Concat([]pass.Pass{l.Faster()}, o.Passes, []pass.Pass{l.Weaker(), l.Slower()})
	if o.TargetTokens > 0 {
		o.TargetTokens += l.Heads() // the words count, too
	}
}

func (r *Run) candidate() []byte {
	if r.list == nil {
		return r.Input.Bytes
	}
	return r.list.Archive()
}

func (r *Run) open(candidate []byte) (file []byte, called arguments.Invocation, ok bool) {
	if r.list == nil {
		return candidate, called, true
	}
	called, ok = r.list.Open(candidate)
	return called.File, called, ok
}

func (r *Run) length(candidate []byte) int {
	file, _, ok := r.open(candidate)
	if !ok {
		return len(candidate)
	}
	_, size := r.Input.Measure(file)
	return size
}

func (r *Run) ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	file, spec, ok := r.spec(candidate)
	if !ok {
		return algo.Unresolved, nil
	}
	return r.Chain.Ask(ctx, spec, file)
}

func (r *Run) again(ctx context.Context, candidate []byte, least int) (algo.Outcome, error) {
	file, spec, ok := r.spec(candidate)
	if !ok {
		return algo.Unresolved, nil
	}
	return r.Chain.Again(ctx, spec, file, least)
}

func (r *Run) spec(candidate []byte) (file []byte, spec oracle.Spec, ok bool) {
	file, called, ok := r.open(candidate)
	if r.list == nil || !ok {
		return file, r.Spec, ok
	}
	return file, called.Spec(r.Spec), true
}

// plainly returns the measure of the best file, and stores its call. The journal learns the file
// alone, because a later run finds only that on the disk.
func (r *Run) plainly(best parse.Measure) parse.Measure {
	if r.list == nil {
		return best
	}
	called, _ := r.list.Open(best.File)
	r.Journal.Learn(oracle.KeyOf(called.File), algo.Interesting, 0)
	r.called = called
	return parse.Measure{Tokens: best.Tokens - r.extraTokens(), File: called.File}
}

func (r *Run) extraTokens() int {
	if r.list == nil {
		return 0
	}
	return r.list.Heads() + r.called.Free
}

func (r *Run) result(of whittle.Result) whittle.Result {
	if r.list == nil || of.File == nil {
		return of
	}
	of.File, _, _ = r.open(of.File)
	of.TokensAtAll, of.Tokens = of.TokensAtAll-r.atAll, of.Tokens-r.extraTokens()
	return of
}

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

// arguments returns the optional arguments before and after; nil if not reduced.
func (r *Run) arguments() *Arguments {
	if r.list == nil {
		return nil
	}
	return &Arguments{Before: r.atAll - r.list.Heads(), After: r.called.Free}
}

func (r *Run) within(candidate []byte, change func(file []byte) ([]byte, error)) ([]byte, error) {
	file, called, ok := r.open(candidate)
	changed, err := change(file)
	if err != nil || r.list == nil || !ok {
		return changed, err
	}
	called.File = changed
	return r.list.Close(called), nil
}
