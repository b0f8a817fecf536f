package isolation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/testkit/cases"
	"whittle/internal/testkit/samples"
	"whittle/oracle"
	"whittle/parse"
)

func language(tb testing.TB, name string) parse.Language {
	tb.Helper()
	l, ok := grammars.Find(name)
	if !ok {
		tb.Fatalf("no language %s", name)
	}
	return l
}

func contains(text string) oracle.Property {
	return func(_ context.Context, file []byte) (algo.Outcome, error) {
		if bytes.Contains(file, []byte(text)) {
			return algo.Interesting, nil
		}
		return algo.Uninteresting, nil
	}
}

func Example() {
	good, bad := "int f(int a) { int b = 1; return a + b; }", "int f(int a) { int b = 1; return a - b; }"
	l, _ := newPair([]byte(good), []byte(bad), grammars.ForFile("a.c"))
	tree, _ := l.Parse(l.text)
	whole := parse.Whole(tree)
	for n := range int32(len(tree.Nodes)) {
		if tree.Kind(n) == "declaration" {
			whole = whole.Drop(n)
		}
	}
	a, b, _ := l.Split(whole.Render())
	fmt.Printf("%s\n%s\n", a, b)
	// Output:
	// int f(int a) { return a + b; }
	// int f(int a) { return a - b; }
}

// pairs has versions with difficult differences.
var pairs = []struct{ name, good, bad string }{
	{"same", "a b\n", "a b\n"},
	{"no difference in tokens", "a b\n", "a\n b\n"},
	{"white space only", " ", "\n"},
	{"nothing is bad", "a b c\n", ""},
	{"white space is bad", "a b c\n", "\n "},
	{"nothing is good", "", "a b c\n"},
	{"all is different", "int a(void) { return 1; }\n", "x = y(z)\nprint x\n"},
	{"one token", "f(a + b);", "f(a - b);"},
	{"an insertion", "f(a, b);\n", "f(a, g(c), b);\n"},
	{"a deletion", "f(a, g(c), b);\n", "f(a, b);\n"},
	{"an insertion at the end", "f();\n", "f();\ng();\n"},
	{"a deletion at the end", "f();\ng();\n", "f();\n"},
	{"a deletion at the beginning", "f();\ng();\n", "g();\n"},
	{"no final newline", "f();\n", "f();"},
	{"a final newline", "f();", "f();\n\n"},
	{"line breaks", "f();\r\ng();\r\n", "f();\ng();\n"},
	{"CRLF", "f();\r\ng(1);\r\n", "f();\r\ng(2);\r\n"},
	{"invalid UTF-8", "\"\xff\xfe\" + a;\n", "\"\xff\xfd\" + \xc3;\n"},
	{"a comment", "f(); /* as it was */ g();\n", "f(); /* as it is */ g();\n"},
	{"a comment that becomes code", "f(); /* g(); */ h();\n", "f(); /* g(); */ h(); */\n"},
	{"indentation", "if a:\n    b()\n    c()\n", "if a:\n  b()\n  c()\n"},
	{"a string that goes on", "print('a', b, 'c')\n", "print('a, b, 'c')\n"},
	{"tokens that touch", "a=b+c;", "a=b-- -c;"},
	{"brackets", "<a><b/></a>\n", "<a><b></b><c/></a>\n"},
	{"other tokens of the same text", "<!DOCTYPE a [<!ENTITY b SYSTEM 'c' NDATA d>", "<!DOCTYPE a [b SYSTEM 'c' NDATA d>"},
	{"NUL", "a \x00whittle 12 b\n", "a \x00whittle 13 b\n"},
}

func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"c", "python", "javascript", "xml", "json", "structure", "lines", "words"} {
		for _, p := range pairs {
			t.Run(name+"/"+p.name, func(t *testing.T) { roundTrip(t, language(t, name), p.good, p.bad) })
		}
	}
}

