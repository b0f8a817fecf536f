package grammars

import (
	"errors"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whittle/parse"
)

// Each row drops the statements and declarations that contain a text.
func TestUnused(t *testing.T) {
	const source = `package p

import "io"
import (
	"fmt"
	y "gopkg.in/yaml.v3"
	_ "embed"
)

var global = y.Node{}

func f(p int) (r io.Reader) {
	a, b := 1, p
	fmt.Print(a, b)
	var c, d = p, p
	fmt.Print(c)
	c = 2
	fmt.Print(d)
	for i, e := range []int{} {
		fmt.Print(i)
		println(e)
	}
	switch u := r.(type) {
	case io.Writer:
		println(4)
		fmt.Print(u)
	}
	if g, h := p, p; p > 0 {
		println(h)
		println(g)
	}
	k, err := fmt.Print()
	println(k)
	println(err)
	l, err := fmt.Print()
	println(l)
	println(err, 2)
	p := p
	println(p, 3)
loop:
	for {
		continue loop
	}
}
`
	for _, row := range []struct{ drop, gone, want string }{
		{"Print(a", `a, b`, "_, _ = 1, p"},
		{"Print(c)", `c, d`, "var _, d = p, p\n\t_ = 2"},
		{"Print(c)|c = 2", `c, d`, "var _, d ="},
		{"Print(i)", "", "for _, e := range []int{}"},
		{"Print(i)|println(e)", "", "for _, _ = range []int{}"},
		{"Print(u)", "u := ", "switch r.(type)"},
		{"println(g)", "", "if _, h := p, p;"},
		{"println(g)|println(h)", "", "if _, _ = p, p;"},
		{"println(k)", "", "_, err := fmt.Print()"},
		{"println(l)", "", "_, err = fmt.Print()"},
		{"println(l)|k, err|println(k)|println(err)", "", "_, err := fmt.Print()"},
		{"println(err)|println(err, 2)", "err", "k, _ := fmt.Print()"},
		{"println(p, 3)", "", "_ = p"},
		{"continue loop", "loop:", ""},
		{"var global", `"gopkg.in`, "_ \"embed\""},
		{"func f", `"fmt"`, "y \"gopkg.in/yaml.v3\""},
		{"func f", `import "io"`, ""},
	} {
		t.Run(row.drop, func(t *testing.T) {
			l, _ := Find("go")
			tree, err := l.Parse([]byte(source))
			if err != nil {
				t.Fatal(err)
			}
			c := parse.Whole(tree)
			for text := range strings.SplitSeq(row.drop, "|") {
				found := int32(-1)
				for n := range int32(len(tree.Nodes)) {
					node := tree.Nodes[n]
					if node.Slot.Droppable() && node.Last > node.First+1 &&
						strings.Contains(source[tree.Tokens[node.First].Start:tree.Tokens[node.Last-1].End], text) &&
						(found < 0 || slices.Contains([]string{"block", "type_case"}, tree.Kind(tree.Nodes[n].Parent))) {
						found = n
					}
				}
				c = c.Drop(found)
			}
			file := string(c.Render())
			if !strings.Contains(file, row.want) || row.gone != "" && strings.Contains(file, row.gone) {
				t.Errorf("got\n%s\nwant %q, without %q", file, row.want, row.gone)
			}
			if l.Errors([]byte(file)) > 0 {
				t.Errorf("syntax error in %q", file)
			}
		})
	}
}

func TestLeads(t *testing.T) {
	l, _ := Find("rust")
	tree, err := l.Parse([]byte("#[a]\n// c\n#[b]\nstruct A;\n#[c]\nfn f() { #[d] g(); h(); }\n"))
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{
		"struct_item":          "// c\n#[c]\nfn f() { #[d] g(); h(); }\n",
		"expression_statement": "#[a]\n// c\n#[b]\nstruct A;\n#[c]\nfn f() { h(); }\n",
		"function_item":        "#[a]\n// c\n#[b]\nstruct A;\n",
	} {
		for n := range int32(len(tree.Nodes)) {
			if tree.Is(n, kind) {
				if got := string(parse.Whole(tree).Drop(n).Render()); got != want {
					t.Errorf("without %s: %q, want %q", kind, got, want)
				}
				break
			}
		}
	}
}

