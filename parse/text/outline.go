package text

import (
	"bytes"
	"cmp"
	"slices"

	"whittle/parse"
)

// Kinds of spans, from the outside in.
const (
	file      uint16 = iota
	body             // the lines below a line, or between brackets
	paragraph        // lines up to an empty one
	comment          // a line, or the end of one
	block            // a line with its body
	header           // the line that begins or ends a block
	statement        // of several on a line
	content          // of brackets, on one line
	side             // of an assignment
	list             // with commas
	member           // of a list
	chunk            // between white space
	operand          // of an operator
	part             // of an operand
	group            // a pair of brackets
	leaf
	name // is no kind: a line defines the token
)

// fewNames is the least number of definitions, and of comments, by which a file shows that it has them.
const fewNames = 3

// kindNames are shifted by one.
var kindNames = []string{
	"", "file", "body", "paragraph", "comment", "block", "header", "statement", "content", "side", "list", "member",
	"chunk", "operand", "part", "group", "token",
}

// A span is a run of tokens that may become a node.
type span struct {
	first, last int32
	kind        uint16
	slot        parse.Slot
}

// A line is a line with a token.
type line struct {
	first  int32
	indent int32
	blank  bool // after empty lines
	alone  bool // brackets before the line end at it
	head   int8 // result of headOf
}

// An element is a token, or a pair of brackets with its content.
type element struct {
	first, last int32
	line        int32 // of the first token
	class       class
	glued       bool // no white space before it
}

// An outline finds the spans of a file.
type outline struct {
	source  []byte
	tokens  []parse.Token
	classes []class
	weights []int32 // nil means 1 each
	lines   []line
	spans   []span
	marker  string          // of comments, or ""
	fixed   bool            // fixed-form Fortran
	names   []int32         // tokens that lines define
	defined int             // how many of them follow a word for that
	ended   map[string]bool // units with an end by their names
	dotted  bool            // the last line ends with a period, as in Prolog, Erlang or COBOL
}

func (o *outline) read(coarse bool) {
	s := scanner{source: o.source, marker: o.marker, fixed: o.fixed}
	if !coarse { // more than most files need
		o.tokens, o.classes = make([]parse.Token, 0, len(o.source)/2+1), make([]class, 0, len(o.source)/2+1)
	}
	for end := 0; s.next(); end = s.end {
		gap := o.source[end:s.start]
		newline := bytes.LastIndexByte(gap, '\n')
		if newline >= 0 && !o.continued(gap, newline) || len(o.tokens) == 0 || s.alone {
			if coarse {
				o.join()
			}
			l := line{first: int32(len(o.tokens)), alone: s.alone, head: int8(s.head)}
			if !s.inHunk {
				l.indent, l.blank = indent(gap[newline+1:]), bytes.Count(gap, []byte("\n")) > 1
				if o.fixed { // a label does not count
					label := bytes.TrimLeft(o.source[s.start:], "0123456789")
					l.indent += int32(len(o.source) - s.start - len(bytes.TrimLeft(label, " ")))
				}
			}
			o.lines = append(o.lines, l)
		}
		o.tokens = append(o.tokens, parse.Token{Start: int32(s.start), End: int32(s.end)})
		o.classes = append(o.classes, s.class)
	}
	if coarse {
		o.join()
	}
}

// continued reports whether the line break in white space is escaped.
func (o *outline) continued(gap []byte, newline int) bool {
	text := bytes.TrimRight(gap[:newline], "\r")
	return len(text) > 0 && text[len(text)-1] == '\\' || bytes.ContainsRune(text, '&') ||
		o.fixed && len(bytes.TrimSpace(gap[newline:])) > 0
}

func indent(space []byte) (n int32) {
	for _, c := range space {
		if c == '\t' {
			n |= 7
		}
		n++
	}
	return n
}

// find makes the spans in one pass. At a closing bracket, it splits the content; then the pair is one
// element.
func (o *outline) find(partner []int32) {
	elements := make([]element, 0, len(o.tokens))
	o.spans = make([]span, 0, 2*len(o.tokens))
	var open []int // for each open bracket, the index of its first element
	at := int32(0)
	for i := range o.tokens {
		if int(at)+1 < len(o.lines) && o.lines[at+1].first == int32(i) {
			at++
		}
		e := element{int32(i), int32(i + 1), at, o.classes[i], i > 0 && o.tokens[i-1].End == o.tokens[i].Start}
		switch {
		case partner[i] > int32(i):
			open = append(open, len(elements)+1)
		case partner[i] >= 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			o.sequence(elements[from:], true)
			elements = elements[:from]
			bracket := &elements[from-1]
			bracket.last = int32(i + 1)
			o.spans = append(o.spans, span{bracket.first, bracket.last, group, parse.Required})
			continue
		case e.class == opening || e.class == closing: // without a partner
			e.class = operator
		}
		elements = append(elements, e)
	}
	o.sequence(elements, false)
}

func (o *outline) add(elements []element, kind uint16, slot parse.Slot) {
	o.spans = append(o.spans, span{elements[0].first, elements[len(elements)-1].last, kind, slot})
}

func (o *outline) sequence(elements []element, inside bool) {
	if len(elements) == 0 {
		return
	}
	oneLine := elements[0].line == elements[len(elements)-1].line
	switch {
	case inside && oneLine:
		o.add(elements, content, parse.Optional)
	case inside:
		o.add(elements, body, parse.Optional)
	}
	if oneLine {
		o.statements(elements, inside)
		return
	}
	o.blocks(elements, inside)
}

