package pass

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"whittle/parse"
)

// A body is a function on the stack, or the root of a file, with the statement or expression that is kept.
type body struct {
	t                              *parse.Tree
	frame                          *Frame
	inner                          []*body
	declared                       map[string][]int32 // classes and functions of the file
	root, function, block, kept    int32
	arguments                      int32 // of the call of the next function, to be emptied, or -1
	names                          []string
	mentions                       map[string]bool
	before                         []string // statements that assign values to names
	isComplete, usesThis, isNested bool
}

func newBody(t *parse.Tree, f *Frame, inner []*body, declared map[string][]int32) *body {
	at := tokenAt(t, f.At)
	b := &body{t: t, frame: f, inner: inner, declared: declared, mentions: map[string]bool{}}
	b.function, b.kept, b.arguments = -1, -1, -1
	for n := range pathTo(t, at) {
		switch in := t.Child(n, "body"); {
		case t.IsRoot(n):
			b.root, b.function, b.block, b.kept = n, n, n, -1
		case in >= 0 && covers(t, in, at) && (t.Child(n, "parameters") >= 0 || t.Child(n, "parameter") >= 0):
			b.function, b.block, b.kept, b.isNested = n, in, in, false
		case n > b.block && isStatement(t, n):
			b.isNested = b.kept > b.block
			b.kept = n
		}
	}
	if b.function < 0 || b.kept < 0 {
		return nil
	}
	if t.Child(b.kept, "body") >= 0 || t.Child(b.kept, "consequence") >= 0 { // only its condition ran
		for d := range pathTo(t, at) {
			if t.Nodes[d].Parent == b.kept && isStatement(t, b.kept) {
				b.kept, b.isNested = d, true
				break
			}
		}
	}
	b.findArguments(at)
	b.read()
	return b
}

// pathTo yields the nodes around token i, from the root down.
func pathTo(t *parse.Tree, i int32) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		for n := int32(0); n < int32(len(t.Nodes)); {
			if !covers(t, n, i) {
				n = t.Nodes[n].Next
				continue
			}
			if !yield(n) {
				return
			}
			n++
		}
	}
}

func covers(t *parse.Tree, n, i int32) bool { return t.Nodes[n].First <= i && i < t.Nodes[n].Last }

func isStatement(t *parse.Tree, n int32) bool { return endsWith(t, n, statements[:2]) }

// findArguments looks for the call of the next function by its name. That function has its values, too.
func (b *body) findArguments(at int32) {
	if len(b.inner) == 0 || !b.inner[len(b.inner)-1].isComplete {
		return
	}
	t, callee := b.t, b.inner[len(b.inner)-1].function
	for n := range pathTo(t, at) {
		a := t.Child(n, "arguments")
		contains := func(o *body) bool { return covers(t, a, t.Nodes[o.function].First) }
		if n <= b.block || a < 0 || t.Nodes[a].First <= at || slices.ContainsFunc(b.inner, contains) {
			continue
		}
		called := b.word(t.Nodes[a].First - 1)
		first := t.Nodes[callee].First
		own := t.Child(callee, "name")
		assigned := first >= 2 && (b.word(first-1) == "=" || b.word(first-1) == ":") && b.word(first-2) == called
		if assigned || own >= 0 && (b.word(t.Nodes[own].First) == called || b.word(t.Nodes[own].First) == "constructor") {
			b.arguments = a
		}
	}
}

func (b *body) word(i int32) string { return wordAt(b.t, i) }

// words returns the texts of the tokens of a node.
func (b *body) words(n int32) (words []string) {
	for i := b.t.Nodes[n].First; i < b.t.Nodes[n].Last; i++ {
		words = append(words, b.word(i))
	}
	return words
}

func wordAt(t *parse.Tree, i int32) string {
	return string(t.Source[t.Tokens[i].Start:t.Tokens[i].End])
}

