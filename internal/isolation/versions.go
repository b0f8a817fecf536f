package isolation

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"whittle/grammars"
	"whittle/internal/deps"
	"whittle/internal/diff"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/project"
	"whittle/internal/run"
	"whittle/internal/shell"
	"whittle/isolate"
	"whittle/parse"
	"whittle/parse/archive"
)

// A Pair is two versions.
type Pair struct {
	Good, Bad string
	Paths     [2]string
	Input     *run.Input
	Changes   *isolate.Changes
	Commits   []Commit // only of revisions
	Notes     []string

	project *isolate.Project
	origins []string // each change's commit
}

// GoodFile returns the good version for tests.
func (p *Pair) GoodFile() []byte { return p.Changes.Make(nil) }

// Several reports whether versions are trees.
func (p *Pair) Several() bool { return p.project != nil }

// Files compares two files, at levels down to finest.
func Files(s *run.Run, good, bad, finest string) (*Pair, error) {
	read := func(path string) (*run.Input, error) {
		in, err := output.NewInput(false, path)
		if err != nil {
			return nil, err
		}
		return s.ReadFile(in, "to compare", run.LinesForUnknown)
	}
	old, err := read(good)
	if err != nil {
		return nil, err
	}
	in, err := read(bad)
	if err != nil {
		return nil, err
	}
	p := &Pair{Good: old.String(), Bad: in.String(), Paths: [2]string{good, bad}, Input: in}
	p.Changes, err = isolate.Files(version(old, finest), version(in, finest), finest)
	return p, err
}

func version(in *run.Input, finest string) isolate.Version {
	l := in.Language
	if finest != "token" {
		l = run.Lines("")
	}
	return isolate.Version{File: in.Bytes, Language: l, Errors: in.Language}
}

// Directories compares two directories, at levels from files down to finest.
func Directories(s *run.Run, good, bad, finest string) (*Pair, error) {
	if _, err := exec.LookPath("git"); err != nil { // it writes the diff
		return nil, errNoGit
	}
	p := &Pair{Good: printable.Line(good), Bad: printable.Line(bad), Paths: [2]string{good, bad}}
	var versions [2][]archive.Entry
	for i, dir := range []string{good, bad} {
		r := output.Reader{Language: s.LanguageOf, Skip: s.Test.Skips}
		tree, err := r.Read([]string{dir})
		if err != nil {
			return nil, err
		}
		for _, e := range tree.Entries {
			if name, below := strings.CutPrefix(e.Path, tree.Names[0]+"/"); below {
				e.Path = name
			} else if tree.Names[0] != "." {
				continue // the directory itself
			}
			versions[i] = append(versions[i], e)
		}
		for _, path := range tree.Skipped {
			p.Notes = append(p.Notes, path+" is left out")
		}
	}
	return p, p.compare(versions[0], versions[1], finest, bad)
}

// Revisions compares two revisions of the repository around dir: OLD..NEW, or OLD and the work tree.
// The levels are from commits if OLD is a first-parent ancestor of NEW, else files, down to finest.
func Revisions(ctx context.Context, s *run.Run, dir, revisions, finest string) (*Pair, error) {
	r, err := openRepository(ctx, dir)
	if err != nil {
		return nil, err
	}
	good, bad, both := strings.Cut(revisions, "..")
	if !both {
		bad = "the work tree"
	} else if bad == "" {
		bad = "HEAD"
	}
	p := &Pair{Good: good, Bad: bad}
	old, err := r.Commit(ctx, good)
	if err != nil {
		return nil, err
	}
	before, err := r.Tree(ctx, old)
	if err != nil {
		return nil, err
	}
	var after tree
	new := ""
	if !both {
		after, err = r.WorkTree(ctx, old, before)
	} else if new, err = r.Commit(ctx, bad); err == nil {
		after, err = r.Tree(ctx, new)
	}
	if err != nil {
		return nil, err
	}
	if err := p.submodules(before.Submodules, after.Submodules); err != nil {
		return nil, err
	}
	for _, t := range []tree{before, after} {
		for i, e := range t.Files {
			switch { // the others are links
			case e.Mode.IsRegular():
				t.Files[i].Language = s.LanguageOf(e.Path, e.Content)
			case filepath.IsAbs(e.Link) || !filepath.IsLocal(filepath.Join(filepath.Dir(e.Path), e.Link)):
				return nil, fmt.Errorf("%s is a symbolic link to %s, out of the repository: a test could change what is there; "+
					"compare two directories without it", e.Path, e.Link)
			}
		}
	}
	if err := p.compare(before.Files, after.Files, finest, r.Root); err != nil {
		return nil, err
	}
	p.Input.Called = p.Bad
	if s.Test.Inline && s.Remote == nil && !r.bare {
		if p.Input.Project, s.Test.Argv, err = project.Open(r.Root, s.Test.Argv); err != nil {
			return nil, err
		}
		if text := p.Input.Project.String(); text != "" {
			p.Notes = append(p.Notes, text)
		}
	}
	if !both {
		s.Test.Project = p.Input.Project
		p.Input.Copy = "cp -R " + shell.Quote(r.Root) + "/. ."
		return p, nil
	}
	p.Input.Copy = fmt.Sprintf("git -C %s archive %s | tar x", shell.Quote(r.Root), new)
	if p.Commits, err = r.Log(ctx, old, new); err != nil {
		return nil, err
	}
	return p, p.attribute(ctx, r, old, new)
}

