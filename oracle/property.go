// Package oracle defines tests: does a candidate still have the property? The test is the user's
// program, and it is distrusted: it may hang, leave processes behind, fill its directory or lock
// it. A failure of whittle or the machine, such as a full disk, is an error and never an outcome.
package oracle

import (
	"context"

	"whittle/algo"
)

// A Property decides about candidates. It may be called from several goroutines at once. It must
// not change candidate, nor keep it after it returns.
//
// The error is the error of the context, or a failure of the environment. The outcome is valid only if
// the error is nil.
type Property func(ctx context.Context, candidate []byte) (algo.Outcome, error)
