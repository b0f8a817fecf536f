package rewrite

import (
	"path"
	"slices"
	"strings"

	"whittle/parse"
)

// join moves the content of a file to another file of its package, as in Go and Java: the one with the most similar
// end of the path, as in a_test.go. Imports go behind the name of the package. Definitions are not public, since Java
// allows one public class in a file.
//
//	a.go: package p    b.go: package p       =>    a.go: package p
//	      var x int          import "fmt"                import "fmt"
//	                         func f() {}                 var x int
//	                                                     func f() {}
func (f *File) join(p parse.Part) (ch Change, ok bool) {
	from, to, best := f.Root(p), int32(-1), -1
	for _, q := range f.Parts {
		root := f.Root(q)
		if root == from || !f.isSource(p) || !f.isSource(q) || path.Dir(q.Path) != path.Dir(p.Path) ||
			f.packageOf(root) != f.packageOf(from) {
			continue
		}
		if end := commonEnd(q.Path, p.Path); end > best {
			to, best = root, end
		}
	}
	if to < 0 {
		return ch, false
	}
	body, head := f.parts(to), 0
	if f.packageOf(to) != "" {
		head = 1
	}
	imports, content := f.content(from, to)
	pieces := slices.Concat(nodes(body[:head]), imports, nodes(body[head:]), content)
	ch = f.inPlace(to, pieces...)
	ch.Drop = []int32{p.Node}
	return ch, true
}

// pull moves a file into the first file that imports it, behind the imports: the only file of a package, as in Go, or
// the file of a class, as in Java. One package must have all imports. Names that clash get an underscore.
//
//	a.go: package p               b/b.go: package b    =>    a.go: package p
//	      import "m/b"                    var x int                var x int
//	      var y = b.x                                              var y = x
func (f *File) pull(p parse.Part) (ch Change, ok bool) {
	from := f.Root(p)
	places, qualified := f.imported(p)
	if len(places) == 0 {
		return ch, false
	}
	to := f.fileOf(places[0])
	body, after := f.parts(to), 0
	for i, n := range body {
		if strings.HasPrefix(f.Kind(n), "import") {
			after = i + 1
		}
	}
	_, name, named := strings.Cut(f.packageOf(from), " ")
	if after == 0 || after == len(body) || !named || f.packageOf(to) == "" {
		return ch, false
	}
	imports, content := f.content(from, to)
	var clashing []string
	for i := 0; qualified && i < len(places); i++ {
		clashing = append(clashing, f.clashing(from, f.fileOf(places[i]), name)...)
	}
	if len(clashing) > 0 {
		content = []parse.Piece{parse.Literal("\n", f.renamed(from, clashing))}
	}
	content = append(content, parse.Literal("", "\n"))
	next := nodes(body[after : after+1])
	if f.IsLeaf(body[after]) { // the end of the line
		content, next = append(next, content...), nil
	}
	ch.Drop = append(places, p.Node)
	ch.Edits = []parse.Edit{
		f.Replace(body[:1], append(nodes(body[:1]), imports...)...),
		f.Replace(body[after:after+1], append(content, next...)...),
	}
	for _, place := range places {
		for n, root := f.fileOf(place), f.fileOf(place); n < f.Nodes[root].Next; n++ {
			if d := f.parts(n); len(d) == 3 && f.IsLeaf(d[0]) && f.Text(d[0]) == name && f.Text(d[1]) == "." {
				with := parse.Nodes(d[2])
				if text := f.source(d[2]); slices.Contains(clashing, text) {
					with = parse.Literal("", text+"_")
				}
				ch.Edits = append(ch.Edits, f.Replace([]int32{n}, with))
			}
		}
	}
	return ch, true
}

// imported returns the imports of a file, or of the package whose only file it is, if all are in one package. The names
// of a package are qualified.
func (f *File) imported(p parse.Part) (places []int32, qualified bool) {
	if !f.isSource(p) {
		return nil, false
	}
	dir, user := path.Dir(p.Path), ""
	alone := !slices.ContainsFunc(f.Parts, func(q parse.Part) bool {
		return q.Node != p.Node && path.Dir(q.Path) == dir && f.isSource(q)
	})
	for _, m := range f.Mentions {
		q, place := f.Parts[m.Part], m.Node
		if q.Node != p.Node && (!alone || q.Path != dir) {
			continue
		}
		of := path.Dir(f.Parts[f.Around(place)].Path)
		if !f.InFile(place) || len(places) > 0 && user != of {
			return nil, false
		}
		for f.Nodes[place].Parent != f.fileOf(place) && len(f.children(f.Nodes[place].Parent)) < 2 {
			place = f.Nodes[place].Parent
		}
		places, user, qualified = append(places, place), of, q.Node != p.Node
	}
	return places, qualified
}

