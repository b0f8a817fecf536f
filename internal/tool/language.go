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
		v.words[i] = c.words[u.from:u.to]
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
		v.words[i], last = words, i
		v.Free += len(words)
	}
	return v, bad
}

// unit decodes the word of a unit. The number is -1 if the word is invalid.
func (c *Reducible) unit(field []byte) (number int, words []string) {
	before, behind, _ := bytes.Cut(field, []byte(":"))
	i, err := strconv.Atoi(string(before))
	if err != nil || i < 0 || i >= len(c.units) {
		return -1, nil
	}
	words, ok := split(behind)
	if u := c.units[i]; !ok || len(words) != u.to-u.from {
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

// Parse implements [parse.Language]: a text is a list of groups.
func (c *Reducible) Parse(text []byte) (*parse.Tree, error) {
	t := &parse.Tree{
		Source: text, Nodes: []parse.Node{{Parent: -1, Chain: root}}, Names: names, Links: links, Errors: c.Errors(text),
		Fits: func(int32, []int32) bool { return false },
		Fuse: func(int, []byte, []byte) bool { return true },
	}
	before, parent := -1, int32(0) // the group of the previous unit, and its node
	rest := text
	for _, f := range bytes.Fields(text) {
		at := len(text) - len(rest) + bytes.Index(rest, f)
		rest = text[at+len(f):]
		number, words := c.unit(f)
		k := int32(len(t.Tokens))
		t.Tokens = append(t.Tokens, parse.Token{Start: int32(at), End: int32(at + len(f))})
		t.Weights = append(t.Weights, int32(max(len(words), 1)))
		n := int32(len(t.Nodes))
		leaf := parse.Node{First: k, Last: k + 1, Next: n + 1, Chain: argument, Slot: parse.Star}
		switch {
		case number < 0:
			leaf.Chain, leaf.Slot, leaf.Fixed, before = head, parse.Required, true, -1
		case c.units[number].group == before:
			if parent == 0 { // the previous unit had no group node yet
				parent = n - 1
				first := t.Nodes[parent]
				first.Parent, first.Slot, first.Next = parent, parse.Required, n+1
				t.Nodes[parent].Chain = group
				t.Nodes = append(t.Nodes, first)
				leaf.Next++
			}
			leaf.Parent, leaf.Slot = parent, parse.Optional
			t.Nodes[parent].Last, t.Nodes[parent].Next = k+1, leaf.Next
		default:
			before, parent = c.units[number].group, 0
		}
		t.Nodes = append(t.Nodes, leaf)
	}
	t.Nodes[0].Last, t.Nodes[0].Next = int32(len(t.Tokens)), int32(len(t.Nodes))
	return t, nil
}

// Errors implements [parse.Language]. It counts the invalid words.
func (c *Reducible) Errors(text []byte) int {
	_, bad := c.read(text)
	return bad
}
