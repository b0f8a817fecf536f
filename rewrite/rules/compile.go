package rules

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"

	"whittle/parse"
)

type compiled []reading

type reading struct {
	pattern
	with map[int][]item
}

// pattern is a sequence that siblings must match, the first one with this kind. single means a single node.
type pattern struct {
	kind   string
	single bool
	items  []item
}

type item struct {
	name string // "" for a token
	many bool
	text []byte
	gap  string // white space before a token
}

func (i item) equal(j item) bool {
	return i.name == j.name && i.many == j.many && bytes.Equal(i.text, j.text)
}

// maxTries limits the parsed fillings of holes in one place.
const maxTries = 64

// compile parses a rule, with its holes filled, in each place. Without a syntax error, the tokens of the text become
// the items. The kind is that of the node with exactly these tokens, or of the first of several siblings. An
// alternative only applies in places where it parses as well: `(f $$$A) => true` applies to functions but not to
// commands. With enough set, each alternative is parsed once. The error is a [Mistake].
func (r *Rule) compile(l parse.Language, h *header, enough bool) (compiled, error) {
	var c compiled
	parsed, used := false, make([]bool, len(r.with))
	for _, p := range h.all() {
		t, from, to, items, ok := h.read(l, r.pattern, p)
		if !ok {
			continue
		}
		root, ok := root(t, from, to, items)
		if !ok {
			continue
		}
		parsed = true
		with := map[int][]item{}
		for k, s := range r.with {
			if items, ok := h.tokens(l, s, p); ok {
				with[k], used[k] = items, true
			}
		}
		if len(with) > 0 && !slices.ContainsFunc(c, func(o reading) bool { return o.covers(root, with) }) {
			c = append(c, reading{root, with})
		}
		if enough && !slices.Contains(used, false) {
			break
		}
	}
	if !parsed {
		return nil, r.unread(r.pattern, h, "")
	}
	for i := range c {
		c[i].items = slices.DeleteFunc(c[i].items, func(i item) bool { return i.name == "" && isSpace(i.text) })
	}
	if k := slices.Index(used, false); k >= 0 {
		return nil, r.unread(r.with[k], h, " that takes the pattern")
	}
	return c, nil
}

func (o reading) covers(p pattern, with map[int][]item) bool {
	for k := range with {
		if _, ok := o.with[k]; !ok {
			return false
		}
	}
	return o.pattern.equal(p)
}

func (r *Rule) unread(s side, h *header, condition string) Mistake {
	example := "it"
	for f := range h.fill(s) {
		example = f.text
		break
	}
	where := fmt.Sprintf("in every @place%s, of %d", condition, len(h.places))
	if len(h.places) == 0 {
		where = "as a whole file; add a line @place to parse it inside other code"
	}
	return Mistake{r.File, r.Line, s.column, fmt.Sprintf("%s, as in %q, has a syntax error %s", s, example, where)}
}

func (p pattern) equal(q pattern) bool {
	return p.kind == q.kind && p.single == q.single && slices.EqualFunc(p.items, q.items, item.equal)
}

// Without @place, the pattern is a whole file.
func (h *header) all() []place {
	if len(h.places) == 0 {
		return []place{{}}
	}
	return h.places
}

func (h *header) tokens(l parse.Language, s side, p place) (items []item, ok bool) {
	for _, a := range s.atoms {
		if a.name != "" {
			items = append(items, item{name: a.name, many: a.many})
		} else if strings.TrimSpace(a.text) != "" {
			_, _, _, items, ok = h.read(l, s, p)
			return items, ok
		}
	}
	for f := range h.fill(s) {
		if t, err := l.Parse([]byte(p.before + f.text + p.after)); err == nil && t.Errors == 0 {
			return items, true
		}
	}
	return nil, len(s.atoms) == 0
}

// read fills the holes of a text in a place until there is no error. It returns the tree and the text's tokens.
func (h *header) read(l parse.Language, s side, p place) (t *parse.Tree, from, to int32, items []item, ok bool) {
	for f := range h.fill(s) {
		t, err := l.Parse([]byte(p.before + f.text + p.after))
		if err != nil || t.Errors > 0 {
			continue
		}
		if from, to, items, ok := f.in(t, int32(len(p.before))); ok {
			return t, from, to, items, true
		}
	}
	return nil, 0, 0, nil, false
}

