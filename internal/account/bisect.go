package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"whittle/algo"
	"whittle/internal/report"
	"whittle/internal/tool"
)

// A Bisection locates a bug in the compiler of one command: the first bad pass if the compiler counts
// them, the optimization or debug counter that matters, and the lowest failing level.
//
// A binary search first checks that the bug is at one end and not at the other.
type Bisection struct {
	Command tool.Command // shows the bug
	// Ask runs a command on the file.
	Ask   func(ctx context.Context, command []string) (Answer, error)
	Most  int               // number of runs
	Doing func(what string) // gets progress messages

	Runs    int    // so far
	crashed string // the pass that the compiler names; may be ""
	facts   []report.Fact
	err     error // of a run; then there are no more runs and findings
}

var errLimit = errors.New("no more runs")

// Find returns its findings, the most important first.
func (b *Bisection) Find(ctx context.Context) ([]report.Fact, error) {
	compiler := b.Command.Bisect
	if compiler == nil {
		return nil, nil
	}
	for _, search := range []func(context.Context, *tool.Bisect){b.named, b.pass, b.level, b.optimization, b.counter} {
		search(ctx, compiler)
	}
	if b.err == errLimit {
		b.err = nil
		b.report("bisection", fmt.Sprintf("ended after %d runs", b.Runs), false)
	}
	return b.facts, b.err
}

func (b *Bisection) report(name, text string, code bool) {
	if b.err == nil {
		b.facts = append(b.facts, report.Fact{Name: name, Text: text, Code: code})
	}
}

func (b *Bisection) ask(ctx context.Context, arguments ...string) Answer {
	return b.run(ctx, slices.Concat(b.Command.Words, arguments))
}

func (b *Bisection) run(ctx context.Context, command []string) (a Answer) {
	if b.err == nil && b.Runs == b.Most {
		b.err = errLimit
	}
	if b.err == nil {
		b.Runs++
		b.Doing(fmt.Sprintf("looking for the place of the bug in %s, run %d", b.Command.Words[b.Command.At], b.Runs))
		a, b.err = b.Ask(ctx, command)
	}
	if b.err != nil {
		return Answer{Verdict: report.CannotRun}
	}
	return a
}

func (b *Bisection) fails(ctx context.Context, arguments ...string) bool {
	return b.ask(ctx, arguments...).Verdict == report.HasBug
}

// first returns the least n with good < n <= bad that is bad. good is good and bad is bad.
func first(good, bad int, isBad func(n int) bool) int {
	return good + 1 + sort.Search(bad-good-1, func(i int) bool { return isBad(good + 1 + i) })
}

func (b *Bisection) named(ctx context.Context, c *tool.Bisect) {
	if c.Names == "" {
		return
	}
	m := c.Names.Regexp().FindSubmatch(b.ask(ctx).Run.Output)
	if m == nil {
		return
	}
	kind, name := string(m[1]), string(m[2])
	b.crashed = name
	b.report("crashing pass", kind+" "+name, true)
	b.disabled(ctx, c, passPrefixes[kind]+name)
}

// passPrefixes are the prefixes of the names of GCC's passes, by kind.
var passPrefixes = map[string]string{"GIMPLE": "tree-", "RTL": "rtl-", "IPA": "ipa-"}

// disabled reports the effect of disabling a pass. Each of its runs has a numbered name.
func (b *Bisection) disabled(ctx context.Context, c *tool.Bisect, pass string) {
	runs := regexp.MustCompile(`(?m)^ *(` + regexp.QuoteMeta(pass) + `\d*) +: +ON`)
	without := slices.Compact(b.listed(ctx, c.Passes, runs, "-fdisable-"))
	if len(without) == 0 {
		return
	}
	a := b.ask(ctx, without...)
	switch flags := strings.Join(without, " "); a.Verdict {
	case report.Accepts:
		b.report("does not fail with", flags, true)
	case report.FailsElse:
		b.report("with "+flags, "fails in another way: "+a.Detail, false)
	case report.HasBug:
		b.report("with "+flags, "it still fails", false)
	}
}

// listed returns the names in lines that the compiler prints with the arguments, behind a prefix.
func (b *Bisection) listed(ctx context.Context, arguments []string, line *regexp.Regexp, prefix string) (all []string) {
	for _, m := range line.FindAllSubmatch(b.ask(ctx, arguments...).Run.Output, -1) {
		all = append(all, prefix+string(m[1]))
	}
	return all
}

func limit(c *tool.Bisect, n int) []string {
	arguments := slices.Clone(c.Limit)
	for i, a := range arguments {
		arguments[i] = strings.ReplaceAll(a, "=N", "="+strconv.Itoa(n))
	}
	return arguments
}

