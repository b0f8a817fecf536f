package grammars

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whittle/parse"
)

// samples are small files in every language of the table: what people write,
// and what they should not.
var samples = map[string][]string{
	"bash":       {"for f in *.c; do\n\techo \"$f\" | sed 's/a/b/' # note\ndone\ncat <<EOF\n text $x\nEOF\n"},
	"c":          {"#include <a.h>\r\nint main(void) {\r\n\treturn f(1, 2) ? \"x\\n\"[0] : 'c'; // end\r\n}\r\n", "#define A(x) x + \\\n 1\nint a = A(2)", "int f( { ]"},
	"cpp":        {"template <class T> struct A : B<T> { A() = default; auto f() const -> int { return [&] { return 1; }(); } };\n"},
	"csharp":     {"using System;\nclass A { int X { get; set; } = 3; void F() => Console.WriteLine($\"{X}\"); }\n"},
	"css":        {"a > b:hover, .c { color: #fff; margin: 0 1px }\n@media print { p { x: y } }\n"},
	"cue":        {"a: 1\nb: {c: \"x\", d: [1, 2]}\n"},
	"dockerfile": {"FROM a AS b\nRUN x && \\\n  y\nCOPY --from=b /a /b\n"},
	"elixir":     {"defmodule A do\n  def f(x) when x > 1, do: {:ok, x |> g()}\nend\n"},
	"elm":        {"module A exposing (..)\n\nf x =\n    case x of\n        1 ->\n            \"a\"\n\n        _ ->\n            \"b\"\n"},
	"go":         {"package a\n\nfunc f[T any](x T) (y int, err error) {\n\tfor i := range 3 {\n\t\ty += i\n\t}\n\treturn\n}\n"},
	"groovy":     {"def f(x) {\n  x.each { println \"$it\" }\n}\n"},
	"hcl":        {"resource \"a\" \"b\" {\n  c = [1, \"${d.e}\"]\n}\n"},
	"html":       {"<!DOCTYPE html>\n<html><body class=\"a\">x<br>y<script>var a = 1 < 2;</script></body></html>\n"},
	"java":       {"package a; import b.*;\nclass A<T> extends B { int x = 1, y; void f() throws E { for (var i : l) { if (i) continue; } } }\n"},
	"javascript": {"import a from 'b'\nconst f = async (x, {y = 1, ...z}) => `t${x}` ?? /r/g.test(y)\nclass A extends B { #p = 1; get q() { return <a b={1}>c</a> } }\n"},
	"kotlin":     {"fun f(x: Int = 1): String? = when (x) { 1 -> \"a\"; else -> null }\n"},
	"lua":        {"local function f(a, ...)\n  for i = 1, 2 do print(i) end -- c\n  return {a = 1, 2; 3}\nend\n"},
	"markdown":   {"# A\n\ntext *b*\n\n- one\n- two\n  - three\n\n```c\nint a;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"},
	"ocaml":      {"let rec f x = match x with | [] -> 0 | h :: t -> h + f t\n"},
	"php":        {"<html><?php function f($a, ...$b) { return \"x $a[0]\"; } ?>\ntext <?= f(1) ?>\n"},
	"protobuf":   {"syntax = \"proto3\";\nmessage A { repeated int32 b = 1; oneof c { string d = 2; } }\n"},
	"python":     {"def f(a, *b, c=1):\n    if a:\n        return [x for x in b]\n    else: pass\n\n\tx = 1\n", "class A:\r\n  x = f\"{a!r:>{b}}\"\r\n"},
	"ruby":       {"class A < B\n  def f(x, y: 1) = x.map { |z| \"#{z}\" }\n  X = <<~EOS\n    text\n  EOS\nend\n"},
	"rust":       {"#[derive(Debug)]\npub fn f<'a, T: X>(x: &'a T) -> Result<(), E> where T: Y { match x { A { b, .. } => Ok(()), _ => panic!(\"{}\", 1) } }\n"},
	"scala":      {"object A extends B {\n  def f[T](x: T)(implicit y: Y) = for { a <- x } yield s\"$a\"\n}\n"},
	"sql":        {"SELECT a, count(*) FROM t LEFT JOIN u ON t.x = u.x WHERE b > 1 GROUP BY a; -- c\nINSERT INTO t VALUES (1, 'x');\n"},
	"svelte":     {"<script>let a = 1;</script>\n{#if a}<p>{a}</p>{:else}x{/if}\n<style>p { x: y }</style>\n"},
	"swift":      {"struct A: B { var x: Int? { didSet { f() } }; func f(_ a: Int...) -> [String: Int] { guard let y = x else { return [:] }; return [\"a\": y] } }\n"},
	"toml":       {"a = 1\n[b.c]\nd = [\"x\", 'y'] # z\ne = { f = 1979-05-27 }\n"},
	"tsx":        {"const A: FC<{x: number}> = ({x}) => <div key={x}>{x as any}</div>\n"},
	"typescript": {"interface A<T> { x?: T; f(a: string | number): void }\nenum E { A = 1, B }\nabstract class C { private constructor(readonly x = 1) {} }\n"},
	"yaml":       {"a: 1\nb:\n  - c: &x d\n    e: |\n      text\n      more\n  - *x\n---\nf: {g: [1, 2]}\n"},
	"structure":  {"a = f(x, [1, 2]); # c\n\nbegin b\n  if x then { y: \"z\", w }\n  else\n\tq ]\nend b\r\n"},
	"lines":      {"one\n\ntwo three\r\nfour"},
	"words":      {"one  two\tthree\n\n four\u00a0five "},
	"chars":      {"a\u00e9\u4e16\xff\n"},
}

