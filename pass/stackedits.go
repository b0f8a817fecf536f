package pass

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"whittle/parse"
)

// A Trace is an exception with the calls that led to it, the innermost first.
type Trace struct {
	Exception *Value
	Made      []Made // the same exception, if frames have no values
	Elsewhere bool   // code outside the reduced files raised the exception
	Calls     []Call // where the exception was made
	Frames    []Frame
}

// Made is an expression for an exception, perhaps with a cause of another class. Short may replace the body of the
// exception's class $ in the file.
type Made struct{ Text, Class, Short, Cause string }

// fewCalls is the usual number of functions of a stack that a test asks for.
const fewCalls = 3

// called returns the innermost few calls with different names and the last one, if there are others, and all calls.
func (t Trace) called() (lists [][]Call) {
	some := distinct(t.Calls)
	if last := len(some) - 1; last > fewCalls {
		lists = append(lists, append(some[:fewCalls:fewCalls], some[last]))
	}
	return append(lists, t.Calls)
}

// distinct returns the first call of each name.
func distinct(calls []Call) (some []Call) {
	for _, c := range calls {
		if !slices.ContainsFunc(some, func(o Call) bool { return o.Name == c.Name }) {
			some = append(some, c)
		}
	}
	return some
}

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
		for _, calls := range trace.called() {
			for _, made := range trace.Made {
				alternatives = append(alternatives, made.onStack(outermost, calls))
			}
		}
		for _, made := range trace.Made {
			alternatives = append(alternatives, made.thrownBy(outermost)...)
		}
		if outermost != bodies[0] {
			alternatives = append(alternatives, trace.Made[0].thrownBy(bodies[0])[1:]...) // keeps the callers
		}
		return alternatives
	}
	outermost := bodies[len(bodies)-1]
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
		alternatives = append(alternatives, []TextEdit{replaced(t, outermost.root, lines)})
	}
	if isThrown {
		alone = alone[:min(len(alone), 1)]
	}
	for _, calls := range trace.called() {
		for _, lines := range alone {
			alternatives = append(alternatives, nested(t, outermost, calls, lines))
		}
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

// A Call is a function on the stack, with its name as V8 prints it (https://v8.dev/docs/stack-trace-api): f, new F,
// Class.f, Class.f [as property], #private. At is a byte of its file. A module may have no name.
type Call struct {
	Name, Path string
	At         int
}

// function returns an expression for a function that runs lines, or its object, the code that calls such an expression,
// and code that does both.
func (c Call) function(lines string) (value, call, both string) {
	full, property, _ := strings.Cut(strings.TrimSuffix(c.Name, "]"), " [as ")
	class, name, isMethod := strings.Cut(full, ".")
	name = cmp.Or(name, full)
	body := "() {\n" + lines + "\n}"
	member, access := name, "."+name
	isWord := parse.WordLen([]byte(name)) == len(name)
	if !isWord {
		member = "['" + full + "']"
		access = member
	}
	function := "{" + member + body + "}" + access
	isObject := isMethod && class == "Object" // code may mention its functions
	if property != "" {
		is := " = "
		if isObject {
			is = ": "
		}
		member, access, body = property, "."+property, is+function
	}
	created, isNew := strings.CutPrefix(full, "new ")
	switch {
	case isNew:
		value = "function " + created + body
		return value, "new (%)()", "new " + value
	case isObject:
		value = "({ " + member + body + " })"
		return value, "%" + access + "()", value + access + "()"
	case isMethod:
		value = "new class " + class + " { " + member + body + " }()"
		return value, "%" + access + "()", value + access + "()"
	case isWord:
		value = "function " + name + body
		return value, "(0, %)()", value + "\n" + name + "()"
	default:
		return function, "(0, %)()", "const f = " + function + "\nf()"
	}
}

// nested returns edits that leave only functions with the names of calls, the innermost first, of which the first runs
// lines. The last one may be the module, or the test that the outermost body belongs to.
func nested(t *parse.Tree, outermost *body, calls []Call, lines string) (edits []TextEdit) {
	isTest, outer := false, Call{At: int(t.Tokens[t.Nodes[outermost.root].First].Start)}
	if last := len(calls) - 1; last >= 0 {
		outer.Path = calls[last].Path
		if calls[last].Name == "" || strings.HasSuffix(calls[last].Name, ".<anonymous>") {
			calls, isTest = calls[:last], !t.IsRoot(outermost.function)
		}
	}
	imports, exports, files := map[string]string{}, map[string]string{}, []Call(nil)
	for i, c := range calls {
		value, call, both := c.function(lines)
		next := outer
		if i+1 < len(calls) {
			next = calls[i+1]
		}
		if lines = both; next.Path == c.Path {
			continue
		}
		name, export := fmt.Sprintf("callee%d", i), "exports."
		if isModule(t, c.At) {
			export = "export const "
		}
		if exports[c.Path] == "" {
			files = append(files, c)
		}
		exports[c.Path] += export + name + " = " + value + "\n"
		path, err := filepath.Rel(filepath.Dir(next.Path), c.Path)
		if err != nil {
			return nil
		}
		path = "'./" + filepath.ToSlash(path) + "'"
		callee := "require(" + path + ")." + name
		if isModule(t, next.At) {
			callee = name
			imports[next.Path] += "import { " + name + " } from " + path + "\n"
		}
		lines = strings.ReplaceAll(call, "%", callee)
	}
	for _, c := range files {
		root := rootAt(t, c.At)
		if root == outermost.root {
			return nil // the module or test is also called
		}
		edits = append(edits, replaced(t, root, imports[c.Path]+exports[c.Path]))
	}
	if !isTest {
		return append(edits, replaced(t, outermost.root, imports[outer.Path]+lines))
	}
	if text := imports[outer.Path]; text != "" {
		edits = append(edits, TextEdit{outer.At, outer.At, strings.Split(text, "\n")})
	}
	return append(edits, replaced(t, outermost.kept, lines))
}

// replaced returns the edit that replaces node n.
func replaced(t *parse.Tree, n int32, text string) TextEdit {
	first, last := t.Tokens[t.Nodes[n].First], t.Tokens[t.Nodes[n].Last-1]
	return TextEdit{int(first.Start), int(last.End), strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
}

// tokenAt returns the token that has a byte, or the next one.
func tokenAt(t *parse.Tree, at int) int32 {
	return int32(sort.Search(len(t.Tokens), func(i int) bool { return int(t.Tokens[i].End) > at }))
}

// rootAt returns the root of the file that begins at a byte.
func rootAt(t *parse.Tree, at int) (root int32) {
	for n := range pathTo(t, tokenAt(t, at)) {
		if t.IsRoot(n) {
			root = n
		}
	}
	return root
}

// isModule reports whether the file that begins at a byte is an ECMAScript module.
func isModule(t *parse.Tree, at int) bool {
	root := rootAt(t, at)
	for n := root + 1; n < t.Nodes[root].Next; n = t.Nodes[n].Next {
		if t.Is(n, "import_statement") || t.Is(n, "export_statement") {
			return true
		}
	}
	return false
}
