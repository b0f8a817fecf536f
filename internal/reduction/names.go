package reduction

import (
	"cmp"

	"whittle/internal/output"
	"whittle/internal/run"
)

// journalPath is where the journal is: beside the result unless the options say
// otherwise.
func (r *Run) journalPath() string { return cmp.Or(r.options.Journal, r.Out.Sidecar(".journal")) }

// checkNames finds out whether a run would overwrite one of its own files.
func (r *Run) checkNames() error {
	n, o, out := r.Names(), r.options, r.Out
	if out.Replaces() {
		n.AddWhole(out.Path, "the result")
	}
	var err error
	keep := func(e error) { err = cmp.Or(err, e) }
	if o.InPlace {
		for _, path := range r.Input.Paths {
			keep(n.ClaimBeside(path, output.BackUpPath(path), "the original"))
		}
	}
	for _, path := range run.FlakyPaths(out) {
		keep(n.ClaimBeside(out.Path, path, "an output of the test"))
	}
	switch {
	case o.NoJournal:
	case o.Journal != "":
		keep(n.Claim("--journal", o.Journal, "the journal"))
	default:
		keep(n.ClaimBeside(out.Path, r.journalPath(), "the journal"))
	}
	if o.Report {
		reports := out.Reports()
		keep(n.ClaimBeside(out.Path, reports[0].Path, "the report"))
		keep(n.ClaimBeside(out.Path, reports[1].Path, "the page of the report"))
	}
	keep(n.Claim("--stats", o.Stats, "what --stats writes"))
	keep(n.Claim("--trace", o.Trace, "what --trace writes"))
	return err
}
