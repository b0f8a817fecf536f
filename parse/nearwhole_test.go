package parse_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"whittle/grammars"
	"whittle/internal/testkit/samples"
	"whittle/parse"
)

// The judgements agree except for the cases in [parse.Near].
func TestNearAndWhole(t *testing.T) {
	var right, wrong agreement
	for _, l := range grammars.All() {
		all, err := samples.Of("..", l.Name)
		if err != nil {
			t.Fatal(err)
		}
		hash := fnv.New64()
		hash.Write([]byte(l.Name))
		r := rand.New(rand.NewPCG(1, hash.Sum64()))
		for range 4 {
			right.compare(r, l, rightText(r, l, all, 1500), 30)
			wrong.compare(r, l, samples.Draw(r, all, 1500), 15)
		}
	}
	t.Logf("right files: %v; files with errors: %v", right, wrong)
	if right.asked < 2000 || 1000*right.disagree > right.asked || 200*right.unclear > right.asked {
		t.Errorf("in right files near and whole differ too often: %v\n%s", right, right.example)
	}
	if wrong.asked < 1000 || 50*wrong.disagree > wrong.asked {
		t.Errorf("in files with errors near and whole differ too often: %v\n%s", wrong, wrong.example)
	}
}

func rightText(r *rand.Rand, l parse.Language, all []samples.Sample, limit int) (text []byte) {
	for range 40 {
		one := all[r.IntN(len(all))]
		if more := slices.Concat(text, one.Text, []byte("\n")); !one.Wrong && len(more) <= limit && l.Errors(more) == 0 {
			text = more
		}
	}
	return text
}

type agreement struct {
	asked    int
	unclear  int // nearBase has errors
	disagree int // of the others
	example  []byte
}

func (a agreement) String() string {
	return fmt.Sprintf("%d candidates, %d unclear, of the others %d differ", a.asked, a.unclear, a.disagree)
}

// compare makes each candidate from the last one without new errors.
func (a *agreement) compare(r *rand.Rand, l parse.Language, text []byte, candidates int) {
	tree, err := l.Parse(text)
	if err != nil || tree.NoSyntax {
		return
	}
	base, errors := parse.Whole(tree), tree.Errors
	for range candidates {
		c := edited(r, base)
		if c == nil || len(c.Render()) >= len(base.Render()) || !c.Coherent() {
			continue
		}
		whole := l.Errors(c.Render())
		nearBase, near := parse.Near(base, c)
		a.asked++
		switch before, after := l.Errors(nearBase.Render()), l.Errors(near.Render()); {
		case before > 0 && after > 0:
			a.unclear++
		case (after <= before) != (whole <= errors):
			a.disagree++
			a.example = bytes.Join([][]byte{base.Render(), c.Render(), nearBase.Render(), near.Render()}, []byte("\n---\n"))
		}
		if whole <= errors && r.IntN(3) == 0 {
			base, errors = c, whole
		}
	}
}

func edited(r *rand.Rand, base *parse.Candidate) *parse.Candidate {
	t, live := base.Tree(), liveNodes(base)
	if len(live) == 0 {
		return nil
	}
	n := live[r.IntN(len(live))]
	switch r.IntN(6) {
	case 0:
		return base.Drop(n)
	case 1:
		return base.Prune(n)
	case 2:
		return base.Least(n)
	case 3: // adjacent nodes
		items := base.Items(t.Nodes[n].Parent)
		if len(items) == 0 {
			return nil
		}
		from := r.IntN(len(items))
		return base.Drop(items[from : from+1+r.IntN(len(items)-from)]...)
	case 4: // unrelated nodes
		var gone []int32
		for range 1 + r.IntN(4) {
			if n := live[r.IntN(len(live))]; t.Nodes[n].Slot.Droppable() {
				gone = append(gone, n)
			}
		}
		slices.Sort(gone)
		return base.Drop(slices.Compact(gone)...)
	}
	runs := t.Runs(base.Children(n))
	for d := n + 1; d < t.Nodes[n].Next; d++ {
		if base.Live(d) {
			runs = append(append(runs, []int32{d}), t.Runs(base.Children(d))...)
		}
	}
	runs = slices.DeleteFunc(runs, func(run []int32) bool { return !t.Replaceable(n, run...) })
	if len(runs) == 0 {
		return nil
	}
	return base.Hoist(n, runs[r.IntN(len(runs))]...)
}

// FuzzNear searches for different judgements although the tokens far from the change stay the same.
func FuzzNear(f *testing.F) {
	languages := grammars.All()
	for i, l := range languages {
		all, err := samples.Of("..", l.Name)
		if err != nil {
			f.Fatal(err)
		}
		for _, s := range all {
			f.Add(uint8(i), s.Text, uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, language uint8, text []byte, seed uint64) {
		l := languages[int(language)%len(languages)]
		text = bytes.Repeat(text, 4)
		if len(text) > 8<<10 || l.Errors(text) > 0 {
			return
		}
		tree, err := l.Parse(text)
		if err != nil || len(tree.Tokens) == 0 {
			return
		}
		base, r := parse.Whole(tree), rand.New(rand.NewPCG(seed, 0))
		for range 10 {
			c := edited(r, base)
			if c == nil || !c.Coherent() {
				continue
			}
			right := l.Errors(c.Render()) == 0
			nearBase, near := parse.Near(base, c)
			before, after := l.Errors(nearBase.Render()), l.Errors(near.Render())
			if before == 0 && (after == 0) != right && sameTokens(l, c) {
				t.Errorf("%s: %q from %q has errors: %v, but near it %q from %q has %d", l.Name, c.Render(), base.Render(), !right,
					near.Render(), nearBase.Render(), after)
			}
		}
	})
}

// sameTokens parses again: a deleted quote may have made distant text a string.
func sameTokens(l parse.Language, c *parse.Candidate) bool {
	again, err := l.Parse(c.Render())
	if err != nil {
		return false
	}
	t := c.Tree()
	i := 0
	for n := range t.Nodes {
		if n := int32(n); t.IsLeaf(n) && c.Live(n) {
			if i == len(again.Tokens) || !bytes.Equal(c.TextOf(n), again.Source[again.Tokens[i].Start:again.Tokens[i].End]) {
				return false
			}
			i++
		}
	}
	return i == len(again.Tokens)
}
