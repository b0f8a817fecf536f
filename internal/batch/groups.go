package batch

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"whittle/parse"
	"whittle/rewrite"
)

// A Group has the results with the same failure.
type Group struct {
	Title string // "" if the cases have their own tests
	Forms []Form
}

// A Form has results that differ only in names and white space, the shortest first.
type Form []*Run

func (f Form) exact(r *Run) bool { return r.State().Result.exact == f[0].State().Result.exact }

// Groups returns the results by failure, the largest group first. Cases with their own tests are
// grouped by form, because only the tests know the failures.
func Groups(runs []*Run) (groups []Group) {
	number := map[any]int{} // of a group, by title or shape
	found := slices.DeleteFunc(slices.Clone(runs), func(r *Run) bool { return r.State().Result.Path == "" })
	slices.SortStableFunc(found, smaller)
	for _, r := range found {
		s := r.State()
		var failure any = s.Title
		if s.Title == "" {
			failure = s.Result.shape
		}
		if _, known := number[failure]; !known {
			number[failure] = len(groups)
			groups = append(groups, Group{Title: s.Title})
		}
		groups[number[failure]].add(r)
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.size(), a.size()) })
	return groups
}

func smaller(a, b *Run) int {
	x, y := a.State().Result, b.State().Result
	return cmp.Or(cmp.Compare(x.Tokens, y.Tokens), cmp.Compare(x.Bytes, y.Bytes), cmp.Compare(a.Name, b.Name))
}

func (g *Group) add(r *Run) {
	shape := r.State().Result.shape
	i := slices.IndexFunc(g.Forms, func(f Form) bool { return f[0].State().Result.shape == shape })
	if i < 0 {
		i = len(g.Forms)
		g.Forms = append(g.Forms, nil)
	}
	g.Forms[i] = append(g.Forms[i], r)
}

func (g Group) size() (n int) {
	for _, f := range g.Forms {
		n += len(f)
	}
	return n
}

// identify returns a checksum of a file, and one without white space, comments and names of
// definitions.
func identify(file []byte, l parse.Language) (exact, shape [32]byte) {
	exact = sha256.Sum256(file)
	tree, err := l.Parse(file)
	if err != nil {
		return exact, exact
	}
	return exact, sha256.Sum256(normalise(tree))
}

// normalise returns the tokens without comments. Numbers in the order of first use replace the
// names of definitions.
func normalise(t *parse.Tree) []byte {
	numbers := map[int32]int{} // by token
	comments := map[int32]bool{}
	if !t.NoSyntax {
		defined := 0
		for _, name := range rewrite.NewFile(t).Names() {
			if len(name.Defs) == 0 && !slices.ContainsFunc(name.Uses, func(n int32) bool { return isParameter(t, n) }) {
				continue
			}
			defined++
			for _, leaf := range name.Uses {
				numbers[t.Nodes[leaf].First] = defined
			}
		}
		for n := range t.Nodes {
			if t.Nodes[n].Comment {
				comments[t.Nodes[n].First] = true
			}
		}
	}
	var b bytes.Buffer
	for i, token := range t.Tokens {
		text := t.Source[token.Start:token.End]
		if n, ok := numbers[int32(i)]; ok {
			text = fmt.Appendf(nil, "\x00%d", n)
		} else if comments[int32(i)] {
			continue
		}
		fmt.Fprintf(&b, "%s\x00\n", bytes.TrimSpace(text))
	}
	return b.Bytes()
}

// isParameter reports whether a leaf is a parameter in a grammar without such a field, as
// Python's.
func isParameter(t *parse.Tree, n int32) bool {
	return n > 0 && strings.Contains(t.Kind(t.Nodes[n].Parent), "parameter")
}
