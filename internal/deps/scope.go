package deps

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

// isImport reports whether a definition only names one of another file.
func (r *reader) isImport(n int32) bool {
	for kind := range r.tree.Kinds(n) {
		if strings.Contains(kind, "import") || strings.HasPrefix(kind, "use_") || strings.HasPrefix(kind, "using") {
			return true
		}
	}
	return false
}

// nameImport gives an import without names those at the ends of its paths.
func (r *reader) nameImport(i int) {
	u, nodes := &r.units[i], r.tree.Nodes
	if len(u.names) > 0 || u.link || i+1 < len(r.units) && r.units[i+1].parent == int32(i) {
		return
	}
	for n := u.node; n < nodes[u.node].Next; n++ {
		last := n+1 < nodes[u.node].Next && len(bytes.Trim(r.base.TextOf(n+1), ",;})")) == 0
		if !r.tree.IsLeaf(n) || !nodes[n].Named || !last {
			continue
		}
		word := string(r.base.TextOf(n))
		if _, known := r.ids[word]; !known {
			r.ids[word] = int32(len(r.ids))
		}
		u.names = append(u.names, r.ids[word])
	}
}

// keepEffects makes imports stay with their file that no other file of the project has, and whose names the file does
// not use: they change something else.
func (r *reader) keepEffects() {
	f, used := &r.files, make([]bool, len(r.ids))
	for i := range r.units {
		for _, m := range r.units[i].mentions {
			used[m.name] = used[m.name] || f.imports != nil && !f.imports[i]
		}
	}
	for i, imports := range f.imports {
		u := &r.units[i]
		if !imports || u.link || len(u.names) == 0 || u.hasAny(used) || f.mentions(r, u.node) {
			continue
		}
		u.names, u.mentions, u.link = nil, nil, true
	}
}

// mentions reports whether a node mentions a file.
func (f *files) mentions(r *reader, n int32) bool {
	end := r.tree.Nodes[n].Next
	return slices.ContainsFunc(f.edges[r.tree.Around(n)], func(e edge) bool { return n <= e.node && e.node < end })
}

// known returns the name for the definitions of a word that a unit knows: those in scope, and for an
// import otherwise all. An import in the file hides other imports. The name is -1 if there are none.
func (r *reader) known(unit, name int32, word string) int32 {
	f := &r.files
	if f.define == nil {
		return name
	}
	part := r.tree.Around(r.units[unit].node)
	key := scoped{name, part, f.imports[unit]}
	if id, known := f.scoped[key]; known {
		return id
	}
	all := f.define[name]
	scope := r.scopeOf(part)
	var own, real, here []int32 // imports in the file; no imports; all that are in scope
	for _, d := range all {
		in := r.tree.Around(r.units[d].node)
		switch {
		case f.imports[d] && in == part:
			own = append(own, d)
			continue
		case !f.imports[d]:
			real = append(real, d)
		}
		if (scope[in] || r.tree.Is(r.units[d].node, "macro_definition")) && (!f.imports[d] || f.imports[unit]) {
			here = append(here, d)
		}
	}
	if len(here) == 0 && f.imports[unit] {
		here = real
	}
	if !f.imports[unit] && len(own) > 0 {
		here = append(slices.DeleteFunc(here, func(d int32) bool { return f.imports[d] }), own...)
	}
	id := name
	switch {
	case len(here) == 0 && len(all) > 0:
		id = -1
	case len(here) < len(all):
		slices.Sort(here)
		text := fmt.Sprint(word, "\x00", here)
		var there bool
		if id, there = r.ids[text]; !there {
			id = int32(len(r.ids))
			r.ids[text] = id
			for _, d := range here {
				r.units[d].names = append(r.units[d].names, id)
			}
		}
	}
	f.scoped[key] = id
	return id
}

// scopeOf returns the parts whose definitions a part knows: of the parts that it mentions, and that these mention.
// A file also knows its directory. In a file inside of another, a mention is the name of a module instead.
func (r *reader) scopeOf(part int) map[int]bool {
	f := &r.files
	if scope, known := f.scope[part]; known {
		return scope
	}
	parts, scope := r.tree.Parts, map[int]bool{}
	var next []int
	see := func(p int) {
		if !scope[p] {
			scope[p] = true
			next = append(next, p)
		}
	}
	see(part)
	for _, p := range f.dirs[path.Dir(parts[part].Path)] {
		if !f.inside[part] {
			see(p)
		}
	}
	for ; len(next) > 0; next = next[1:] {
		p := next[0]
		for _, e := range f.edges[p] {
			if !f.inside[e.to] {
				see(int(e.to))
			}
		}
		for _, file := range slices.Concat(f.dirs[parts[p].Path], r.modulesIn(p)) {
			see(file)
		}
	}
	f.scope[part] = scope
	return scope
}

// modulesIn returns the modules whose names a file has, except where they begin.
func (r *reader) modulesIn(part int) (found []int) {
	root := r.tree.Root(r.tree.Parts[part])
	if root < 0 || len(r.files.modules) == 0 {
		return nil
	}
	for n := root; n < r.tree.Nodes[root].Next; n++ {
		if !r.tree.IsLeaf(n) || !r.tree.Nodes[n].Named || !r.base.Live(n) {
			continue
		}
		for _, file := range r.files.modules[string(r.base.TextOf(n))] {
			if !slices.ContainsFunc(r.files.edges[part], func(e edge) bool {
				return int(e.to) == file && e.node <= n && n < r.tree.Nodes[e.node].Next
			}) {
				found = append(found, file)
			}
		}
	}
	return found
}
