package diagnose

import (
	"context"
	"fmt"
	"slices"

	"whittle/internal/failure"
	"whittle/oracle"
)

// A Distinction says how a command distinguishes two versions. Its Criteria hold only for the
// version that fails.
type Distinction struct {
	Failure
	InOld bool // the old version fails, not the new one
	Vague bool // an empty file or garbage fails in the same way
}

// A PassesError says that a command fails with neither version.
type PassesError struct{ reason string }

func (e *PassesError) Error() string { return e.reason }

// Distinguish finds out in which version the command fails, and identifies the failure. The new
// version is t.Input. If both fail, only one version shows the failure, preferably the new one.
// The error may be a [*PassesError] or an [*UnknownError].
func (t *Test) Distinguish(ctx context.Context, old []byte, oldName string) (Distinction, error) {
	probes := t.Probes()
	runs, err := t.lookAtAll(ctx, [][]byte{t.Input, old, probes[0], probes[1]})
	if err != nil {
		return Distinction{}, err
	}
	inNew, inOld := runs[0], runs[1]
	order := []bool{false, true}
	if passes(inNew) {
		order = []bool{true, false}
	}
	for _, isOld := range order {
		version, run, other := t.Input, inNew, inOld
		if isOld {
			version, run, other = old, inOld, inNew
		}
		d, err := t.against(ctx, version, run, other, runs[2:])
		if d.InOld = isOld; err != nil || d.Title != "" {
			return d, err
		}
	}
	if passes(inNew) && passes(inOld) {
		return Distinction{}, &PassesError{fmt.Sprintf("%s does not fail with %s or %s: it exits with 0 for both; "+
			"give a COMMAND that fails with one of them, or a TEST", t.Shown, oldName, t.ShownFile)}
	}
	return Distinction{}, &UnknownError{Run: inNew, Advice: sayYourself,
		Reason: fmt.Sprintf("%s fails with %s in the same way as with %s (%s): nothing distinguishes them",
			t.Shown, t.ShownFile, oldName, Ending(inNew))}
}

func passes(run oracle.Run) bool {
	_, crashed := failure.Of(run)
	return run.Ended(0) && !crashed
}

// against returns the strongest signature of a run and its repetition that the other version does
// not have, preferably not the probes either. Without one, the Title is empty.
func (t *Test) against(ctx context.Context, version []byte, run, other oracle.Run, probes []oracle.Run,
) (d Distinction, err error) {
	signatures := slices.DeleteFunc(failure.All(run), func(s failure.Signature) bool { return s.Criteria.Hold(other) })
	if len(signatures) == 0 {
		return d, nil
	}
	d.Run = run
	if run.TimedOut {
		d.Limit = hang(append(probes, other))
	}
	again, err := t.look(ctx, version, d.Limit)
	if err != nil {
		return d, err
	}
	var common []failure.Signature
	for _, s := range signatures {
		s.Criteria.ElseZero = other.Ended(0)
		switch {
		case !s.Criteria.Hold(again):
		case slices.ContainsFunc(probes, s.Criteria.Hold):
			common = append(common, s)
		default:
			d.Others = append(d.Others, s)
		}
	}
	d.Vague = len(d.Others) == 0
	if d.Others = append(d.Others, common...); len(d.Others) > 0 {
		d.Signature, d.Others = d.Others[0], d.Others[1:]
	}
	return d, nil
}