// read finds the names that the kept code reads, and assigns their values.
func (b *body) read() {
	t, bound := b.t, map[string]bool{}
	bind := func(n int32) {
		for _, word := range b.words(n) {
			bound[word] = true
		}
	}
	for n := b.kept; n < t.Nodes[b.kept].Next; n++ {
		if n == b.arguments {
			n = t.Nodes[n].Next - 1
			continue
		}
		for _, field := range []string{"parameters", "parameter"} {
			for p := range t.InField(n, field) {
				bind(p)
			}
		}
		if name := t.Child(n, "name"); name >= 0 {
			bind(name)
		}
		if !t.IsLeaf(n) || t.Nodes[n].First >= t.Nodes[n].Last {
			continue
		}
		word := b.word(t.Nodes[n].First)
		b.mentions[word] = true
		if (t.Is(n, "identifier") || t.Is(n, "shorthand_property_identifier")) && !slices.Contains(b.names, word) {
			b.names = append(b.names, word)
		}
		b.usesThis = b.usesThis || word == "this"
	}
	b.names = slices.DeleteFunc(b.names, func(name string) bool { return bound[name] })
	b.isComplete = b.assign()
}

// find returns the scope of a name, or nil for a global one.
func (b *body) find(name string) *Scope {
	for i := range b.frame.Scopes {
		if _, ok := b.frame.Scopes[i].Values[name]; ok {
			return &b.frame.Scopes[i]
		}
	}
	return nil
}

// value returns the expression of a variable. Whole means that no class or function of the file is there.
func (b *body) value(v *Value, whole bool) (string, bool) {
	visible := func(name string) bool {
		return b.find(name) != nil || slices.ContainsFunc(b.declared[name], func(n int32) bool {
			return covers(b.t, b.t.Nodes[n].Parent, b.t.Nodes[b.function].First)
		})
	}
	if whole {
		visible = nil
	}
	if text, ok := v.text(nil, whole, visible); ok && len(text) <= 300 {
		return text, true
	}
	return v.text(b.mentions, whole, visible)
}

// assign reports whether all variables of the function have values.
func (b *body) assign() bool {
	for _, name := range b.names {
		scope := b.find(name)
		if scope == nil || scope.Module || b.keeps(name) {
			continue
		}
		v := scope.Values[name]
		text, ok := b.value(v, false)
		switch {
		case name == "arguments":
			return false // strict code cannot assign to it
		case ok && b.isParameter(name):
			b.before = append(b.before, name+" = "+text+";")
		case ok:
			b.before = append(b.before, "var "+name+" = "+text+";")
		case scope.Own:
			return false
		}
	}
	if b.usesThis && b.frame.This != nil {
		for _, name := range b.frame.This.names() {
			if text, ok := b.value(b.frame.This.Members[name], false); ok && b.mentions[name] {
				b.before = append(b.before, "this."+name+" = "+text+";")
			}
		}
	}
	return true
}

func (b *body) isParameter(name string) bool {
	for n := range b.t.InField(b.function, "parameters") {
		if slices.Contains(b.words(n), name) {
			return true
		}
	}
	return false
}

// stays returns the statements of the body that contain a function on the stack or define a function that is mentioned.
func (b *body) stays() (nodes []int32) {
	t := b.t
	for n := b.block + 1; n < t.Nodes[b.block].Next; n++ {
		if n != b.kept && covers(t, n, t.Nodes[b.kept].First) || !isStatement(t, n) {
			continue
		}
		name := t.Child(n, "name")
		defines := t.Child(n, "parameters") >= 0 || strings.HasPrefix(t.Kind(n), "class")
		isMentioned := name >= 0 && defines && (t.IsRoot(b.function) || b.mentions[b.word(t.Nodes[name].First)])
		holds := func(o *body) bool { return covers(t, n, t.Nodes[o.function].First) }
		if n != b.kept && (isMentioned || slices.ContainsFunc(b.inner, holds)) {
			nodes = append(nodes, n)
		}
		n = t.Nodes[n].Next - 1
	}
	return nodes
}