// fileOf returns the root of the file around a node.
func (f *File) fileOf(n int32) int32 { return f.Root(f.Parts[f.Around(n)]) }

// clashing returns the names of a package's definitions that a file also uses without the qualifier.
func (f *File) clashing(root, other int32, qualifier string) (names []string) {
	used := map[string]bool{}
	for i := f.Nodes[other].First; i < f.Nodes[other].Last; i++ {
		if f.tokenText(i-1) != "." || f.tokenText(i-2) != qualifier {
			used[f.tokenText(i)] = true
		}
	}
	for _, n := range f.parts(root) {
		for _, d := range append(f.parts(n), n) {
			if name := f.Child(d, "name"); name >= 0 && f.Child(d, "receiver") < 0 && used[f.source(name)] {
				names = append(names, f.source(name))
			}
		}
	}
	return names
}

// renamed returns the definitions of a file with an underscore after some names.
func (f *File) renamed(root int32, names []string) string {
	var text strings.Builder
	for _, n := range f.parts(root) {
		if f.imports(n) != nil || strings.HasPrefix(f.Kind(n), "package") {
			continue
		}
		for i := f.Nodes[n].First; i < f.Nodes[n].Last; i++ {
			t := f.Tokens[i]
			text.Write(f.Source[f.Tokens[i-1].End:t.Start])
			text.Write(f.Source[t.Start:t.End])
			if slices.Contains(names, f.tokenText(i)) && f.tokenText(i-1) != "." {
				text.WriteString("_")
			}
		}
	}
	return text.String()
}

// isSource reports whether a part is a file of a language whose packages have several files in a directory.
func (f *File) isSource(p parse.Part) bool {
	return f.Root(p) >= 0 &&
		(slices.Contains(p.Names, "package_clause") || slices.Contains(p.Names, "package_declaration"))
}

// packageOf returns the name of a package as a file declares it at its beginning, or "".
func (f *File) packageOf(root int32) string {
	if parts := f.parts(root); len(parts) > 0 && strings.HasPrefix(f.Kind(parts[0]), "package") {
		return f.source(parts[0])
	}
	return ""
}

// content returns the imports of a file that another lacks, and its definitions.
func (f *File) content(root, other int32) (imports, rest []parse.Piece) {
	var known []string
	for _, n := range f.parts(other) {
		known = append(known, f.imports(n)...)
	}
	for _, n := range f.parts(root) {
		texts := f.imports(n)
		for _, text := range texts {
			if !slices.Contains(known, text) {
				imports, known = append(imports, parse.Literal("\n", text)), append(known, text)
			}
		}
		if texts == nil && !strings.HasPrefix(f.Kind(n), "package") {
			rest = append(rest, f.private(n)...)
		}
	}
	return imports, rest
}

// imports returns the text of an import, one for each member of a list, or nil for another node.
func (f *File) imports(n int32) (texts []string) {
	if !strings.HasPrefix(f.Kind(n), "import") {
		return nil
	}
	for _, d := range f.parts(n) {
		if strings.HasSuffix(f.Kind(d), "_list") {
			for _, spec := range f.parts(d) {
				if !f.IsLeaf(spec) {
					texts = append(texts, "import "+f.source(spec))
				}
			}
			return texts
		}
	}
	return []string{f.source(n)}
}

// private returns a definition without the modifier public.
func (f *File) private(n int32) (pieces []parse.Piece) {
	for _, d := range f.parts(n) {
		if f.Text(d) == "public" {
			i := slices.Index(f.parts(n), d)
			others := slices.DeleteFunc(f.parts(d), func(m int32) bool { return f.Text(m) == "public" })
			for _, e := range slices.Concat(f.parts(n)[:i], others, f.parts(n)[i+1:]) {
				pieces = append(pieces, parse.Nodes(e))
			}
			return pieces
		}
	}
	return nodes([]int32{n})
}

// parts returns all children of a node, also separators.
func (f *File) parts(n int32) (parts []int32) {
	for d := n + 1; d < f.Nodes[n].Next; d = f.Nodes[d].Next {
		parts = append(parts, d)
	}
	return parts
}

// nodes returns one piece with adjacent siblings, or nil without siblings.
func nodes(siblings []int32) []parse.Piece {
	if len(siblings) == 0 {
		return nil
	}
	return []parse.Piece{parse.Nodes(siblings...)}
}

func commonEnd(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
