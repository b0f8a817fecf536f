// Package plain has the last passes, which make the rest of a file simple: its literals and names.
package plain

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Literals returns a pass that simplifies literals and other texts. Its layers are lists of independent changes:
//
//	'x', 'x'         0     equal characters together, also of several tokens
//	31UL, 0x00       0     equal numbers together
//	7, 7             1     likewise
//	31UL, 987654     31    no suffix; then half of the digits, or one less
//	7, 7             0, 7  one of several equal numbers; then 1
//	usize, u32       u8    words of one kind together, as the rules file states
//	1 << 0           1     operations on numbers
//	"hello, %s"      ""    equal strings together, then 0; else one letter
//	"hello, %s"      "%s"  words and signs of texts that are not names
//	"hello"          "lo"  halves of quoted words; then letters, of a long text only if words of it went
func Literals() pass.Pass {
	search := func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		l := &literals{t, symbols{tree: t, kinds: plan.Symbols}}
		next := func(base *parse.Candidate, waiting []layer) (*literalTask, []layer) {
			for i, by := range waiting {
				if task := l.task(base, nil, by); task != nil {
					return task, waiting[i+1:]
				}
			}
			return nil, nil
		}
		d := rounds.Driver[*parse.Candidate, []layer]{Plan: plan.Plan, Allows: gate.Allows, Next: next}
		d.Width = 1 // a layer starts from the result of the one before
		return d.Search(parse.Whole(t), layers(plan.Facts))
	}
	return pass.Pass{Name: "literals", When: pass.Last, Search: search}
}

type literalTask = rounds.Task[*parse.Candidate, []layer]

type literals struct {
	tree    *parse.Tree
	symbols symbols
}

type layer struct {
	kind string
	// simpler returns the text itself for no change. nil deletes parts of texts.
	simpler func(text string) string
	alone   bool // change one of several equal texts
	again   bool // repeat the layer for texts that it has changed
	letters bool
	nodes   bool // nodes of several tokens have texts
	types   bool // keywords that are types have texts, too, such as long in C
}

func layers(facts pass.Facts) []layer {
	return []layer{
		{kind: "characters to 0", simpler: by(single, "0"), nodes: true},
		{kind: "numbers to 0", simpler: number("0")},
		{kind: "numbers to 1", simpler: number("1")},
		{kind: "numbers without suffix", simpler: by(numeric, "$1")},
		{kind: "numbers by half", simpler: half, again: true},
		{kind: "numbers by a digit", simpler: withoutDigit, again: true},
		{kind: "one number to 0", simpler: number("0"), alone: true},
		{kind: "one number to 1", simpler: number("1"), alone: true},
		{kind: "operations to a number", simpler: by(operation, "$1"), nodes: true},
		{kind: "words to the simplest", simpler: facts.Simplest, types: true},
		{kind: "strings to nothing", simpler: shortened(quoted, func([]string) []string { return nil })},
		{kind: "empty strings to 0", simpler: by(noString, "0"), nodes: true},
		{kind: "strings to one letter", simpler: shortened(quoted, func(l []string) []string { return l[:1] })},
		{kind: "words of texts", again: true},
		{kind: "first halves", simpler: shortened(longWord, func(l []string) []string { return l[:len(l)/2] }), again: true},
		{kind: "last halves", simpler: shortened(longWord, func(l []string) []string { return l[len(l)/2:] }), again: true},
		{kind: "letters of texts", letters: true, again: true},
	}
}

// numeric matches sign and digits, and a suffix.
var numeric = regexp.MustCompile(`^(-?(?:0[xX][0-9a-fA-F_']+|0[bB][01_']+|` +
	`[0-9][0-9_']*(?:\.[0-9_']*)?(?:[eE][-+]?[0-9]+)?))([a-zA-Z]\w*)?$`)

var hexadecimal = regexp.MustCompile(`^-?0[xX]`)

func number(simple string) func(string) string {
	return func(text string) string {
		if !numeric.MatchString(text) || text == "0" || text == simple {
			return text
		}
		return simple
	}
}

var single = regexp.MustCompile(`(?s)^[a-zA-Z]{0,2}'(?:\\[0-9a-zA-Z]+|\\.|.)'$`)

