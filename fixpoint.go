package whittle

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/internal/queue"
	"whittle/internal/search"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// A reduction is the state of one call of Reduce.
type reduction struct {
	Options
	passes []pass.Pass
	queue  *pass.Pass  // of the repeated passes, for exhaustive rounds; may be nil
	plan   rounds.Plan // for the first round
	runner *search.Runner
	gate   gate
	tree   *parse.Tree // of the file that was parsed last
	late   context.Context

	checkpoints checkpoints
	near        []checkpoint // for Raise, oldest first

	mu      sync.Mutex // guards the fields below and the calls of Observe
	started bool       // the input is interesting
	left    bool       // Reduce has returned
	result  Result
}

// run repeats the passes until a round makes no change.
//
// Invariants: a pass accepts only files with a smaller measure, except the last passes that are [pass.Pass.Plainer].
// Each round except the last few ends with a smaller measure than all before it, after parsing again. Measures cannot
// decrease forever, so each run ends, even if a file has more tokens when it is parsed again.
func (r *reduction) run(ctx context.Context) error {
	tree, err := r.parse(r.Input)
	if err != nil {
		return err
	}
	weight := parse.Whole(tree).Weight()
	err = r.set(func() {
		r.result.TokensAtAll = weight
		if r.checkpoints.count == 0 {
			r.result.Tokens = weight
			r.checkpoints.add(r.Input, weight)
		}
	})
	if err != nil || r.enough() {
		return err
	}
	plan := r.plan
	if goOn, err := r.each(ctx, pass.First, &plan); err != nil || !goOn {
		return err
	}
	least, err := r.measure()
	if err != nil {
		return err
	}
	var rewritten, asked []byte // the best file after the last run of the Stuck and of the Fixpoint passes
	for {
		before := r.result.Tokens
		queued := r.queue != nil && plan.Policy.Exhaustive()
		if goOn, err := r.round(ctx, queued, &plan); err != nil || !goOn {
			return err
		}
		removed, err := r.removed(before, &least)
		if err != nil {
			return err
		}
		tokens := r.result.Tokens
		next := plan.Policy.Round(tokens+removed, tokens)
		if err := r.set(func() { r.result.Rounds++ }); err != nil {
			return err
		}
		if err := r.watch(ctx); err != nil {
			return err
		}
		if !queued && r.stuck(next, removed) && !bytes.Equal(r.result.File, rewritten) {
			if goOn, err := r.each(ctx, pass.Stuck, &plan); err != nil || !goOn {
				return err
			}
			won, err := r.removed(tokens, &least)
			if err != nil {
				return err
			}
			if next = plan.Policy; won == 0 {
				next = next.Round(tokens+removed, tokens)
			}
			rewritten = r.result.File
		}
		if next == nil && !bytes.Equal(r.result.File, asked) {
			before, words := r.result.Tokens, distinct(r.result.File)
			if goOn, err := r.each(ctx, pass.Fixpoint, &plan); err != nil || !goOn {
				return err
			}
			won, err := r.removed(before, &least)
			if err != nil {
				return err
			}
			asked = r.result.File
			// Fewer bytes alone are not worth a round.
			if won > 0 && (r.result.Tokens < before || distinct(asked) < words) {
				next = plan.Policy
			}
		}
		if next == nil {
			break
		}
		plan.Policy = next
	}
	rough := r.result.File
	if goOn, err := r.each(ctx, pass.Last, &plan); err != nil || !goOn {
		return err
	}
	if err := ctx.Err(); err != nil { // the end of ctx may have stopped a formatter
		return err
	}
	if goOn, err := r.raise(ctx, rough, &plan); err != nil || !goOn {
		return err
	}
	return r.set(func() {
		r.result.Complete = !slices.ContainsFunc(r.result.Passes, func(p PassResult) bool { return p.Skipped })
	})
}

// distinct returns the number of different words of a file. With fewer, deletions that failed may succeed.
func distinct(file []byte) int {
	words := parse.Words(file)
	slices.Sort(words)
	return len(slices.Compact(words))
}