// keeps reports whether a statement that stays defines a name.
func (b *body) keeps(name string) bool {
	return slices.ContainsFunc(b.stays(), func(n int32) bool { return slices.Contains(b.words(n), name) })
}

// classOf returns the class of the file with a name, or -1.
func (b *body) classOf(name string) int32 {
	for _, n := range b.declared[name] {
		if b.t.Child(n, "parameters") < 0 {
			return n
		}
	}
	return -1
}

// inBraces returns the edit that replaces the code in the braces of n.
func inBraces(t *parse.Tree, n int32, line string) TextEdit {
	return TextEdit{int(t.Tokens[t.Nodes[n].First].End), int(t.Tokens[t.Nodes[n].Last-1].Start), []string{line}}
}

// edits returns edits that delete the other statements. Before that of a module may be definitions.
func (b *body) edits() (edits []TextEdit) {
	t := b.t
	first, last := t.Nodes[b.block].First, t.Nodes[b.block].Last
	if !t.IsRoot(b.function) {
		if b.kept == b.block || b.word(first) != "{" {
			return nil
		}
		first, last = first+1, last-1
	}
	start, lines := int(t.Tokens[t.Nodes[b.kept].First].Start), b.before
	replaces := b.isComplete && !t.IsRoot(b.function) // also the code before
	cut := func(from, to int32) {
		if from >= to || b.isNested && !replaces {
			return
		}
		e := TextEdit{From: int(t.Tokens[from].Start), To: int(t.Tokens[to-1].End)}
		switch {
		case e.From < start && !replaces:
			return
		case e.From < start:
			e.Lines, lines = lines, nil
		case !isStatement(t, b.kept):
			e.Lines = []string{";"}
		}
		edits = append(edits, e)
	}
	at := first
	kept := append(b.stays(), b.kept)
	slices.SortFunc(kept, func(m, n int32) int { return cmp.Compare(t.Nodes[m].First, t.Nodes[n].First) })
	for _, n := range kept {
		cut(at, t.Nodes[n].First)
		at = t.Nodes[n].Last
	}
	cut(at, last)
	if len(lines) > 0 && replaces {
		edits = append(edits, TextEdit{From: start, To: start, Lines: []string{strings.Join(lines, " ")}})
	}
	if b.arguments >= 0 {
		from, to := t.Tokens[t.Nodes[b.arguments].First].End, t.Tokens[t.Nodes[b.arguments].Last-1].Start
		if from < to {
			edits = append(edits, TextEdit{From: int(from), To: int(to)})
		}
	}
	return edits
}

// calls reports whether the kept code calls something, which may have other values outside of the function.
func (b *body) calls() bool {
	for n := b.kept; n < b.t.Nodes[b.kept].Next; n++ {
		if b.t.Child(n, "arguments") >= 0 {
			return true
		}
	}
	return false
}

// moved returns the kept code for the top level of a file, after assignments.
func (b *body) moved() (string, bool) {
	t := b.t
	var out bytes.Buffer
	for _, name := range b.names {
		scope := b.find(name)
		if scope == nil {
			continue
		}
		text, ok := b.value(scope.Values[name], true)
		if !ok {
			return "", false
		}
		out.WriteString("var " + name + " = " + text + ";\n")
	}
	first, last := t.Nodes[b.kept].First, t.Nodes[b.kept].Last
	if b.word(first) == "return" {
		first++
	}
	end := int32(-1)
	for i := first; i < last; i++ {
		if end >= 0 {
			out.Write(t.Source[end:t.Tokens[i].Start])
		}
		end = t.Tokens[i].End
		switch word := b.word(i); word {
		case "await", "yield", "super":
			return "", false
		case "this":
			text, ok := b.value(b.frame.This, true)
			if !ok {
				return "", false
			}
			out.WriteString("(" + text + ")")
		default:
			out.WriteString(word)
		}
	}
	return out.String(), true
}
