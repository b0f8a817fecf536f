package rewrite

import (
	"slices"
	"strings"

	"whittle/parse"
)

type Name struct {
	Text string
	Kind string  // of its leaves, such as "type_identifier"; "" if they differ
	Uses []int32 // with definitions, in order
	Defs []Def
}

// A Def is a definition of a name or an assignment to it, according to the fields of the grammar.
type Def struct {
	Leaf  int32
	Owner int32 // such as the declaration
	Node  int32 // the innermost droppable node around Owner, or -1
	Comma int32 // a comma to delete with Node, or -1
	Value int32 // or -1
	Body  int32 // of a function or a type, or -1
}

var naming = []string{"name", "declarator", "left", "alias", "pattern"}

var values = []string{"value", "right", "default_value"}

// Names returns the names of a file by first use.
func (f *File) Names() []*Name {
	if f.names != nil {
		return f.names
	}
	byText := map[string]*Name{}
	f.names, f.byText = []*Name{}, byText
	for n := range int32(len(f.Nodes)) {
		if !f.isWord(n) {
			continue
		}
		text, kind := f.Text(n), f.Kind(n)
		name := byText[text]
		if name == nil {
			name = &Name{Text: text, Kind: kind}
			byText[text] = name
			f.names = append(f.names, name)
		}
		if name.Kind != kind {
			name.Kind = ""
		}
		name.Uses = append(name.Uses, n)
		if d, ok := f.def(n); ok {
			name.Defs = append(name.Defs, d)
		}
	}
	declared := map[string]bool{} // by kind
	for _, name := range f.names {
		declared[name.Kind] = declared[name.Kind] || len(name.Defs) > 0
	}
	for _, name := range f.names {
		if d, ok := f.firstUse(name); len(name.Defs) == 0 && !declared[name.Kind] && ok {
			name.Defs = []Def{d}
		}
	}
	return f.names
}

// named returns the name with a text, or nil.
func (f *File) named(text string) *Name {
	f.Names()
	return f.byText[text]
}

// firstUse guesses the definition of a name without one: the innermost member of a plain list around its first use,
// unless it contains all uses.
func (f *File) firstUse(name *Name) (Def, bool) {
	leaf := name.Uses[0]
	for n := leaf; n > 0 && len(name.Uses) > 1; n = f.Nodes[n].Parent {
		if f.InPlainList(n) {
			last := name.Uses[len(name.Uses)-1]
			return Def{Leaf: leaf, Owner: leaf, Node: n, Comma: -1, Value: -1, Body: -1}, !f.within(last, n)
		}
	}
	return Def{}, false
}

// isWord reports whether n is a leaf of one word that is not fixed.
func (f *File) isWord(n int32) bool {
	node := &f.Nodes[n]
	if !f.IsLeaf(n) || !node.Named || node.Comment || node.Last != node.First+1 {
		return false
	}
	text := f.Text(n)
	words := parse.Words([]byte(text))
	return len(words) == 1 && words[0] == text
}

// Text returns the text of a leaf, or of a node's first token.
func (f *File) Text(n int32) string { return f.tokenText(f.Nodes[n].First) }

func (f *File) def(leaf int32) (Def, bool) {
	d := Def{Leaf: leaf, Owner: leaf, Node: -1, Comma: -1, Value: -1, Body: -1}
	if f.Is(leaf, "command_name") {
		return d, false // shells give calls a name
	}
	found, whole := f.namesItself(leaf), int32(-1)
	if found && (f.tokenText(f.Nodes[leaf].Last) == "," || f.tokenText(f.Nodes[leaf].First-1) == ",") {
		whole = leaf
	}
	for n := leaf; ; {
		parent := f.parent(n)
		if parent <= 0 || !f.defines(n, parent) && (n == leaf || !f.declares(n)) {
			break
		}
		found = true
		if whole < 0 && len(slices.Collect(f.InField(parent, f.Field(n)))) > 1 {
			whole = n
		}
		n, d.Owner = parent, parent
		for _, field := range values {
			if v := f.Child(n, field); v >= 0 && d.Value < 0 && !f.within(leaf, v) {
				d.Value = v
			}
		}
		if b := f.Child(n, "body"); b >= 0 && !f.within(leaf, b) {
			d.Body = b
			break
		}
	}
	if !found {
		return d, false
	}
	if t := f.Child(d.Owner, "type"); d.Value < 0 && d.Body < 0 && t >= 0 && !f.within(leaf, t) && f.isType(leaf) {
		d.Value = t // typedef T name, type name = T
	}
	shared := whole >= 0
	if !shared {
		whole = d.Owner
		p := f.parent(whole)
		if p > 0 && (strings.HasPrefix(f.Kind(p), "template") || whole == leaf && f.isStatement(p)) {
			whole = p // with template<…> before it, or let
		}
	}
	d.Node = f.mayGo(whole)
	if slot := f.Nodes[whole].Slot; shared && slot != parse.Star && slot != parse.Plus {
		d.Node = whole
		if next := f.Nodes[whole].Last; f.tokenText(next) == "," {
			d.Comma = f.leafAt(next)
		} else if before := f.Nodes[whole].First - 1; f.tokenText(before) == "," {
			d.Comma = f.leafAt(before)
		}
	}
	return d, true
}

func (d Def) nodes() []int32 {
	if d.Comma >= 0 {
		return []int32{d.Node, d.Comma}
	}
	return []int32{d.Node}
}

// namesItself finds whole definitions, like b in let b.
func (f *File) namesItself(leaf int32) bool {
	outer := true
	for _, field := range f.Kinds(leaf) {
		if !outer && slices.Contains(naming, field) {
			return true
		}
		outer = false
	}
	return false
}

// declares reports whether n surrounds a declared name, as in *x and x[2].
func (f *File) declares(n int32) bool { return strings.HasSuffix(f.Kind(n), "declarator") }

func (f *File) defines(n, parent int32) bool {
	field, kind := f.Field(n), f.Kind(parent)
	switch {
	case f.Child(parent, "arguments") >= 0 || strings.HasPrefix(kind, "keyword"): // Java's f(x), Python's f(a=x)
		return false
	case field == "name" && strings.HasPrefix(kind, "struct_expr"): // S { x: 1 }
		return false
	case f.Child(parent, "scope") >= 0 || f.Child(parent, "path") >= 0: // S::f
		return slices.Contains(naming, f.Field(parent))
	case strings.HasSuffix(kind, "_specifier") && f.Child(parent, "body") < 0: // struct s x
		return f.tokenText(f.Nodes[n].Last) == ";"
	}
	if field == "left" { // of an operator, too
		return strings.Contains(kind, "assign") || strings.Contains(kind, "declar")
	}
	return slices.Contains(naming, field)
}

// mayGo returns the innermost droppable node around n, or n, or -1.
func (f *File) mayGo(n int32) int32 {
	for ; n > 0; n = f.Nodes[n].Parent {
		if f.Nodes[n].Slot.Droppable() {
			return n
		}
	}
	return -1
}

func (f *File) isType(leaf int32) bool { return strings.Contains(f.Kind(leaf), "type") }

// parent skips nodes that are not in the grammar.
func (f *File) parent(n int32) int32 {
	for n = f.Nodes[n].Parent; n > 0 && f.Nodes[n].Chain == 0; n = f.Nodes[n].Parent {
	}
	return n
}

func (f *File) within(n, m int32) bool { return m <= n && n < f.Nodes[m].Next }
