package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
)

func apply(t *testing.T, changes []Change, a, b []string) (made []string, edits int) {
	t.Helper()
	at, atB := 0, 0
	for _, c := range changes {
		if c.A < at || c.A-at != c.B-atB || c.A == at && at > 0 || c.A == c.AEnd && c.B == c.BEnd {
			t.Fatalf("%v is out of place behind %d, %d", c, at, atB)
		}
		made = append(append(made, a[at:c.A]...), b[c.B:c.BEnd]...)
		edits += c.AEnd - c.A + c.BEnd - c.B
		at, atB = c.AEnd, c.BEnd
	}
	return append(made, a[at:]...), edits
}

// shortest is the length of a shortest edit script, by dynamic programming.
func shortest(a, b []string) int {
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			if common[i+1][j+1] = max(common[i][j+1], common[i+1][j]); a[i] == b[j] {
				common[i+1][j+1] = common[i][j] + 1
			}
		}
	}
	return len(a) + len(b) - 2*common[len(a)][len(b)]
}

func some(r *rand.Rand, n, words int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = fmt.Sprintln(r.IntN(words))
	}
	return s
}

func TestStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 3000 {
		length := 30
		if n%50 == 0 {
			length = 200 // so that go-udiff reaches its limit
		}
		a, b := some(r, r.IntN(length), 1+r.IntN(20)), some(r, r.IntN(length), 1+r.IntN(20))
		want := shortest(a, b)
		for name, find := range map[string]func(a, b []string) []Change{"Strings": Strings, "compare": compare} {
			made, edits := apply(t, find(a, b), a, b)
			if !slices.Equal(made, b) {
				t.Fatalf("%s: from %q to %q: %q", name, a, b, made)
			}
			if edits != want {
				t.Fatalf("%s: from %q to %q: %d edits, want %d", name, a, b, edits, want)
			}
		}
		before, after := strings.Join(a, ""), strings.Join(b, "")
		if got, err := udiff.Apply(before, Lines(before, after)); err != nil || got != after {
			t.Fatalf("from %q to %q: %q, %v", before, after, got, err)
		}
	}
}

// Changed lines between kept ones are changes of their own, however many there are.
func TestManyChanges(t *testing.T) {
	for _, n := range []int{60, 200, 10_000} {
		for _, distinct := range []bool{true, false} {
			var a, b []string
			for i := range n {
				if !distinct {
					i = 0
				}
				a = append(a, fmt.Sprintln("l", i), fmt.Sprintln("k", i))
				b = append(b, fmt.Sprintln("CH", i), fmt.Sprintln("k", i))
			}
			if got := len(Strings(a, b)); got != n {
				t.Errorf("%d changes, want %d", got, n)
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a := some(r, 5000, 40)
	var b []string
	for i := range 5 {
		b = append(append(b, a[1000*i:1000*(i+1)]...), some(r, 150, 40)...)
	}
	if made, edits := apply(t, Strings(a, b), a, b); !slices.Equal(made, b) || edits != 750 {
		t.Errorf("%d edits, want 750", edits)
	}
}

// Sequences with little in common are compared in a bounded number of steps.
func TestPatience(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	a, b := some(r, 20_000, 50), some(r, 20_000, 50)
	if made, edits := apply(t, Strings(a, b), a, b); !slices.Equal(made, b) || edits > 31_000 {
		t.Errorf("%d edits", edits)
	}
}

func BenchmarkStrings(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct{ elements, words int }{{20_000, 20_000}, {20_000, 50}, {200_000, 1000}, {200_000, 5}} {
		x, y := some(r, c.elements, c.words), some(r, c.elements, c.words)
		b.Run(fmt.Sprintf("%d-of-%d", c.elements, c.words), func(b *testing.B) {
			for b.Loop() {
				Strings(x, y)
			}
		})
	}
}
