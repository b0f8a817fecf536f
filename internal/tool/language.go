package tool

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"

	"whittle/parse"
)

// line encodes an invocation: a head with added words and variables, then for each remaining unit
// its number and its words, which may have changed.
//
//	=-g0 0:-O1 2:-mllvm,-x
func (v Invocation) line() []byte {
	text := headOf(v.Added)
	for i := range v.command.units {
		if words, there := v.words[i]; there {
			text = append(append(text, ' '), wordOf(i, words)...)
		}
	}
	return text
}

func headOf(added []string) []byte { return append([]byte{'='}, join(added)...) }

func wordOf(unit int, words []string) []byte {
	return append(append(strconv.AppendInt(nil, int64(unit), 10), ':'), join(words)...)
}

func (c *Reducible) whole() Invocation {
	v := Invocation{command: c, words: map[int][]string{}}
	for i, u := range c.units {
		v.words[i] = u.text
	}
	return v
}

func join(words []string) string {
	var escaped []string
	for _, w := range words {
		escaped = append(escaped, url.PathEscape(w))
	}
	return strings.Join(escaped, ",")
}

func split(text []byte) (words []string, ok bool) {
	for w := range strings.SplitSeq(string(text), ",") {
		word, err := url.PathUnescape(w)
		if err != nil {
			return nil, false
		}
		words = append(words, word)
	}
	return words, true
}

// read decodes a line, and returns the number of invalid words.
func (c *Reducible) read(text []byte) (v Invocation, bad int) {
	v = Invocation{command: c, words: map[int][]string{}}
	fields := bytes.Fields(text)
	if len(fields) == 0 || fields[0][0] != '=' {
		bad++
	} else {
		if added := fields[0][1:]; len(added) > 0 {
			var ok bool
			if v.Added, ok = split(added); !ok {
				bad++
			}
		}
		fields = fields[1:]
	}
	last := -1
	for _, f := range fields {
		i, words := c.unit(f)
		if i <= last {
			bad++
			continue
		}
		if parent := c.units[i].parent; parent >= 0 && v.words[parent] == nil {
			bad++
		}
		v.words[i], last = words, i
		v.Free += len(words)
	}
	return v, bad
}

// unit decodes the word of a unit. The number is -1 if the word is invalid.
func (c *Reducible) unit(field []byte) (number int, words []string) {
	before, behind, found := bytes.Cut(field, []byte(":"))
	i, err := strconv.Atoi(string(before))
	if !found || err != nil || i < 0 || i >= len(c.units) {
		return -1, nil
	}
	words, ok := split(behind)
	if !ok || len(words) != len(c.units[i].text) {
		return -1, nil
	}
	return i, words
}

var (
	names = []string{"", "arguments", "head", "group", "argument"}
	links = []parse.Link{{}, {Kind: 1}, {Kind: 2}, {Kind: 3}, {Kind: 4}}
)

const (
	root int32 = iota + 1
	head
	group
	argument
)

// Parse implements [parse.Language]: a text is a list of groups, each with a unit and its parts.
func (c *Reducible) Parse(text []byte) (*parse.Tree, error) {
	p := parser{Tree: &parse.Tree{
		Source: text, Nodes: []parse.Node{{Parent: -1, Chain: root}}, Names: names, Links: links, Errors: c.Errors(text),
		Fits: func(int32, []int32) bool { return false },
		Fuse: func(int, []byte, []byte) bool { return true },
	}, command: c}
	at, rest := 0, text
	for _, f := range bytes.Fields(text) {
		at = len(text) - len(rest) + bytes.Index(rest, f)
		rest = text[at+len(f):]
		number, words := c.unit(f)
		p.fields = append(p.fields, number)
		p.Tokens = append(p.Tokens, parse.Token{Start: int32(at), End: int32(at + len(f))})
		p.Weights = append(p.Weights, int32(max(len(words), 1)))
	}
	for p.next < len(p.fields) {
		p.group(0)
	}
	p.close(0)
	return p.Tree, nil
}

// A parser adds the nodes of the fields, which are units or -1.
type parser struct {
	*parse.Tree
	command *Reducible
	fields  []int
	next    int
}

func (p *parser) open(parent, chain int32, slot parse.Slot) int32 {
	p.Nodes = append(p.Nodes, parse.Node{Parent: parent, First: int32(p.next), Chain: chain, Slot: slot})
	return int32(len(p.Nodes)) - 1
}

func (p *parser) close(n int32) {
	p.Nodes[n].Last, p.Nodes[n].Next = int32(p.next), int32(len(p.Nodes))
}

func (p *parser) leaf(parent, chain int32, slot parse.Slot) {
	n := p.open(parent, chain, slot)
	p.Nodes[n].Fixed = chain == head
	p.next++
	p.close(n)
}

// group adds the next unit with all below it.
func (p *parser) group(parent int32) {
	switch u := p.fields[p.next]; {
	case u < 0:
		p.leaf(parent, head, parse.Required)
	case !p.isBelow(p.next+1, u):
		p.leaf(parent, argument, parse.Star)
	default:
		outer := p.open(parent, group, parse.Star)
		p.leaf(outer, argument, parse.Required)
		for p.isBelow(p.next, u) {
			p.group(outer)
		}
		p.close(outer)
	}
}

func (p *parser) isBelow(field, unit int) bool {
	return field < len(p.fields) && p.fields[field] >= 0 && p.command.units[p.fields[field]].parent == unit
}

// Errors implements [parse.Language]. It counts the invalid words.
func (c *Reducible) Errors(text []byte) int {
	_, bad := c.read(text)
	return bad
}
