// Package oracle defines tests: does a candidate still have the property? The test, the user's
// program, is distrusted: it may hang, leave processes behind, fill its directory or lock it. A
// failure of whittle or the machine, such as a full disk, is an error and never an outcome.
package oracle

import (
	"context"

	"whittle/algo"
)

// A Property decides about candidates. It must be safe for concurrent use. It must not change
// candidate, or keep it after it returns.
//
// The error is the context's, or a failure of the environment. Then the outcome is invalid.
type Property func(ctx context.Context, candidate []byte) (algo.Outcome, error)
