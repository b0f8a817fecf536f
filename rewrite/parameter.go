package rewrite

import (
	"slices"

	"whittle/parse"
)

// parameter deletes a parameter, or type parameter, and its argument at all calls. Its uses become the argument if all
// calls have the same one, else a constant or a plain type. Or it becomes a variable before the function.
//
//	int f(int a, int b) { return a + b; }        int f(int b) { return 1 + b; }
//	int g() { return f(1, 2); }                  int g() { return f(2); }
func parameter(f *File) (changes []Change) {
	plainType := f.plainType()
	for _, fn := range f.functions() {
		for _, kind := range []int{ofValues, ofTypes} {
			for i := range fn.width(kind) {
				changes = append(changes, f.without(fn, kind, i, plainType)...)
			}
		}
	}
	return changes
}

func (fn *function) width(kind int) (width int) {
	for _, s := range fn.signatures {
		width = max(width, len(s.lists[kind].items))
	}
	return width
}

func (f *File) without(fn *function, kind, i int, plainType string) (changes []Change) {
	var edits []parse.Edit
	var uses []int32
	for _, s := range fn.signatures {
		if items := s.lists[kind].items; i < len(items) && items[i].node >= 0 {
			if f.Text(items[i].node) == "..." {
				return nil
			}
			edits = append(edits, f.cut(s.lists[kind], i))
			uses = append(uses, f.variables(f.usesIn(s.scope, items[i].name))...)
		}
	}
	argument, same := int32(-1), true
	for _, c := range fn.calls {
		items := c.lists[kind].items
		if i >= len(items) {
			continue
		}
		edits = append(edits, f.cut(c.lists[kind], i))
		switch {
		case kind == ofTypes && i < len(c.bound) && c.bound[i]:
		case argument < 0:
			argument = c.argument(f, kind, i)
		case f.source(argument) != f.source(c.argument(f, kind, i)):
			same = false
		}
	}
	if first := fn.signatures[0].lists[kind].items; argument < 0 && i < len(first) && first[i].node >= 0 {
		argument = max(f.Child(first[i].node, "value"), f.Child(first[i].node, "default_value")) // of calls without it
	}
	switch {
	case len(edits) < 2 && len(uses) == 0:
		return nil // plain deletion tries this
	case len(uses) == 0:
		return []Change{{Edits: outermost(edits)}}
	}
	if argument >= 0 && same {
		changes = append(changes, f.withUses(edits, uses, parse.Nodes(argument)))
	}
	plain := map[int]string{ofValues: "0", ofTypes: plainType}[kind]
	if argument < 0 || !same || f.source(argument) != plain {
		changes = append(changes, f.withUses(edits, uses, parse.Literal("", plain)))
	}
	if ch, ok := f.freed(fn, i, edits); ok && kind == ofValues {
		changes = append(changes, ch)
	}
	return changes
}

// variables leaves out members, as b in a.b, and includes the sign of a variable of PHP.
func (f *File) variables(uses []int32) (variables []int32) {
	for _, use := range uses {
		if f.Is(f.parent(use), "variable_name") {
			use = f.parent(use)
		}
		if !slices.Contains([]string{".", "->"}, f.tokenText(f.Nodes[use].First-1)) {
			variables = append(variables, use)
		}
	}
	return variables
}

// freed declares a parameter before the function, in languages where types come first.
func (f *File) freed(fn *function, i int, edits []parse.Edit) (ch Change, ok bool) {
	first := fn.signatures[0]
	items := first.lists[ofValues].items
	if first.Node <= 0 || i >= len(items) || items[i].node < 0 {
		return ch, false
	}
	parameter, token := items[i].node, f.Nodes[first.Node].First
	t := f.Child(parameter, "type")
	variable := parse.Edit{From: token, To: token + 1, With: []parse.Piece{
		parse.Nodes(parameter), parse.Literal("", ";"), parse.Nodes(f.leafAt(token))}}
	ch.Edits = outermost(append(slices.Clone(edits), variable))
	return ch, t >= 0 && f.Nodes[t].First == f.Nodes[parameter].First
}

// plainType prefers a built-in type of the file to the language's default.
func (f *File) plainType() string {
	for n := range int32(len(f.Nodes)) {
		if f.IsLeaf(n) && (f.Is(n, "primitive_type") || f.Is(n, "predefined_type")) {
			return f.source(n)
		}
	}
	switch {
	case slices.Contains(f.Tree.Names, "impl_item"):
		return "u8" // Rust's int
	case slices.Contains(f.Tree.Names, "predefined_type"):
		return "any"
	}
	return "int"
}

// cut removes an item from a list, with the brackets of a list of types that becomes empty.
func (f *File) cut(l list, i int) parse.Edit {
	if open := f.Text(l.node); l.all == 1 && (open == "<" || open == "[" || open == "template") {
		from, to := f.Nodes[l.node].First, f.Nodes[l.node].Last
		switch {
		case f.tokenText(from-1) == "template":
			from--
		case f.tokenText(from-1) == "::" && f.Text(l.node) == "<":
			from--
		}
		return parse.Edit{From: from, To: to}
	}
	if f.IsLeaf(l.node) {
		return f.Replace([]int32{l.node}, parse.Literal("", "("), parse.Literal("", ")"))
	}
	return parse.Edit{From: l.items[i].from, To: l.items[i].to}
}

func (f *File) withUses(edits []parse.Edit, uses []int32, with parse.Piece) Change {
	return Change{Edits: outermost(slices.Concat(edits, f.replaceEach(uses, with)))}
}

func (f *File) source(n int32) string {
	node := &f.Nodes[n]
	if node.First == node.Last {
		return ""
	}
	return string(f.Source[f.Tokens[node.First].Start:f.Tokens[node.Last-1].End])
}
