package grammars

import (
	"bytes"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"whittle/parse"
)

// unused renders candidates of Go files without unused imports and labels, and with _ for unused variables. The
// compiler rejects them, so most deletions in a function would be errors otherwise.
func unused(t *parse.Tree) parse.Derivation {
	requireBodies(t)
	r := &goNames{tree: t, defined: map[int32][]goDefined{}}
	r.walk(0, &goScope{names: map[string]*goName{}})
	r.all = slices.DeleteFunc(r.all, func(v *goName) bool { return len(v.uses) == 0 })
	return r.edits
}

// requireBodies makes bodies of declared functions required. The grammar takes them for optional, as functions in
// assembly have none.
func requireBodies(t *parse.Tree) {
	for n := range int32(len(t.Nodes)) {
		if isDeclared := t.Is(n, "function_declaration") || t.Is(n, "method_declaration"); isDeclared {
			if body := t.Child(n, "body"); body >= 0 {
				t.Nodes[body].Slot = parse.Required
			}
		}
	}
}

// A goName is an import, a label or a local variable.
type goName struct {
	text  string
	sites []goSite
	uses  []int32 // leaves
}

// A goSite defines a name or assigns to it.
type goSite struct {
	leaf    int32
	sign    int32   // the leaf := of the definition; 0 if there is none
	assigns bool    // with =
	deleted []int32 // siblings to delete if the name is unused; nil if it becomes _
}

// A goDefined is a name and the index of its site.
type goDefined struct {
	*goName
	site int
}

type goScope struct {
	outer *goScope
	names map[string]*goName // nil is a name that may be unused
}

func (s *goScope) find(name string) *goName {
	for ; s != nil; s = s.outer {
		if v, ok := s.names[name]; ok {
			return v
		}
	}
	return nil
}

type goNames struct {
	tree    *parse.Tree
	all     []*goName
	defined map[int32][]goDefined // by sign
}

// A goRole is the role of a node for names.
type goRole int

const (
	goOther goRole = iota
	goScoped
	goLabel
	goImport
	goAssignment
	goShort     // a definition with :=, or an assignment with =
	goVariable  // in var
	goSwitch    // a type switch; also a scope
	goUnchecked // defines names that may be unused
)

func (r *goNames) roleOf(n int32) goRole {
	for kind := range r.tree.Kinds(n) {
		switch kind {
		case "function_declaration", "method_declaration", "func_literal", "block", "if_statement", "for_statement",
			"expression_switch_statement", "expression_case", "type_case", "default_case", "communication_case":
			return goScoped
		case "labeled_statement":
			return goLabel
		case "import_spec":
			return goImport
		case "assignment_statement":
			return goAssignment
		case "short_var_declaration", "range_clause", "receive_statement":
			return goShort
		case "var_spec":
			return goVariable
		case "type_switch_statement":
			return goSwitch
		case "parameter_declaration", "variadic_parameter_declaration", "const_spec", "type_spec", "type_alias":
			return goUnchecked
		}
	}
	return goOther
}

// text is empty for -1.
func (r *goNames) text(n int32) string {
	t := r.tree
	if n < 0 || t.Nodes[n].First == t.Nodes[n].Last {
		return ""
	}
	return string(t.Source[t.Tokens[t.Nodes[n].First].Start:t.Tokens[t.Nodes[n].Last-1].End])
}

func (r *goNames) children(n int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for d := n + 1; d < r.tree.Nodes[n].Next && yield(d); d = r.tree.Nodes[d].Next {
		}
	}
}

// walk resolves the names below n. A variable is in scope after its definition.
func (r *goNames) walk(n int32, s *goScope) {
	t, role := r.tree, r.roleOf(n)
	switch {
	case t.IsLeaf(n):
		if v := s.find(r.text(n)); v != nil && (t.Is(n, "identifier") || t.Is(n, "package_identifier")) {
			v.uses = append(v.uses, n)
		} else if v := s.find(r.text(n) + ":"); v != nil && t.Is(n, "label_name") {
			v.uses = append(v.uses, n)
		}
		return
	case role == goImport:
		r.walkImport(n, s)
		return
	case role == goScoped || role == goSwitch:
		s = &goScope{s, map[string]*goName{}}
	}
	names, sign := r.names(n, role)
	define := func() {
		for _, leaf := range names {
			r.site(s, role, goSite{leaf: leaf, sign: sign})
		}
		names = nil
	}
	all := names
	if role == goLabel { // in scope in its statement
		define()
	}
	for d := range r.children(n) {
		if role == goSwitch && r.roleOf(d) == goScoped {
			define()
		}
		r.walkOthers(d, all, s)
	}
	define()
}

// site adds the site of a variable or label.
func (r *goNames) site(s *goScope, role goRole, site goSite) {
	name := r.text(site.leaf)
	switch {
	case role == goLabel:
		colon := r.tree.Nodes[site.leaf].Next
		if int(colon) < len(r.tree.Nodes) && r.text(colon) == ":" {
			r.define(s, name+":", goSite{leaf: site.leaf, deleted: []int32{site.leaf, colon}})
		}
	case s.outer == nil || role == goUnchecked:
		s.names[name] = nil
	case role == goSwitch && site.sign > 0:
		r.define(s, name, goSite{leaf: site.leaf, deleted: []int32{site.leaf, site.sign}})
	case role == goVariable || role == goShort && site.sign > 0:
		r.define(s, name, site)
	default:
		if v := s.find(name); v != nil {
			v.sites = append(v.sites, goSite{leaf: site.leaf, assigns: true})
		}
	}
}

