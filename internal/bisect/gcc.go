package bisect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"whittle/internal/report"
)

// mostCount is a count that no counter reaches that is bisected.
const mostCount = 1 << 24

// mostCulprits is how many switches together are worth telling.
const mostCulprits = 3

// culprits finds the few of n switches that matter: with these off the bug is gone, as it is
// with all of them off. It returns none if there are none, or too many. Off returns the
// arguments that turn switches off.
func (b *Bisection) culprits(ctx context.Context, n int, off func(switches []int) []string) ([]int, error) {
	gone := func(switches []int) (bool, error) {
		if len(switches) == 0 {
			return false, nil
		}
		a, err := b.ask(ctx, b.Command.And(off(switches)...))
		return a.Verdict == report.Accepts, err
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if yes, err := gone(all); err != nil || !yes {
		return nil, err
	}
	var chosen []int
	for len(chosen) < mostCulprits {
		// The bug is gone with all and the chosen off, and not with the chosen alone.
		n, err := first(0, len(all), func(n int) (bool, error) { return gone(slices.Concat(all[:n], chosen)) })
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, all[n-1])
		all = all[:n-1]
		if yes, err := gone(chosen); err != nil || yes {
			slices.Sort(chosen)
			return chosen, err
		}
	}
	return nil, nil
}

// optimisation tells the optimisation without which the bug goes away.
func (b *Bisection) optimisation(ctx context.Context, c compiler) error {
	if c.optimisations == nil {
		return nil
	}
	a, err := b.ask(ctx, b.Command.And(c.optimisations...))
	if err != nil {
		return err
	}
	var off []string
	for _, m := range c.optimises.FindAllSubmatch(a.Run.Output, -1) {
		off = append(off, "-fno-"+string(m[1]))
	}
	b.sort(off)
	culprits, err := b.culprits(ctx, len(off), func(switches []int) []string { return pick(off, switches) })
	if len(culprits) > 0 {
		b.tell("does not fail with", strings.Join(pick(off, culprits), " "), true)
	}
	return err
}

// sort puts what says more first: of several switches that would do the first is found. That
// is what is called as the pass that crashes, then what is about one pass.
func (b *Bisection) sort(switches []string) {
	rank := func(s string) int {
		switch {
		case b.crashed != "" && strings.Contains(s, b.crashed):
			return 0
		case strings.HasPrefix(s, "-fno-tree-"), strings.HasPrefix(s, "-fno-ipa-"):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(switches, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
}

func pick(words []string, which []int) (picked []string) {
	for _, i := range which {
		picked = append(picked, words[i])
	}
	return picked
}

// counter tells the counter of transformations that matters, and which of them is the
// first bad one.
func (b *Bisection) counter(ctx context.Context, c compiler) error {
	if c.counters == nil {
		return nil
	}
	a, err := b.ask(ctx, b.Command.And(c.counters...))
	if err != nil {
		return err
	}
	var names []string
	for _, m := range c.counter.FindAllSubmatch(a.Run.Output, -1) {
		names = append(names, string(m[1]))
	}
	b.sort(names)
	culprits, err := b.culprits(ctx, len(names), func(switches []int) []string {
		return []string{"-fdbg-cnt=" + strings.Join(pick(names, switches), ":0,") + ":0"}
	})
	if err != nil || len(culprits) == 0 {
		return err
	}
	name := names[culprits[0]]
	if len(culprits) > 1 {
		b.tell("counters that matter", strings.Join(pick(names, culprits), " "), true)
		return nil
	}
	limit := func(n int) string { return fmt.Sprintf("-fdbg-cnt=%s:%d", name, n) }
	is := func(n int) (bool, error) { return b.with(ctx, limit(n)) }
	good, bad := 0, 1
	for {
		yes, err := is(bad)
		switch {
		case err != nil:
			return err
		case !yes && bad >= mostCount:
			return nil
		case !yes:
			good, bad = bad, 4*bad
			continue
		}
		break
	}
	n, err := first(good, bad, is)
	if err != nil {
		return err
	}
	b.tell("first bad limit", limit(n), true)
	return nil
}
