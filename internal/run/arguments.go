package run

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"whittle"
	"whittle/algo"
	"whittle/internal/output"
	"whittle/internal/shell"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// shrinks reports whether arguments of the command may be deleted: only if the criterion inspects
// the output, not if an exit code decides.
func (r *Run) shrinks() bool {
	return r.Test.Inline && !r.KeepFlags && !r.driver().Flat && r.Spec.Interesting.Telling()
}

// expand returns the command with passes for a name of several, if it fails in the same way.
func (r *Run) expand(ctx context.Context) (words []string, err error) {
	at, word, err := r.Diagnosis().Expand(ctx)
	if words = slices.Clone(r.Test.Argv); word != "" {
		r.Warn(fmt.Sprintf("%s is replaced by its passes, so that they shrink, too", words[at]))
		r.Spec.Argv = slices.Clone(r.Spec.Argv)
		words[at], r.Spec.Argv[at] = word, word
	}
	return words, err
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

func (r *Run) length(candidate []byte) int {
	called, ok := r.list.Open(candidate)
	if !ok {
		return len(candidate)
	}
	_, size := r.Input.Measure(called.File)
	return size
}

func (r *Run) ask(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	called, ok := r.list.Open(candidate)
	if !ok {
		return algo.Unresolved, nil
	}
	return r.Chain.Ask(ctx, called.Spec(r.Spec), called.File)
}

func (r *Run) afresh(ctx context.Context, candidate []byte) (algo.Outcome, error) {
	called, ok := r.list.Open(candidate)
	if !ok {
		return algo.Unresolved, nil
	}
	test := r.Afresh()
	test.Spec = called.Spec(test.Spec)
	return test.Ask(ctx, called.File)
}

// setBest stores the best file and its call. It returns their measure, without the words. The journal
// learns the file alone, because a later run finds only that on the disk.
func (r *Run) setBest(best parse.Measure) parse.Measure {
	r.called, _ = r.list.Open(best.File)
	r.best = r.called.File
	r.files, r.size = r.Input.Measure(r.best)
	if r.list != nil {
		r.Journal.Learn(oracle.KeyOf(r.best), algo.Interesting, 0)
	}
	return parse.Measure{Tokens: best.Tokens - r.extraTokens(), File: r.best}
}

func (r *Run) extraTokens() int { return r.list.Heads() + r.called.Free }

func (r *Run) result(of whittle.Result) whittle.Result {
	if of.File == nil {
		return of
	}
	called, _ := r.list.Open(of.File)
	of.File = called.File
	of.TokensAtAll, of.Tokens = of.TokensAtAll-r.atAll, of.Tokens-r.extraTokens()
	return of
}

func (r *Run) command() (command string, added []string) {
	if r.list == nil {
		return "", nil
	}
	file := r.Spec.Name
	if r.Input.Set == nil && r.Out.Replaces() {
		file = r.Out.File()
	}
	if r.Spec.Absolute {
		file, _ = filepath.Abs(file)
	}
	command = r.called.Shell(file)
	if r.Spec.Stdin {
		command += " <" + shell.Quote(file)
	}
	return command, r.called.Added
}

// arguments returns the optional arguments before and after; nil if not reduced.
func (r *Run) arguments() *output.Arguments {
	if r.list == nil {
		return nil
	}
	return &output.Arguments{Before: r.atAll - r.list.Heads(), After: r.called.Free}
}

func (r *Run) within(candidate []byte, change func(file []byte) ([]byte, error)) ([]byte, error) {
	called, ok := r.list.Open(candidate)
	changed, err := change(called.File)
	if err != nil || !ok {
		return changed, err
	}
	called.File = changed
	return r.list.Close(called), nil
}