type filled struct {
	text  string
	holes []hole
}

type hole struct {
	atom
	start, end int32
}

// fill returns fillings of the holes. A name has the same filling everywhere.
func (h *header) fill(s side) iter.Seq[filled] {
	var names []string
	options := map[string][]string{}
	for _, a := range s.atoms {
		if a.name == "" || options[a.name] != nil {
			continue
		}
		names = append(names, a.name)
		o := h.holes[stem(a.name)]
		if o == nil {
			o = h.holes["_"]
		}
		if o == nil {
			o = []string{"x"}
		}
		if a.many {
			o = append(slices.Clone(o), "")
		}
		options[a.name] = o
	}
	return func(yield func(filled) bool) {
		for try := range maxTries {
			chosen := map[string]string{}
			for _, name := range names {
				n := len(options[name])
				chosen[name] = options[name][try%n]
				try /= n
			}
			if try > 0 || !yield(s.filled(chosen)) {
				return
			}
		}
	}
}

func (s side) filled(with map[string]string) (f filled) {
	for _, a := range s.atoms {
		start := int32(len(f.text))
		if a.name == "" {
			f.text += a.text
			continue
		}
		f.text += with[a.name]
		f.holes = append(f.holes, hole{a, start, int32(len(f.text))})
	}
	return f
}

// in finds the items of a filled text at an offset. It fails if a token crosses an end of the text or of a hole.
func (f filled) in(t *parse.Tree, offset int32) (from, to int32, items []item, ok bool) {
	start, end := offset, offset+int32(len(f.text))
	from = int32(sort.Search(len(t.Tokens), func(i int) bool { return t.Tokens[i].End > start }))
	last := start
	holes := f.holes
	hole := func(until int32) {
		for len(holes) > 0 && holes[0].start+offset <= until && holes[0].end+offset <= until {
			items = append(items, item{name: holes[0].name, many: holes[0].many})
			last = holes[0].end + offset
			holes = holes[1:]
		}
	}
	to = from
	for i := from; int(i) < len(t.Tokens) && t.Tokens[i].Start < end; i++ {
		k := t.Tokens[i]
		if k.Start < start || k.End > end {
			return 0, 0, nil, false
		}
		to = i + 1
		hole(k.Start)
		if len(holes) > 0 && k.End > holes[0].start+offset {
			if k.Start < holes[0].start+offset || k.End > holes[0].end+offset {
				return 0, 0, nil, false
			}
			continue
		}
		gap := ""
		if last <= k.Start {
			gap = string(t.Source[last:k.Start])
		}
		items = append(items, item{text: t.Source[k.Start:k.End], gap: gap})
		last = k.End
	}
	hole(end)
	return from, to, items, to > from && len(holes) == 0
}

// root returns the pattern of the tokens [from, to): one node or siblings. A file is the sequence of its members.
func root(t *parse.Tree, from, to int32, items []item) (pattern, bool) {
	n := int32(0)
	for inner := n; inner >= 0; {
		n = inner
		inner = childWith(t, n, from, to)
	}
	exact := t.Nodes[n].First == from && t.Nodes[n].Last == to
	if chain := t.Nodes[n].Chain; exact && (n > 0 || t.IsLeaf(n) || chain != 0 && t.Links[chain].Below != 0) {
		return pattern{t.Kind(n), true, items}, true
	}
	kind, first, last := "", false, false
	for c := n + 1; c < t.Nodes[n].Next; c = t.Nodes[c].Next {
		if t.Nodes[c].First == from && t.Nodes[c].Last > from && !first {
			kind, first = t.Kind(c), true
		}
		last = last || t.Nodes[c].Last == to
	}
	return pattern{kind, false, items}, first && last
}

func childWith(t *parse.Tree, n, from, to int32) int32 {
	for c := n + 1; c < t.Nodes[n].Next; c = t.Nodes[c].Next {
		if t.Nodes[c].First <= from && to <= t.Nodes[c].Last {
			return c
		}
	}
	return -1
}
