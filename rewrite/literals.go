package rewrite

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Literals is a pass that makes literals and other texts simpler, by what their text
// looks like, in layers, each a list of changes that do not touch each other:
//
//	'x', 'x'         0     equal characters at once, which may be nodes of several tokens
//	31UL, 0x00       0     equal numbers at once
//	7, 7             1     likewise
//	31UL, 987654     31    without a suffix; then half of the digits, or one, as often as that holds
//	7, 7             0, 7  single ones of several that are equal, then 1
//	"hello, %s"      ""    equal strings at once
//	"hello, %s"      "%s"  words and signs of strings, comments, bodies of macros and other
//	                       texts that are no name; then letters of what is in quotes
func Literals() pass.Pass {
	search := func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		l := &literals{tree: t}
		next := func(base *parse.Candidate, waiting []layer) (*literalTask, []layer) {
			for len(waiting) > 0 {
				task := l.task(base, waiting[0])
				waiting = waiting[1:]
				if task != nil {
					return task, waiting
				}
			}
			return nil, nil
		}
		d := rounds.Driver[*parse.Candidate, []layer]{Plan: plan.Plan, Allows: gate.Allows, Next: next}
		d.Width = 1 // a layer begins where the one before has ended
		return d.Search(parse.Whole(t), layers)
	}
	return pass.Pass{Name: "literals", When: pass.Last, Search: search}
}

type literalTask = rounds.Task[*parse.Candidate, []layer]

type literals struct{ tree *parse.Tree }

// A layer is one list of changes.
type layer struct {
	kind string
	// simpler returns what a text may become, the same if it may not. Nil: its parts go.
	simpler func(text string) string
	alone   bool // not with the texts that are equal, of which there are several
	again   bool // as often as it holds
	letters bool // the parts are letters
	nodes   bool // texts are those of nodes that may have several tokens
}

var layers = []layer{
	{kind: "characters to 0", simpler: character, nodes: true},
	{kind: "numbers to 0", simpler: number("0")},
	{kind: "numbers to 1", simpler: number("1")},
	{kind: "numbers without suffix", simpler: withoutSuffix},
	{kind: "numbers by half", simpler: half, again: true},
	{kind: "numbers by a digit", simpler: withoutDigit, again: true},
	{kind: "one number to 0", simpler: number("0"), alone: true},
	{kind: "one number to 1", simpler: number("1"), alone: true},
	{kind: "strings to nothing", simpler: empty},
	{kind: "words of texts", again: true},
	{kind: "letters of texts", letters: true, again: true},
}

// numeric is a number: a sign, its digits with what belongs to them, and a suffix.
var numeric = regexp.MustCompile(`^(-?(?:0[xX][0-9a-fA-F_']+|0[bB][01_']+|` +
	`[0-9][0-9_']*(?:\.[0-9_']*)?(?:[eE][-+]?[0-9]+)?))([a-zA-Z]\w*)?$`)

var hexadecimal = regexp.MustCompile(`^-?0[xX]`)

// number returns what makes a number that one.
func number(simple string) func(string) string {
	return func(text string) string {
		if !numeric.MatchString(text) || text == "0" || text == simple {
			return text
		}
		return simple
	}
}

// single is a character in quotes.
var single = regexp.MustCompile(`(?s)^[a-zA-Z]{0,2}'(?:\\[0-9a-zA-Z]+|\\.|.)'$`)

// character makes a character 0.
func character(text string) string {
	if single.MatchString(text) {
		return "0"
	}
	return text
}

