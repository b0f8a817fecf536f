package whittle

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"whittle/algo/rounds"
	"whittle/internal/diff"
	"whittle/internal/plain"
	"whittle/parse"
	"whittle/pass"
)

// nearFiles is the maximum number of accepted files for Raise.
const nearFiles = 16

// largest returns the tokens of the largest file for Raise.
func largest(best int) int { return best + max(10, best/10) }

// remember keeps an accepted file, and drops files that are much larger.
func (r *reduction) remember(file []byte, tokens int) {
	if r.Raise == nil {
		return
	}
	r.near = slices.DeleteFunc(r.near, func(c checkpoint) bool { return c.tokens > largest(tokens) })
	r.near = append(r.near, checkpoint{file: file, tokens: tokens})
	r.near = r.near[max(0, len(r.near)-nearFiles):]
}

// raise replaces the best file as long as Raise knows a better one. rough is the best file before the last passes,
// which then repeat.
func (r *reduction) raise(ctx context.Context, rough []byte, plan *rounds.Plan) (goOn bool, err error) {
	if r.Raise == nil || r.Watch == nil || !r.Watch() {
		return true, nil
	}
	for most := largest(r.result.Tokens); ; {
		if err := r.watch(ctx); err != nil {
			return false, err
		}
		tree, err := r.parse(r.result.File)
		if err != nil {
			return false, err
		}
		files, larger, edits := [][]byte{r.result.File}, r.larger(rough, most-r.result.Tokens), plain.Larger(tree)
		for i := range max(len(edits), len(larger)) {
			if i < len(edits) {
				files = append(files, edits[i].Render())
			}
			if i < len(larger) {
				files = append(files, larger[i])
			}
		}
		files = slices.DeleteFunc(files, func(file []byte) bool { return r.gate.strict && !r.gate.keepsSyntax(file) })
		better, err := r.better(ctx, files)
		if err != nil || better == nil {
			return err == nil, err
		}
		if tree, err = r.parse(better); err != nil {
			return false, err
		}
		tokens := parse.Whole(tree).Weight()
		r.checkpoints.add(better, tokens)
		if err := r.stepBack(better, tokens); err != nil {
			return false, err
		}
		if rough = nil; slices.ContainsFunc(larger, func(file []byte) bool { return bytes.Equal(file, better) }) {
			rough = better
			if goOn, err := r.each(ctx, pass.Last, plan); err != nil || !goOn {
				return goOn, err
			}
		}
	}
}

// better calls Raise, as a pass.
func (r *reduction) better(ctx context.Context, files [][]byte) ([]byte, error) {
	const name = "raise"
	if err := r.update(func() error { return r.Observe.observe(PassBegan{name}) }); err != nil {
		return nil, err
	}
	began := time.Now()
	better, err := r.Raise(ctx, files)
	failed := r.update(func() error {
		result := PassResult{Name: name, Elapsed: time.Since(began)}
		r.result.Passes = append(r.result.Passes, result)
		return r.Observe.observe(result)
	})
	return better, cmp.Or(err, failed)
}

// larger returns by turns the nearest accepted files, and rough with one more line of the input, the shortest first.
// Each has at most so many more tokens. If rough is nil, the list is empty.
func (r *reduction) larger(rough []byte, more int) (files [][]byte) {
	if rough == nil {
		return nil
	}
	lines := func(text []byte) []string { return strings.SplitAfter(string(text), "\n") }
	before, after := lines(r.Input), lines(rough)
	type restored struct {
		line string
		at   int
	}
	var all []restored
	for _, c := range diff.Strings(before, after) {
		for _, line := range before[c.A:c.AEnd] {
			n := len(parse.Words([]byte(line)))
			if n > 0 && n <= more && !strings.Contains(line, "\x00") { // no head of an archive
				all = append(all, restored{line, c.BEnd})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b restored) int { return cmp.Compare(len(a.line), len(b.line)) })
	for i := range max(len(r.near), len(all)) {
		if i < len(r.near) {
			files = append(files, r.near[len(r.near)-1-i].file)
		}
		if i < len(all) {
			text := slices.Insert(slices.Clone(after), all[i].at, all[i].line)
			files = append(files, []byte(strings.Join(text, "")))
		}
	}
	return slices.DeleteFunc(files, func(file []byte) bool { return bytes.Equal(file, rough) })
}
