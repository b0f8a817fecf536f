package oracle

import (
	"context"
	"slices"
	"strings"

	"whittle/algo"
)

// Clue is the prefix of reasons that do not explain a failure. They are kept for interesting candidates.
const Clue = "@"

// Place is the prefix of the place of the message before it, also of a warning, or of the names of the function of the
// next message.
const Place = ">"

type reasonsKey struct{}

// WithReasons returns a context for a [Property] that tells the reasons of its run: why the candidate is uninteresting,
// or where it shows the failure.
func WithReasons(ctx context.Context, reasons *[]string) context.Context {
	return context.WithValue(ctx, reasonsKey{}, reasons)
}

// TellReasons tells the reasons of a run, without the clues of one that is not interesting. ctx is the context of the
// property.
func TellReasons(ctx context.Context, run Run) {
	if to, ok := ctx.Value(reasonsKey{}).(*[]string); ok {
		*to = run.Reasons
		if run.Outcome != algo.Interesting {
			*to = slices.DeleteFunc(*to, func(reason string) bool { return strings.HasPrefix(reason, Clue) })
		}
	}
}
