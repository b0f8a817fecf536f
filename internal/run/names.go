package run

import (
	"cmp"
	"path/filepath"

	"whittle/internal/output"
)

// Names returns the files that the run reads and must not write.
func (r *Run) Names() *output.Names {
	var n output.Names
	if r.Test.Server == "" {
		n.Add(r.Program(), "the test")
		for _, word := range r.Spec.Argv[1:] {
			if filepath.IsAbs(word) {
				n.Add(word, "a file of the test")
			}
		}
	}
	for _, path := range r.Grammar {
		n.Add(path, "the grammar")
	}
	for _, path := range r.Input.Paths {
		n.AddWhole(path, "the file to reduce")
	}
	return &n
}

func (r *Run) journalPath() string { return cmp.Or(r.Reduction.Journal, r.Out.Sidecar(".journal")) }

func (r *Run) checkNames() error {
	n, o, out := r.Names(), r.Reduction, r.Out
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
	for _, path := range flakyPaths(out) {
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
