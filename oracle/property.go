// Package oracle answers the one question of a reduction: does this candidate
// still have the property? It runs the user's test program on candidates and
// distrusts it: a test may hang, leave processes behind, fill its directory or
// lock it. What goes wrong on our side, such as a full disk, is an error and
// never an outcome, because a reduction must not take it for an answer.
package oracle

import (
	"context"

	"whittle/algo"
	"whittle/internal/environment"
)

// A Property decides about candidates. It may be called from several
// goroutines at once and must not change candidate, nor keep it after it
// returned.
//
// The error is the context's, or a failure of the environment, never a
// verdict. The outcome counts only if the error is nil.
type Property func(ctx context.Context, candidate []byte) (algo.Outcome, error)

// An EnvironmentError says that a candidate could not be tested: no space for
// it, a test program that cannot be started, a directory that cannot be
// removed. It tells nothing about the candidate, and as a rule the next one
// would fail alike.
type EnvironmentError = environment.Error
