package rewrite

import (
	"slices"
	"strings"

	"whittle/parse"
)

// list has the parameters of a definition or the arguments of a call.
type list struct {
	node  int32 // with brackets
	items []item
	all   int // with omissions of binder
}

type item struct {
	node     int32
	name     int32 // the leaf that names it, or -1
	from, to int32 // with a comma
}

// signature is a definition or declaration of a function, or of a type with parameters.
type signature struct {
	Def
	scope int32   // of the parameters
	lists [2]list // of types and of values; node 0 means absent
}

type call struct {
	leaf, node int32 // the name, and the whole call
	lists      [2]list
	bound      []bool // of type arguments: they are parameters of the enclosing definition
}

type function struct {
	*Name
	signatures []signature
	calls      []call
}

const (
	ofTypes = iota
	ofValues
)

func (f *File) functions() (functions []*function) {
	for _, name := range f.Names() {
		fn := &function{Name: name}
		for _, d := range name.Defs {
			if s, ok := f.signature(d); ok {
				fn.signatures = append(fn.signatures, s)
			}
		}
		if len(fn.signatures) == 0 {
			continue
		}
		for _, use := range name.Uses {
			if c, ok := f.call(use); ok {
				if s, ok := f.binder(c); ok {
					for _, it := range s.lists[ofTypes].items {
						c.bound = append(c.bound, it.node >= 0)
					}
					fn.signatures = append(fn.signatures, s)
				}
				fn.calls = append(fn.calls, c)
			}
		}
		functions = append(functions, fn)
		if slices.Contains(constructors, name.Text) {
			functions = append(functions, f.constructorsOf(fn)...)
		}
	}
	return functions
}

// constructors are names of functions that are called by the name of their class: in Python, JavaScript and PHP.
var constructors = []string{"__init__", "constructor", "__construct"}

// constructorsOf returns one function for each class, with the calls of the class.
func (f *File) constructorsOf(fn *function) (functions []*function) {
	for _, s := range fn.signatures {
		class := f.parent(s.Owner)
		for class > 0 && !strings.HasPrefix(f.Kind(class), "class_de") { // a definition or declaration
			class = f.parent(class)
		}
		leaf := f.Child(max(class, 0), "name")
		if leaf < 0 || !f.isWord(leaf) {
			continue
		}
		one := &function{Name: fn.Name, signatures: []signature{s}}
		for _, use := range f.named(f.Text(leaf)).Uses {
			if c, ok := f.call(use); ok {
				one.calls = append(one.calls, c)
			}
		}
		functions = append(functions, one)
	}
	return functions
}

// signature returns the parameters after a name, before it as in template<…>, or in the value, as in const f = (a) =>
// a.
func (f *File) signature(d Def) (s signature, ok bool) {
	s = signature{Def: d, scope: d.Owner}
	lists := append(f.behind(d.Leaf, "parameter"), f.behind(d.Leaf, "ordered_field")...) // struct A(T) of Rust
	if d.Value >= 0 && d.Body < 0 {
		if b := f.Child(d.Value, "body"); b >= 0 {
			s.scope, s.Body = d.Value, b
			lists = append(lists, f.Child(d.Value, "parameters"), f.Child(d.Value, "parameter"))
		}
	}
	lists = append(lists, f.Child(d.Owner, "type_parameters"))
	if p := f.parent(d.Owner); p > 0 && strings.HasPrefix(f.Kind(p), "template") {
		s.scope = p
		lists = append(lists, f.Child(p, "parameters"))
	}
	for _, n := range lists {
		if n < 0 {
			continue
		}
		kind := ofTypes
		if open := f.Text(n); open == "(" || f.IsLeaf(n) {
			kind = ofValues
		}
		if s.lists[kind].node == 0 {
			items := f.parameters(n)
			s.lists[kind] = list{n, items, len(items)}
			ok = true
		}
	}
	return s, ok
}

func (f *File) call(leaf int32) (c call, ok bool) {
	c = call{leaf: leaf}
	for _, n := range f.behind(leaf, "argument") {
		kind := ofTypes
		c.node, ok = f.parent(n), true
		if open := f.Text(n); open != "<" && open != "[" {
			kind = ofValues
		}
		if f.within(leaf, n) {
			c.node = n
		}
		items := f.items(n)
		c.lists[kind] = list{n, items, len(items)}
	}
	return c, ok
}

// binder returns the type parameters around a call that are its arguments, in the order of the arguments: T of impl<T>
// C<T>, and of fn f<T>() -> C<T>.
func (f *File) binder(c call) (s signature, ok bool) {
	n := f.parent(c.leaf)
	for n > 0 && f.Child(n, "type_parameters") < 0 {
		n = f.parent(n)
	}
	if n <= 0 || f.within(c.leaf, f.Child(n, "type_parameters")) {
		return s, false
	}
	l := list{node: f.Child(n, "type_parameters")}
	all := f.parameters(l.node)
	l.all = len(all)
	for _, argument := range c.lists[ofTypes].items {
		own := item{node: -1, name: -1}
		for _, it := range all {
			if it.name >= 0 && f.Text(it.name) == f.source(argument.node) {
				own, ok = it, true
			}
		}
		l.items = append(l.items, own)
	}
	s = signature{Def: Def{Leaf: c.leaf, Owner: n, Node: -1, Value: -1, Body: -1}, scope: n}
	s.lists[ofTypes] = l
	return s, ok
}

