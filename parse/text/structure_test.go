package text

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"whittle/parse"
)

// sketch draws a tree: nodes in parentheses, and slots as ? optional, * star, + plus, ^ separator.
func sketch(tree *parse.Tree) string {
	var b strings.Builder
	var show func(n int32)
	show = func(n int32) {
		node := &tree.Nodes[n]
		if tree.IsLeaf(n) {
			token := tree.Tokens[node.First]
			b.Write(tree.Source[token.Start:token.End])
		} else {
			b.WriteByte('(')
			for c := n + 1; c < node.Next; c = tree.Nodes[c].Next {
				if c > n+1 {
					b.WriteByte(' ')
				}
				show(c)
			}
			b.WriteByte(')')
		}
		b.WriteString([]string{"", "?", "*", "+", "^"}[node.Slot])
	}
	show(0)
	return b.String()
}

func parsed(t *testing.T, source string) *parse.Tree {
	t.Helper()
	tree, err := Structure.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Nodes) != cap(tree.Nodes) {
		t.Errorf("%q has %d nodes, not %d", source, len(tree.Nodes), cap(tree.Nodes))
	}
	if got := parse.Whole(tree).Render(); !bytes.Equal(got, []byte(source)) {
		t.Errorf("%q became %q", source, got)
	}
	if n := Structure.Errors([]byte(source)); n != tree.Errors {
		t.Errorf("%q has %d errors, its tree %d", source, n, tree.Errors)
	}
	return tree
}

func TestStructure(t *testing.T) {
	for _, test := range []struct{ what, source, want string }{
		{"lines", "one two\nthree\n", `((one? two?)* three*)`},
		{"paragraphs", "a b\nc d\n\ne f\ng h\n", `(((a? b?)* (c? d?)*)* ((e? f?)* (g? h?)*)*)`},
		{"indentation", "if x:\n  a\n  b\nc\n", `(((if? (x? :?)?) (a* b*)?)* c*)`},
		{"brackets on a line", "f(a, g(b)) = [1, 2]\n", `((f (( (a* ,^ (g (( b? )))*)? )))? =^ ([ (1* ,^ 2*)? ])?)`},
		{"brackets over lines", "f {\n  a;\n  b;\n}\n", `(f? ({ ((a ;)* (b ;)*)? })?)`},
		{"an end by its name", "module m\nx\nendmodule m\ny\n", `(((module? m?) x? (endmodule? m?))* y*)`},
		{"quotes", "say \"a (b\" 'c'\n", `(say? "a (b"? 'c'?)`},
		{"a stray bracket", "a ) b\nf(x)\n", `((a? )^ b?)* (f (( x? )))*)`},
		{"an open bracket", "f(x {\n  a\n}\ng\n", `(((f? (^ x?)? ({ a? })?)* g*)`},
		{"a continued line", "a \\\n b\nc\n", `((a? b?)* c*)`},
		{"a procedure", "procedure f\n  (x)\nis\n  a\nbegin\n  b\nend F;\nc\n",
			`(((procedure? f?) (( x? ))? ((is a?)* (begin b?)*)? (end? F? ;))* c*)`},
		{"comments", "-- a (\n--b\n  c -- d )\n--\n--\n", `((--? a? (?)* (--? b?)* (c (--? d? )?)?)* --* --*)`},
		{"a continued statement of Fortran", "call f(a, &\n  & b, &\n  c)\nd\n",
			`((call? (f (( (a* ,^ b* ,^ c*)? )))?)* d*)`},
		{"a line to the left in a unit", "  module m\n  a\nb\n  c\n  end module m\nd\n",
			`(((module? m?) (a* b* c*)? (end? module? m?))* d*)`},
		{"a declaration", "integer, save :: a, b = 2\nreal :: c\n",
			`(((integer* ,^ save*) :: (a+ ,^ (b? =^ 2?)+))* (real :: c)*)`},
		{"clauses", "a(X) :- b, c.\nf(1) -> a;\nf(X) ->\n  b,\n  c.\ng -> a.\n",
			`(((a (( X? )))? :-^ (b* ,^ c*)? .)* (((f (( 1? )))? ->^ a?)* ;^ (((f (( X? )))? ->?) (b* ,^ c*)?)* .)* (g? ->^ a? .)*)`},
		{"a goal after the head", "a(X) :- b(X),\n  c.\nd.\n",
			`((((a (( X? )))? :-?) ((b (( X? )))* ,^ c*)? .)* (d .)*)`},
		{"fixed form", "*     a (\n      SUBROUTINE F\n      A = 1\nC b\n 20   B = 2\n     $  + 3\n      END\n      C = 4\n",
			`((*? a? (?)* ((SUBROUTINE? F?) ((A? =^ 1?)* (C? b?)* ((20? B?)? =^ (2? +^ 3?)?)*)? END)* (C? =^ 4?)*)`},
	} {
		if got := sketch(parsed(t, test.source)); got != test.want {
			t.Errorf("%s: %q is\n%s, want\n%s", test.what, test.source, got, test.want)
		}
	}
}

