package failure

import (
	_ "embed"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

//go:embed known.txt
var knownText string

type table struct {
	crashes  []rule
	patterns map[string][]pattern // of messages, of the place, and of tests that passed
	stacks   map[string]*stack
	late     map[string][]*regexp.Regexp // of warnings and summaries
}

// A rule describes failures by the line that shows them, and related lines.
type rule struct {
	kind    Kind
	weak    bool // wrong inputs show it, too
	line    pattern
	related []related
	stack   *stack
	where   string // the position of the frames: below, directly, near, close, above, both, often, callers
}

// The where of a related line is "+" (required), "only" (required, and no more of them), "?" (optional), "next"
// (follows the previous), "then" (optional, somewhere behind the previous), "after" (the same, but required), or
// "under" (optional, the last one in front of the line).
type related struct {
	pattern
	where string
}

func (b *related) optional() bool { return b.where == "?" || b.where == "then" || b.where == "under" }

var known = sync.OnceValue(func() *table {
	t, err := read(knownText)
	if err != nil {
		panic(err) // known.txt is embedded
	}
	return t
})

func read(text string) (*table, error) {
	t := &table{patterns: map[string][]pattern{}, stacks: map[string]*stack{}, late: map[string][]*regexp.Regexp{}}
	var section, name string
	for n, line := range strings.Split(text, "\n") {
		words := strings.TrimLeft(line, "\t")
		var err error
		switch depth := len(line) - len(words); {
		case words == "" || words[0] == '#':
		case depth == 0:
			switch section, name, _ = strings.Cut(words, " "); section {
			case "stack":
				t.stacks[name] = &stack{}
			case "kind", "weak", "messages", "findings", "place", "passed", "warnings", "harmless", "summaries":
			default:
				err = fmt.Errorf("unknown section %q", section)
			}
		case section == "stack":
			err = t.stacks[name].add(words)
		case section == "messages", section == "findings", section == "place", section == "passed":
			var p pattern
			p, err = compile(words)
			t.patterns[section] = append(t.patterns[section], p)
		case section == "warnings", section == "harmless", section == "summaries":
			var r *regexp.Regexp
			r, err = regexp.Compile(words)
			t.late[section] = append(t.late[section], r)
		case (section == "kind" || section == "weak") && depth == 1:
			r := rule{kind: Kind(name), weak: section == "weak"}
			r.line, err = compile(words)
			t.crashes = append(t.crashes, r)
		case depth > 1 && len(t.crashes) > 0:
			err = t.crashes[len(t.crashes)-1].add(t, words)
		default:
			err = fmt.Errorf("%q has no line above that it belongs to", words)
		}
		if err != nil {
			return nil, fmt.Errorf("known.txt:%d: %w", n+1, err)
		}
	}
	return t, nil
}

func (r *rule) add(t *table, words string) error {
	verb, rest, _ := strings.Cut(words, " ")
	switch verb {
	case "+", "only", "?", "next", "then", "after", "under":
		p, err := compile(rest)
		r.related = append(r.related, related{p, verb})
		return err
	case "below", "directly", "near", "close", "above", "both", "often", "callers":
		r.where = verb
		if r.stack = t.stacks[rest]; r.stack == nil {
			return fmt.Errorf("unknown stack %q", rest)
		}
		return nil
	}
	return fmt.Errorf("%q is none of +, only, ?, next, then, after, under, below, directly, near, close, above, both, "+
		"often, callers", verb)
}

func (s *stack) add(words string) error {
	verb, rest, _ := strings.Cut(words, " ")
	switch verb {
	case "frame":
		p, err := compile(rest)
		s.frames = append(s.frames, p)
		return err
	case "else":
		p, err := compile(rest)
		s.nameless = append(s.nameless, p)
		return err
	case "skip":
		r, err := regexp.Compile(rest)
		s.skip = append(s.skip, r)
		return err
	case "behind":
		var err error
		s.behind, err = regexp.Compile(rest)
		return err
	}
	return fmt.Errorf("%q is none of frame, else, skip and behind", verb)
}

// Most output matches no pattern, and that must be fast. So a pattern is only tried on lines with
// a literal text that all its matches contain.

func literalOf(p *syntax.Regexp) (longest string) {
	switch p.Op {
	case syntax.OpLiteral:
		if p.Flags&syntax.FoldCase == 0 {
			return string(p.Rune)
		}
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range p.Sub {
			if text := literalOf(sub); len(text) > len(longest) {
				longest = text
			}
		}
	}
	return longest
}

func (p *pattern) mayMatch(text string) bool { return strings.Contains(text, p.literal) }

func (r *rule) mayShow(text string) bool {
	for i := range r.related {
		if b := &r.related[i]; !b.optional() && !b.mayMatch(text) {
			return false
		}
	}
	stacked := r.where == "above" || r.where == "directly" || r.where == "close"
	isFrame := func(p pattern) bool { return p.mayMatch(text) }
	return r.line.mayMatch(text) && (!stacked || slices.ContainsFunc(r.stack.frames, isFrame))
}
