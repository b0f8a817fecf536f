package inquire

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"whittle/internal/report"
	"whittle/internal/tool"
)

const (
	mostCount    = 1 << 24 // of a debug counter that is bisected
	mostCulprits = 3       // switches that are reported together
)

// culprits finds the few of n switches that matter: the bug disappears when they are off. It returns
// nil if they are too many or do not exist. Off returns the arguments that turn switches off.
func (b *Bisection) culprits(ctx context.Context, n int, off func(switches []int) []string) ([]int, error) {
	works := func(switches []int) (bool, error) {
		if len(switches) == 0 {
			return false, nil
		}
		a, err := b.ask(ctx, off(switches)...)
		return a.Verdict == report.Accepts, err
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	if yes, err := works(all); err != nil || !yes {
		return nil, err
	}
	var chosen []int
	for len(chosen) < mostCulprits {
		// Invariant: it works with all and chosen off, and fails with only chosen off.
		n, err := first(0, len(all), func(n int) (bool, error) { return works(slices.Concat(all[:n], chosen)) })
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, all[n-1])
		all = all[:n-1]
		if yes, err := works(chosen); err != nil || yes {
			slices.Sort(chosen)
			return chosen, err
		}
	}
	return nil, nil
}

func (b *Bisection) optimization(ctx context.Context, c *tool.Bisect) error {
	if c.Optimizations == nil {
		return nil
	}
	a, err := b.ask(ctx, c.Optimizations...)
	if err != nil {
		return err
	}
	var off []string
	for _, m := range c.Optimizes.Regexp().FindAllSubmatch(a.Run.Output, -1) {
		off = append(off, "-fno-"+string(m[1]))
	}
	b.sort(off)
	culprits, err := b.culprits(ctx, len(off), func(switches []int) []string { return pick(off, switches) })
	if len(culprits) > 0 {
		b.report("does not fail with", strings.Join(pick(off, culprits), " "), true)
	}
	return err
}

// sort puts the most specific switches first: those named like the crashing pass, then those of a
// single pass. The search finds the first of several that suffice.
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

func pick(words []string, indices []int) (picked []string) {
	for _, i := range indices {
		picked = append(picked, words[i])
	}
	return picked
}

// counter reports the debug counter that matters, and the first bad transformation.
func (b *Bisection) counter(ctx context.Context, c *tool.Bisect) error {
	if c.Counters == nil {
		return nil
	}
	a, err := b.ask(ctx, c.Counters...)
	if err != nil {
		return err
	}
	var names []string
	for _, m := range c.Counter.Regexp().FindAllSubmatch(a.Run.Output, -1) {
		names = append(names, string(m[1]))
	}
	b.sort(names)
	culprits, err := b.culprits(ctx, len(names), func(switches []int) []string {
		return []string{"-fdbg-cnt=" + strings.Join(pick(names, switches), ":0,") + ":0"}
	})
	if err != nil || len(culprits) == 0 {
		return err
	}
	if len(culprits) > 1 {
		b.report("counters that matter", strings.Join(pick(names, culprits), " "), true)
		return nil
	}
	limit := func(n int) string { return fmt.Sprintf("-fdbg-cnt=%s:%d", names[culprits[0]], n) }
	isBad := func(n int) (bool, error) { return b.fails(ctx, limit(n)) }
	good, bad := 0, 1
	for {
		yes, err := isBad(bad)
		if err != nil || !yes && bad >= mostCount {
			return err
		}
		if yes {
			break
		}
		good, bad = bad, 4*bad
	}
	n, err := first(good, bad, isBad)
	if err != nil {
		return err
	}
	b.report("first bad limit", limit(n), true)
	return nil
}