// submodules refuses different submodules, and notes others.
func (p *Pair) submodules(old, new map[string]string) error {
	for _, path := range slices.Sorted(maps.Keys(new)) {
		if old[path] != new[path] {
			return fmt.Errorf("the submodule %s differs between the versions, and whittle does not compare submodules; "+
				"isolate in the submodule itself, or compare two directories", path)
		}
		p.Notes = append(p.Notes, "the submodule "+path+" is an empty directory for the test")
	}
	if len(new) < len(old) {
		return fmt.Errorf("a submodule was removed, and whittle does not compare submodules; compare two directories")
	}
	return nil
}

// compare finds the changes; path is the bad version's.
func (p *Pair) compare(old, new []archive.Entry, finest, path string) error {
	var err error
	p.project, err = isolate.NewProject(old, new, func(e archive.Entry) (parse.Language, error) {
		switch whole := grammars.ForContent(e.Path, e.Content).Name == "binary"; {
		case whole:
			return nil, nil
		case finest != "token":
			return run.Lines(""), nil
		}
		return e.Language, nil
	})
	if err != nil {
		return err
	}
	p.Changes = p.project.Changes(finest)
	p.project.Needs(p.Changes, namesOf)
	in := output.NewSetInput(path, p.project.Set, p.Changes.All())
	several := grammars.Language{Name: "several", FrontEnd: "tree-sitter", Language: in.Set}
	p.Input = &run.Input{Input: in, Language: several}
	return nil
}

// namesOf returns a file's names, or nil if it does not parse.
func namesOf(e archive.Entry) (names []isolate.Name) {
	tree, err := e.Language.Parse(e.Content)
	if err != nil {
		return nil
	}
	for _, n := range deps.Names(tree) {
		names = append(names, isolate.Name(n))
	}
	return names
}

// attribute finds each change's commit, and adds the level of commits.
func (p *Pair) attribute(ctx context.Context, r *repository, old, new string) error {
	if len(p.Commits) < 2 {
		return nil
	}
	p.origins = make([]string, p.Changes.Count)
	err := p.project.Origins(p.origins, func(f isolate.Changed) (isolate.Origin, error) {
		var o isolate.Origin
		var removed, added, renamed, last error
		if f.Old != "" && f.Text {
			o.Removed, removed = r.Removed(ctx, p.Commits, old, new, f.Old)
		}
		if f.New != "" && f.Text {
			o.Added, added = r.Added(ctx, old, new, f.New)
		}
		if f.Old != "" && f.New != "" && f.Old != f.New {
			o.Renamed, renamed = r.Last(ctx, old, new, f.Old)
		}
		o.Last, last = r.Last(ctx, old, new, cmp.Or(f.New, f.Old))
		return o, cmp.Or(removed, added, renamed, last)
	})
	if err != nil {
		return err
	}
	groups := map[string][]int{}
	for change, origin := range p.origins {
		groups[origin] = append(groups[origin], change)
	}
	level := isolate.Level{Name: "commit"}
	for _, c := range append(slices.Clip(p.Commits), Commit{}) { // the last for changes without a commit
		if group := groups[c.Name]; group != nil {
			level.Groups = append(level.Groups, group)
		}
	}
	p.Changes.Above(level)
	return nil
}

// CommitsOf returns the changes' commits, oldest first.
func (p *Pair) CommitsOf(changes []int) (commits []Commit) {
	if p.origins == nil {
		return p.Commits // at most one
	}
	for _, c := range p.Commits {
		if slices.ContainsFunc(changes, func(change int) bool { return p.origins[change] == c.Name }) {
			commits = append(commits, c)
		}
	}
	return commits
}

// Diff returns a result's difference: a unified diff of two named files, or a patch for 'git
// apply'. It works in the empty directory dir.
func (p *Pair) Diff(ctx context.Context, dir, good, bad string, r isolate.Result) ([]byte, error) {
	if p.project == nil {
		good, bad = printable.Line(good), printable.Line(bad)
		return []byte(diff.Unified(good, bad, string(r.Good), string(r.Bad))), nil
	}
	return patch(ctx, dir, p.project.With(r.Without), p.project.With(r.With))
}
