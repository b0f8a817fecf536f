package oracle

import (
	"crypto/sha256"
	"time"

	"whittle/algo"
)

// A Journal stores outcomes beyond one run. It is safe for concurrent use.
type Journal interface {
	// Recall returns the stored outcome of a candidate.
	Recall(Key) (r Recollection, known bool)
	// Learn stores an outcome, the time of its test, where 0 means unknown, and the Reasons of its Run.
	Learn(k Key, outcome algo.Outcome, elapsed time.Duration, reasons ...string)
	// Doubt forgets all interesting candidates.
	Doubt()
}

// A Recollection is a stored outcome.
type Recollection struct {
	Outcome algo.Outcome
	Earlier bool          // from an earlier run
	Elapsed time.Duration // of the test; of an earlier run in milliseconds
	Reasons []string      // see Run
}

// A Key identifies a candidate: the first 16 bytes of the SHA-256 of its bytes.
type Key [16]byte

// KeyOf returns the key of a candidate.
func KeyOf(candidate []byte) Key {
	sum := sha256.Sum256(candidate)
	return Key(sum[:len(Key{})])
}

// An Answer is the outcome of a candidate and its origin.
type Answer struct {
	Outcome  algo.Outcome
	Cached   bool          // by the same bytes
	Replayed bool          // from an earlier run
	Elapsed  time.Duration // of the test; of an earlier run in milliseconds
	Chance   float64       // predicted, of Interesting
}