func TestRandom(t *testing.T) {
	for _, name := range []string{"c", "python", "xml", "lines"} {
		files, err := samples.Of("../..", name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range cases.Of(t, 15, 5) {
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			file := files[r.IntN(len(files))].Text
			if len(file) > 1000 {
				file = file[:1000]
			}
			roundTrip(t, language(t, name), string(changed(r, file)), string(changed(r, file)))
		}
	}
}

// changed returns a text with some words and bytes removed, doubled or exchanged.
func changed(r *rand.Rand, text []byte) []byte {
	words := bytes.SplitAfter(text, []byte(" "))
	for range r.IntN(6) {
		i, k := r.IntN(len(words)), r.IntN(len(words))
		switch r.IntN(3) {
		case 0:
			words = slices.Delete(slices.Clone(words), i, min(i+3, len(words)))
		case 1:
			words = slices.Insert(slices.Clone(words), i, words[k])
		case 2:
			words[i] = words[k]
		}
		if len(words) == 0 {
			return nil
		}
	}
	out := bytes.Join(words, nil)
	if len(out) > 0 {
		i := r.IntN(len(out))
		out = slices.Concat(out[:i], out[min(i+r.IntN(3), len(out)):])
	}
	return out
}

// roundTrip makes a pair, removes its nodes one by one, and parses the rest.
func roundTrip(t *testing.T, inner parse.Language, good, bad string) {
	t.Helper()
	l, err := newPair([]byte(good), []byte(bad), inner)
	if refused := (*parse.Refusal)(nil); errors.As(err, &refused) {
		return
	} else if err != nil {
		t.Fatal(err)
	}
	a, b, err := l.Split(l.text)
	if err != nil || string(a) != good || string(b) != bad {
		t.Fatalf("%q and %q become %q and %q, %v", good, bad, a, b, err)
	}
	tree := read(t, l, l.text)
	alone := read(t, inner, b)
	whole, wholeAlone := parse.Whole(tree), parse.Whole(alone)
	if len(alone.Tokens) == 0 {
		return
	}
	if whole.Weight() != wholeAlone.Weight() {
		t.Fatalf("%q weighs %d, alone %d", l.text, whole.Weight(), wholeAlone.Weight())
	}
	step := 1 + len(tree.Nodes)/40
	for n := int32(1); n < int32(len(tree.Nodes)); n += int32(step) {
		for _, c := range [][2]*parse.Candidate{
			{whole.Drop(n), wholeAlone.Drop(n)},
			{whole.Hoist(tree.Nodes[n].Parent, n), wholeAlone.Hoist(alone.Nodes[n].Parent, n)},
		} {
			if c[0].Coherent() {
				asAlone(t, l, c[0], c[1])
			}
		}
	}
}

// asAlone compares a candidate of a pair with the candidate of the bad version alone, without
// white space: the good version may need additional space.
func asAlone(t *testing.T, l *pairLanguage, c, alone *parse.Candidate) {
	t.Helper()
	_, bad, err := l.Split(c.Render())
	if err != nil {
		t.Fatalf("%q is no pair", c.Render())
	}
	if got, want := nonSpace(bad), nonSpace(alone.Render()); got != want {
		t.Fatalf("%q becomes %q, alone %q", c.Render(), got, want)
	}
	read(t, l, c.Render())
}

// nonSpace returns a text without white space and escaped line breaks.
func nonSpace(text []byte) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\r\f\v\\", r) {
			return -1
		}
		return r
	}, string(text))
}

// read parses a text and checks the invariants of the tree.
func read(t *testing.T, l parse.Language, text []byte) *parse.Tree {
	t.Helper()
	tree, err := l.Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if got := parse.Whole(tree).Render(); !bytes.Equal(got, text) {
		t.Fatalf("%q is rendered %q", text, got)
	}
	if n := l.Errors(text); n != tree.Errors {
		t.Fatalf("%q has %d errors, but %d in the tree", text, n, tree.Errors)
	}
	end := int32(0)
	for i, k := range tree.Tokens {
		if k.Start < end || k.End <= k.Start || int(k.End) > len(text) {
			t.Fatalf("%q: token %d is %v, the one before ends at %d", text, i, k, end)
		}
		if gap := text[end:k.Start]; bytes.Contains(gap, []byte("whittle")) {
			t.Fatalf("%q: %q stands before token %d", text, gap, i)
		}
		end = k.End
	}
	if last := tree.Nodes[0].Last; int(last) != len(tree.Tokens) {
		t.Fatalf("%q: %d of %d tokens are in the tree", text, last, len(tree.Tokens))
	}
	return tree
}

