package text

import (
	"bytes"
	"strings"
	"testing"

	"whittle/parse"
)

// A file may have millions of lines.
func TestItemsAreNotCopied(t *testing.T) {
	source := []byte(strings.Repeat("one two  three\n\n", 10_000))
	for _, l := range []*Language{Lines, Words, Chars} {
		allocations := testing.AllocsPerRun(3, func() {
			if _, err := l.Parse(source); err != nil {
				t.Fatal(err)
			}
		})
		if allocations > 8 {
			t.Errorf("%v allocations", allocations)
		}
	}
}

func TestItems(t *testing.T) {
	const source = "one  two\n\n \x00\xff\xc3\xa4\nthree"
	for _, test := range []struct {
		l       *Language
		items   []string
		weights []int32
	}{
		{Lines, []string{"one  two\n", "\n", " \x00\xff\xc3\xa4\n", "three"}, []int32{2, 1, 1, 1}},
		{Words, []string{"one", "two", "\x00\xff\xc3\xa4", "three"}, nil},
		{Chars, strings.Split("o|n|e| | |t|w|o|\n|\n| |\x00|\xff|\xc3\xa4|\n|t|h|r|e|e", "|"), nil},
		{Whole, []string{source}, nil},
	} {
		tree, err := test.l.Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		var items []string
		for _, k := range tree.Tokens {
			items = append(items, source[k.Start:k.End])
		}
		if strings.Join(items, "|") != strings.Join(test.items, "|") {
			t.Errorf("%q, want %q", items, test.items)
		}
		for i, w := range test.weights {
			if tree.Weights[i] != w {
				t.Errorf("%q weighs %d, want %d", items[i], tree.Weights[i], w)
			}
		}
		if got := parse.Whole(tree).Render(); !bytes.Equal(got, []byte(source)) {
			t.Errorf("%q became %q", source, got)
		}
	}
}

func TestItemsStandSideBySide(t *testing.T) {
	for _, test := range []struct{ source, want string }{{"a b", "ab"}, {"1+x*2", "12"}, {"\xffb\xff", "\xff\xff"}} {
		tree, err := Chars.Parse([]byte(test.source))
		if err != nil {
			t.Fatal(err)
		}
		c := parse.Whole(tree)
		if got := c.Drop(parse.Others(c.Items(0), []int{0, len(c.Items(0)) - 1})...).Render(); string(got) != test.want {
			t.Errorf("of %q %q is left, want %q", test.source, got, test.want)
		}
	}
}
