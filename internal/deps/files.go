package deps

import (
	"path"
	"slices"
	"strings"
)

// files are the files of a project and their mentions of each other.
type files struct {
	unit  []int32  // by part; -1 for directories, and for files in languages without definitions, which stay
	edges [][]edge // by part
	roots []int32  // files that no other code mentions; a manifest may mention src/lib.rs
	// Definitions by name, units that import, and the parts whose definitions a part knows.
	define  map[int32][]int32
	imports []bool
	home    []int32          // the unit of the file around each unit, or -1
	dirs    map[string][]int // files by directory
	modules map[string][]int // files inside of others, by name
	inside  []bool           // parts
	scope   map[int]map[int]bool
	scoped  map[scoped]int32
}

// scoped is a name in a part, in an import or not.
type scoped struct {
	name    int32
	part    int
	imports bool
}

// An edge is the mention of a part in a unit, or in a file without definitions.
type edge struct{ to, node, unit int32 }

// isFile reports whether n is a file of a project.
func (r *reader) isFile(n int32) bool {
	return r.tree.Parts != nil && r.tree.Is(n, "file") && r.tree.IsPart(n)
}

// hasNaming reports whether a language has definitions.
func hasNaming(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(naming, name) })
}

// walkFile adds the unit of a file, whose name is its path, and the units in it. A file in a language without
// definitions is no unit.
func (r *reader) walkFile(n, in int32) {
	p := r.tree.Parts[r.tree.Around(n)]
	if !hasNaming(p.Names) {
		return
	}
	id := int32(len(r.ids))
	r.ids[pathName(p.Path)] = id
	r.units = append(r.units, unit{node: n, parent: in, body: -1, names: []int32{id}})
	if root := r.tree.Root(p); root >= 0 {
		r.walk(root, int32(len(r.units)-1), true)
	}
}

// hasOthers reports whether a part stays: it has a file in a language without definitions, or is a link.
func (r *reader) hasOthers(n int32) bool {
	for _, p := range r.tree.Parts[r.tree.Around(n):] {
		if p.Node >= r.tree.Nodes[n].Next {
			break
		}
		if !hasNaming(p.Names) && (r.isFile(p.Node) || r.tree.Is(p.Node, "link")) {
			return true
		}
	}
	return false
}

// pathName is the name of a file among the words that are names.
func pathName(path string) string { return "\x00" + path }

// namesFile reports whether a node is a text in quotes or angle brackets that ends like the name of a file.
func (r *reader) namesFile(n int32) bool {
	text := ""
	if n >= 0 {
		node := r.tree.Nodes[n]
		text = string(r.tree.Source[r.tree.Tokens[node.First].Start:r.tree.Tokens[node.Last-1].End])
	}
	return len(text) > 2 && strings.IndexByte("\"'<", text[0]) >= 0 && path.Ext(text[:len(text)-1]) != ""
}