func FuzzRoundTrip(f *testing.F) {
	for _, p := range pairs {
		for kind := range byte(4) {
			f.Add(p.good, p.bad, kind)
		}
	}
	f.Fuzz(func(t *testing.T, good, bad string, kind byte) {
		if len(good)+len(bad) > 2000 {
			t.Skip("too long to be quick")
		}
		names := []string{"c", "python", "structure", "lines"}
		roundTrip(t, language(t, names[int(kind)%len(names)]), good, bad)
	})
}

// A text with an incomplete mark is not a pair, and has more errors than any pair.
func TestBroken(t *testing.T) {
	l, err := newPair([]byte("a + b"), []byte("a - b"), language(t, "c"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(l.text)
	boundary := text[2:strings.IndexByte(text, '<')]
	for _, broken := range []string{
		text[:len(text)-len(boundary)], strings.Replace(text, "<", "|", 1), strings.Replace(text, boundary+"|", "", 1),
		text + boundary, text + boundary + ">", boundary + "<" + text,
	} {
		if _, _, err := l.Split([]byte(broken)); err == nil {
			t.Errorf("no error for %q", broken)
		}
		if _, err := l.Parse([]byte(broken)); err == nil || l.Errors([]byte(broken)) != parse.Unreadable {
			t.Errorf("%q is read", broken)
		}
		outcome, err := l.Apart(contains("a"))(t.Context(), []byte(broken))
		if outcome != algo.Uninteresting || err != nil {
			t.Errorf("%q is %v, %v", broken, outcome, err)
		}
	}
}

func TestMarkOfSeveralTokens(t *testing.T) {
	l, err := newPair([]byte("x = 1; /* a */"), []byte("x = 1; /* b; */"), language(t, "c"))
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.ReplaceAll(bytes.ReplaceAll(l.text, []byte("/* "), nil), []byte(" */"), nil)
	tree := read(t, l, text)
	whole := parse.Whole(tree)
	broken := 0
	for n := int32(1); n < int32(len(tree.Nodes)); n++ {
		c := whole.Drop(n)
		if _, _, err := l.Split(c.Render()); c.Coherent() != (err == nil) {
			t.Errorf("coherent: %v, but %q: %v", c.Coherent(), c.Render(), err)
		}
		if !c.Coherent() {
			broken++
		}
	}
	if got := len(tree.Tokens); got != 6 || broken != 2 {
		t.Errorf("%d tokens, %d of which cannot go alone", got, broken)
	}
}

func TestApart(t *testing.T) {
	l, err := newPair([]byte("good"), []byte("bad"), language(t, "words"))
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	for _, c := range []struct {
		good, bad algo.Outcome
		err       error
		want      algo.Outcome
		asked     string
	}{
		{algo.Uninteresting, algo.Interesting, nil, algo.Interesting, "bad good"},
		{algo.Interesting, algo.Interesting, nil, algo.Uninteresting, "bad good"},
		{algo.Unresolved, algo.Interesting, nil, algo.Unresolved, "bad good"},
		{algo.Uninteresting, algo.Uninteresting, nil, algo.Uninteresting, "bad"},
		{algo.Uninteresting, algo.Unresolved, nil, algo.Unresolved, "bad"},
		{algo.Uninteresting, algo.Interesting, full, algo.Interesting, "bad"},
	} {
		var asked []string
		outcome, err := l.Apart(func(_ context.Context, file []byte) (algo.Outcome, error) {
			asked = append(asked, string(file))
			if string(file) == "good" {
				return c.good, c.err
			}
			return c.bad, c.err
		})(t.Context(), l.text)
		if err != c.err || err == nil && outcome != c.want || strings.Join(asked, " ") != c.asked {
			t.Errorf("%+v: %v, %v after %s", c, outcome, err, asked)
		}
	}
}

func (l *pairLanguage) Split(text []byte) (good, bad []byte, err error) {
	v, err := l.split(text)
	return v.good, v.bad, err
}