// samplesOf gives the samples of a language: those above, and the files of
// testdata/samples, of which those named wrong-… have errors.
func samplesOf(tb testing.TB, name string) (right, wrong []string) {
	tb.Helper()
	right = samples[name]
	files, err := filepath.Glob(filepath.Join("testdata", "samples", name, "*"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		if strings.HasPrefix(filepath.Base(f), "wrong-") {
			wrong = append(wrong, string(b))
		} else {
			right = append(right, string(b))
		}
	}
	return right, wrong
}

// odd are texts that no language expects.
var odd = []string{"", "\n", " ", "\x00", "\ufeffint a;\n", "\xff\xfe(", "((((((((", "}}}\"'", "a\\\nb", "\r\r\n", strings.Repeat("[", 300)}

func TestRoundTrip(t *testing.T) {
	for _, l := range All() {
		right, wrong := samplesOf(t, l.Name)
		if len(right) == 0 {
			t.Errorf("no sample of %s", l.Name)
		}
		for _, s := range slices.Concat(right, wrong, odd) {
			roundTrip(t, l, []byte(s))
		}
	}
}

// The samples are right in their languages, but for those meant to be wrong.
func TestSamplesParse(t *testing.T) {
	for _, l := range All() {
		if l.FrontEnd == "antlr" {
			right, wrong := samplesOf(t, l.Name)
			for _, s := range right {
				if n := l.Errors([]byte(s)); n > 0 {
					t.Errorf("%s: %d syntax errors in %q", l.Name, n, s)
				}
			}
			for _, s := range wrong {
				if l.Errors([]byte(s)) == 0 {
					t.Errorf("%s: no syntax errors in %q", l.Name, s)
				}
			}
			continue
		}
		if n := l.Errors([]byte(samples[l.Name][0])); n > 0 {
			t.Logf("%s: %d syntax errors in the first sample", l.Name, n)
			if l.Name == "c" || l.Name == "python" || l.Name == "java" || l.Name == "go" {
				t.Errorf("%s: the first sample should parse", l.Name)
			}
		}
	}
}

func TestRoundTripOfCases(t *testing.T) {
	dir := os.Getenv("WHITTLE_CASES")
	if dir == "" {
		t.Skip("WHITTLE_CASES does not name the folder of the reduction cases")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.*"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, ForFile(f), b)
	}
}

// roundTrip checks that the untouched tree renders to the source, that the tree
// is well formed, and that candidates can be made of it.
func roundTrip(t *testing.T, l Language, source []byte) {
	t.Helper()
	tree, err := l.Parse(source)
	if err != nil {
		t.Fatalf("%s: %v", l.Name, err)
	}
	whole := parse.Whole(tree)
	if got := whole.Render(); !bytes.Equal(got, source) {
		t.Fatalf("%s: %q became %q", l.Name, source, got)
	}
	wellFormed(t, l, tree)
	for n := int32(1); n < int32(len(tree.Nodes)) && n < 200; n++ {
		for _, c := range []*parse.Candidate{whole.Drop(n), whole.Prune(n), whole.Hoist(tree.Nodes[n].Parent, n)} {
			if c.Weight() > whole.Weight() || len(c.Render()) > len(source)+2 { // spaces keep tokens apart
				t.Fatalf("%s: %q without node %d grew to %q", l.Name, source, n, c.Render())
			}
		}
	}
}

// wellFormed checks what Tree promises.
func wellFormed(t *testing.T, l Language, tree *parse.Tree) {
	t.Helper()
	end := int32(0)
	for i, token := range tree.Tokens {
		if token.Start < end || token.End <= token.Start || int(token.End) > len(tree.Source) {
			t.Fatalf("%s: %q: token %d is %v, the one before ends at %d", l.Name, tree.Source, i, token, end)
		}
		end = token.End
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Next <= int32(i) || int(n.Next) > len(tree.Nodes) || n.First > n.Last || int(n.Last) > len(tree.Tokens) {
			t.Fatalf("%s: %q: node %d is %+v", l.Name, tree.Source, i, *n)
		}
		first := n.First
		for c := int32(i) + 1; c < n.Next; c = tree.Nodes[c].Next {
			if tree.Nodes[c].Parent != int32(i) || tree.Nodes[c].First != first {
				t.Fatalf("%s: %q: child %d of node %d is %+v; tokens before it end at %d", l.Name, tree.Source, c, i, tree.Nodes[c], first)
			}
			first = tree.Nodes[c].Last
		}
		if n.Next > int32(i)+1 && first != n.Last {
			t.Fatalf("%s: %q: the children of node %d end at token %d, it at %d", l.Name, tree.Source, i, first, n.Last)
		}
	}
}

func fuzz(f *testing.F, name string) {
	l, _ := Find(name)
	right, wrong := samplesOf(f, name)
	for _, s := range slices.Concat(right, wrong, odd) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) { roundTrip(t, l, source) })
}

func FuzzRoundTripC(f *testing.F)          { fuzz(f, "c") }
func FuzzRoundTripPython(f *testing.F)     { fuzz(f, "python") }
func FuzzRoundTripJavaScript(f *testing.F) { fuzz(f, "javascript") }
func FuzzRoundTripXML(f *testing.F)        { fuzz(f, "xml") }
func FuzzRoundTripJSON(f *testing.F)       { fuzz(f, "json") }
func FuzzRoundTripLines(f *testing.F)      { fuzz(f, "lines") }
func FuzzRoundTripStructure(f *testing.F)  { fuzz(f, "structure") }