// operation matches two numbers with an operator.
var operation = regexp.MustCompile(`^(\d\w*)[^\w\s"'.,;:]{1,3}\d\w*$`)

// by replaces a text that a pattern matches as a whole.
func by(pattern *regexp.Regexp, text string) func(string) string {
	return func(old string) string { return pattern.ReplaceAllString(old, text) }
}

func half(text string) string {
	if !numeric.MatchString(text) {
		return text
	}
	digits := numeric.ReplaceAllString(text, "$1")
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

func withoutDigit(text string) string {
	shorter := strings.TrimRight(text[:len(text)-1], "_'")
	if !numeric.MatchString(text) || !numeric.MatchString(shorter) {
		return text
	}
	return shorter
}

// quoted matches the beginning with the quote, the content, and the final quote.
var quoted = regexp.MustCompile("(?s)^([a-zA-Z0-9]{0,3}[\"'`])(.+)([\"'`])$")
var longWord = regexp.MustCompile("^([a-zA-Z0-9]{0,3}[\"'`])(\\w{5,})([\"'`])$")

// shortened keeps some letters of a quoted text.
func shortened(texts *regexp.Regexp, keep func(letters []string) []string) func(string) string {
	return func(text string) string {
		if m := texts.FindStringSubmatch(text); m != nil && m[1][len(m[1])-1] == m[3][0] {
			return m[1] + strings.Join(keep(letters.FindAllString(m[2], -1)), "") + m[3]
		}
		return text
	}
}

var noString = regexp.MustCompile("^[a-zA-Z]{0,2}(?:\"\"|''|``|\"{6}|'{6})$")

// spot is a change of leaves, or of a part of a leaf.
type spot struct {
	leaves []int32
	part   int
}

// task returns the list of a layer, without texts that are as before; or nil.
func (l *literals) task(base, before *parse.Candidate, by layer) *literalTask {
	var items []spot
	texts := map[int32][]string{}
	if by.simpler != nil {
		items = l.replaced(base, by)
	} else {
		items = l.parts(base, by, texts)
	}
	same := func(it spot) bool {
		return before != nil && bytes.Equal(before.TextOf(it.leaves[0]), base.TextOf(it.leaves[0]))
	}
	if items = slices.DeleteFunc(items, same); len(items) == 0 {
		return nil
	}
	groups, list := grouped(items, by.kind)
	return &literalTask{
		List: list,
		Edit: func(on *parse.Candidate, kept []int) *parse.Candidate {
			return on.Apply(l.edits(base, by, texts, slices.Concat(parse.Others(groups, kept)...))...)
		},
		Done: func(now *parse.Candidate, kept []int, waiting []layer) (*literalTask, []layer) {
			if kept == nil || !by.again {
				return nil, waiting
			}
			return l.task(now, base, by), waiting
		},
	}
}

// maxGroups limits the items of a list; an item may have several texts.
const maxGroups = 64

func grouped[T any](items []T, kind string) (groups [][]T, list algo.List) {
	list = algo.List{Whole: len(items), Kind: kind}
	for group := range slices.Chunk(items, max(1, (len(items)+maxGroups-1)/maxGroups)) {
		groups, list.Weights = append(groups, group), append(list.Weights, len(group))
	}
	return groups, list
}

func (l *literals) replaced(base *parse.Candidate, by layer) (items []spot) {
	number := map[string]int{}
	count := map[string]int{}
	of := l.leaves
	if by.nodes {
		of = l.short
	}
	if by.types {
		of = l.words
	}
	for n := range of(base) {
		count[l.text(base, n)]++
	}
	for n := range of(base) {
		text := l.text(base, n)
		i, seen := number[text]
		switch {
		case by.simpler(text) == text, by.alone && count[text] == 1:
		case seen && !by.alone:
			items[i].leaves = append(items[i].leaves, n)
		default:
			number[text] = len(items)
			items = append(items, spot{leaves: []int32{n}})
		}
	}
	return items
}

func (l *literals) edits(base *parse.Candidate, by layer, texts map[int32][]string, some []spot) (edits []parse.Edit) {
	removed := map[int32][]int{}
	for _, it := range some {
		for _, n := range it.leaves {
			if by.simpler != nil {
				edits = append(edits, l.replace(n, by.simpler(l.text(base, n))))
				continue
			}
			removed[n] = append(removed[n], it.part)
		}
	}
	for n := range l.leaves(base) {
		if removed[n] == nil {
			continue
		}
		left := slices.Clone(texts[n])
		for _, i := range removed[n] {
			left[i] = ""
		}
		edits = append(edits, l.replace(n, strings.TrimSpace(strings.Join(left, ""))))
	}
	return edits
}

func (l *literals) replace(n int32, text string) parse.Edit {
	if text == "" {
		return l.tree.Replace([]int32{n})
	}
	return l.tree.Replace([]int32{n}, parse.Literal("", text))
}

// parts makes the items of a layer that deletes parts. It sets texts to the parts of each leaf.
func (l *literals) parts(base *parse.Candidate, by layer, texts map[int32][]string) (items []spot) {
	for n := range l.leaves(base) {
		text := base.TextOf(n)
		if isName(l.tree, n, text) || isNumber(text) || len(text) < 2 ||
			by.letters && !quoted.Match(text) && !inQuotes(l.tree, n) {
			continue
		}
		parts := split(string(text), by.letters)
		if by.letters && (longWord.Match(text) || len(parts) > 6 && bytes.Equal(text, parse.Whole(l.tree).TextOf(n))) {
			continue
		}
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

// isNumber includes the numbers of entities, such as #0.
func isNumber(text []byte) bool { return numeric.Match(bytes.TrimLeft(text, "#!^")) }

// Parts of a text are escapes, words and single characters.
var (
	words   = regexp.MustCompile(`(?s)^[a-zA-Z0-9]{0,3}["'\x60]|\\[0-9a-zA-Z]+|\\.|\s*\w+|\s*.`)
	letters = regexp.MustCompile(`(?s)^[a-zA-Z0-9]{0,3}["'\x60]|\\(?:x[0-9a-fA-F]+|u[0-9a-fA-F]+|[0-7]+|.)|.`)
)

// maxParts limits the parts of a text. Of longer texts, larger parts are searched first.
const maxParts = 16

// split makes parts of the beginning of a string and of its quotes.
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
	size := (len(inner) + maxParts - 1) / maxParts
	parts = append(parts, all[:edge]...)
	for chunk := range slices.Chunk(inner, size) {
		parts = append(parts, strings.Join(chunk, ""))
	}
	return append(parts, all[len(all)-edge:]...)
}

// leaves omits names by the rules file, binary texts, and whole lines of a file without syntax.
func (l *literals) leaves(base *parse.Candidate) iter.Seq[int32] {
	odd := "\x00"
	if l.tree.NoSyntax {
		odd += "\n"
	}
	return l.nodes(base, func(n int32) bool {
		_, symbol := l.symbols.whole(n, string(base.TextOf(n)))
		return l.tree.Nodes[n].Named && l.tree.IsLeaf(n) && !symbol && !bytes.ContainsAny(base.TextOf(n), odd)
	})
}

// words includes types.
func (l *literals) words(base *parse.Candidate) iter.Seq[int32] {
	return l.nodes(base, func(n int32) bool {
		return l.tree.IsLeaf(n) && (l.tree.Nodes[n].Named || l.tree.Field(n) == "type")
	})
}

const maxLiteralTokens = 3

func (l *literals) short(base *parse.Candidate) iter.Seq[int32] {
	return l.nodes(base, func(n int32) bool {
		node := &l.tree.Nodes[n]
		return node.Last-node.First <= maxLiteralTokens && !l.tree.NoSyntax && (node.Named || !l.tree.IsLeaf(n))
	})
}

func (l *literals) nodes(base *parse.Candidate, is func(n int32) bool) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for n := range int32(len(l.tree.Nodes)) {
			node := &l.tree.Nodes[n]
			if node.First < node.Last && base.Live(n) && !isHead(l.tree, n) && is(n) && !yield(n) {
				return
			}
		}
	}
}

// text returns the live leaves of n, joined.
func (l *literals) text(base *parse.Candidate, n int32) string {
	var text []byte
	for m := n; m < l.tree.Nodes[n].Next; m++ {
		if node := &l.tree.Nodes[m]; l.tree.IsLeaf(m) && node.First < node.Last && base.Live(m) {
			text = append(text, base.TextOf(m)...)
		}
	}
	return string(text)
}
