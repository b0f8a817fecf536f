package reduction

import (
	"context"
	"fmt"
	"strings"

	"whittle"
	"whittle/internal/interrupt"
	"whittle/internal/report"
	"whittle/internal/run"
	"whittle/parse"
)

// Best returns the best file so far; nil before the input was tested.
func (r *Run) Best() []byte { return r.best }

// Words returns the command as it is called for the best file, with {} for that.
func (r *Run) Words() []string {
	if r.list == nil {
		return r.Test.Argv
	}
	return r.called.Words()
}

// Course returns how the run has gone until now; nil if nobody wanted to know.
func (r *Run) Course() *report.Course {
	if r.course == nil {
		return nil
	}
	return r.course.Course()
}

// Early says why the run ended while more may go; "" if nothing can.
func (r *Run) Early(ctx context.Context, result whittle.Result) string {
	switch o := r.options.Reduce; {
	case result.Complete:
		return ""
	case ctx.Err() != nil && !interrupt.TimeOver(ctx):
		return "it was interrupted"
	case o.TargetTokens > 0 && result.Tokens <= o.TargetTokens:
		return fmt.Sprintf("it ended by --target-tokens %d", o.TargetTokens)
	case o.MaxTests > 0 && result.Tests >= o.MaxTests:
		return fmt.Sprintf("it ended by --max-tests %d", o.MaxTests)
	case r.options.MaxTime > 0:
		return fmt.Sprintf("it ended by --max-time %v", r.options.MaxTime)
	}
	return "it was stopped"
}

// follow begins to follow the course, if there is to be a report.
func (r *Run) follow() {
	if r.options.Report {
		file := r.Input.Bytes
		r.course = run.NewFollower(r.shown(file), r.tokens(file))
	}
}

// followed takes note of a better file.
func (r *Run) followed(best parse.Measure) {
	if r.course != nil {
		r.course.Improved(parse.Measure{Tokens: best.Tokens, File: r.shown(best.File)})
	}
}

// shown returns a file as a text: several one after the other, and behind the command if that
// changes, too.
func (r *Run) shown(file []byte) []byte {
	var b strings.Builder
	if r.list != nil {
		b.WriteString("$ " + r.called.Shell(r.Spec.Name) + "\n")
	}
	if r.Input.Set == nil {
		b.Write(file)
		return []byte(b.String())
	}
	entries, err := r.Input.Set.Entries(file)
	if err != nil {
		return file
	}
	for _, e := range entries {
		b.WriteString("==> " + e.Path + "\n" + string(e.Content))
	}
	return []byte(b.String())
}