// Lines define names, if there are some after words for that.
func TestNames(t *testing.T) {
	names := func(source string) string {
		tree := parsed(t, source)
		var names []string
		for n := range int32(len(tree.Nodes)) {
			if tree.Field(n) == "name" {
				token := tree.Tokens[tree.Nodes[n].First]
				names = append(names, string(source[token.Start:token.End]))
			}
		}
		return strings.Join(names, " ")
	}
	const many = "type a\ntype b\ntype c\n"
	for source, want := range map[string]string{
		"type a\ntype b\n":                             "",
		many:                                           "a b c",
		many + "X : Integer := 1;\n":                   "a b c X",
		many + "private function F.g (x) is\n":         "a b c F",
		many + "f :: Int -> Int\nf x = 1\n":            "a b c f",
		many + "real, intent(in) :: x, y(3)\n":         "a b c x y",
		many + "INTEGER*4 I, J\nend type a\nx = y\n":   "a b c I J",
		many + "wire [3:0] w, v;\ncase x:\n1: y;\nreg": "a b c w v",
		many + "-- type d\n-- type e\n-- type f\n":     "a b c",
	} {
		if got := names(source); got != want {
			t.Errorf("%q defines %s, want %s", source, got, want)
		}
	}
}

func TestCoarseStructure(t *testing.T) {
	long := strings.Repeat("x", longLine)
	for _, test := range []struct{ source, want string }{
		{"if x > (a + [1, 2]):\n  a = b c\n  b\nc d e;\n", `((if x > (a + [1, 2]): (a = b c* b*)?)* (c d e ;)*)`},
		{"f {\n  a b c,\n  d e f\n}\n", `(f? ({ (a b c* ,^ d e f*)? })?)`},
		{"<a> b </a>\n<c>\nd\n</c>\n", `(((<? a? >?)? b? (</? a? >?)?)* ((<? c? >?) d? (</? c? >?))*)`},
		{"end module x\n) a ( b c\n", `(end module x* ()? a? (^ b? c?)*)`},
		{"module m\nx y z\nend module m\n", `((module m x y z? end module m)*)`},
		{long + " f([a, b], {}) [(c) d", `(x? (f ([a, b], {}))? ([? (c)?)? d?)`},
	} {
		fine := parsed(t, test.source)
		tree, err := structure{fine: 8}.Parse([]byte(test.source))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(sketch(tree), long, "x"); got != test.want {
			t.Errorf("%.30q is\n%s, want\n%s", test.source, got, test.want)
		}
		c, whole := parse.Whole(tree), parse.Whole(fine)
		if c.Weight() != whole.Weight() || tree.Errors != fine.Errors || string(c.Render()) != test.source {
			t.Errorf("%q has weight %d and %d errors, want %d and %d", test.source, c.Weight(), tree.Errors, whole.Weight(),
				fine.Errors)
		}
	}
}

