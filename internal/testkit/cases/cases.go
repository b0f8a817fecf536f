// Package cases selects cases of long property tests.
package cases

import (
	"iter"
	"testing"
	"time"
)

var today = int(time.Now().Unix() / (24 * 60 * 60)) // synctest has another time

// Of yields the numbers below n. With -short, it yields only every k-th, from another start each
// day: k days take all. A test that fails logs the start; without -short it repeats each failure.
func Of(t testing.TB, n, k int) iter.Seq[int] {
	t.Helper()
	first, k := 0, min(n, k)
	if testing.Short() {
		first = today % k
		t.Logf("with -short: cases %d, %d, … of %d", first, first+k, n)
	} else {
		k = 1
	}
	return func(yield func(int) bool) {
		for i := first; i < n && yield(i); i += k {
		}
	}
}