// behind returns the brackets of a kind after a leaf: at most one angle or square pair, then parentheses.
func (f *File) behind(leaf int32, kind string) (nodes []int32) {
	token := f.Nodes[leaf].Last
	if f.tokenText(token) == "::" && f.tokenText(token+1) == "<" {
		token++
	}
	for range 2 {
		open := f.tokenText(token)
		if open != "(" && open != "<" && open != "[" {
			break
		}
		n := f.parent(f.leafAt(token))
		if open == "(" && kind == "argument" && strings.Contains(f.Kind(n), "conversion") {
			nodes = append(nodes, n) // Go's f[T](x) may be a call or a conversion
			break
		}
		if n <= 0 || f.Nodes[n].First != token || !f.isOf(n, kind) || f.Field(n) == "result" {
			break
		}
		nodes = append(nodes, n)
		if open == "(" {
			break
		}
		token = f.Nodes[n].Last
	}
	return nodes
}

// isOf reports whether a kind of n, or its field, contains the word.
func (f *File) isOf(n int32, word string) bool {
	for kind, field := range f.Kinds(n) {
		if strings.Contains(kind, word) || strings.Contains(field, word) {
			return true
		}
	}
	return false
}

// items returns the nodes between commas. A leaf is its own only item.
func (f *File) items(n int32) (items []item) {
	if f.IsLeaf(n) {
		return []item{{n, -1, f.Nodes[n].First, f.Nodes[n].Last}}
	}
	children := f.InGrammar(n)
	for len(children) > 0 && !strings.Contains("([<{", f.Text(children[0])) {
		children = children[1:]
	}
	if len(children) < 2 {
		return nil
	}
	for _, d := range children[1 : len(children)-1] {
		if f.tokenText(f.Nodes[d].First) != "," && !f.Nodes[d].Comment {
			items = append(items, item{node: d, name: -1})
		}
	}
	f.divide(items)
	return items
}

// argument returns 1 of f(a=1).
func (c call) argument(f *File, kind, i int) int32 {
	n := c.lists[kind].items[i].node
	if v := f.Child(n, "value"); v >= 0 && strings.HasPrefix(f.Kind(n), "keyword") {
		return v
	}
	return n
}

func (f *File) divide(items []item) {
	for i := range items {
		it := &items[i]
		it.from, it.to = f.Nodes[it.node].First, f.Nodes[it.node].Last
		switch {
		case i+1 < len(items):
			it.to = f.Nodes[items[i+1].node].First
		case i > 0:
			it.from = f.Nodes[items[i-1].node].Last
		}
	}
}

// parameters leaves out self, and returns two items for a, b int.
func (f *File) parameters(n int32) (all []item) {
	for _, it := range f.items(n) {
		if text := f.tokenText(f.Nodes[it.node].Last - 1); text == "self" && len(all) == 0 {
			continue
		}
		if names := slices.Collect(f.InField(it.node, "name")); len(names) > 1 {
			own := make([]item, len(names))
			for i, name := range names {
				own[i] = item{node: name, name: name}
			}
			f.divide(own)
			all = append(all, own...)
			continue
		}
		it.name = f.parameterName(it.node)
		all = append(all, it)
	}
	return all
}

func (f *File) parameterName(n int32) int32 {
	if f.IsLeaf(n) {
		if f.Child(n, "type") == n || !f.isWord(n) {
			return -1 // int of f(int)
		}
		return n
	}
	for _, field := range naming {
		if d := f.Child(n, field); d > n {
			return f.parameterName(d)
		}
	}
	name := int32(-1)
	for _, d := range f.InGrammar(n) {
		if f.Field(d) == "" && f.isWord(d) {
			name = d // typename T
		}
	}
	return name
}

func (f *File) tokenText(i int32) string {
	if i < 0 || i >= int32(len(f.Tokens)) {
		return ""
	}
	return string(f.Source[f.Tokens[i].Start:f.Tokens[i].End])
}

func (f *File) leafAt(token int32) int32 {
	if f.leaves == nil {
		f.leaves = make([]int32, len(f.Tokens))
		for n := range int32(len(f.Nodes)) {
			for i := f.Nodes[n].First; f.IsLeaf(n) && i < f.Nodes[n].Last; i++ {
				f.leaves[i] = n
			}
		}
	}
	return f.leaves[token]
}

// usesIn returns the other leaves below n with the word of leaf.
func (f *File) usesIn(n, leaf int32) []int32 {
	if leaf < 0 {
		return nil
	}
	return slices.DeleteFunc(f.usesOf(n, f.Text(leaf)), func(use int32) bool { return use == leaf })
}

func (f *File) usesOf(n int32, word string) []int32 {
	name := f.named(word)
	if name == nil {
		return nil
	}
	from, _ := slices.BinarySearch(name.Uses, n)
	to, _ := slices.BinarySearch(name.Uses, f.Nodes[n].Next)
	return slices.Clone(name.Uses[from:to])
}

// outermost sorts the edits and leaves out edits inside of others.
func outermost(edits []parse.Edit) (out []parse.Edit) {
	slices.SortStableFunc(edits, func(a, b parse.Edit) int {
		if a.From != b.From {
			return int(a.From - b.From)
		}
		return int(b.To - a.To)
	})
	end := int32(-1)
	for _, e := range edits {
		if e.From >= end {
			out = append(out, e)
			end = max(end, e.To)
		}
	}
	return out
}