// Each row drops the first nodes with these texts. An arm or an initializer without its comma is that with it.
func TestRustRepairs(t *testing.T) {
	const source = `index!(A, B);

struct S { a: u8, b: u8, c: u8 }

static G: S = S { a: 4, b: 5, c: 6 };

const H: &[(u8, u8); 3] = &[(71, 7), (72, 7), (73, 7)];

const N: usize = 2;

const I: [u8; N] = [81, 82];

/// doc
#[attribute]
/// more
struct V;

impl T for S {
    index!();
    fn if_else(&self) -> u8 {
        if self.a > 0 { 1 } else if x { 2 } else { 3 }
    }
    fn returns(&self) -> u8 {
        let y = match self.a { 0 => f(), 1 => { 12 } 2 => 13, 3 => 14 };
        return y;
    }
    fn opens(&self) { match self.a { 0 => g(), 8 => 18, z => h() } }
    fn fills(&self) -> S { S { a: 21, b: 22, c: 23 } }
    fn blocks(&self) -> u8 { unsafe { i(); 31 } }
    fn closes(&self) { self.map(|x| { j(); x + 41 }); k() }
    fn traits(&self) -> impl T { l() }
}
`
	for _, row := range []struct{ drop, want string }{
		{"index!(A, B)", "struct S"},
		{"index!()", "impl T for S { fn if_else"},
		{"if self.a > 0 { 1 } else if x { 2 } else { 3 }", "-> u8 { loop {} }"},
		{"1", "if self.a > 0 { loop {} } else if"},
		{"else if x { 2 } else { 3 }", "{ 1 } else { loop {} } }"},
		{"else { 3 }", "{ 2 } else { loop {} } }"},
		{"return y;", "14 }; loop {} }"},
		{"0 => f(),", "self.a { 1 => { 12 } 2 => 13, 3 => 14 , _ => loop {} };"},
		{"0 => f(),|1 => { 12 }|2 => 13,|3 => 14", "match self.a { _ => loop {} };"},
		{"3 => 14", "2 => 13, _ => loop {} };"},
		{"8 => 18,", "{ 0 => g(), z => h() }"},
		{"b: 22", "S { a: 21, c: 23 , ..loop {} }"},
		{"b: 22|b: u8", "S { a: 21, c: 23 }"},
		{"a: 21|b: 22|c: 23", "S { ..loop {} }"},
		{"(72, 7)", "const H: &[(u8, u8); 2] = &[(71, 7), (73, 7)];"},
		{"81", "const N: usize = 1; const I: [u8; N] = [82];"},
		{"struct V;", "[81, 82]; impl T"},
		{"b: 5", "S { a: 4, c: 6 }"},
		{"31", "unsafe { i(); loop {} }"},
		{"x + 41", "|x| { j(); loop {} }"},
		{"k()", "x + 41 }); }"},
		{"l()", "-> impl T { }"},
	} {
		t.Run(row.drop, func(t *testing.T) {
			l, _ := Find("rust")
			tree, err := l.Parse([]byte(source))
			if err != nil {
				t.Fatal(err)
			}
			c := parse.Whole(tree)
			for text := range strings.SplitSeq(row.drop, "|") {
				found := slices.IndexFunc(tree.Nodes, func(n parse.Node) bool {
					return source[tree.Tokens[n.First].Start:tree.Tokens[n.Last-1].End] == text
				})
				if found < 0 {
					t.Fatalf("no node %q", text)
				}
				c = c.Drop(int32(found))
			}
			file := c.Render()
			if got := strings.Join(strings.Fields(string(file)), " "); !strings.Contains(got, row.want) {
				t.Errorf("got\n%s\nwant %q", got, row.want)
			} else if again, err := l.Parse(file); err != nil || again.Errors > 0 ||
				parse.Whole(again).Weight() != c.Measure().Tokens {
				t.Errorf("got %d tokens, %d errors and %v, want %d", parse.Whole(again).Weight(), again.Errors, err, c.Measure().Tokens)
			}
		})
	}
}

// The type checker of the standard library finds no unused name in random candidates, if they have no other errors.
func TestUnusedAtRandom(t *testing.T) {
	l, _ := Find("go")
	r, valid := rand.New(rand.NewPCG(1, 2)), 0
	for _, dir := range []string{"../algo", "../parse", "../internal/diff"} {
		paths, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, "_test.go") })
		files := map[string][]byte{}
		for _, path := range paths {
			if files[path], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		for _, path := range paths {
			source := files[path]
			tree, err := l.Parse(source)
			if err != nil {
				t.Fatal(err)
			}
			var droppable []int32
			for n := range int32(len(tree.Nodes)) {
				if tree.Nodes[n].Slot.Droppable() && tree.Is(tree.Nodes[n].Parent, "block") {
					droppable = append(droppable, n)
				}
			}
			for range 20 {
				if droppable == nil {
					break
				}
				c := parse.Whole(tree).Drop(droppable[r.IntN(len(droppable))])
				files[path] = c.Render()
				unused, others := check(files)
				if others == 0 {
					valid++
				}
				if len(unused) > 0 && others == 0 {
					removed, _ := c.Removed(parse.Whole(tree))
					t.Errorf("%v; tokens %d are gone", unused, removed)
				}
			}
			files[path] = source
		}
	}
	t.Logf("%d valid candidates", valid)
	if valid < 50 {
		t.Errorf("only %d candidates are valid", valid)
	}
}

// check returns the errors of unused names and the number of others in a package, without those of missing imports.
func check(files map[string][]byte) (unused []error, others int) {
	set := token.NewFileSet()
	var all []*ast.File
	for path, text := range files {
		parsed, err := goparser.ParseFile(set, path, text, goparser.SkipObjectResolution)
		if err != nil {
			return nil, 1
		}
		all = append(all, parsed)
	}
	config := types.Config{Importer: nothing{}, Error: func(err error) {
		switch s := err.Error(); {
		case strings.Contains(s, "and not used"), strings.Contains(s, "no new variables"):
			unused = append(unused, err)
		case !strings.Contains(s, "could not import"):
			others++
		}
	}}
	config.Check("a", set, all, nil)
	return unused, others
}

type nothing struct{}

func (nothing) Import(string) (*types.Package, error) {
	return nil, errors.New("there are no packages")
}
