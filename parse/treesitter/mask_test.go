package treesitter_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/parse"
)

func cpp(t testing.TB, source string) *parse.Tree {
	t.Helper()
	return read(t, "cpp", source)
}

func read(t testing.TB, language, source string) *parse.Tree {
	t.Helper()
	l, _ := grammars.Find(language)
	tree, err := l.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(parse.Whole(tree).Render()); got != source {
		t.Fatalf("%q is rendered for\n%q", got, source)
	}
	return tree
}

func TestMasks(t *testing.T) {
	for _, x := range []struct {
		source string
		kinds  []string // of nodes that are found
		drop   string   // text without the first node of the first kind
	}{
		{"namespace std __attribute__ ((__visibility__ (\"default\"))) { int a; }\n",
			[]string{"comment", "namespace_definition", "declaration"}, "namespace std { int a; }\n"},
		{"class __attribute__((a, b(\"*/\"))) X { int a; } __attribute__((packed));\n",
			[]string{"comment", "class_specifier", "field_declaration"}, "class X { int a; } __attribute__((packed));\n"},
		{"struct X { __attribute__((pure)) int f(); int a; };\n",
			[]string{"comment", "field_declaration"}, "struct X { int f(); int a; };\n"},
		{"namespace n { extern template class A<int>; int a; }\n",
			[]string{"template_instantiation", "declaration"}, "namespace n { int a; }\n"},
		{"namespace n { extern int f(int) noexcept(true) __asm (\"g\") __attribute__((pure)); int a; }\n",
			[]string{"comment", "declaration"}, "namespace n { extern int f(int) noexcept(true) __attribute__((pure)); int a; }\n"},
		{"struct X { __extension__ long long a; int b; };\n", []string{"field_declaration"}, "struct X { int b; };\n"},
		{"namespace n { extern \"C\" __typeof(f) g; int a; }\n", []string{"linkage_specification"}, "namespace n { int a; }\n"},
		{"struct X { [[a]] friend bool operator==(X, X) { } int a; };\n", []string{"function_definition"},
			"struct X { int a; };\n"},
		{"void f() { typedef __decltype(g(1)) t; }\n", []string{"type_definition"}, "void f() { }\n"},
		{"struct X { auto f() -> decltype(g(1), h()) { return 1; } int a; };\n", []string{"function_definition"},
			"struct X { int a; };\n"},
		{"namespace n { typedef int (m::S::*t)(int); int a; }\n", []string{"type_definition"}, "namespace n { int a; }\n"},
		{"template <class T, class C> struct M<T C:: *> { }; int a;\n", []string{"template_declaration"}, "int a;\n"},
		{"V f() { return __extension__ (V)(U){ 1, 2 }; }\n", []string{"return_statement", "initializer_list"}, "V f() { }\n"},
		{"int f() { int a = g((struct S){ 1 }, (b)); }\n", []string{"declaration", "initializer_list"}, "int f() { }\n"},
		{"struct S { S &operator+=(T x) { } S &operator,(T x) { } int a; };\n", []string{"function_definition"},
			"struct S { S &operator,(T x) { } int a; };\n"},
		{"struct S { template <class... A> e<sizeof...(A) >= 2, int>::type f() { } int a; };\n",
			[]string{"template_declaration"}, "struct S { int a; };\n"},
		{"struct S { S &operator>>=(T<int> x) { } bool operator>=(T<int> x) { } int a; };\n", []string{"function_definition"},
			"struct S { bool operator>=(T<int> x) { } int a; };\n"},
		{"int f(T x) { if ((x)) { a; } return (b); }\n", []string{"if_statement"}, "int f(T x) { return (b); }\n"},
	} {
		tree := cpp(t, x.source)
		// The grammar misses a declarator in template class A<int>.
		if tree.Errors > strings.Count(x.source, "template class") {
			t.Errorf("%q has %d errors", x.source, tree.Errors)
		}
		first := int32(-1)
		for _, kind := range x.kinds {
			n := find(t, tree, kind)
			if first < 0 {
				first = n
			}
		}
		if got := string(parse.Whole(tree).Drop(first).Render()); got != x.drop {
			t.Errorf("without a %s: %q, want %q", x.kinds[0], got, x.drop)
		}
	}
}