// walkOthers walks a node without some leaves.
func (r *goNames) walkOthers(n int32, leaves []int32, s *goScope) {
	within := func(leaf int32) bool { return n <= leaf && leaf < r.tree.Nodes[n].Next }
	switch {
	case !slices.ContainsFunc(leaves, within):
		r.walk(n, s)
	case !r.tree.IsLeaf(n):
		for d := range r.children(n) {
			r.walkOthers(d, leaves, s)
		}
	}
}

// names returns the leaves of variables and labels that a node defines or assigns to, and the leaf := or 0.
func (r *goNames) names(n int32, role goRole) (leaves []int32, sign int32) {
	t, field := r.tree, "left"
	switch role {
	case goAssignment:
		if r.text(t.Child(n, "operator")) != "=" {
			return nil, 0
		}
	case goLabel:
		field = "label"
	case goSwitch:
		field = "alias"
	case goVariable, goUnchecked:
		field = "name"
	case goShort:
	default:
		return nil, 0
	}
	for d := range r.children(n) {
		if t.IsLeaf(d) && r.text(d) == ":=" {
			sign = d
		}
	}
	for list := range t.InField(n, field) {
		for d := list; d < t.Nodes[list].Next; d++ {
			direct := d == list || t.Nodes[d].Parent == list && t.Kind(list) == "expression_list"
			if direct && t.IsLeaf(d) && t.Nodes[d].Named && r.text(d) != "_" {
				leaves = append(leaves, d)
			}
		}
	}
	return leaves, sign
}

func (r *goNames) define(s *goScope, name string, site goSite) {
	v := s.names[name]
	if v == nil {
		v = &goName{text: r.text(site.leaf)}
		s.names[name] = v
		r.all = append(r.all, v)
	}
	v.sites = append(v.sites, site)
	if site.sign > 0 {
		r.defined[site.sign] = append(r.defined[site.sign], goDefined{v, len(v.sites) - 1})
	}
}

var goVersion = regexp.MustCompile(`^v[0-9]+$|\.v[0-9]+$`)

// walkImport guesses the name of a package from its path. A wrong guess has no uses.
func (r *goNames) walkImport(n int32, s *goScope) {
	imported := strings.Trim(r.text(r.tree.Child(n, "path")), "\"`") // "" in a syntax error
	if base := path.Base(imported); strings.HasPrefix(goVersion.FindString(base), "v") {
		imported = path.Dir(imported)
	}
	name, deleted := goVersion.ReplaceAllString(path.Base(imported), ""), n
	if around := r.tree.Nodes[n].Parent; r.tree.Is(around, "import_declaration") { // not in a list
		deleted = around
	}
	if given := r.tree.Child(n, "name"); given >= 0 {
		name = r.text(given)
	}
	r.define(s, name, goSite{leaf: n, deleted: []int32{deleted}})
	s.names[name].text = name
}

// edits returns the edits of names that c defines and does not use, and replaces := without new names. The nodes of the
// file begin at first.
func (r *goNames) edits(c *parse.Candidate, first int32) (edits []parse.Edit) {
	t := c.Tree()
	edited := map[string]bool{}
	for _, text := range c.Edited() {
		for _, word := range parse.Words(text) {
			edited[word] = true
		}
	}
	live := func(n int32, text string) bool { return c.Live(n+first) && string(c.TextOf(n+first)) == text }
	unused := map[*goName]bool{}
	for _, v := range r.all {
		uses := func(n int32) bool { // perhaps by another name
			return live(n, v.text) || c.Live(n+first) && bytes.ContainsFunc(c.TextOf(n+first), unicode.IsLetter)
		}
		if edited[v.text] || slices.ContainsFunc(v.uses, uses) {
			continue
		}
		unused[v] = true
		for _, site := range v.sites {
			switch {
			case site.deleted == nil && live(site.leaf, v.text):
				edits = append(edits, t.Replace([]int32{site.leaf + first}, parse.Literal("", "_")))
			case site.deleted != nil && c.Live(site.deleted[0]+first):
				for _, n := range site.deleted {
					edits = append(edits, t.Replace([]int32{n + first}))
				}
			}
		}
	}
	isNew := func(d goDefined) bool {
		defines := func(s goSite) bool { return !s.assigns && live(s.leaf, d.text) }
		return !unused[d.goName] && defines(d.sites[d.site]) && !slices.ContainsFunc(d.sites[:d.site], defines)
	}
	for sign, names := range r.defined {
		if live(sign, ":=") && !slices.ContainsFunc(names, isNew) {
			edits = append(edits, t.Replace([]int32{sign + first}, parse.Literal(" ", "=")))
		}
	}
	return edits
}