func (o *outline) lineOf(token int32) int32 {
	byFirst := func(l line, token int32) int { return cmp.Compare(l.first, token) }
	i, found := slices.BinarySearchFunc(o.lines, token, byFirst)
	if !found {
		i--
	}
	return int32(i)
}

func (o *outline) is(e element, c byte) bool {
	t := o.tokens[e.first]
	return e.last == e.first+1 && t.End == t.Start+1 && o.source[t.Start] == c
}

// statements splits a line at semicolons. Between brackets they separate statements if the last one has
// no semicolon.
func (o *outline) statements(elements []element, inside bool) {
	elements = o.withoutComment(elements)
	separate := inside && !o.is(elements[len(elements)-1], ';')
	start := 0
	for i := range elements {
		last := i+1 == len(elements)
		if !last && !o.is(elements[i], ';') {
			continue
		}
		run := elements[start : i+1]
		ended := o.is(elements[i], ';')
		if ended {
			run = elements[start:i]
			if separate {
				o.add(elements[i:i+1], leaf, parse.Separator)
			}
		}
		if start > 0 || !last {
			if separate && len(run) > 0 {
				o.add(run, statement, parse.Star)
			} else if !separate {
				o.add(elements[start:i+1], statement, parse.Star)
			}
		}
		if len(run) > 0 {
			o.statement(run, inside)
		}
		start = i + 1
	}
}

func (o *outline) split(elements []element, separates func(i int) bool) (runs [][]element) {
	start := 0
	for i := range elements {
		if separates(i) {
			runs = append(runs, elements[start:i])
			o.add(elements[i:i+1], leaf, parse.Separator)
			start = i + 1
		}
	}
	return append(runs, elements[start:])
}

// statement splits at commas and assignments, commas first between brackets or with several assignments.
func (o *outline) statement(elements []element, inside bool) {
	if i := o.colons(elements); i > 0 && i+1 < len(elements) && !inside {
		o.declaration(elements, i)
		return
	}
	commas, assignments := 0, 0
	for i := range elements {
		if elements[i].class == separator {
			commas++
		} else if o.assigns(elements, i) {
			assignments++
		}
	}
	switch {
	case commas > 0 && (inside || assignments != 1):
		o.members(elements, true)
	case assignments > 0:
		o.sides(elements, commas > 0)
	default:
		o.chunks(elements)
	}
}

// assigns reports whether element i is an assignment operator or the like.
func (o *outline) assigns(elements []element, i int) bool {
	if elements[i].class != operator || i == 0 || i+1 == len(elements) || elements[i+1].glued {
		return false
	}
	switch t := o.tokens[elements[i].first]; string(o.source[t.Start:t.End]) {
	case "=", ":", ":=", "=>", "->", "<-", "+=", "-=", "::=", ":-", "::":
		return true
	}
	return false
}

func (o *outline) sides(elements []element, commas bool) {
	runs := o.split(elements, func(i int) bool { return o.assigns(elements, i) })
	for _, run := range runs {
		if len(runs) > 1 && len(run) > 0 {
			o.add(run, side, parse.Optional)
		}
		if commas {
			o.members(run, false)
		} else {
			o.chunks(run)
		}
	}
}

// members splits at commas. The prefix `int` of `int a, b` is not in the list.
func (o *outline) members(elements []element, sides bool) {
	runs := o.split(elements, func(i int) bool { return o.is(elements[i], ',') })
	if len(runs) == 1 {
		o.chunks(elements)
		return
	}
	if more := width(runs[0]) - width(runs[1]); more > 0 && len(runs[1]) > 0 {
		n := 0
		for ; more > 0; more-- {
			for n++; runs[0][n].glued; n++ {
			}
		}
		o.chunksOf(runs[0][:n])
		runs[0] = runs[0][n:]
		o.add(elements[n:], list, parse.Optional)
	}
	for _, run := range runs {
		if len(run) > 0 {
			o.add(run, member, parse.Star)
		}
		if sides {
			o.sides(run, false)
		} else {
			o.chunks(run)
		}
	}
}

func width(elements []element) (n int) {
	for i := range elements {
		if i == 0 || !elements[i].glued {
			n++
		}
	}
	return n
}

func (o *outline) chunks(elements []element) {
	if width(elements) > 1 {
		o.chunksOf(elements)
	} else if len(elements) > 0 {
		o.operands(elements)
	}
}

func (o *outline) chunksOf(elements []element) {
	start := 0
	for i := 1; i <= len(elements); i++ {
		if i < len(elements) && elements[i].glued {
			continue
		}
		run := elements[start:i]
		inside := start > 0 && i < len(elements)
		if inside && len(run) == 1 && run[0].class == operator && elements[start-1].class != operator {
			o.add(run, leaf, parse.Separator)
		} else {
			o.add(run, chunk, parse.Optional)
			o.operands(run)
		}
		start = i
	}
}

func (o *outline) operands(elements []element) {
	if len(elements) == 1 {
		return
	}
	start := 0
	for i := range len(elements) + 1 {
		if i < len(elements) && elements[i].class != operator {
			continue
		}
		run := elements[start:i]
		if len(run) > 0 && len(run) < len(elements) {
			o.add(run, operand, parse.Optional)
		}
		for k := range run {
			if len(run) > 1 {
				o.add(run[k:k+1], part, parse.Required)
			}
		}
		if i < len(elements) {
			slot := parse.Optional
			if start < i && i+1 < len(elements) {
				slot = parse.Separator
			}
			o.add(elements[i:i+1], leaf, slot)
		}
		start = i + 1
	}
}
