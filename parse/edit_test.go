package parse_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/internal/testkit/samples"
	"whittle/parse"
)

func TestApply(t *testing.T) {
	type pieces = []string // "=" and a literal, or the text of a node
	for _, x := range []struct {
		language, source, at string
		with                 pieces
		want                 string
	}{
		{"c", "int x = f(1, 2);", "f(1, 2)", pieces{"=0"}, "int x = 0;"},
		{"c", "int x = f(1, 2);", "f(1, 2)", pieces{"2"}, "int x = 2;"},
		{"c", "int x = f(1, 2);", "f(1, 2)", pieces{"2", "= +", "= x"}, "int x = 2 + x;"},
		{"c", "int x = f(1, 2);", "f(1, 2)", pieces{"=(", "2", "=)"}, "int x = ( 2);"},
		{"c", "int x = f(1, 2);", "f(1, 2)", pieces{"2", "=+", "1"}, "int x = 2+1;"},
		{"c", "int x = f(1, 2);", "f(1, 2)", pieces{"x", "=y", "1"}, "int x = x y 1;"},
		{"c", "int f() { return 1; }\n", "{ return 1; }", pieces{"=;"}, "int f() ;\n"},
		{"c", "int f() { g(); }\nint h(int a) { f(); }\n", "f();", pieces{"g();"},
			"int f() { g(); }\nint h(int a) { g(); }\n"},
		{"c", "int f() { g(); }\nint h(int a) { f(); }\n", "f();", nil, "int f() { g(); }\nint h(int a) { }\n"},
		{"c", "int f() { if (a) b; }", "if (a) b;", pieces{"a", "=;", "b;"}, "int f() { a; b; }"},
		{"c", "int f() { if (a) b; }", "if (a) b;", pieces{"b;", "a", "=;"}, "int f() { b;a; }"},
		{"c", "int f() {\n  a;\n}\n", "a;", pieces{"=b", "=;", "=\n", "=c", "=;"}, "int f() {\n  b;\n  c;\n}\n"},
		{"python", "if a:\n    while b:\n        x\n        y\nz\n", "z", pieces{"while b:\n        x\n        y"},
			"if a:\n    while b:\n        x\n        y\nwhile b:\n    x\n    y\n"},
		{"python", "if a:\n    while b:\n        x\n        y\nz\n", "while b:\n        x\n        y", pieces{"=z"},
			"if a:\n    z\nz\n"},
	} {
		c := whole(t, x.language, x.source)
		var with []parse.Piece
		gap := ""
		for _, piece := range x.with {
			text, literal := strings.CutPrefix(piece, "=")
			switch trimmed := strings.TrimLeft(text, " \n"); {
			case !literal:
				with = append(with, parse.Nodes(node(t, c, piece)))
			case trimmed == "":
				gap = text
				continue
			default:
				with = append(with, parse.Literal(gap+text[:len(text)-len(trimmed)], trimmed))
			}
			gap = ""
		}
		got := c.Apply(c.Tree().Replace([]int32{node(t, c, x.at)}, with...))
		if string(got.Render()) != x.want {
			t.Errorf("%q with %q for %q is %q, want %q", x.source, x.with, x.at, got.Render(), x.want)
		}
	}
}

// A simple model has the same tokens and weight.
func TestApplyAtRandom(t *testing.T) {
	for _, language := range []string{"c", "python", "json", "structure"} {
		all, err := samples.Of("..", language)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(100) {
			r := rand.New(rand.NewPCG(seed, 1))
			c := whole(t, language, string(samples.Draw(r, all, 4000)))
			for _, n := range c.Children(0) {
				if r.IntN(3) == 0 {
					c = c.Drop(n)
				}
			}
			edits := randomEdits(r, c)
			m := newModel(c)
			m.apply(c, edits)
			next := c.Apply(edits...)
			if got, want := squeezed(next.Render()), m.text(); got != want {
				t.Fatalf("%s, seed %d: %+v makes\n%s\nwant\n%s", language, seed, edits, got, want)
			}
			if got, want := next.Weight(), m.weight(); got != want {
				t.Fatalf("%s, seed %d: weight %d, want %d", language, seed, got, want)
			}
			if _, near := parse.Near(c, next); !strings.Contains(squeezed(near.Render()), m.last) {
				t.Fatalf("%s, seed %d: %q is not near the change:\n%s", language, seed, m.last, near.Render())
			}
			for range 3 {
				next = next.Apply(randomEdits(r, next)...)
				sum := 0
				for _, n := range next.Children(0) {
					sum += next.WeightOf(n)
				}
				if sum != next.Weight() || len(next.Render()) < sum {
					t.Fatalf("%s, seed %d: weight %d of %d in %q", language, seed, sum, next.Weight(), next.Render())
				}
			}
		}
	}
}

func squeezed(text []byte) string {
	return strings.Join(strings.Fields(strings.NewReplacer("\\\n", "", "\ufeff", "").Replace(string(text))), "")
}

// A model is a candidate with a list of texts for each token.
type model struct {
	rows [][]string
	last string
}

func newModel(c *parse.Candidate) *model {
	m := &model{}
	t := c.Tree()
	m.rows = make([][]string, len(t.Tokens))
	for n := range t.Nodes {
		if t.IsLeaf(int32(n)) && c.Live(int32(n)) {
			m.rows[t.Nodes[n].First] = []string{string(c.TextOf(int32(n)))}
		}
	}
	return m
}

func (m *model) text() string {
	return squeezed([]byte(strings.Join(slices.Concat(m.rows...), " ")))
}

func (m *model) weight() int { return len(slices.Concat(m.rows...)) }

func (m *model) apply(c *parse.Candidate, edits []edit) {
	before := slices.Clone(m.rows)
	for _, e := range edits {
		var row []string
		for _, p := range e.With {
			nodes, text := p.Parts()
			if nodes == nil {
				row, m.last = append(row, text), text
				continue
			}
			t := c.Tree()
			for i := t.Nodes[nodes[0]].First; i < t.Nodes[nodes[len(nodes)-1]].Last; i++ {
				row = append(row, before[i]...)
			}
		}
		for i := e.From; i < e.To; i++ {
			m.rows[i] = nil
		}
		m.rows[e.From] = row
	}
}

type edit = parse.Edit

// liveNodes returns the live nodes below the root.
func liveNodes(c *parse.Candidate) (live []int32) {
	for n := int32(1); n < int32(len(c.Tree().Nodes)); n++ {
		if c.Live(n) {
			live = append(live, n)
		}
	}
	return live
}

func randomEdits(r *rand.Rand, c *parse.Candidate) (edits []edit) {
	t, live := c.Tree(), liveNodes(c)
	for n := int32(1); n < int32(len(t.Nodes)); n++ {
		if !c.Live(n) || r.IntN(12) > 0 || len(edits) > 2 {
			continue
		}
		var with []parse.Piece
		for range 1 + r.IntN(3) {
			if r.IntN(2) == 0 {
				with = append(with, parse.Literal([]string{"", " ", "\n"}[r.IntN(3)], []string{"q", "1", "+", "("}[r.IntN(4)]))
				continue
			}
			from := live[r.IntN(len(live))]
			if r.IntN(2) == 0 { // below n, so that it may stay
				from = n + int32(r.IntN(int(t.Nodes[n].Next-n)))
			}
			with = append(with, parse.Nodes(from))
		}
		with = append(with, parse.Literal(" ", "zz"))
		edits = append(edits, t.Replace([]int32{n}, with...))
		n = t.Nodes[n].Next - 1
	}
	return edits
}
