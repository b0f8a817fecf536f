// Package oracle defines tests: does a candidate still have the property? The user's program is
// distrusted: it may hang, leave processes behind, fill its directory or lock it. A failure of
// whittle or the machine is an error and never an outcome.
package oracle

import (
	"context"

	"whittle/algo"
)

// A Property decides about candidates, which it must not change or keep. It must be safe for
// concurrent use. The error is the context's, or a failure of the environment.
type Property func(ctx context.Context, candidate []byte) (algo.Outcome, error)
