package rewrite

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"whittle/parse"
)

// include replaces the directive that includes a file by the content of the file, and deletes the file. The directive
// names it by path, base name, or base name without extension. Equal directives are deleted.
//
//	a.c: #include "b.h"    b.h: int x;    =>    a.c: int x; return x;
//	     return x;
func (f *File) include(p parse.Part) (ch Change, ok bool) {
	root, places := f.Root(p), f.including(p)
	if root < 0 || len(places) == 0 {
		return ch, false
	}
	ch = f.inPlace(places[0], parse.Nodes(root))
	for _, other := range places[1:] {
		if f.source(other) == f.source(places[0]) {
			ch.Drop = append(ch.Drop, other)
		}
	}
	ch.Drop = append(ch.Drop, p.Node)
	return ch, true
}

// module moves a file into the declaration of its module, in place of the semicolon.
//
//	a.rs: mod b;    b.rs: fn f() {}    =>    a.rs: mod b { fn f() {} }
func (f *File) module(p parse.Part) (ch Change, ok bool) {
	root := f.Root(p)
	for _, m := range f.Mentions {
		end := f.Nodes[m.Node].Last - 1
		if root >= 0 && m.Inside && f.Parts[m.Part].Node == p.Node && f.tokenText(end) == ";" {
			body := []parse.Piece{parse.Literal(" ", "{"), parse.Nodes(root), parse.Literal("\n", "}")}
			return Change{Edits: []parse.Edit{{From: end, To: end + 1, With: body}}, Drop: []int32{p.Node}}, true
		}
	}
	return ch, false
}

// including returns the directives around the name of a file: the innermost list members in their files.
func (f *File) including(p parse.Part) (places []int32) {
	for n := int32(0); n < int32(len(f.Nodes)); n++ {
		if n == p.Node {
			n = f.Nodes[n].Next - 1
			continue
		}
		if !f.IsLeaf(n) || !f.InFile(n) || !isNamed(f.Text(n), p.Path) {
			continue
		}
		place := n
		for place > 0 && !f.InPlainList(place) && !(f.Nodes[place].Slot.Droppable() && !f.InFile(f.Nodes[place].Parent)) {
			place = f.Nodes[place].Parent
		}
		if place > 0 && f.InFile(place) && (len(places) == 0 || !f.within(place, places[len(places)-1])) {
			places = append(places, place)
		}
	}
	return places
}

func isNamed(text, file string) bool {
	text = strings.TrimPrefix(strings.Trim(text, "\"'`<>"), "./")
	base := path.Base(file)
	return text == file || text == base || text == strings.TrimSuffix(base, path.Ext(base))
}

// requires matches a declaration by require. The others match the export of a name, the export of a value as the whole
// module, and any use of the exports.
var (
	requires    = regexp.MustCompile(`^(?:(?:const|let|var)\s+)?([\w$]+|\{[^{}:=]*\})\s*=\s*require\(`)
	exportsName = regexp.MustCompile(`\b(?:module\.)?exports\.([\w$]+)\s*=`)
	exportsAll  = regexp.MustCompile(`\bmodule\.exports\s*=`)
	exports     = regexp.MustCompile(`\b(?:module\.)?exports\b`)
)

// require moves a CommonJS module to the only declaration by require. Exports become variables, or fields of one.
//
//	const { f } = require("./b");    b.js: exports.f = 1;    =>    var f = 1;
func (f *File) require(p parse.Part) (ch Change, ok bool) {
	root := f.Root(p)
	places := slices.DeleteFunc(f.including(p), func(n int32) bool { return !requires.MatchString(f.source(n)) })
	if root < 0 || len(places) != 1 {
		return ch, false
	}
	name, text := requires.FindStringSubmatch(f.source(places[0]))[1], f.source(root)
	switch {
	case name[0] == '{':
		text = exportsName.ReplaceAllString(text, "var $1 =")
	case exportsAll.MatchString(text):
		text = exports.ReplaceAllLiteralString(exportsAll.ReplaceAllLiteralString(text, "var "+name+" ="), name)
	default:
		text = "var " + name + " = {};\n" + exports.ReplaceAllLiteralString(text, name)
	}
	ch = f.inPlace(places[0], parse.Literal("", text))
	ch.Drop = append(ch.Drop, p.Node)
	return ch, true
}