func (b *Bisection) pass(ctx context.Context, c *tool.Bisect) {
	if c.Limit == nil {
		return
	}
	least := b.ask(ctx, limit(c, -1)...) // the answer for the lowest bad limit so far
	if least.Verdict != report.HasBug {
		return
	}
	passes := c.Running.Regexp().FindAllSubmatch(least.Run.Output, -1)
	if len(passes) == 0 {
		b.stage(ctx, c)
		return
	}
	most, err := strconv.Atoi(string(passes[len(passes)-1][1]))
	if err != nil {
		return
	}
	isBad := func(n int) bool {
		a := b.ask(ctx, limit(c, n)...)
		if a.Verdict == report.HasBug {
			least = a
		}
		return a.Verdict == report.HasBug
	}
	if isBad(0) {
		b.report("first bad pass", "none: it fails without all passes that can be left out", false)
		b.stage(ctx, c)
		return
	}
	n := first(0, most, isBad)
	for _, m := range c.Running.Regexp().FindAllSubmatch(least.Run.Output, -1) {
		if string(m[1]) == strconv.Itoa(n) {
			b.report("first bad pass", string(m[2]), true)
		}
	}
	b.report("first bad limit", strings.Join(limit(c, n), " "), true)
}

func (b *Bisection) stage(ctx context.Context, c *tool.Bisect) {
	for _, s := range c.Stages {
		if len(s.Arguments) == 0 {
			b.report("stage", s.Name, false)
		} else if b.fails(ctx, s.Arguments...) {
			b.report("stage", s.Name, false)
			b.report("also fails with", strings.Join(s.Arguments, " "), true)
			return
		}
	}
}

// level reports the lowest optimization level that has the bug.
func (b *Bisection) level(ctx context.Context, c *tool.Bisect) {
	last := lastLevel(b.Command.Words)
	if last <= b.Command.At {
		return
	}
	words := slices.Clone(b.Command.Words)
	for _, l := range c.Levels {
		words[last] = l
		if l == b.Command.Words[last] || b.run(ctx, words).Verdict == report.HasBug {
			b.report("lowest failing level", l, true)
			return
		}
	}
}

// lastLevel returns the index of the last optimization level, which overrides the others; -1 without one.
func lastLevel(words []string) int {
	for i, w := range slices.Backward(words) {
		if len(w) <= len("-Ofast") && strings.HasPrefix(w, "-O") {
			return i
		}
	}
	return -1
}

const (
	mostCount    = 1 << 24 // of a debug counter that is bisected
	mostCulprits = 3       // switches that are reported together
)

// culprits finds the few of n switches that matter: the bug disappears when they are off. It returns
// nil if they are too many or do not exist. Off returns the arguments that turn switches off.
func (b *Bisection) culprits(ctx context.Context, n int, off func(switches []int) []string) []int {
	works := func(switches []int) bool {
		return len(switches) > 0 && b.ask(ctx, off(switches)...).Verdict == report.Accepts
	}
	all := algo.All(n)
	if !works(all) {
		return nil
	}
	var chosen []int
	for len(chosen) < mostCulprits && len(all) > 0 {
		// Invariant: it works with all and chosen off, and fails with only chosen off.
		n := first(0, len(all), func(n int) bool { return works(slices.Concat(all[:n], chosen)) })
		chosen = append(chosen, all[n-1])
		all = all[:n-1]
		if works(chosen) {
			slices.Sort(chosen)
			return chosen
		}
	}
	return nil
}

func (b *Bisection) optimization(ctx context.Context, c *tool.Bisect) {
	if c.Optimizations == nil {
		return
	}
	off := b.listed(ctx, c.Optimizations, c.Optimizes.Regexp(), "-fno-")
	b.sort(off)
	culprits := b.culprits(ctx, len(off), func(switches []int) []string { return pick(off, switches) })
	if len(culprits) > 0 {
		b.report("does not fail with", strings.Join(pick(off, culprits), " "), true)
	}
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
func (b *Bisection) counter(ctx context.Context, c *tool.Bisect) {
	if c.Counters == nil {
		return
	}
	names := b.listed(ctx, c.Counters, c.Counter.Regexp(), "")
	b.sort(names)
	culprits := b.culprits(ctx, len(names), func(switches []int) []string {
		return []string{"-fdbg-cnt=" + strings.Join(pick(names, switches), ":0,") + ":0"}
	})
	if len(culprits) == 0 {
		return
	}
	if len(culprits) > 1 {
		b.report("counters that matter", strings.Join(pick(names, culprits), " "), true)
		return
	}
	limit := func(n int) string { return fmt.Sprintf("-fdbg-cnt=%s:%d", names[culprits[0]], n) }
	isBad := func(n int) bool { return b.fails(ctx, limit(n)) }
	good, bad := 0, 1
	for !isBad(bad) {
		if bad >= mostCount {
			return
		}
		good, bad = bad, 4*bad
	}
	b.report("first bad limit", limit(first(good, bad, isBad)), true)
}
