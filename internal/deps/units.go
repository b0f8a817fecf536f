package deps

import (
	"bytes"
	"slices"
	"strings"

	"whittle/parse"
)

// A unit is an optional definition, or another node among definitions, as an assertion. Members are units inside their
// class, but functions contain no units.
type unit struct {
	node     int32
	parent   int32 // around it, or -1
	body     int32
	names    []int32
	mentions []mention // not in a unit inside
	members  []int32   // directly inside
	operator bool      // without name, of the unit around it
	implicit bool      // called from outside, or needed by the unit around it
	open     bool      // members need no name of it
	callable bool      // has parameters
	link     bool      // mentions files, and defines no name
	opens    bool      // makes the names of a namespace visible, as using namespace std in C++
	outer    int32     // the name of the class whose member is defined outside of it, or -1
}

// A mention is a leaf with a defined name.
type mention struct{ node, name int32 }

// A graph has the mentions between definitions, compared by text.
type graph struct {
	units    []unit
	define   [][]int32 // units by defined name
	word     []bool    // no operator
	nameless []int32   // without names, or that open a namespace
	class    []int32   // or -1
	subjects []int32
	waiting  [][]dependent // by name
	files    files
	ids      map[string]int32
	leads    map[int32][]int32 // attributes of a node, which go with it
}

// defining are the fields for a definition inside another that is not a member.
var (
	naming   = []string{"name", "declarator", "left", "alias", "path", "pattern"}
	defining = []string{"", "definition", "declaration"}
)

type reader struct {
	graph
	base    *parse.Candidate
	tree    *parse.Tree
	essence map[int32]bool // main definition of a unit, as a template's function
}

// read finds definitions and mentions; nil without fields for names.
func read(base *parse.Candidate) *reader {
	t := base.Tree()
	if !hasNaming(t.Names) {
		return nil
	}
	r := &reader{base: base, tree: t, essence: map[int32]bool{}}
	r.ids, r.leads = map[string]int32{}, map[int32][]int32{}
	r.walk(0, -1, true)
	r.linkFiles()
	r.recordMentions()
	r.define, r.word = make([][]int32, len(r.ids)), make([]bool, len(r.ids))
	for name, id := range r.ids {
		word, _, _ := strings.Cut(name, "\x00")
		r.word[id] = len(parse.Words([]byte(word))) > 0
	}
	mentioned, inline := make([]bool, len(r.ids)), make([]bool, len(r.ids))
	for i := range r.units {
		u := &r.units[i]
		if u.parent >= 0 {
			r.units[u.parent].members = append(r.units[u.parent].members, int32(i))
		}
		for _, name := range u.names {
			r.define[name] = append(r.define[name], int32(i))
			inline[name] = inline[name] || r.isInline(u.node)
		}
		for _, m := range u.mentions {
			mentioned[m.name] = mentioned[m.name] || !r.hasName(i, m.name)
		}
		u.callable, u.outer = r.hasParameters(u.node), r.outer(u.node)
		u.opens = r.opens(u.node)
		if len(u.names) == 0 || u.opens {
			r.nameless = append(r.nameless, int32(i))
		}
		if len(u.names) == 0 {
			u.operator = u.parent >= 0 && (r.isTrait(u.parent) || r.declares(u.node) && !r.isNamespace(r.units[u.parent].node))
		}
	}
	for i := range r.units {
		u := &r.units[i]
		u.implicit = u.implicit || r.ofTrait(u) || !u.hasAny(mentioned) && r.implements(u)
		for _, m := range r.using(u) {
			r.units[m].implicit = true
		}
		u.open = len(u.names) == 0 || r.isFile(u.node) || r.isPlainEnum(u.node) || r.isNamespace(u.node) &&
			!slices.ContainsFunc(u.names, func(name int32) bool { return mentioned[name] && !inline[name] })
	}
	r.subjectsOf()
	return r
}

func (u *unit) hasAny(names []bool) bool {
	return slices.ContainsFunc(u.names, func(name int32) bool { return names[name] })
}

// hasName searches the units that define has so far.
func (r *reader) hasName(i int, name int32) bool {
	_, in := slices.BinarySearch(r.define[name], int32(i))
	return in
}

