package grammars

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"whittle/internal/testkit/samples"
	"whittle/parse"
)

func TestMain(m *testing.M) {
	ServeChild()
	os.Exit(m.Run())
}

// TestFuzz parses randomly damaged samples. No parser may crash, each tree must render to its text,
// and must not depend on uninitialised memory. Refused texts are logged.
//
// WHITTLE_FUZZ, which 'make fuzz' sets, is the time for each grammar. Without it, the few texts are
// always the same.
func TestFuzz(t *testing.T) {
	seed, end := uint64(1), func(n int, _ time.Time) bool { return n >= 5 }
	if s := os.Getenv("WHITTLE_FUZZ"); s != "" {
		limit, err := time.ParseDuration(s)
		if err != nil {
			t.Fatal(err)
		}
		seed = rand.Uint64()
		end = func(_ int, began time.Time) bool { return time.Since(began) > limit }
	}
	for _, l := range All() {
		t.Run(l.Name, func(t *testing.T) { fuzzGrammar(t, l, seed, end) })
	}
}

func fuzzGrammar(t *testing.T, l Language, seed uint64, end func(n int, began time.Time) bool) {
	var readers []parse.Language
	for _, memory := range []string{"85", "170"} { // glibc fills memory with this byte and its inverse
		p := NewPool(1)
		p.environment = []string{"MALLOC_PERTURB_=" + memory}
		defer p.Close()
		readers = append(readers, p.in(l))
	}
	files, err := samples.Of("..", l.Name)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	refused := map[string]int{}
	var slowest time.Duration
	began, n := time.Now(), 0
	for ; !end(n, began); n++ {
		text := accident(r, files)
		start := time.Now()
		tree, err := safely(func() (*parse.Tree, error) { return readers[n%2].Parse(text) })
		slowest = max(slowest, time.Since(start))
		again, _ := safely(func() (*parse.Tree, error) { return readers[(n+1)%2].Parse(text) })
		switch refusal := (*parse.Refusal)(nil); {
		case !sameTree(tree, again):
			t.Errorf("has another tree at another time: %.1000q", text)
		case errors.As(err, &refusal):
			reason := strings.Map(func(r rune) rune {
				if '0' <= r && r <= '9' {
					return 'N'
				}
				return r
			}, refusal.Reason)
			if refused[reason]++; refused[reason] == 1 {
				t.Logf("refused in %v: %.3000q", time.Since(start), text)
			}
			if strings.Contains(reason, "internal error") || strings.Contains(reason, "ends the parser") {
				t.Errorf("%v: %.1000q", err, text)
			}
		case err != nil:
			t.Errorf("%v: %.1000q", err, text)
		default:
			if got := parse.Whole(tree).Render(); !bytes.Equal(got, text) {
				t.Errorf("became %.1000q: %.1000q", got, text)
			}
			if n := readers[0].Errors(text); n != tree.Errors {
				t.Errorf("%d errors, and %d in the tree: %.1000q", n, tree.Errors, text)
			}
			wellFormed(t, l, tree)
		}
	}
	t.Logf("%d texts from seed %d, the slowest in %v", n, seed, slowest)
	for _, reason := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("%d refused: %s", refused[reason], reason)
	}
}

func accident(r *rand.Rand, files []samples.Sample) []byte {
	text := samples.Draw(r, files, 1+r.IntN(3000))
	piece := func() []byte {
		if len(text) == 0 {
			return nil
		}
		from := r.IntN(len(text))
		return bytes.Clone(text[from:min(len(text), from+1+r.IntN(12))])
	}
	for range r.IntN(8) {
		at := r.IntN(len(text) + 1)
		switch r.IntN(7) {
		case 0, 1: // deletion
			text = slices.Delete(text, at, min(len(text), at+r.IntN(40)))
		case 2: // move
			text = slices.Insert(text, at, piece()...)
		case 3: // repetition, as of nested brackets
			text = slices.Insert(text, at, bytes.Repeat(piece(), 1+r.IntN(600))...)
		case 4: // nesting
			open, middle, shut := piece(), piece(), piece()
			n := r.IntN(300)
			text = slices.Insert(text, at, slices.Concat(bytes.Repeat(open, n), middle, bytes.Repeat(shut, n))...)
		case 5: // random bytes
			for range r.IntN(5) {
				text = slices.Insert(text, r.IntN(len(text)+1), byte(r.IntN(256)))
			}
		case 6: // truncation
			if r.IntN(3) == 0 {
				text = text[:at]
			}
		}
	}
	return text
}