func (r *reduction) round(ctx context.Context, queued bool, plan *rounds.Plan) (goOn bool, err error) {
	if queued {
		if goOn, err := r.each(ctx, pass.Between, plan); err != nil || !goOn {
			return goOn, err
		}
		return r.pass(ctx, *r.queue, plan)
	}
	return r.each(ctx, pass.Rounds, plan)
}

// stuck reports whether a round had no success and at most one would follow. So the last round, which asks everything
// again, follows the Stuck passes.
func (r *reduction) stuck(next rounds.Policy, removed int) bool {
	return next == nil || removed == 0 && next.Round(r.result.Tokens, r.result.Tokens) == nil
}

// removed returns the number of removed tokens, at least 1; or 0 if the file is not smaller than least, which it
// updates.
func (r *reduction) removed(before int, least *parse.Measure) (int, error) {
	after, err := r.measure()
	if err != nil || !after.Less(*least) {
		return 0, err
	}
	*least = after
	return max(before-r.result.Tokens, 1), nil // the file may be smaller in bytes only
}

func (r *reduction) measure() (parse.Measure, error) {
	tree, err := r.parse(r.result.File)
	if err != nil {
		return parse.Measure{}, err
	}
	return parse.Whole(tree).Measure(), nil
}

// each runs the passes of one kind. goOn is false if a limit was reached.
func (r *reduction) each(ctx context.Context, turn pass.When, plan *rounds.Plan) (goOn bool, err error) {
	for _, p := range r.passes {
		if p.When != turn {
			continue
		}
		if turn != pass.Between {
			if goOn, err := r.each(ctx, pass.Between, plan); err != nil || !goOn {
				return goOn, err
			}
		}
		if goOn, err := r.pass(ctx, p, plan); err != nil || !goOn {
			return goOn, err
		}
	}
	return true, nil
}

// pass runs one pass on the best file and updates the plan with the learned policy.
func (r *reduction) pass(ctx context.Context, p pass.Pass, plan *rounds.Plan) (goOn bool, err error) {
	if err = ctx.Err(); err != nil {
		return false, err
	}
	var steps *pass.Step
	if p.When == pass.Between {
		tree, err := r.parse(r.result.File)
		if err == nil {
			steps = r.search(p, tree, plan)
		}
		if steps.Ended() {
			return true, err
		}
	}
	if err := r.update(func() error { return r.Observe.observe(PassBegan{p.Name}) }); err != nil {
		return false, err
	}
	passing, passed := r.Control.skippable(ctx)
	defer passed()
	tree, err := r.parse(r.result.File)
	if err != nil {
		return false, err
	}
	weight := parse.Whole(tree).Weight()
	if err := r.set(func() { r.result.Tokens = weight }); err != nil {
		return false, err
	}
	r.runner.Forget(len(r.result.File))
	if steps == nil {
		steps = r.search(p, tree, plan)
	}

	began, tests, tokens := time.Now(), r.tests()-r.runner.Replayed(), r.result.Tokens
	defer func() {
		run := r.tests() - r.runner.Replayed() - tests
		result := PassResult{p.Name, run, tokens - r.result.Tokens, time.Since(began),
			context.Cause(passing) == errSkipped}
		failed := r.update(func() error {
			r.result.Passes = append(r.result.Passes, result)
			return r.Observe.observe(result)
		})
		if failed != errLeft {
			err = cmp.Or(err, failed)
		}
	}()
	goOn = true
	render := func(c *parse.Candidate) []byte { return c.Render() }
	end, searchErr := search.Run(passing, r.runner, steps, render, func(s *pass.Step, a oracle.Answer) bool {
		err = r.update(func() error { return r.decide(p, s, a) })
		goOn = err == nil && !r.enough()
		return goOn
	})
	if learned, ok := end.(rounds.Policy); ok {
		plan.Policy = learned
	}
	if ctx.Err() == nil && context.Cause(passing) == errSkipped && isDone(searchErr) {
		searchErr = nil
	}
	return goOn, cmp.Or(err, searchErr)
}

func (r *reduction) longer(file []byte) bool {
	if r.Length == nil {
		return len(file) > len(r.Input)
	}
	return r.Length(file) > r.Length(r.Input)
}

