// Package rules reads rewriting rules. Each rule is one line in the language's own syntax:
//
//	# A while loop has the same meaning and is shorter.
//	for (; $C;) $S => while ($C) $S
//	$A ? $B : $C => $B | $C | $A
//
// Right of the arrow are one or more alternatives. $X is one node, and $$$X is any number of siblings with their
// separators. Equal names stand for equal texts, except $_. An empty alternative deletes the match. The comment before
// a rule gives the reason for it.
//
// Patterns are parsed by the language's front end, so rules are independent of grammars.
package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"whittle/parse"
	"whittle/pass"
	"whittle/rewrite"
)

// A Set is the content of a file of rules.
type Set struct {
	Rules  []*Rule
	Values [][]string // facts about values, as words
	pass.Facts
	// Spellings and Packages say how files of a project name each other.
	Spellings []parse.Spelling
	Packages  [][2]string // file and word before the name of the package
	header
}

type header struct {
	places []place
	holes  map[string][]string // texts for metavariables, by name without digits
	// anyCase: words of patterns match in any case.
	anyCase bool
}

type place struct{ before, after string }

// ReadLike returns the set with the places and holes of another set, unless it has its own.
func (s *Set) ReadLike(other *Set) *Set {
	if len(s.places)+len(s.holes) > 0 {
		return s
	}
	h := other.header
	h.anyCase = h.anyCase || s.anyCase
	like := *s
	like.header = h
	return &like
}

// Holes returns the lines of a file that give texts for metavariables.
func (s *Set) Holes() (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(s.holes)) {
		for _, text := range s.holes[name] {
			lines = append(lines, fmt.Sprintf("@hole %s %s\n", name, text))
		}
	}
	return lines
}

// A Rule is one line of a file.
type Rule struct {
	File    string
	Line    int
	Pattern string
	With    []string
	Why     string // the comment above it

	pattern side
	with    []side
}

// String returns the rule in the syntax of a file.
func (r *Rule) String() string {
	sides := []string{strings.ReplaceAll(r.Pattern, " => ", ` \=> `) + " =>"}
	for i, w := range r.With {
		if i > 0 {
			sides = append(sides, "|")
		}
		sides = append(sides, strings.NewReplacer(" => ", ` \=> `, " | ", ` \| `).Replace(w))
	}
	return strings.TrimSpace(strings.Join(sides, " "))
}

// A Match is a part of a tree that matches a rule, and its replacement by an alternative.
type Match struct {
	Rule     *Rule
	With     int // index of the alternative
	Siblings []int32
	Less     int // tokens saved
	rewrite.Change
}

// Families returns a family for each rule, with its largest changes first. Patterns are compiled on first use. Rules
// that cannot be compiled match nothing; [Set.Check] reports them.
func (s *Set) Families(l parse.Language) []rewrite.Family {
	find := s.In(l)
	families := make([]rewrite.Family, len(s.Rules))
	for i, r := range s.Rules {
		families[i] = rewrite.Family{Name: r.Pattern, Find: func(f *rewrite.File) []rewrite.Change {
			matches := find.Matches(i, f.Tree)
			slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Less, a.Less) })
			changes := make([]rewrite.Change, len(matches))
			for k, m := range matches {
				changes[k] = m.Change
			}
			return changes
		}}
	}
	return families
}

// A Finder finds the matches of rules in trees of a language. It is safe for concurrent use.
type Finder struct {
	set      *Set
	compiled []func() (compiled, error)

	mu   sync.Mutex
	last *index
}

// In returns the finder for a language.
func (s *Set) In(l parse.Language) *Finder {
	f := &Finder{set: s, compiled: make([]func() (compiled, error), len(s.Rules))}
	for i, r := range s.Rules {
		f.compiled[i] = sync.OnceValues(func() (compiled, error) { return r.compile(l, &s.header, false) })
	}
	return f
}

// Matches returns the matches of rule i: one alternative after the other, in pre-order.
func (f *Finder) Matches(i int, t *parse.Tree) []Match {
	x := f.indexOf(t)
	if x.lacks(f.set.Rules[i].pattern) {
		return nil
	}
	c, err := f.compiled[i]()
	if err != nil {
		return nil
	}
	bound := x.find(c, f.set.anyCase)
	var matches []Match
	for k := range f.set.Rules[i].With {
		var last []int32
		for _, b := range bound {
			with, ok := b.with[k]
			if !ok || slices.Equal(b.siblings, last) {
				continue
			}
			last = b.siblings
			if m, ok := b.match(t, with); ok {
				m.Rule, m.With = f.set.Rules[i], k
				matches = append(matches, m)
			}
		}
	}
	return matches
}

// Texts returns the matching text and its replacement.
func (m *Match) Texts(t *parse.Tree) (before, after string) {
	from := int(t.Tokens[t.Nodes[m.Siblings[0]].First].Start)
	to := int(t.Tokens[t.Nodes[m.Siblings[len(m.Siblings)-1]].Last-1].End)
	whole := parse.Whole(t).Apply(m.Edits...).Drop(m.Drop...).Render()
	end := len(whole)
	for i := 0; i < from && i < end; i++ {
		if whole[i] != t.Source[i] {
			from = i
		}
	}
	for k := len(t.Source); k > to && end > from && whole[end-1] == t.Source[k-1]; k-- {
		end--
	}
	return string(t.Source[from:to]), string(whole[min(from, end):end])
}

func (f *Finder) indexOf(t *parse.Tree) *index {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last == nil || f.last.tree != t {
		f.last = newIndex(t)
	}
	return f.last
}

// Check compiles all rules for a language. The error is a [Mistakes].
func (s *Set) Check(l parse.Language) error {
	var all Mistakes
	for _, r := range s.Rules {
		if _, err := r.compile(l, &s.header, true); err != nil {
			all = append(all, err.(Mistake))
		}
	}
	return all.err()
}
