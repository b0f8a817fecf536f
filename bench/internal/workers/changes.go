package workers

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// changes are the pieces of text that a reduction removed and inserted. Each change applies alone.
type changes struct {
	pieces []piece // of all versions, in order
	count  int
}

// A piece is a word, a punctuation character or white space.
type piece struct {
	text       string
	made, gone int // numbers of the changes that inserted and removed it, from 1 on; 0 means never
}

func newChanges(input []byte, files [][]byte) *changes {
	c := &changes{}
	for _, text := range split(input) {
		c.pieces = append(c.pieces, piece{text: text})
	}
	for _, file := range files {
		c.add(split(file))
	}
	return c
}

var pieces = regexp.MustCompile(`[ \t]+|\n|\w+|[^\w\s]|\s`)

func split(file []byte) []string { return pieces.FindAllString(string(file), -1) }

func (c *changes) add(text []string) {
	c.count++
	var before []string
	var at []int // indices in c.pieces
	for i, p := range c.pieces {
		if p.gone == 0 {
			before, at = append(before, p.text), append(at, i)
		}
	}
	at = append(at, len(c.pieces))
	var all []piece
	copied := 0
	for _, d := range difference(before, text) {
		for _, i := range at[d.I1:d.I2] {
			c.pieces[i].gone = c.count
		}
		all = append(all, c.pieces[copied:at[d.I1]]...)
		copied = at[d.I1]
		for _, s := range text[d.J1:d.J2] {
			all = append(all, piece{text: s, made: c.count})
		}
	}
	c.pieces = append(all, c.pieces[copied:]...)
}

func (c *changes) with(made map[int]bool) []byte {
	var b strings.Builder
	for _, p := range c.pieces {
		if (p.made == 0 || made[p.made]) && !made[p.gone] {
			b.WriteString(p.text)
		}
	}
	return []byte(b.String())
}

// long is the maximum of len(a)*len(b) for a comparison by pieces, not lines.
const long = 4 << 20

func difference(a, b []string) []difflib.OpCode {
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	a, b = a[start:len(a)-end], b[start:len(b)-end]
	var all []difflib.OpCode
	add := func(within difflib.OpCode) {
		i, j := start+within.I1, start+within.J1
		a, b := a[within.I1:within.I2], b[within.J1:within.J2]
		if len(a) == 0 || len(b) == 0 || len(a)*len(b) > long {
			all = append(all, difflib.OpCode{I1: i, I2: i + len(a), J1: j, J2: j + len(b)})
			return
		}
		for _, o := range compare(a, b) {
			all = append(all, difflib.OpCode{I1: i + o.I1, I2: i + o.I2, J1: j + o.J1, J2: j + o.J2})
		}
	}
	if len(a)*len(b) <= long {
		add(difflib.OpCode{I2: len(a), J2: len(b)})
		return all
	}
	linesA, atA := lines(a)
	linesB, atB := lines(b)
	for _, o := range compare(linesA, linesB) {
		add(difflib.OpCode{I1: atA[o.I1], I2: atA[o.I2], J1: atB[o.J1], J2: atB[o.J2]})
	}
	return all
}

func compare(a, b []string) []difflib.OpCode {
	return slices.DeleteFunc(difflib.NewMatcherWithJunk(a, b, false, nil).GetOpCodes(),
		func(o difflib.OpCode) bool { return o.Tag == 'e' })
}

// lines joins pieces to lines. It also returns the start of each line, and the end.
func lines(pieces []string) (text []string, at []int) {
	begin := 0
	for i, p := range pieces {
		if p == "\n" || i == len(pieces)-1 {
			text, at = append(text, strings.Join(pieces[begin:i+1], "")), append(at, begin)
			begin = i + 1
		}
	}
	return text, append(at, len(pieces))
}