// linkFiles names the imports, and adds the mentions of files to the units and to files.
func (r *reader) linkFiles() {
	parts := r.tree.Parts
	if parts == nil {
		for i := range r.units {
			if r.isImport(r.units[i].node) {
				r.nameImport(i)
			}
		}
		return
	}
	r.files = files{unit: slices.Repeat([]int32{-1}, len(parts)), edges: make([][]edge, len(parts))}
	for i := range r.units {
		if r.isFile(r.units[i].node) {
			r.files.unit[r.tree.Around(r.units[i].node)] = int32(i)
		}
	}
	r.files.define, r.files.scope, r.files.scoped = map[int32][]int32{}, map[int]map[int]bool{}, map[scoped]int32{}
	for i := range r.units {
		r.files.home = append(r.files.home, r.files.unit[r.tree.Around(r.units[i].node)])
		in := r.units[i].parent
		r.files.imports = append(r.files.imports, r.isImport(r.units[i].node) || in >= 0 && r.files.imports[in])
		if r.files.imports[i] {
			r.nameImport(i)
		}
		for _, name := range r.units[i].names {
			r.files.define[name] = append(r.files.define[name], int32(i))
		}
	}
	r.files.dirs, r.files.modules = map[string][]int{}, map[string][]int{}
	r.files.inside = make([]bool, len(parts))
	for i, p := range parts {
		if r.files.unit[i] >= 0 {
			r.files.dirs[path.Dir(p.Path)] = append(r.files.dirs[path.Dir(p.Path)], i)
		}
	}
	mentioned := make([]bool, len(parts))
	for _, m := range r.tree.Mentions {
		if !r.base.Live(m.Node) {
			continue
		}
		from := r.tree.Around(m.Node)
		unit := r.innermost(m.Node)
		r.files.edges[from] = append(r.files.edges[from], edge{int32(m.Part), m.Node, unit})
		mentioned[m.Part] = mentioned[m.Part] || r.files.unit[from] >= 0
		if m.Inside {
			name := string(r.base.TextOf(m.Text))
			r.files.modules[name] = append(r.files.modules[name], m.Part)
			r.files.inside[m.Part] = true
		}
		if unit < 0 {
			continue
		}
		u := &r.units[unit]
		u.link = u.link || len(u.names) == 0 && u.node == m.Node
		if id, known := r.ids[pathName(parts[m.Part].Path)]; known {
			u.mentions = append(u.mentions, mention{m.Node, id})
		}
	}
	for i := range parts {
		if !mentioned[i] {
			r.files.roots = append(r.files.roots, int32(i))
		}
	}
}

// innermost returns the innermost unit around a node in its file, or -1.
func (r *reader) innermost(n int32) int32 {
	u, found := slices.BinarySearchFunc(r.units, n, func(u unit, n int32) int { return int(u.node - n) })
	if !found {
		u--
	}
	at := int32(u)
	for at >= 0 && r.tree.Nodes[r.units[at].node].Next <= n {
		at = r.units[at].parent
	}
	if at >= 0 && r.tree.Around(r.units[at].node) != r.tree.Around(n) {
		return -1
	}
	return at
}

// has reports whether a part is kept.
func (c *closure) hasFile(part int32) bool {
	if u := c.files.unit[part]; u >= 0 {
		return c.in[u]
	}
	return c.base.Live(c.base.Tree().Parts[part].Node)
}

// reach admits the files on a way from the roots to each kept file, and their mentions of the next file: first on a way
// from another kept file. It reports whether it admits any.
func (c *closure) reach() (admitted bool) {
	f := &c.files
	if len(f.edges) == 0 {
		return false
	}
	kept := func(e edge) bool { return c.hasFile(e.to) && (e.unit < 0 || c.in[e.unit]) }
	live := func(e edge) bool { return e.unit >= 0 && c.base.Live(e.node) }
	there := f.ways(slices.DeleteFunc(slices.Clone(f.roots), func(r int32) bool { return !c.hasFile(r) }), kept)
	var sources []int32
	for i := range f.unit {
		if there[i] != nil {
			sources = append(sources, int32(i))
		}
	}
	var near, far []*edgeFrom
	for i, u := range f.unit {
		if u < 0 || !c.in[u] || there[i] != nil {
			continue
		}
		if near == nil {
			near, far = f.ways(sources, live), f.ways(f.roots, live)
		}
		way := near
		if way[i] == nil {
			way = far
		}
		for at := way[i]; at != nil && at.edge.node > 0; at = way[at.from] {
			for _, u := range []int32{f.unit[at.from], at.edge.unit} {
				if u >= 0 && !c.in[u] {
					c.admit(u)
					admitted = true
				}
			}
		}
	}
	return admitted
}

// An edgeFrom is the last step of a way.
type edgeFrom struct {
	from int32
	edge edge
}

// ways returns the last step of a shortest way from one of the sources to each part; nil without a way.
func (f *files) ways(sources []int32, open func(edge) bool) []*edgeFrom {
	last := make([]*edgeFrom, len(f.unit))
	for _, s := range sources {
		last[s] = &edgeFrom{from: s}
	}
	for next := slices.Clone(sources); len(next) > 0; next = next[1:] {
		for _, e := range f.edges[next[0]] {
			if last[e.to] == nil && open(e) {
				last[e.to] = &edgeFrom{next[0], e}
				next = append(next, e.to)
			}
		}
	}
	return last
}
