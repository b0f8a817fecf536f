package parse

import (
	"math/rand/v2"
	"testing"
)

func TestIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := r.IntN(300)
		l := allLive(n)
		for range r.IntN(5) {
			from := r.IntN(n + 1)
			l.clear(from, from+r.IntN(n+1-from))
		}
		x := l.index()
		for from := range n + 1 {
			to := from + r.IntN(n+1-from)
			if got, want := x.count(from, to), l.count(from, to); got != want {
				t.Fatalf("%d in [%d, %d), not %d", got, from, to, want)
			}
		}
	}
}
