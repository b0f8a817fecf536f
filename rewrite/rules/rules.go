// Package rules has rewrites as text: one line each, in the language's own syntax.
//
//	# A while loop says the same, and is shorter.
//	for (; $C;) $S => while ($C) $S
//	$A ? $B : $C => $B | $C | $A
//
// Left of the arrow is the pattern, right of it what may stand in its place, one or
// more alternatives. $X is one node, $$$X any number of siblings with what separates
// them; a name that comes twice is the same text twice, but for $_, which is anything.
// An alternative without text takes the match away. The comment above a rule says why
// there is one.
//
// The pattern is read by the language's own front end, so that a rule says nothing
// about grammars: see [Rule.compile] for how, and [matcher] for what then matches.
package rules

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"whittle/parse"
	"whittle/rewrite"
)

// A Set is what a file of rules holds.
type Set struct {
	Rules []*Rule
	header
}

// A header says how the texts of a file of rules are read.
type header struct {
	places []place
	holes  map[string][]string // what stands for a metavariable, by its name without digits
	// anyCase: the words of patterns match in large and small letters.
	anyCase bool
}

// A place is a file with a hole in which a pattern may stand.
type place struct{ before, after string }

// ReadLike returns the set with the places and holes of another, unless it has some of
// its own.
func (s *Set) ReadLike(other *Set) *Set {
	if len(s.places)+len(s.holes) > 0 {
		return s
	}
	h := other.header
	h.anyCase = h.anyCase || s.anyCase
	return &Set{s.Rules, h}
}

// A Rule is one line of a file.
type Rule struct {
	File    string
	Line    int
	Pattern string
	With    []string // the alternatives
	Why     string   // the comment above it

	pattern side
	with    []side
}

// String returns the rule as it would be written.
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

// A Match is a place in a tree that a rule matches, and what it becomes by one of the
// alternatives.
type Match struct {
	Rule     *Rule
	With     int     // the number of the alternative
	Siblings []int32 // what matches
	Less     int     // how many tokens fewer there are then
	rewrite.Change
}

// Families returns the rules for trees of a language, a family each, in order. What takes
// most away comes first. Patterns are read when they are first looked for. One that cannot be read, of which
// [Set.Check] tells, matches nothing.
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

// A Finder finds what the rules of a set match in trees of a language. It may be used
// by many goroutines.
type Finder struct {
	set      *Set
	compiled []func() (compiled, error)

	mu   sync.Mutex
	last *index // of the tree that was looked at last
}

// In returns the finder for a language.
func (s *Set) In(l parse.Language) *Finder {
	f := &Finder{set: s, compiled: make([]func() (compiled, error), len(s.Rules))}
	for i, r := range s.Rules {
		f.compiled[i] = sync.OnceValues(func() (compiled, error) { return r.compile(l, &s.header, false) })
	}
	return f
}

// Matches returns what rule i of the set matches in a tree: for one alternative after
// the other, in the order of the tree, which has what is around before what is in it.
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

// Texts returns the text that matches, and what it becomes.
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

// Check reads all patterns and alternatives as the language's. The error is
// [Mistakes].
func (s *Set) Check(l parse.Language) error {
	var all Mistakes
	for _, r := range s.Rules {
		if _, err := r.compile(l, &s.header, true); err != nil {
			all = append(all, err.(Mistake))
		}
	}
	return all.err()
}
