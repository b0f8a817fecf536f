package archive

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"whittle/parse"
)

// A Speller is a language whose files mention other files.
type Speller interface {
	Spellings() []parse.Spelling
	// Stub returns a body for emptied functions, see pass.Facts.
	Stub() string
	Probe() parse.Probe
	// IsData means that files have no definitions of code, as manifests.
	IsData() bool
	// PackageName returns the name that a file gives to its directory, or "".
	PackageName(file string, content []byte) string
}

// maxPath is the length of a text that may be a path.
const maxPath = 300

// A finder finds the mentions of parts.
type finder struct {
	t        *parse.Tree
	paths    map[string]int    // parts
	packages map[string]string // directories
	bases    map[string][]int  // parts by the last element of their paths
}

// mentions returns the nodes that mention parts, in pre-order.
func (s *Set) mentions(t *parse.Tree, pieces []piece) (all []parse.Mention) {
	f := &finder{t: t, paths: map[string]int{}, packages: map[string]string{}, bases: map[string][]int{}}
	for i, p := range t.Parts {
		f.paths[p.Path] = i
		f.bases[path.Base(p.Path)] = append(f.bases[path.Base(p.Path)], i)
		if l, ok := s.entries[pieces[i].entry].Language.(Speller); ok {
			if name := l.PackageName(p.Path, t.Source[pieces[i].content:pieces[i].end]); name != "" {
				f.packages[name] = path.Dir(p.Path)
			}
		}
	}
	for i, p := range t.Parts {
		if l, ok := s.entries[pieces[i].entry].Language.(Speller); ok {
			if spellings := l.Spellings(); len(spellings) > 0 {
				all = f.in(p, spellings, all)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b parse.Mention) int { return cmp.Or(cmp.Compare(a.Node, b.Node), a.Part-b.Part) })
	return slices.Compact(all)
}

func (f *finder) in(p parse.Part, spellings []parse.Spelling, all []parse.Mention) []parse.Mention {
	root := f.t.Root(p)
	if root < 0 {
		return all
	}
	matching := map[[2]int32][]parse.Spelling{} // by the chains of a node and its parent
	for n := root; n < f.t.Nodes[root].Next; n++ {
		node := &f.t.Nodes[n]
		if node.Comment || node.First == node.Last {
			continue
		}
		key := [2]int32{node.Chain, f.t.Nodes[node.Parent].Chain}
		fits, known := matching[key]
		if !known {
			fits = slices.DeleteFunc(slices.Clone(spellings), func(s parse.Spelling) bool { return !f.matches(n, s.Kind) })
			matching[key] = fits
		}
		for _, s := range fits {
			if s.Inside && f.t.Child(node.Parent, "body") >= 0 {
				continue // the definitions are here
			}
			target := f.target(p, f.before(n, s)+f.text(n), s.Paths)
			if target < 0 {
				continue
			}
			if at := f.t.Dropped(f.only(f.t.Dropped(f.around(n, s.Around)))); at >= 0 {
				all = append(all, parse.Mention{Node: at, Text: n, Part: target, Inside: s.Inside})
				n = node.Next - 1
				break
			}
		}
	}
	return all
}

func (f *finder) matches(n int32, kind string) bool {
	kind, field, child := strings.Cut(kind, ".")
	if _, own, two := strings.Cut(field, "+"); two {
		field = own
	}
	if child {
		return f.t.Field(n) == field && f.t.Is(f.t.Nodes[n].Parent, kind)
	}
	return kind == "*" || f.t.Is(n, kind)
}

// around returns the last of the nodes of some kinds around n, from the inside to the outside, or -1.
func (f *finder) around(n int32, kinds string) int32 {
	for kind := range strings.SplitSeq(kinds, "/") {
		for kind != "" && !f.t.Is(n, kind) {
			if n = f.t.Nodes[n].Parent; !f.t.InFile(n) {
				return -1
			}
		}
	}
	return n
}

// only returns the outermost node around n that has only keywords and brackets besides it.
func (f *finder) only(n int32) int32 {
	for n >= 0 && f.t.InFile(f.t.Nodes[n].Parent) {
		around := f.t.Nodes[n].Parent
		for d := around + 1; d < f.t.Nodes[around].Next; d++ {
			if d == n {
				d = f.t.Nodes[n].Next - 1
			} else if f.t.IsLeaf(d) && f.t.Nodes[d].Named {
				return n
			}
		}
		n = around
	}
	return n
}

// before returns the text before the text of a node: another child, or the modules around it.
func (f *finder) before(n int32, s parse.Spelling) (text string) {
	_, fields, _ := strings.Cut(s.Kind, ".")
	if around := f.t.Nodes[n].Parent; s.Inside {
		for m := f.t.Nodes[around].Parent; f.t.InFile(m); m = f.t.Nodes[m].Parent {
			if d := f.t.Child(m, fields); d >= 0 && f.t.Nodes[m].Chain == f.t.Nodes[around].Chain {
				text = f.text(d) + "/" + text
			}
		}
		return text
	}
	if field, _, two := strings.Cut(fields, "+"); two {
		if d := f.t.Child(f.t.Nodes[n].Parent, field); d >= 0 {
			return strings.TrimSuffix(f.text(d), ".") + "."
		}
	}
	return ""
}

// text returns the text of a node without quotes, or "".
func (f *finder) text(n int32) string {
	node := &f.t.Nodes[n]
	from, to := f.t.Tokens[node.First].Start, f.t.Tokens[node.Last-1].End
	if to-from > maxPath {
		return ""
	}
	text := strings.Trim(string(f.t.Source[from:to]), "\"'`<>")
	if strings.ContainsAny(text, " \t\r\n") {
		return ""
	}
	return text
}

// target returns the part that a text in a file names by the first possible path, or -1.
func (f *finder) target(p parse.Part, text string, paths []string) int {
	if text == "" {
		return -1
	}
	for _, form := range paths {
		for _, name := range f.expand(p.Path, text, form) {
			i, there := f.paths[path.Clean(name)]
			if there && !strings.HasPrefix(p.Path+"/", f.t.Parts[i].Path+"/") { // not itself, or a directory around it
				return i
			}
		}
	}
	return -1
}

// expand returns the possible paths of a form, the most likely first.
func (f *finder) expand(file, text, form string) (all []string) {
	dir, anywhere := path.Dir(file), false
	switch prefix, rest, _ := strings.Cut(form, "/"); prefix {
	case ".":
		return []string{path.Join(dir, fill(rest, file, text))}
	case "@":
		for name := text; name != "." && name != "/"; name = path.Dir(name) {
			if of, known := f.packages[name]; known {
				return []string{path.Join(of, strings.TrimPrefix(text, name))}
			}
		}
		return nil
	case "*":
		form, anywhere = rest, true
	}
	if old, other, swaps := strings.Cut(form, ":"); swaps {
		stem, found := strings.CutSuffix(text, old)
		if !found || stem == "" {
			return nil
		}
		text, form = stem+other, "$"
	}
	name := path.Clean(strings.TrimLeft(fill(form, file, text), "/"))
	if strings.HasPrefix(form, "%") && strings.HasPrefix(text, ".") {
		return []string{path.Join(dir, name)}
	}
	for ; ; dir = path.Dir(dir) {
		if all = append(all, path.Join(dir, name)); dir == "." {
			break
		}
	}
	if anywhere {
		for _, i := range f.bases[path.Base(name)] {
			if strings.HasSuffix("/"+f.t.Parts[i].Path, "/"+name) {
				all = append(all, f.t.Parts[i].Path)
			}
		}
	}
	return all
}

// fill puts a text into a form.
func fill(form, file, text string) string {
	base := path.Base(file)
	form = strings.ReplaceAll(form, "^", strings.TrimSuffix(base, path.Ext(base)))
	if strings.Contains(form, "%") {
		words := strings.TrimLeft(text, ".")
		up := strings.Repeat("../", max(0, len(text)-len(words)-1))
		return strings.ReplaceAll(form, "%", up+strings.ReplaceAll(words, ".", "/"))
	}
	return strings.ReplaceAll(form, "$", text)
}
