package grammars

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whittle/internal/testkit/samples"
	"whittle/parse"
)

func samplesOf(tb testing.TB, name string) (right, wrong []string) {
	tb.Helper()
	all, err := samples.Of("..", name)
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range all {
		if s.Wrong {
			wrong = append(wrong, string(s.Text))
		} else {
			right = append(right, string(s.Text))
		}
	}
	return right, wrong
}

var odd = []string{"", "\n", " ", "\x00", "\ufeffint a;\n", "\xff\xfe(", "((((((((", "}}}\"'", "a\\\nb", "\r\r\n",
	strings.Repeat("[", 300)}

func TestRoundTrip(t *testing.T) {
	for _, l := range All() {
		right, wrong := samplesOf(t, l.Name)
		if len(right)+len(wrong) == 0 {
			t.Errorf("no sample of %s", l.Name)
		}
		for _, s := range slices.Concat(right, wrong, odd) {
			roundTrip(t, l, []byte(s))
		}
	}
}

// Only samples that are marked as wrong have errors.
func TestSamplesParse(t *testing.T) {
	for _, l := range All() {
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
			if c.Weight() > whole.Weight() || len(c.Render()) > len(source)+2 { // spaces between tokens
				t.Fatalf("%s: %q without node %d grew to %q", l.Name, source, n, c.Render())
			}
		}
	}
}

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
				t.Fatalf("%s: %q: child %d of node %d is %+v; tokens before it end at %d", l.Name, tree.Source, c, i, tree.Nodes[c],
					first)
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