func withoutSuffix(text string) string {
	if m := numeric.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

// half returns the first half of the digits of a number.
func half(text string) string {
	if !numeric.MatchString(text) {
		return text
	}
	digits := withoutSuffix(text)
	if i := strings.IndexAny(digits, ".eE"); i > 0 && !hexadecimal.MatchString(digits) {
		return digits[:i]
	}
	prefix := len(digits) - len(strings.TrimPrefix(digits, "-"))
	if rest := digits[prefix:]; len(rest) > 2 && rest[0] == '0' && rest[1] > '9' {
		prefix += 2
	}
	if len(digits)-prefix < 2 {
		return text
	}
	return strings.TrimRight(digits[:prefix+(len(digits)-prefix)/2], "_'")
}

// withoutDigit returns a number without its last digit.
func withoutDigit(text string) string {
	shorter := strings.TrimRight(text[:len(text)-1], "_'")
	if !numeric.MatchString(text) || !numeric.MatchString(shorter) {
		return text
	}
	return shorter
}

// quoted is a string: what stands before it, its quote and what it holds.
var quoted = regexp.MustCompile("(?s)^([a-zA-Z0-9]{0,3}[\"'`])(.+)([\"'`])$")

// empty returns a string without what it holds.
func empty(text string) string {
	if m := quoted.FindStringSubmatch(text); m != nil && m[1][len(m[1])-1] == m[3][0] {
		return m[1] + m[3]
	}
	return text
}

// A spot is a change of a layer: of these leaves, or of a part of a leaf.
type spot struct {
	leaves []int32
	part   int
}

// task returns the task of a layer; nil if it has nothing to ask.
func (l *literals) task(base *parse.Candidate, by layer) *literalTask {
	var items []spot
	texts := map[int32][]string{} // the parts of each leaf; of one that is replaced the whole
	if by.simpler != nil {
		items = l.replaced(base, by)
	} else {
		items = l.parts(base, by, texts)
	}
	if len(items) == 0 {
		return nil
	}
	bundles, list := bundled(items, by.kind)
	return &literalTask{
		List: list,
		Edit: func(on *parse.Candidate, kept []int) *parse.Candidate {
			return on.Apply(l.edits(base, by, texts, slices.Concat(parse.Others(bundles, kept)...))...)
		},
		Done: func(base *parse.Candidate, kept []int, waiting []layer) (*literalTask, []layer) {
			if kept != nil && by.again {
				if task := l.task(base, by); task != nil {
					return task, waiting
				}
			}
			return nil, waiting
		},
	}
}

// mostBundles is how many items a list of texts has: of a file with many texts several are
// one item, so it takes no more questions than another.
const mostBundles = 64

// bundled returns items as a list of no more than that.
func bundled[T any](items []T, kind string) (bundles [][]T, list algo.List) {
	list = algo.List{Whole: len(items), Kind: kind}
	for bundle := range slices.Chunk(items, max(1, (len(items)+mostBundles-1)/mostBundles)) {
		bundles, list.Weights = append(bundles, bundle), append(list.Weights, len(bundle))
	}
	return bundles, list
}

// replaced returns the items of a layer that replaces whole texts.
func (l *literals) replaced(base *parse.Candidate, by layer) (items []spot) {
	number := map[string]int{}
	count := map[string]int{}
	of := l.leaves
	if by.nodes {
		of = l.short
	}
	for n := range of(base) {
		count[l.text(base, n)]++
	}
	for n := range of(base) {
		text := l.text(base, n)
		i, known := number[text]
		switch {
		case by.simpler(text) == text, by.alone && count[text] == 1:
		case known && !by.alone:
			items[i].leaves = append(items[i].leaves, n)
		default:
			number[text] = len(items)
			items = append(items, spot{leaves: []int32{n}})
		}
	}
	return items
}

// edits returns the edits that make the changes of some items.
func (l *literals) edits(base *parse.Candidate, by layer, texts map[int32][]string, some []spot) (edits []parse.Edit) {
	gone := map[int32][]bool{}
	for _, it := range some {
		for _, n := range it.leaves {
			if by.simpler != nil {
				edits = append(edits, l.replace(n, by.simpler(l.text(base, n))))
				continue
			}
			if gone[n] == nil {
				gone[n] = make([]bool, len(texts[n]))
			}
			gone[n][it.part] = true
		}
	}
	for n := range l.leaves(base) {
		if gone[n] == nil {
			continue
		}
		var b strings.Builder
		for i, part := range texts[n] {
			if !gone[n][i] {
				b.WriteString(part)
			}
		}
		edits = append(edits, l.replace(n, strings.TrimSpace(b.String())))
	}
	return edits
}

// replace returns the edit that gives a leaf another text, or takes it away.
func (l *literals) replace(n int32, text string) parse.Edit {
	if text == "" {
		return l.tree.Replace([]int32{n})
	}
	return l.tree.Replace([]int32{n}, parse.Literal("", text))
}

// parts returns the items of a layer that takes parts of texts away, and the parts of
// each.
func (l *literals) parts(base *parse.Candidate, by layer, texts map[int32][]string) (items []spot) {
	r := renaming{tree: l.tree}
	for n := range l.leaves(base) {
		text := base.TextOf(n)
		isString := quoted.Match(text) || inQuotes(l.tree, n)
		if r.isName(n, text) || numeric.Match(text) || len(text) < 2 || by.letters && !isString {
			continue
		}
		parts := split(string(text), by.letters)
		texts[n] = parts
		for i, part := range parts {
			edge := quoted.Match(text) && (i == 0 || i == len(parts)-1)
			if !edge && (by.letters || strings.TrimSpace(part) != "") {
				items = append(items, spot{leaves: []int32{n}, part: i})
			}
		}
	}
	return items
}

// part is a part of a text: an escape, a word, or another character.
var (
	words   = regexp.MustCompile(`(?s)^[a-zA-Z0-9]{0,3}["'\x60]|\\[0-9a-zA-Z]+|\\.|\s*\w+|\s*.`)
	letters = regexp.MustCompile(`(?s)^[a-zA-Z0-9]{0,3}["'\x60]|\\(?:x[0-9a-fA-F]+|u[0-9a-fA-F]+|[0-7]+|.)|.`)
)

// atOnce is how many parts a text is taken for, at most: a long one is searched by larger
// parts first.
const atOnce = 16

// split returns the parts of a text, that before a string and its quotes for themselves.
func split(text string, intoLetters bool) (parts []string) {
	pattern := words
	if intoLetters {
		pattern = letters
	}
	all := pattern.FindAllString(text, -1)
	if len(all) < 3 {
		return all
	}
	edge := 0
	if quoted.MatchString(text) {
		edge = 1
	}
	inner := all[edge : len(all)-edge]
	size := (len(inner) + atOnce - 1) / atOnce
	parts = append(parts, all[:edge]...)
	for chunk := range slices.Chunk(inner, size) {
		parts = append(parts, strings.Join(chunk, ""))
	}
	return append(parts, all[len(all)-edge:]...)
}

// leaves goes over the live leaves that have a text of their own, which is not binary,
// nor a whole line of a language that knows no more.
func (l *literals) leaves(base *parse.Candidate) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		odd := "\x00"
		if l.tree.NoSyntax {
			odd += "\n"
		}
		for n := range int32(len(l.tree.Nodes)) {
			node := &l.tree.Nodes[n]
			if !node.Named || !l.tree.IsLeaf(n) || node.First == node.Last || !base.Live(n) || isHead(l.tree, n) ||
				bytes.ContainsAny(base.TextOf(n), odd) {
				continue
			}
			if !yield(n) {
				return
			}
		}
	}
}

// literalTokens is how many tokens a node has, at most, whose text is that of a literal.
const literalTokens = 3

// short goes over the live nodes of few tokens.
func (l *literals) short(base *parse.Candidate) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for n := range int32(len(l.tree.Nodes)) {
			node := &l.tree.Nodes[n]
			few := node.First < node.Last && node.Last-node.First <= literalTokens && !l.tree.NoSyntax
			if few && (node.Named || !l.tree.IsLeaf(n)) && base.Live(n) && !isHead(l.tree, n) && !yield(n) {
				return
			}
		}
	}
}

// text returns the text of a node: of a leaf as it is in base, of another as it was.
func (l *literals) text(base *parse.Candidate, n int32) string {
	node := &l.tree.Nodes[n]
	if l.tree.IsLeaf(n) {
		return string(base.TextOf(n))
	}
	return string(l.tree.Source[l.tree.Tokens[node.First].Start:l.tree.Tokens[node.Last-1].End])
}
