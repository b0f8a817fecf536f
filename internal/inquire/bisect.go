package inquire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whittle/internal/report"
	"whittle/internal/tool"
)

// A Bisection locates a bug in the compiler of one command: the first bad pass if the compiler counts
// them, the optimization or debug counter that matters, and the lowest failing level.
//
// A binary search first checks that the bug is at one end and not at the other.
type Bisection struct {
	Command Command // shows the bug
	// Ask runs a command on the file.
	Ask func(ctx context.Context, command []string) (Answer, error)
	// Most limits the number of runs; 0 is no limit.
	Most int
	// Doing gets progress messages; may be nil.
	Doing func(what string)

	Runs    int    // so far
	crashed string // the pass that the compiler names; may be ""
	facts   []report.Fact
}

var errLimit = errors.New("no more runs")

// Find returns its findings, the most important first.
func (b *Bisection) Find(ctx context.Context) ([]report.Fact, error) {
	b.facts = nil
	compiler := b.Command.Compiler.Bisect
	if compiler == nil {
		return nil, nil
	}
	searches := []func(context.Context, *tool.Bisect) error{b.named, b.pass, b.level, b.optimization, b.counter}
	for _, search := range searches {
		err := search(ctx, compiler)
		if err == errLimit {
			b.report("bisection", fmt.Sprintf("ended after %d runs", b.Runs), false)
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return b.facts, nil
}

func (b *Bisection) report(name, text string, code bool) {
	b.facts = append(b.facts, report.Fact{Name: name, Text: text, Code: code})
}

func (b *Bisection) ask(ctx context.Context, arguments ...string) (Answer, error) {
	return b.run(ctx, b.Command.And(arguments...))
}

func (b *Bisection) run(ctx context.Context, command []string) (Answer, error) {
	if b.Most > 0 && b.Runs >= b.Most {
		return Answer{}, errLimit
	}
	b.Runs++
	if b.Doing != nil {
		b.Doing(fmt.Sprintf("looking for the place of the bug in %s, run %d", b.Command.Words[b.Command.At], b.Runs))
	}
	return b.Ask(ctx, command)
}

func (b *Bisection) fails(ctx context.Context, arguments ...string) (bool, error) {
	a, err := b.ask(ctx, arguments...)
	return a.Verdict == report.HasBug, err
}

// first returns the least n with good < n <= bad that is bad. good is good and bad is bad.
func first(good, bad int, isBad func(n int) (bool, error)) (int, error) {
	for bad-good > 1 {
		n := good + (bad-good)/2
		yes, err := isBad(n)
		if err != nil {
			return 0, err
		}
		if yes {
			bad = n
		} else {
			good = n
		}
	}
	return bad, nil
}

func (b *Bisection) named(ctx context.Context, c *tool.Bisect) error {
	if c.Names == "" {
		return nil
	}
	a, err := b.ask(ctx)
	if err != nil {
		return err
	}
	m := c.Names.Regexp().FindSubmatch(a.Run.Output)
	if m == nil {
		return nil
	}
	kind, name := string(m[1]), string(m[2])
	b.crashed = name
	b.report("crashing pass", kind+" "+name, true)
	return b.disabled(ctx, c, passPrefixes[kind]+name)
}

// passPrefixes are the prefixes of the names of GCC's passes, by kind.
var passPrefixes = map[string]string{"GIMPLE": "tree-", "RTL": "rtl-", "IPA": "ipa-"}

// disabled reports the effect of disabling a pass. Each of its runs has a numbered name.
func (b *Bisection) disabled(ctx context.Context, c *tool.Bisect, pass string) error {
	a, err := b.ask(ctx, c.Passes...)
	if err != nil {
		return err
	}
	var without []string
	runs := regexp.MustCompile(`(?m)^ *(` + regexp.QuoteMeta(pass) + `\d*) +: +ON`)
	for _, m := range runs.FindAllSubmatch(a.Run.Output, -1) {
		without = append(without, "-fdisable-"+string(m[1]))
	}
	without = slices.Compact(without)
	if len(without) == 0 {
		return nil
	}
	a, err = b.ask(ctx, without...)
	if err != nil {
		return err
	}
	switch flags := strings.Join(without, " "); a.Verdict {
	case report.Accepts:
		b.report("does not fail with", flags, true)
	case report.FailsElse:
		b.report("with "+flags, "fails in another way: "+a.Detail, false)
	case report.HasBug:
		b.report("with "+flags, "it still fails", false)
	}
	return nil
}

func limit(c *tool.Bisect, n int) []string {
	arguments := slices.Clone(c.Limit)
	for i, a := range arguments {
		arguments[i] = strings.ReplaceAll(a, "=N", "="+strconv.Itoa(n))
	}
	return arguments
}

func (b *Bisection) pass(ctx context.Context, c *tool.Bisect) error {
	if c.Limit == nil {
		return nil
	}
	a, err := b.ask(ctx, limit(c, -1)...)
	if err != nil || a.Verdict != report.HasBug {
		return err
	}
	passes := c.Running.Regexp().FindAllSubmatch(a.Run.Output, -1)
	if len(passes) == 0 {
		return b.stage(ctx, c)
	}
	most, err := strconv.Atoi(string(passes[len(passes)-1][1]))
	if err != nil {
		return nil
	}
	least := a // the answer for the lowest bad limit so far
	isBad := func(n int) (bool, error) {
		a, err := b.ask(ctx, limit(c, n)...)
		if err == nil && a.Verdict == report.HasBug {
			least = a
		}
		return a.Verdict == report.HasBug, err
	}
	switch bad, err := isBad(0); {
	case err != nil:
		return err
	case bad:
		b.report("first bad pass", "none: it fails without all passes that can be left out", false)
		return b.stage(ctx, c)
	}
	n, err := first(0, most, isBad)
	if err != nil {
		return err
	}
	for _, m := range c.Running.Regexp().FindAllSubmatch(least.Run.Output, -1) {
		if string(m[1]) == strconv.Itoa(n) {
			b.report("first bad pass", string(m[2]), true)
		}
	}
	b.report("first bad limit", strings.Join(limit(c, n), " "), true)
	return nil
}

func (b *Bisection) stage(ctx context.Context, c *tool.Bisect) error {
	for _, s := range c.Stages {
		if len(s.Arguments) == 0 {
			b.report("stage", s.Name, false)
			return nil
		}
		bad, err := b.fails(ctx, s.Arguments...)
		if err != nil {
			return err
		}
		if bad {
			b.report("stage", s.Name, false)
			b.report("also fails with", strings.Join(s.Arguments, " "), true)
			return nil
		}
	}
	return nil
}

// level reports the lowest optimization level that has the bug.
func (b *Bisection) level(ctx context.Context, c *tool.Bisect) error {
	last := -1 // of the last level in the command, which overrides the others
	for i, w := range b.Command.Words {
		if i > b.Command.At && isLevel(w) {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	for _, l := range c.Levels {
		bad := l == b.Command.Words[last]
		if !bad {
			words := slices.Clone(b.Command.Words)
			words[last] = l
			a, err := b.run(ctx, words)
			if err != nil {
				return err
			}
			bad = a.Verdict == report.HasBug
		}
		if bad {
			b.report("lowest failing level", l, true)
			return nil
		}
	}
	return nil
}

func isLevel(argument string) bool {
	return len(argument) <= len("-Ofast") && strings.HasPrefix(argument, "-O")
}

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
