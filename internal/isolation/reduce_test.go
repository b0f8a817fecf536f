package isolation

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/oracle"
)

// compiled returns the property of files that match all patterns. Files that do not match wanted are
// unresolved, as if a compiler rejected them.
func compiled(wanted string, patterns ...string) oracle.Property {
	want := regexp.MustCompile(wanted)
	return func(_ context.Context, file []byte) (algo.Outcome, error) {
		if !want.Match(file) {
			return algo.Unresolved, nil
		}
		for _, p := range patterns {
			if !regexp.MustCompile(p).Match(file) {
				return algo.Uninteresting, nil
			}
		}
		return algo.Interesting, nil
	}
}

const program = `#include <stdio.h>
#include <stdlib.h>

struct list {
	int length;
	int items[8];
};

static int total(struct list *l) {
	int sum = 0;
	for (int i = 0; i < l->length; i++)
		sum += l->items[i];
	return sum;
}

static int shift(int a, int b) {
	if (b < 0)
		return a;
	return a << b;
}

int main(int argc, char **argv) {
	struct list l = { 3, { 1, 2, 3 } };
	if (argc > 1)
		l.length = atoi(argv[1]);
	int wide = shift(total(&l), 33);
	printf("%d %d\n", total(&l), wide);
	return wide != 0;
}
`

const script = `import os

class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        if item is not None:
            self.items.append(item)
        return self

def main():
    s = Stack()
    for i in range(3):
        s.push(i)
    print(s.items)
    return len(s.items)

main()
`

// Results are the same for any number of jobs.
func TestReduce(t *testing.T) {
	for _, c := range []struct {
		name, language string
		good, bad      string
		property       oracle.Property
		smallGood      string
		smallBad       string
	}{
		{
			"two tokens of a program", "c",
			strings.NewReplacer("<< b", ">> b", ", 33)", ", 3)").Replace(program), program,
			compiled(`(?s)shift\(int.*shift\(`, `<<`, `33`),
			"shift(int) {\n\ta >> b;\n}\n\tshift(3);\n", "shift(int) {\n\ta << b;\n}\n\tshift(33);\n",
		},
		{
			"indentation", "python",
			strings.Replace(script, "        return self", "            return self", 1), script,
			compiled(`(?m)^ *def push`, `(?m)^        return self`),
			"    def push():\n            return self\n", "    def push():\n        return self\n",
		},
		{
			"an insertion only", "c",
			"int f(int a, int b) {\n\tint c = a;\n\treturn a + c;\n}\n",
			"int f(int a, int b) {\n\tint c = a;\n\tb = g(c);\n\treturn a + c;\n}\n",
			contains("g("), "{\n\t;\n}\n", "{\n\t g();\n}\n",
		},
		{
			"a deletion only", "c",
			"int f(int a, int b) {\n\tint c = a;\n\tb = g(c);\n\treturn a + c;\n}\n",
			"int f(int a, int b) {\n\tint c = a;\n\treturn a + c;\n}\n",
			compiled(`f\(`, `^[^g]*$`), "f() {\n\t;\n\tb = g(c);\n}\n", "f() {\n\t;\n}\n",
		},
		{
			"CRLF", "lines", "a\r\nb\r\ngood\r\nc\r\n", "a\r\nb\r\nbad\r\nc\r\n", contains("bad\r\n"),
			"good\r\n", "bad\r\n",
		},
		{"no final newline", "c", "int a;\nint b;", "int a;\nint c;", contains("c"), "b;", "c;"},
		{"a final newline", "c", "int a;\nint b;", "int a;\nint b;\n", compiled(`b;`, `\n$`), "b;", "b;\n"},
		{
			"invalid UTF-8", "c", "char *a = \"\xff\"; int b;\n", "char *a = \"\xfe\"; int b;\n", contains("\xfe"),
			"\"\xff\";\n", "\"\xfe\";\n",
		},
		{
			"a comment", "c", "int a; /* good */ int b;\n", "int a; /* bad */ int b;\n", contains("bad"),
			"/* good */\n", "/* bad */\n",
		},
		{"white space", "python", "a = 1; b = 2\n", "a = 1;  b = 2\n", contains(";  b"), "a; b\n", "a;  b\n"},
		{
			"all", "c", "int f(void) { f(1, x, 3, 4); return 1; }\n", "long g(void) { if (h) while (y) j(); }\n", contains("h"),
			"{ ; return 1; }\n", "{  while (y); }\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, jobs := range []int{1, 8} {
				good, bad := reduce(t, c.language, c.good, c.bad, c.property, jobs)
				if good != c.smallGood || bad != c.smallBad {
					t.Errorf("%d jobs: %q and %q, want %q and %q", jobs, good, bad, c.smallGood, c.smallBad)
				}
			}
		})
	}
}

