package run

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle"
	"whittle/grammars"
	"whittle/internal/disk"
	"whittle/internal/output"
	"whittle/internal/process"
	"whittle/internal/tool"
	"whittle/rewrite"
	"whittle/rewrite/rules"
)

// Read reads the files, or standard input for "-", and finds the test. Files that the file of a
// command includes are reduced, too.
func (r *Run) Read(paths []string) error {
	needed := r.needed(paths)
	in, err := r.input(slices.Concat(paths, needed))
	if err != nil {
		return err
	}
	if !in.Several() && r.KeepBuild && r.Test.Project == nil {
		return errors.New("--keep-build is for several files; there is one")
	} else if in.Several() {
		switch {
		case r.Name != "":
			return errors.New("--name is for one file; there are several")
		case r.Stdin:
			return errors.New("--stdin is for one file; there are several")
		case r.single():
			return errors.New("--format and --propose are for one file; there are several")
		case r.driver().Flat:
			return errors.New("--driver list is for one file; there are several; use another driver, such as hdd")
		}
	}
	if len(needed) > 0 {
		r.Prepared = fmt.Sprintf("%s needs %s, reduced with it", paths[0], strings.Join(needed, ", "))
	}
	return r.readInput(in, "to reduce")
}

// ReadFor is Read with a purpose that completes messages such as "there is no file to report on".
func (r *Run) ReadFor(purpose string, paths []string) error {
	in, err := output.NewInput(false, paths...)
	if err != nil {
		return err
	}
	return r.readInput(in, purpose)
}

func (r *Run) needed(paths []string) []string {
	if !r.Test.Inline || len(paths) > 1 || r.Stdin || r.InPlace || r.driver().Flat || r.Name != "" || r.single() {
		return nil
	}
	language := grammars.ForFile(paths[0]).Name
	if r.Language != nil && len(r.Grammar) == 0 {
		language = r.Language.Name
	}
	return tool.NeededFiles(language, paths[0], disk.ReadPlain)
}

// input returns the input of a reduction. Standard input leads to standard output.
func (r *Run) input(paths []string) (*output.Input, error) {
	if !slices.Contains(paths, "-") {
		in, err := output.NewInput(r.InPlace, paths...)
		if p := r.Test.Project; err == nil {
			in.Called, in.Name, in.Project, in.Shared = p.Name(), r.Name, p, r.Shared || p != nil
		}
		return in, err
	}
	if len(paths) > 1 || r.InPlace {
		return nil, errors.New("-, standard input, excludes other files and --in-place")
	}
	r.Output = cmp.Or(r.Output, "-")
	dir, err := os.MkdirTemp("", "whittle-input-")
	if err != nil {
		return nil, fmt.Errorf("cannot store the standard input: %w", err)
	}
	r.Later(func() { os.RemoveAll(dir) })
	return output.NewStandardInput(os.Stdin, dir, cmp.Or(r.Name, "stdin"), process.MaxSize)
}

func (r *Run) readInput(in *output.Input, purpose string) error {
	var input *Input
	var err error
	byName := grammars.ForFile
	if r.driver().Flat {
		byName = Lines
	}
	if in.Several() {
		input, err = r.ReadAll(in)
	} else {
		input, err = r.ReadFile(in, purpose, byName)
	}
	if err == nil {
		err = r.Find(input)
	}
	if err == nil {
		r.MakeAvailable()
	}
	return err
}

// driver returns the selected driver. A name without a driver is an error of Reduce.
func (r *Run) driver() whittle.Driver {
	driver, _ := whittle.Drivers().Find(r.Search.Driver)
	return driver
}

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

func (r *Run) checkNames() (err error) {
	n, o, out := r.Names(), r.Reduction, r.Out
	if out.Replaces() {
		n.AddWhole(out.Path, "the result")
	} else if !o.InPlace {
		n.Add(out.Path, "the result")
	}
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
	if o.Report && !r.Input.Shared {
		reports := out.Reports()
		keep(n.ClaimBeside(out.Path, reports[0].Path, "the report"))
		keep(n.ClaimBeside(out.Path, reports[1].Path, "the page of the report"))
	}
	keep(o.Records.Claim(n))
	return err
}

// OpenRules reads a user's file of rewriting rules for a language. If it declares no places and holes,
// it uses those of the bundled rules. The error has all mistakes.
func OpenRules(path string, l grammars.Language) (*rules.Set, error) {
	text, _, err := output.ReadFile(path, "of rules")
	if err != nil {
		return nil, err
	}
	set, err := rules.Read(path, text, grammars.Rules)
	if err != nil {
		return nil, err
	}
	set = set.ReadLike(grammars.BundledRules(l.Name))
	return set, set.Check(l)
}

// families returns the user's rules, then the bundled rules, for the languages of the input. Each
// of the user's files must be valid in one of the languages.
func (r *Run) families() (families []rewrite.Family, err error) {
	languages := r.languages()
	for _, path := range r.Rules {
		var wrong error
		right := false
		for _, l := range languages {
			set, err := OpenRules(path, l)
			if errors.As(err, new(rules.Mistakes)) {
				wrong = errors.Join(wrong, err)
				continue
			} else if err != nil {
				return nil, err
			}
			right = true
			families = append(families, set.Families(l)...)
		}
		if !right {
			return nil, wrong
		}
	}
	for _, l := range languages {
		families = append(families, l.Rewrites()...)
	}
	return families, nil
}

// languages returns the languages of the input, or the user's own language if there is one.
func (r *Run) languages() (languages []grammars.Language) {
	if r.Language != nil {
		return []grammars.Language{*r.Language}
	}
	for name := range strings.SplitSeq(r.Input.Language.Name, ", ") {
		if l, ok := grammars.Find(name); ok {
			languages = append(languages, l)
		}
	}
	return languages
}
