package pass

import (
	"cmp"
	"slices"
	"strings"

	"whittle/parse"
)

// A Trace is an exception with the calls that led to it, the innermost first.
type Trace struct {
	Exception *Value
	Made      []Made   // the same exception, if frames have no values
	Elsewhere bool     // code outside the reduced files raised the exception
	Calls     []string // functions on the stack where the exception was made, as V8 prints them
	Frames    []Frame
}

// Made is an expression for an exception. Short may replace the body of its class $ in the file.
type Made struct{ Text, Class, Short string }

// thrownBy returns three alternatives, by which the function only throws the exception. The first one also deletes the
// other functions and classes of its file.
func (m Made) thrownBy(b *body) [][]TextEdit {
	t := b.t
	edits, needed := []TextEdit{inBraces(t, b.block, "throw "+m.Text+";")}, map[int32]bool{}
	for class := m.Class; class != ""; {
		n := b.classOf(class)
		if n < 0 || needed[n] || covers(t, n, t.Nodes[b.function].First) {
			break
		}
		edits = append(edits, inBraces(t, t.Child(n, "body"), strings.ReplaceAll(m.Short, "$", class)))
		needed[n], class = true, ""
		if super := t.Child(n, "superclass"); super >= 0 {
			class = b.word(t.Nodes[super].Last - 1)
		}
	}
	whole := slices.Clip(edits)
	for n := b.root + 1; n < t.Nodes[b.root].Next; n++ {
		if n != b.function && (!isStatement(t, n) || covers(t, n, t.Nodes[b.function].First)) {
			continue
		}
		if n != b.function && t.Child(n, "body") >= 0 && !needed[n] {
			from, to := t.Tokens[t.Nodes[n].First].Start, t.Tokens[t.Nodes[n].Last-1].End
			whole = append(whole, TextEdit{From: int(from), To: int(to)})
		}
		n = t.Nodes[n].Next - 1
	}
	return [][]TextEdit{whole, edits, edits[:1]}
}

// A Frame is a call of a function, or a module that runs.
type Frame struct {
	At     int // the byte of the call, or where the exception was raised
	This   *Value
	Scopes []Scope // the innermost first
}

// A Scope has the values of variables. Own means that they belong to the function, and Module to the whole file.
type Scope struct {
	Own, Module bool
	Values      map[string]*Value
}

// frameEdits returns alternatives as [Stack] needs them. The file becomes only the exception if a statement throws it,
// or the statement that raised, or that in functions with the names on the stack, or all functions are shortened.
func frameEdits(t *parse.Tree, trace Trace) (alternatives [][]TextEdit) {
	var bodies []*body
	declared := map[string][]int32{}
	for n := range int32(len(t.Nodes)) {
		if name := t.Child(n, "name"); name >= 0 && t.Child(n, "body") >= 0 {
			word := wordAt(t, t.Nodes[name].First)
			declared[word] = append(declared[word], n)
		}
	}
	for i := range trace.Frames {
		b := newBody(t, &trace.Frames[i], bodies, declared)
		if b != nil && !slices.ContainsFunc(bodies, func(o *body) bool { return o.function == b.function }) {
			bodies = append(bodies, b)
		}
	}
	if len(bodies) == 0 {
		return nil
	}
	if trace.Made != nil {
		bodies = slices.DeleteFunc(bodies, func(b *body) bool { return b.word(t.Nodes[b.block].First) != "{" })
		if len(bodies) == 0 {
			return nil
		}
		outermost := bodies[len(bodies)-1]
		for _, made := range trace.Made {
			alternatives = append(alternatives, made.thrownBy(outermost)...)
		}
		if outermost != bodies[0] {
			alternatives = append(alternatives, trace.Made[0].thrownBy(bodies[0])[1:]...) // keeps the callers
		}
		return alternatives
	}
	root := t.Nodes[bodies[len(bodies)-1].root]
	whole := func(lines string) {
		from, to := t.Tokens[root.First].Start, t.Tokens[root.Last-1].End
		alternatives = append(alternatives, []TextEdit{{int(from), int(to), strings.Split(lines, "\n")}})
	}
	text, ok := trace.Exception.text(nil, true, nil)
	if !ok {
		text, ok = trace.Exception.text(map[string]bool{}, true, nil)
	}
	var alone []string
	isThrown := trace.Elsewhere || t.Is(bodies[0].kept, "throw_statement")
	if ok && isThrown {
		alone = append(alone, "throw "+text)
	}
	if lines, ok := bodies[0].moved(); ok && !t.IsRoot(bodies[0].function) {
		alone = append(alone, lines)
	}
	if ok && !isThrown && bodies[0].calls() {
		alone = append(alone, "throw "+text)
	}
	for _, lines := range alone {
		whole(lines)
	}
	if isThrown {
		alone = alone[:min(len(alone), 1)]
	}
	for _, lines := range alone {
		whole(nested(trace.Calls, lines))
	}
	var all []TextEdit
	for _, b := range bodies {
		all = append(all, b.edits()...)
	}
	slices.SortFunc(all, func(a, b TextEdit) int { return cmp.Compare(a.From, b.From) })
	end := 0
	return append(alternatives, slices.DeleteFunc(all, func(e TextEdit) bool {
		inside := e.From < end
		end = max(end, e.To)
		return inside
	}))
}

// nested returns code that runs lines in functions with the names of calls, the innermost first. The names are as V8
// prints them (https://v8.dev/docs/stack-trace-api): f, new F, Class.f, Class.f [as property], #private.
func nested(calls []string, lines string) string {
	for i, call := range calls {
		call, property, _ := strings.Cut(strings.TrimSuffix(call, "]"), " [as ")
		class, name, isMethod := strings.Cut(call, ".")
		name = cmp.Or(name, call)
		body := "() {\n" + lines + "\n}"
		member, access := name, "."+name
		isWord := parse.WordLen([]byte(name)) == len(name)
		if !isWord {
			member = "['" + call + "']"
			access = member
		}
		function := "{" + member + body + "}" + access
		if property != "" {
			member, access, body = property, "."+property, " = "+function
		}
		created, isNew := strings.CutPrefix(call, "new ")
		switch {
		case call == "Object.<anonymous>" && i == len(calls)-1: // the module
		case isNew:
			lines = "new function " + created + body
		case isMethod:
			lines = "new class " + class + " { " + member + body + " }()" + access + "()"
		case isWord:
			lines = "function " + name + body + "\n" + name + "()"
		default:
			lines = "const f = " + function + "\nf()"
		}
	}
	return lines
}