func (r *reduction) parse(file []byte) (*parse.Tree, error) {
	if r.tree != nil && bytes.Equal(r.tree.Source, file) {
		return r.tree, nil
	}
	r.tree = nil // free the memory first
	tree, err := r.Language.Parse(file)
	if err != nil {
		return nil, err
	}
	r.tree = tree
	if allowed := r.gate.allowed; tree.NoSyntax {
		r.gate.allowed = parse.Unreadable
	} else if allowed == parse.Unreadable { // the input, or the first file that is not read coarsely
		r.gate.allowed = tree.Errors
		r.runner.ForgetEarly()
	}
	return tree, nil
}

func (r *reduction) enough() bool {
	return r.MaxTests > 0 && r.tests() >= r.MaxTests || r.TargetTokens > 0 && r.result.Tokens <= r.TargetTokens
}

func (r *reduction) tests() int {
	run, _ := r.runner.Counts()
	return run
}

// decide is called in update.
func (r *reduction) decide(p pass.Pass, s *pass.Step, a oracle.Answer) (err error) {
	c := s.Candidate
	measure := c.Measure()
	file := measure.File
	best := parse.Measure{Tokens: r.result.Tokens, File: r.result.File}
	better := p.Plainer || s.Plainer || measure.Less(best)
	accepted := a.Outcome == algo.Interesting && better
	if a.Cached {
		r.result.Cached++
	} else {
		r.result.TestTime += a.Elapsed
	}
	if accepted {
		r.result.Accepted++
		r.result.File, r.result.Tokens = file, measure.Tokens
		r.checkpoints.add(file, measure.Tokens)
		if p.When != pass.Last {
			r.remember(file, measure.Tokens)
		}
		err = r.improved()
	}
	if s.About != nil && !a.Cached {
		r.result.count(s.About.Kind(), accepted, best.Tokens-r.result.Tokens)
	}
	r.count()
	return cmp.Or(err, r.Observe.observe(Decision{
		Pass: cmp.Or(s.Source, p.Name), Base: best.File, File: file, Tokens: measure.Tokens, Bytes: len(file),
		Best: r.result.Tokens, BestBytes: len(r.result.File), AtAll: r.result.TokensAtAll,
		Answer: a, Accepted: accepted, Tests: r.tests(), About: s.About, Items: func() []int { return items(c) },
	}))
}

func (r *Result) count(kind string, accepted bool, removed int) {
	i, known := slices.BinarySearchFunc(r.Kinds, kind, func(k KindResult, kind string) int {
		return cmp.Compare(k.Kind, kind)
	})
	if !known {
		r.Kinds = slices.Insert(r.Kinds, i, KindResult{Kind: kind})
	}
	r.Kinds[i].Tests++
	if accepted {
		r.Kinds[i].Accepted++
		r.Kinds[i].TokensRemoved += removed
	}
}

func (r *reduction) search(p pass.Pass, t *parse.Tree, plan *rounds.Plan) *pass.Step {
	asked, helped, _ := r.spent(pass.RepairKind)
	gate := pass.Gate{Fits: r.gate.fits, Worse: r.gate.worse, Longer: r.longer}
	if r.queue != nil && p.Name != queue.Name { // the queue asks these questions last
		gate.Fits = func(base, c *parse.Candidate) bool { return r.gate.fits(base, c) && !r.gate.worse(base, c) }
	}
	return p.Search(t, gate, pass.Plan{
		Plan: *plan, Parse: r.Language.Parse, Clues: r.runner.Clues(r.result.File),
		Repairs: pass.Repairs{Asked: asked, Helped: helped}, Spent: r.spent,
	})
}

func (r *reduction) spent(kind string) (asked, accepted, all int) {
	for _, k := range r.result.Kinds {
		if k.Kind == kind {
			asked, accepted = k.Tests, k.Accepted
		}
	}
	return asked, accepted, r.tests()
}

// items returns the 1-based numbers of the root's live children.
func items(c *parse.Candidate) []int {
	t := c.Tree()
	kept := []int{}
	i := 0
	for n := int32(1); n < int32(len(t.Nodes)); n = t.Nodes[n].Next {
		if i++; c.Live(n) {
			kept = append(kept, i)
		}
	}
	return kept
}
