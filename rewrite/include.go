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

// including returns the directives around the names of a file: the innermost list members in their files.
func (f *File) including(p parse.Part) (places []int32) {
	for _, n := range f.naming(p) {
		if place := f.placeOf(n); place > 0 && (len(places) == 0 || !f.within(place, places[len(places)-1])) {
			places = append(places, place)
		}
	}
	return places
}

// naming returns the nodes in other files that name a file.
func (f *File) naming(p parse.Part) (names []int32) {
	mentions, module := map[int32]bool{}, moduleOf(p.Path)
	for _, m := range f.Mentions {
		if named := f.Parts[m.Part]; named.Node == p.Node || named.Path == module {
			mentions[m.Text] = true
		}
	}
	for n := int32(0); n < int32(len(f.Nodes)); n++ {
		if n == p.Node {
			n = f.Nodes[n].Next - 1
		} else if f.InFile(n) && (mentions[n] || f.IsLeaf(n) && isNamed(f.Text(n), p.Path)) {
			names = append(names, n)
		}
	}
	return names
}

// moduleOf returns the path of a file without extension, or its directory if it is the index of that, as of CommonJS.
func moduleOf(file string) string {
	module := strings.TrimSuffix(file, path.Ext(file))
	if path.Base(module) == "index" {
		return path.Dir(module)
	}
	return module
}

// placeOf returns the innermost list member around a node in its file, or 0.
func (f *File) placeOf(n int32) int32 {
	for n > 0 && !f.InPlainList(n) && !(f.Nodes[n].Slot.Droppable() && !f.InFile(f.Nodes[n].Parent)) {
		n = f.Nodes[n].Parent
	}
	if n > 0 && !f.InFile(n) {
		return 0
	}
	return n
}

func isNamed(text, file string) bool {
	text = strings.TrimPrefix(strings.Trim(text, "\"'`<>"), "./")
	base := path.Base(file)
	return text == file || text == base || text == strings.TrimSuffix(base, path.Ext(base))
}

// requires matches a declaration by require, and isRequire a call of it. The others match the export of a name, the
// export of a value as the whole module, and any use of the exports.
var (
	requires    = regexp.MustCompile(`^(?:(?:const|let|var)\s+)?([\w$]+|\{[^{}:=]*\})\s*=\s*require\(`)
	isRequire   = regexp.MustCompile("^require\\(\\s*[\"'`][^\"'`]*[\"'`]\\s*\\)$")
	notInName   = regexp.MustCompile(`\W`)
	exportsName = regexp.MustCompile(`\b(?:module\.)?exports\.([\w$]+)\s*=`)
	exportsAll  = regexp.MustCompile(`\bmodule\.exports\s*=`)
	exports     = regexp.MustCompile(`\b(?:module\.)?exports\b`)
)

// mostOfRequire is the most tokens of a call of require.
const mostOfRequire = 8

// require moves a CommonJS module to the only declaration by require. Exports become variables, or fields of one.
// Before another statement with the only require, the module becomes a declaration.
//
//	const { f } = require("./b");    b.js: exports.f = 1;    =>    var f = 1;
//	g(require("./b").f);             b.js: exports.f = 1;    =>    var b = {}; b.f = 1; g(b.f);
func (f *File) require(p parse.Part) (ch Change, ok bool) {
	root, declared := f.Root(p), []string(nil)
	if root < 0 {
		return ch, false
	}
	var calls []int32
	for _, n := range f.naming(p) {
		short := func() bool { return f.Nodes[n].Last-f.Nodes[n].First <= mostOfRequire }
		for n > 0 && short() && !isRequire.MatchString(f.source(n)) {
			n = f.Nodes[n].Parent
		}
		if n > 0 && short() && f.placeOf(n) > 0 && !slices.Contains(calls, n) {
			calls = append(calls, n)
		}
	}
	declares := func(n int32) bool {
		text := strings.TrimRight(f.source(f.placeOf(n)), "; \n")
		return requires.MatchString(text) && strings.HasSuffix(text, f.source(n))
	}
	if slices.ContainsFunc(calls, declares) {
		calls = slices.DeleteFunc(calls, func(n int32) bool { return !declares(n) })
	}
	if len(calls) != 1 {
		return ch, false
	}
	call, place, text := calls[0], f.placeOf(calls[0]), f.source(root)
	name := notInName.ReplaceAllLiteralString(path.Base(moduleOf(p.Path)), "_")
	if declares(call) {
		declared = requires.FindStringSubmatch(f.source(place))
		name = declared[1]
	}
	switch {
	case name[0] == '{':
		text = exportsName.ReplaceAllString(text, "var $1 =")
	case exportsAll.MatchString(text):
		text = exports.ReplaceAllLiteralString(exportsAll.ReplaceAllLiteralString(text, "var "+name+" ="), name)
	default:
		text = "var " + name + " = {};\n" + exports.ReplaceAllLiteralString(text, name)
	}
	switch {
	case declared != nil:
		ch = f.inPlace(place, parse.Literal("", text))
	case call > place:
		before := f.Nodes[place].First
		ch.Edits = []parse.Edit{
			{From: before, To: before, With: []parse.Piece{parse.Literal("", text), parse.Literal("\n", "")}},
			f.Replace([]int32{call}, parse.Literal("", name)),
		}
	default: // without a use, as for include
		return ch, false
	}
	ch.Drop = append(ch.Drop, p.Node)
	return ch, true
}
