// Package bisect finds the place of a bug in a compiler by experiments: the first bad
// pass where the compiler counts its passes, the optimisation or the counter that matters,
// the lowest level of optimisation, and the versions that have it.
//
// All searches are binary. Each makes sure of its ends before, that the bug is there at
// the one and not at the other, and tells nothing where it is not.
package bisect

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whittle/internal/report"
	"whittle/internal/survey"
)

// A Bisection is about one command, which shows a bug.
type Bisection struct {
	Command survey.Command
	// Ask says what a command makes of the file.
	Ask func(ctx context.Context, command []string) (survey.Answer, error)
	// Most is how many commands may be run; 0 is any number.
	Most int
	// Doing is told, in a line, what is being done; nil is nobody.
	Doing func(what string)

	Runs    int    // that there were
	crashed string // the pass that the compiler names; "" if it names none
	facts   []report.Fact
}

// errEnough says that the runs are used up.
var errEnough = errors.New("no more runs")

// Find returns what it finds out, the most important first.
func (b *Bisection) Find(ctx context.Context) ([]report.Fact, error) {
	b.facts = nil
	known, ok := compilers()[b.Command.Compiler.Name]
	if !ok {
		return nil, nil
	}
	for _, search := range []func(context.Context, compiler) error{b.named, b.pass, b.level, b.optimisation, b.counter} {
		err := search(ctx, known)
		if err == errEnough {
			b.tell("bisection", fmt.Sprintf("ended after %d runs", b.Runs), false)
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return b.facts, nil
}

func (b *Bisection) tell(name, text string, code bool) {
	b.facts = append(b.facts, report.Fact{Name: name, Text: text, Code: code})
}

// ask runs a command.
func (b *Bisection) ask(ctx context.Context, command []string) (survey.Answer, error) {
	if b.Most > 0 && b.Runs >= b.Most {
		return survey.Answer{}, errEnough
	}
	b.Runs++
	if b.Doing != nil {
		b.Doing(fmt.Sprintf("looking for the place of the bug in %s, run %d", b.Command.Words[b.Command.At], b.Runs))
	}
	return b.Ask(ctx, command)
}

// with runs the command with more arguments, and reports whether the bug is there.
func (b *Bisection) with(ctx context.Context, arguments ...string) (bool, error) {
	a, err := b.ask(ctx, b.Command.And(arguments...))
	return a.Verdict == report.HasBug, err
}

// first returns the least number above good, and not above bad, of which is is true. It is
// known to be true of bad and not of good.
func first(good, bad int, is func(n int) (bool, error)) (int, error) {
	for bad-good > 1 {
		n := good + (bad-good)/2
		yes, err := is(n)
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

// named tells the pass that the compiler itself names as it crashes.
func (b *Bisection) named(ctx context.Context, c compiler) error {
	if c.names == nil {
		return nil
	}
	a, err := b.ask(ctx, b.Command.Words)
	if err != nil {
		return err
	}
	m := c.names.FindSubmatch(a.Run.Output)
	if m == nil {
		return nil
	}
	sort, name := string(m[1]), string(m[2])
	b.crashed = name
	b.tell("crashing pass", sort+" "+name, true)
	return b.disabled(ctx, c, prefixes[sort]+name)
}

// prefixes are how GCC's sorts of passes begin their names.
var prefixes = map[string]string{"GIMPLE": "tree-", "RTL": "rtl-", "IPA": "ipa-"}

// disabled tells what happens without a pass, which may run several times, under a name
// with a number each.
func (b *Bisection) disabled(ctx context.Context, c compiler, pass string) error {
	a, err := b.ask(ctx, b.Command.And(c.passes...))
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
	a, err = b.ask(ctx, b.Command.And(without...))
	if err != nil {
		return err
	}
	switch flags := strings.Join(without, " "); a.Verdict {
	case report.Accepts:
		b.tell("does not fail with", flags, true)
	case report.FailsElse:
		b.tell("with "+flags, "fails in another way: "+a.Detail, false)
	case report.HasBug:
		b.tell("with "+flags, "it still fails", false)
	}
	return nil
}

// pass tells the first bad pass of a compiler that counts them.
func (b *Bisection) pass(ctx context.Context, c compiler) error {
	if c.limitN == nil {
		return nil
	}
	a, err := b.ask(ctx, b.Command.And(c.limit(-1)...))
	if err != nil || a.Verdict != report.HasBug {
		return err
	}
	passes := c.running.FindAllSubmatch(a.Run.Output, -1)
	if len(passes) == 0 {
		return b.stage(ctx, c)
	}
	most, err := strconv.Atoi(string(passes[len(passes)-1][1]))
	if err != nil {
		return nil
	}
	at := a // of the least number that is known to be bad
	bad := func(n int) (bool, error) {
		a, err := b.ask(ctx, b.Command.And(c.limit(n)...))
		if err == nil && a.Verdict == report.HasBug {
			at = a
		}
		return a.Verdict == report.HasBug, err
	}
	switch none, err := bad(0); {
	case err != nil:
		return err
	case none:
		b.tell("first bad pass", "none: it fails without all passes that can be left out", false)
		return b.stage(ctx, c)
	}
	n, err := first(0, most, bad)
	if err != nil {
		return err
	}
	for _, m := range c.running.FindAllSubmatch(at.Run.Output, -1) {
		if string(m[1]) == strconv.Itoa(n) {
			b.tell("first bad pass", string(m[2]), true)
		}
	}
	b.tell("first bad limit", strings.Join(c.limit(n), " "), true)
	return nil
}

// stage tells how far the compiler comes.
func (b *Bisection) stage(ctx context.Context, c compiler) error {
	for _, s := range c.stages {
		if len(s.arguments) == 0 {
			b.tell("stage", s.name, false)
			return nil
		}
		bad, err := b.with(ctx, s.arguments...)
		if err != nil {
			return err
		}
		if bad {
			b.tell("stage", s.name, false)
			b.tell("also fails with", strings.Join(s.arguments, " "), true)
			return nil
		}
	}
	return nil
}

// level tells the lowest level of optimisation that has the bug.
func (b *Bisection) level(ctx context.Context, c compiler) error {
	at := -1 // of the last argument that is a level, which counts
	for i, w := range b.Command.Words {
		if i > b.Command.At && isLevel(w) {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	for _, l := range c.levels {
		if l == b.Command.Words[at] {
			b.tell("lowest failing level", l, true)
			return nil
		}
		words := slices.Clone(b.Command.Words)
		words[at] = l
		a, err := b.ask(ctx, words)
		if err != nil {
			return err
		}
		if a.Verdict == report.HasBug {
			b.tell("lowest failing level", l, true)
			return nil
		}
	}
	return nil
}

// isLevel reports whether an argument is a level of optimisation.
func isLevel(w string) bool { return len(w) <= len("-Ofast") && strings.HasPrefix(w, "-O") }