func find(t testing.TB, tree *parse.Tree, kind string) int32 {
	t.Helper()
	n := int32(slices.IndexFunc(tree.Nodes, func(n parse.Node) bool {
		for k := n.Chain; k != 0; k = tree.Links[k].Below {
			if tree.Names[tree.Links[k].Kind] == kind {
				return true
			}
		}
		return false
	}))
	if n < 0 {
		t.Fatalf("%q has no %s", tree.Source, kind)
	}
	return n
}

// The grammar of C has attributes in other places than GNU C.
func TestMasksInC(t *testing.T) {
	const attribute, label = "__attribute__((__nonnull__(1, 2), __leaf__))", `__asm ("g")`
	for _, x := range [][2]string{
		{attribute, "extern long(%s strtol)(char const *__restrict s);\n"},
		{attribute, "extern %s char *(%s f)(char const *) %s;\n"},
		{attribute, "char *%s *p;\n"},
		{attribute, "int v %s = 1, w %s;\n"},
		{attribute, "int f(int a %s, int %s b);\n"},
		{attribute, "enum %s e { A %s, B = 2 };\n"},
		{attribute, "struct %s s { int a %s; } %s;\n"},
		{attribute, "void f(void) { for (int i %s = 0; ; ) ; }\n"},
		{label, "int f(void) %s;\n"},
	} {
		text := strings.ReplaceAll(x[1], "%s", x[0])
		for n := strings.Count(text, x[0]); n >= 0; n-- {
			tree := read(t, "c", text)
			if tree.Errors > 0 {
				t.Errorf("%q has %d errors", text, tree.Errors)
			}
			if n == 0 {
				break
			}
			got := string(parse.Whole(tree).Drop(find(t, tree, "comment")).Render())
			if squeeze(got) != squeeze(strings.Replace(text, x[0], "", 1)) {
				t.Fatalf("without its first masked text %q is %q", text, got)
			}
			text = got
		}
	}
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// The semicolon goes with them.
func TestMaskedGoesWithStruct(t *testing.T) {
	for _, language := range []string{"c", "cpp"} {
		tree := read(t, language, "struct s { int a; } __attribute__((a)) __attribute__((b));\nint x;\n")
		if got := string(parse.Whole(tree).Drop(1).Render()); got != "int x;\n" {
			t.Errorf("%s without the struct: %q", language, got)
		}
	}
}

func TestMaskedGoesWithMember(t *testing.T) {
	tree := cpp(t, "struct X { __attribute__((a)) __attribute__((b)) int f(); int a; };\n")
	base := parse.Whole(tree)
	for n := range int32(len(tree.Nodes)) {
		if tree.Field(n) == "body" {
			if got := string(base.Drop(base.Items(n)[0]).Render()); got != "struct X { int a; };\n" {
				t.Errorf("%q", got)
			}
			return
		}
	}
	t.Error("no body")
}

func TestMasksAnywhere(t *testing.T) {
	words := strings.Fields(`__attribute__ ( ) (( )) extern template __extension__ __typeof { } ; class x < > :: ::* = return /* */ // " ' \ , 1`)
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var text bytes.Buffer
		for range r.IntN(12) {
			text.WriteString(words[r.IntN(len(words))])
			text.WriteString([]string{"", " ", "\n"}[r.IntN(3)])
		}
		tree := cpp(t, text.String())
		end := int32(0)
		for _, token := range tree.Tokens {
			if gap := text.Bytes()[end:token.Start]; len(bytes.Trim(gap, " \n\\")) > 0 {
				t.Fatalf("%q: %q is in no token", text.String(), gap)
			}
			end = token.End
		}
		if rest := text.Bytes()[end:]; len(bytes.Trim(rest, " \n\\")) > 0 {
			t.Fatalf("%q: %q is in no token", text.String(), rest)
		}
	}
}

// Masking takes linear time in long names: quadratic time would be more than the limit of the tests.
func TestMasksOfLongNames(t *testing.T) {
	for _, text := range []string{strings.Repeat("a::", 1<<20), strings.Repeat("a", 1<<21) + "("} {
		cpp(t, "int "+text+";\n")
	}
}