// reduce reduces a pair and checks that the property distinguishes the results.
func reduce(t *testing.T, name, good, bad string, property oracle.Property, jobs int) (smallGood, smallBad string) {
	t.Helper()
	l, err := newPair([]byte(good), []byte(bad), language(t, name))
	if err != nil {
		t.Fatal(err)
	}
	result, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: l.text, Language: l, Property: l.Apart(property), Jobs: jobs,
	})
	if err != nil || !result.Complete {
		t.Fatalf("%+v, %v", result, err)
	}
	a, b, err := l.Split(result.File)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]algo.Outcome{string(a): algo.Uninteresting, string(b): algo.Interesting} {
		if outcome, err := property(t.Context(), []byte(file)); outcome != want || err != nil {
			t.Errorf("%q is %v, %v", file, outcome, err)
		}
	}
	return string(a), string(b)
}

func TestNotApart(t *testing.T) {
	for _, property := range []oracle.Property{contains("int"), contains("none")} {
		l, err := newPair([]byte("int a;"), []byte("int b;"), language(t, "c"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = whittle.Reduce(t.Context(), whittle.Options{Input: l.text, Language: l, Property: l.Apart(property)})
		if err != whittle.ErrUninteresting {
			t.Errorf("got %v", err)
		}
	}
}

// Candidates without marks are not tested, and tests never see marks.
func TestMarks(t *testing.T) {
	l, err := newPair([]byte(strings.Replace(program, "<< b", ">> b", 1)), []byte(program), language(t, "c"))
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	property := func(ctx context.Context, file []byte) (algo.Outcome, error) {
		if bytes.Contains(file, []byte("whittle")) || !bytes.Contains(file, []byte("<<")) && !bytes.Contains(file, []byte(">>")) {
			return 0, fmt.Errorf("%q is tested", file)
		}
		asked++
		return contains("<<")(ctx, file)
	}
	r, err := whittle.Reduce(t.Context(), whittle.Options{Input: l.text, Language: l, Property: l.Apart(property)})
	if _, bad, _ := l.Split(r.File); err != nil || string(bad) != "{\n\ta << b;\n}\n" {
		t.Errorf("%q, %v", bad, err)
	}
	if asked > 40 {
		t.Errorf("%d tests", asked)
	}
}

// In the tree of the good version, tokens that only it has can be deleted one by one.
func TestNot(t *testing.T) {
	good, bad := []byte("f(a, g(x, check(1), y));\n"), []byte("f(a);\n")
	property := not(compiled(`f\(`, `check`))
	l, err := newPair(bad, good, language(t, "c"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: l.text, Language: l, Property: l.Apart(not(property)),
	})
	if err != nil {
		t.Fatal(err)
	}
	smallBad, smallGood, err := l.Split(r.File)
	if err != nil || string(smallGood) != "f( check);\n" || string(smallBad) != "f();\n" {
		t.Errorf("%q and %q, %v", smallGood, smallBad, err)
	}
}

func TestDrivers(t *testing.T) {
	good := strings.Replace(program, "<< b", "+ (b >> 1)", 1)
	for _, driver := range whittle.Drivers().Names() {
		l, err := newPair([]byte(good), []byte(program), language(t, "c"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := whittle.Reduce(t.Context(), whittle.Options{
			Input: l.text, Language: l, Property: l.Apart(contains("<<")), Driver: driver,
		})
		if err != nil || !r.Complete || r.Tokens > 26 {
			t.Errorf("%s: %d tokens, %v", driver, r.Tokens, err)
		}
		small, bad, err := l.Split(r.File)
		if err != nil || bytes.Equal(small, bad) || len(bad) > 80 {
			t.Errorf("%s: %q and %q, %v", driver, small, bad, err)
		}
	}
}
