package pass

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"whittle/parse"
)

// A javaProgram has only the functions on a stack and the classes of exceptions.
type javaProgram struct {
	t        *parse.Tree
	roots    map[string]int32   // of files in Java
	declared map[string][]int32 // as in body
	files    map[string]*javaClass
}

// A javaClass is written anew. That of a file has no name.
type javaClass struct {
	name, super string
	members     []string
	nested      []*javaClass
}

// class returns the class of a file with the names of its outer classes and its own.
func (p *javaProgram) class(file string, names []string) *javaClass {
	if p.files[file] == nil {
		p.files[file] = &javaClass{}
	}
	c := p.files[file]
	for _, name := range names {
		at := slices.IndexFunc(c.nested, func(c *javaClass) bool { return c.name == name })
		if at < 0 {
			at, c.nested = len(c.nested), append(c.nested, &javaClass{name: name})
		}
		c = c.nested[at]
	}
	return c
}

func (c *javaClass) print(modifiers string) string {
	text := modifiers + "class " + c.name + c.super + " {\n" + strings.Join(c.members, "")
	for _, n := range c.nested {
		text += n.print("public static ")
	}
	return text + "}\n"
}

// A javaName is the name of a class.
type javaName struct {
	pkg   string
	names []string // of outer classes and its own
}

// from returns the name as code of a package needs it.
func (n javaName) from(pkg string) string {
	name := strings.Join(n.names, ".")
	if n.pkg == pkg || n.pkg == "" {
		return name
	}
	return n.pkg + "." + name
}

// split returns the class and the function of a call a.b.Outer$Inner.f.
func (c Call) split() (javaName, string) {
	class, function := "", c.Name
	if dot := strings.LastIndex(c.Name, "."); dot >= 0 {
		class, function = c.Name[:dot], c.Name[dot+1:]
	}
	pkg, name := "", class
	if dot := strings.LastIndex(class, "."); dot >= 0 {
		pkg, name = class[:dot], class[dot+1:]
	}
	return javaName{pkg, strings.Split(name, "$")}, function
}

// onStack returns edits that leave only functions with the names of calls, the innermost first. The first one throws
// the exception. The last one is main, or a function of a test in the outermost body.
func (m Made) onStack(outermost *body, calls []Call) (edits []TextEdit) {
	p := &javaProgram{outermost.t, map[string]int32{}, outermost.declared, map[string]*javaClass{}}
	for _, part := range p.t.Parts {
		if root := p.t.Root(part); root >= 0 && path.Ext(part.Path) == ".java" {
			p.roots[part.Path] = root
		}
	}
	if p.t.Parts == nil {
		p.roots[calls[0].Path] = 0
	}
	calls = distinct(calls) // functions with other parameters would be the same
	p.throws(m)
	if cause := (Made{Text: m.Text, Class: m.Cause}); m.Cause != "" {
		if !strings.Contains(m.Text, m.Cause+"()") {
			cause.Short = constructor
		}
		p.throws(cause)
	}
	lines := "throw " + p.inPackage(m, calls[0]) + ";"
	last := len(calls) - 1
	for i, c := range calls {
		class, function := c.split()
		own := class.names[len(class.names)-1]
		if own == "" {
			return nil
		} else if i == last && function != "main" {
			break
		}
		var next javaName // of the caller
		if i < last {
			next, _ = calls[i+1].split()
		}
		parameters, arguments := "()", "();"
		if slices.Contains(ofObject, function) {
			parameters, arguments = "(int unused)", "(0);"
		}
		member, call := "public static void "+function+parameters, function+arguments
		switch called, isLambda := strings.CutPrefix(function, "lambda$"); {
		case isLambda:
			lines = "((AutoCloseable) () -> { " + lines + " }).close();"
			if fmt.Sprint(class) == fmt.Sprint(next) {
				continue
			}
			function, _, _ = strings.Cut(called, "$")
			member, call = "public static void "+function+"()", function+"();"
		case unicode.IsDigit(rune(own[0])):
			lines = "new Object() { public void " + function + parameters + " throws Exception { " + lines + " } }." + call
			if class.names = class.names[:len(class.names)-1]; fmt.Sprint(class) != fmt.Sprint(next) {
				return nil
			}
			continue
		}
		switch {
		case strings.ContainsAny(function, "<>"):
			if function != "<init>" {
				return nil
			}
			member, call = "public "+own+"()", "new "+class.from(next.pkg)+"();"
		case i == last:
			member = "public static void main(String[] words)"
		default:
			if fmt.Sprint(class) != fmt.Sprint(next) {
				call = class.from(next.pkg) + "." + call
			}
		}
		in := p.class(c.Path, class.names)
		in.members = append(in.members, member+" throws Exception { "+lines+" }\n")
		lines = call
	}
	_, function := calls[last].split()
	isTest := function != "main"
	if isTest {
		name := p.t.Child(outermost.function, "name")
		if p.files[calls[last].Path] != nil || name < 0 || outermost.word(p.t.Nodes[name].First) != function {
			return nil
		}
		edits = p.test(outermost, lines)
	}
	for _, file := range slices.Sorted(maps.Keys(p.roots)) {
		if root := p.roots[file]; !isTest || root != outermost.root {
			edits = append(edits, replaced(p.t, root, p.print(file)))
		}
	}
	return edits
}