// walk adds the units below n in the unit in. among: n contains definitions, so nameless nodes are units, too: in a
// file, a body, or braces of a syntax error.
func (r *reader) walk(n, in int32, among bool) {
	nodes := r.tree.Nodes
	if r.isFunction(n) {
		if in >= 0 {
			r.units[in].body = r.tree.Child(n, "body")
		}
		return
	}
	var leads []int32
	for d := range r.parts(n) {
		if r.tree.IsLead(d) {
			leads = append(leads, d)
			continue
		}
		if leads = append(leads, r.trailing(d)...); leads != nil {
			r.leads[d], leads = leads, nil
		}
		in, field := in, r.tree.Field(d)
		switch {
		case r.isFile(d):
			r.walkFile(d, in)
			continue
		case r.tree.IsPart(d) && r.hasOthers(d):
		case r.tree.IsPart(d):
			r.units = append(r.units, unit{node: d, parent: in, body: -1})
			in = int32(len(r.units) - 1)
		case r.tree.IsRoot(d):
			r.walk(d, in, true)
			continue
		case strings.HasPrefix(r.tree.Kind(d), "preproc_if") || strings.HasPrefix(r.tree.Kind(d), "preproc_el"):
			r.walk(d, in, true)
			continue
		case strings.HasSuffix(r.tree.Kind(d), "modifier"):
			continue // belongs to the definition
		case r.tree.Is(d, "inner_attribute_item") || r.tree.Is(d, "where_clause"):
			continue // as #![no_std], which changes the meaning of the file; or a constraint of type parameters
		case r.uses(d):
			continue
		case field == "parameters" || field == "arguments" || field == "type_parameters":
			continue
		case nodes[d].Slot.Droppable() && slices.Contains(defining, field) && !r.essence[d]:
			if names := r.defined(d); len(names) == 0 && r.tree.Parts != nil && r.tree.IsLeaf(d) {
				continue // text, as in a syntax error
			} else if among || len(names) > 0 && nodes[d].Slot != parse.Optional {
				link := len(names) == 0 && slices.ContainsFunc(naming, func(field string) bool {
					return r.namesFile(r.tree.Child(d, field))
				})
				r.units = append(r.units, unit{node: d, parent: in, body: -1, names: names, link: link})
				in = int32(len(r.units) - 1)
			}
		}
		r.walk(d, in, field == "body" || among && nodes[d].Chain == 0 && (r.isBraced(d) || !nodes[d].Slot.Droppable()))
	}
}

// trailing returns the masked attributes after an enumerator or parameter.
func (r *reader) trailing(n int32) (found []int32) {
	nodes := r.tree.Nodes
	if nodes[n].First == nodes[n].Last {
		return nil
	}
	end := r.tree.Tokens[nodes[n].Last-1].End
	if last := r.tree.Source[end-1]; last == ';' || last == '}' {
		return nil
	}
	d, next := nodes[n].Next, nodes[nodes[n].Parent].Next
	if d < next && r.tree.Kind(d) == "" && !r.tree.IsLeaf(d) { // with the comma
		d, next = d+1, nodes[d].Next
	}
	for ; d < next && nodes[d].Comment && !r.tree.IsLeaf(d); d = nodes[d].Next {
		found = append(found, d)
	}
	return found
}

// opens reports whether a node makes the names of a namespace visible.
func (r *reader) opens(n int32) bool {
	return strings.HasPrefix(r.tree.Kind(n), "using") && slices.ContainsFunc(r.base.Children(n), func(d int32) bool {
		return r.tree.Is(d, "namespace")
	})
}

// uses reports whether a node uses a name that its fields look like defining, as a base class or a requirement.
func (r *reader) uses(n int32) bool {
	kind := r.tree.Kind(n)
	isType := strings.HasSuffix(kind, "_type") || strings.HasPrefix(kind, "qualified_") || kind == "scoped_type_identifier"
	return kind == "field_initializer" || strings.HasSuffix(kind, "_requirement") || isType && r.tree.Child(n, "name") >= 0
}

func (r *reader) isBraced(n int32) bool {
	return r.tree.Source[r.tree.Tokens[r.tree.Nodes[n].First].Start] == '{'
}

// parts leaves out comments and fixed tokens.
func (r *reader) parts(n int32) func(func(int32) bool) {
	return func(yield func(int32) bool) {
		nodes := r.tree.Nodes
		for d := n + 1; d < nodes[n].Next; d = nodes[d].Next {
			if r.base.Live(d) && !nodes[d].Comment && (nodes[d].Named || !r.tree.IsLeaf(d)) && !yield(d) {
				return
			}
		}
	}
}

// onlyPart returns the only child with children and without field, or -1. A clause, as of requirements, does not count.
func (r *reader) onlyPart(n int32) (part int32) {
	part = -1
	for d := range r.parts(n) {
		if r.tree.IsLeaf(d) || r.tree.Field(d) != "" || strings.HasSuffix(r.tree.Kind(d), "clause") {
			continue
		}
		if part >= 0 {
			return -1
		}
		part = d
	}
	return part
}

func (r *reader) declares(n int32) bool {
	if part := r.onlyPart(n); part >= 0 && r.essence[part] {
		n = part
	}
	return r.tree.Child(n, "declarator") >= 0
}

// ofTrait reports whether a unit implements a member of a trait, so the implementation needs it.
func (r *reader) ofTrait(u *unit) bool {
	return u.parent >= 0 && len(u.names) > 0 && r.isTrait(u.parent)
}

// isTrait reports whether a unit implements a trait.
func (r *reader) isTrait(u int32) bool { return r.tree.Child(r.units[u].node, "trait") >= 0 }