func TestStructureOfOddTexts(t *testing.T) {
	const many = 100_000
	for _, source := range []string{
		strings.Repeat("(", many) + "x" + strings.Repeat(")", many),
		strings.Repeat("([{", many), strings.Repeat(")]}", many), strings.Repeat("a,", many), strings.Repeat("\"", many+1),
		"a\n#", "#", "&", "a &", "&\n&", "\n&\na", "end", "c", "*", "      SUBROUTINE A\n     &", "type :: a\n::\na ::\n:: b",
		strings.Repeat(" x\n", many), "\ufeff\x00\xff(\xfe\r\n\\\r\n)\r",
	} {
		parsed(t, source)
	}
	if n := Structure.Errors([]byte("f(a[1}) ) {")); n != 4 {
		t.Errorf("%d errors, want 4", n)
	}
}

func TestCoarseCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"(", ")", "[", "]", "{", "}", "a", " b", ",", ";", "\n", "\n  ", "<c>", "\"", " = ", "end ",
		"\n@@ -", "\n+", "\\\n", "\n--- \n+++ "}
	for i := range 2000 {
		source := bytes.Repeat([]byte("a "), i%2*longLine/2) // some lines are long
		for range r.IntN(60) {
			source = append(source, pieces[r.IntN(len(pieces))]...)
		}
		fine, _ := structure{fine: len(source)}.Parse(source)
		coarse, _ := structure{fine: -1}.Parse(source)
		a, b := parse.Whole(fine), parse.Whole(coarse)
		if len(bytes.TrimSpace(source)) > 0 && a.Weight() != b.Weight() || fine.Errors != coarse.Errors ||
			fine.Errors != Structure.Errors(source) || !bytes.Equal(b.Render(), source) {
			t.Fatalf("%q has weight %d and %d errors, and if read by lines %d and %d", source, a.Weight(), fine.Errors,
				b.Weight(), coarse.Errors)
		}
	}
}

func TestPatch(t *testing.T) {
	const patch = `From: me
diff --git a/x.c b/x.c
index 12..34 100644
--- a/x.c
+++ b/x.c
@@ -1,3 +1,4 @@ f() {
 if (a) {
+  b (
-	x
@@ -9,2 +9,2 @@
 }
+
+  }; c \
+}
--- a/y.c
+++ b/y.c
@@ -1 +1 @@
-old {
+new
(a
b)
`
	tree := parsed(t, patch)
	var rows []string
	for n := int32(1); n < int32(len(tree.Nodes)); n++ {
		node := &tree.Nodes[n]
		kind, _ := kinds(tree, n)
		above, _ := kinds(tree, node.Parent)
		if kind == block || kind == header || node.Slot == parse.Star && above <= body {
			depth := 0
			for p := node.Parent; p >= 0; p = tree.Nodes[p].Parent {
				if k, _ := kinds(tree, p); k == block {
					depth++
				}
			}
			text, _, more := strings.Cut(patch[tree.Tokens[node.First].Start:tree.Tokens[node.Last-1].End], "\n")
			if more {
				text += " ..."
			}
			rows = append(rows, strings.Repeat("  ", depth)+text)
		}
	}
	const want = `From: me
diff --git a/x.c b/x.c ...
  diff --git a/x.c b/x.c
  index 12..34 100644
  --- a/x.c ...
    --- a/x.c
    +++ b/x.c
    @@ -1,3 +1,4 @@ f() { ...
      @@ -1,3 +1,4 @@ f() {
      if (a) {
      +  b (
      -	x
    @@ -9,2 +9,2 @@ ...
      @@ -9,2 +9,2 @@
      }
      +
      +  }; c
      +}
  --- a/y.c ...
    --- a/y.c
    +++ b/y.c
    @@ -1 +1 @@ ...
      @@ -1 +1 @@
      -old {
      +new
      (a ...
        a
        b`
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