// inPackage returns the expression for the exception as the package of a call needs it.
func (p *javaProgram) inPackage(m Made, c Call) string {
	n := p.classOf(m.Class, m)
	if n < 0 {
		return m.Text
	}
	name, _ := p.nameOf(n)
	in, _ := c.split()
	return strings.Replace(m.Text, "new "+name.from("-"), "new "+name.from(in.pkg), 1)
}

// ofObject has the functions without parameters that all objects have.
var ofObject = strings.Fields("clone finalize getClass hashCode notify notifyAll toString wait")

// print returns a file, without text if it has no class.
func (p *javaProgram) print(file string) (text string) {
	if p.files[file] == nil {
		return ""
	}
	if pkg := p.pkg(p.roots[file]); pkg != "" {
		text = "package " + pkg + ";\n"
	}
	for _, c := range slices.Backward(p.files[file].nested) { // java FILE runs the first class
		text += c.print(map[bool]string{true: "public "}[c.name+".java" == path.Base(file)])
	}
	return text
}

// pkg returns the name of the package of a file.
func (p *javaProgram) pkg(root int32) string {
	for n := root + 1; n < p.t.Nodes[root].Next; n = p.t.Nodes[n].Next {
		if p.t.Is(n, "package_declaration") {
			return strings.Join(p.words(n)[1:], "")
		}
	}
	return ""
}

// words returns the texts of the tokens of a node, without a semicolon at its end.
func (p *javaProgram) words(n int32) []string {
	words := (&body{t: p.t}).words(n)
	if last := len(words) - 1; last >= 0 && words[last] == ";" {
		words = words[:last]
	}
	return words
}

// nameOf returns the name of a class, with its file.
func (p *javaProgram) nameOf(n int32) (name javaName, file string) {
	root := int32(0)
	for d := range pathTo(p.t, p.t.Nodes[n].First) {
		if p.t.IsRoot(d) {
			root = d
		}
		if own := p.t.Child(d, "name"); own >= 0 && d <= n && p.t.Child(d, "body") >= 0 {
			name.names = append(name.names, wordAt(p.t, p.t.Nodes[own].First))
		}
	}
	name.pkg = p.pkg(root)
	for path, r := range p.roots {
		if r == root {
			return name, path
		}
	}
	return name, ""
}

// constructor takes the message of an exception of class $.
const constructor = "$(String m) { super(m); }"

// throws adds the class of an exception, with a constructor, and the classes that it extends.
func (p *javaProgram) throws(m Made) {
	seen := map[string]bool{}
	for simple := m.Class; simple != "" && !seen[simple]; {
		seen[simple] = true
		n := p.classOf(simple, m)
		if n < 0 {
			return
		}
		name, file := p.nameOf(n)
		c := p.class(file, name.names)
		if m.Short != "" {
			c.members = append(c.members, "public "+strings.ReplaceAll(m.Short, "$", simple)+"\n")
		}
		super := p.t.Child(n, "superclass")
		if super < 0 {
			return
		}
		text := strings.Join(p.words(super)[1:], "")
		simple = text[strings.LastIndex(text, ".")+1:]
		if outer := p.classOf(simple, m); outer >= 0 {
			own, _ := p.nameOf(outer)
			text = own.from(name.pkg)
		} else if text == simple {
			text = p.imported(n, text)
		}
		c.super = " extends " + text
	}
}

// classOf returns the class with a simple name, or -1. Of several, the class of the exception counts.
func (p *javaProgram) classOf(simple string, m Made) (class int32) {
	class = -1
	for _, n := range p.declared[simple] {
		if p.t.Child(n, "parameters") >= 0 {
			continue
		}
		name, file := p.nameOf(n)
		if file != "" && (class < 0 || strings.Contains(m.Text, "new "+name.from("-")+"(")) {
			class = n
		}
	}
	return class
}

// imported returns the full name of a class if the file of node n imports it.
func (p *javaProgram) imported(n int32, simple string) string {
	root := rootAt(p.t, int(p.t.Tokens[p.t.Nodes[n].First].Start))
	for d := root + 1; d < p.t.Nodes[root].Next; d = p.t.Nodes[d].Next {
		if words := p.words(d); p.t.Is(d, "import_declaration") && words[len(words)-1] == simple {
			return strings.Join(words[1:], "")
		}
	}
	return simple
}

// test returns edits of the file of a test that delete other members and classes, and imports of other files.
func (p *javaProgram) test(b *body, lines string) (edits []TextEdit) {
	t := p.t
	packages := map[string]bool{}
	for _, root := range p.roots {
		packages[p.pkg(root)] = true
	}
	for n := b.root + 1; n < t.Nodes[b.root].Next; n++ {
		switch {
		case n == b.block:
			edits = append(edits, inBraces(t, n, lines))
		case covers(t, n, t.Nodes[b.block].First):
			continue
		case t.Is(n, "import_declaration"):
			words := p.words(n)
			isOwn := func(i int) bool { return packages[strings.Join(words[1:i], "")] }
			if !isOwn(max(1, len(words)-2)) && !isOwn(max(1, len(words)-4)) {
				break
			}
			fallthrough
		case endsWith(t, n, []string{"declaration"}) && !t.Is(n, "package_declaration"):
			edits = append(edits, replaced(t, n, ""))
		default:
			continue
		}
		n = t.Nodes[n].Next - 1
	}
	return edits
}