// using returns members of a type that use its parameters, the lightest ones. In Rust, one must use each parameter.
func (r *reader) using(u *unit) (found []int32) {
	parameters := r.tree.Child(u.node, "type_parameters")
	if parameters < 0 || !r.tree.Is(u.node, "struct_item") && !r.tree.Is(u.node, "enum_item") {
		return nil
	}
	for d := range r.parts(parameters) {
		name := d // a word before bounds
		for !r.tree.IsLeaf(name) || r.tree.Is(name, "'") {
			name++
		}
		uses := func(m int32) bool {
			for n := r.units[m].node; n < r.tree.Nodes[r.units[m].node].Next; n++ {
				if r.tree.Kind(n) == r.tree.Kind(name) && bytes.Equal(r.base.TextOf(n), r.base.TextOf(name)) {
					return true
				}
			}
			return false
		}
		users := slices.DeleteFunc(slices.Clone(u.members), func(m int32) bool { return !uses(m) })
		if len(users) > 0 && !slices.ContainsFunc(found, uses) {
			found = append(found, slices.MinFunc(users, func(a, b int32) int {
				return r.base.WeightOf(r.units[a].node) - r.base.WeightOf(r.units[b].node)
			}))
		}
	}
	return found
}

// implements reports whether a unit may implement a method of an interface.
func (r *reader) implements(u *unit) bool {
	return r.tree.Child(u.node, "receiver") >= 0 &&
		slices.ContainsFunc(u.names, func(name int32) bool { return len(r.define[name]) > 1 })
}

func (r *reader) isNamespace(n int32) bool {
	kind := r.tree.Kind(n)
	return strings.Contains(kind, "namespace") || strings.Contains(kind, "module") || kind == "mod_item"
}

// isInline: members of an inline namespace are also in the namespace around it.
func (r *reader) isInline(n int32) bool {
	return r.isNamespace(n) && r.tree.IsLeaf(n+1) && string(r.base.TextOf(n+1)) == "inline"
}

// isPlainEnum reports whether n has a C enum, whose members need no prefix.
func (r *reader) isPlainEnum(n int32) bool {
	for d := range r.parts(n) {
		if r.tree.Is(d, "enum_specifier") { // typedef enum { } e;
			n = d
		}
	}
	if !r.tree.Is(n, "enum_specifier") {
		return false
	}
	for d := n + 1; d < r.tree.Nodes[n].Next; d = r.tree.Nodes[d].Next {
		if kind := r.tree.Kind(d); kind == "class" || kind == "struct" {
			return false
		}
	}
	return true
}

func (r *reader) isFunction(n int32) bool {
	return r.tree.Child(n, "body") >= 0 && r.hasParameters(n) || r.tree.Is(n, "macro_definition")
}

func (r *reader) hasParameters(n int32) bool {
	if r.tree.Child(n, "parameters") >= 0 {
		return true
	}
	d := r.tree.Child(n, "declarator")
	if d < 0 && strings.HasSuffix(r.tree.Kind(n), "declarator") { // as of a pointer
		d = r.onlyPart(n)
	}
	return d > n && r.hasParameters(d)
}

// leaves visits live leaves without comments in order.
func (r *reader) leaves(visit func(n int32, around []int32)) {
	var around []int32
	for n, next := int32(0), 0; n < int32(len(r.tree.Nodes)); n++ {
		for len(around) > 0 && n >= r.tree.Nodes[r.units[around[len(around)-1]].node].Next {
			around = around[:len(around)-1]
		}
		if next < len(r.units) && r.units[next].node == n {
			around = append(around, int32(next))
			next++
		}
		if r.tree.Nodes[n].Comment && strings.Contains(r.tree.Kind(n), "comment") {
			n = r.tree.Nodes[n].Next - 1
		} else if r.tree.IsLeaf(n) && !r.tree.Nodes[n].Comment && r.base.Live(n) {
			visit(n, around)
		}
	}
}

func (r *reader) recordMentions() {
	named := slices.Clone(r.tree.Mentions)
	slices.SortStableFunc(named, func(a, b parse.Mention) int { return int(a.Text - b.Text) })
	r.leaves(func(n int32, around []int32) {
		if len(around) == 0 {
			return
		}
		for len(named) > 0 && n >= r.tree.Nodes[named[0].Text].Next {
			named = named[1:]
		}
		if len(named) > 0 && n >= named[0].Text {
			return // see linkFiles
		}
		u := &r.units[around[len(around)-1]]
		if strings.HasPrefix(r.tree.Kind(u.node), "package") {
			return // its name is the name of the file
		}
		text := r.base.TextOf(n)
		if !r.tree.Nodes[n].Named && parse.WordLen(text) > 0 {
			return // a keyword, which may be a name elsewhere, as from in TypeScript
		}
		words := []string{string(text)}
		if r.tree.Nodes[n].Named {
			words = parse.Words(text)
		} else if words[0] == "!=" { // operator== suffices in C++20
			words = append(words, "==")
		}
		for _, word := range words {
			if id, known := r.ids[word]; known {
				if id = r.known(around[len(around)-1], id, word); id >= 0 {
					u.mentions = append(u.mentions, mention{n, id})
				}
			}
		}
	})
	r.keepEffects()
	for i := range r.units { // in order, also those of files
		slices.SortStableFunc(r.units[i].mentions, func(a, b mention) int { return int(a.node - b.node) })
	}
}
