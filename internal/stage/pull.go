package stage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/disk"
	"whittle/internal/local"
	"whittle/internal/project"
	"whittle/internal/run"
	"whittle/internal/tool"
	"whittle/oracle"
)

// mostPulled bounds the bytes of a package to pull.
const mostPulled = 16 << 20

// Unseal returns a project whose vendored packages have no checksums, so that their files may change, or nil.
func Unseal(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	if r.Test.Project == nil || !r.Test.Inline || r.Remote != nil {
		return nil, nil
	}
	files, err := r.Spec.Layout.List(candidate)
	if err != nil {
		return nil, oracle.Errorf("cannot list the project: %w", err)
	}
	f := more(r, r.Test.Project)
	if f.files = unsealed(files); f.files == nil {
		return nil, nil
	}
	doing("asking whether vendored packages may change")
	if same, err := f.asks(ctx, r, f.files); !same || err != nil {
		return nil, err
	}
	r.Warn("vendored packages are reduced, too, without their checksums")
	return f, nil
}

// Pull returns the result of a project with packages outside of it as further input, or nil: the first package that the
// code names, and that the test reads and needs; otherwise the Go packages of others. The result with them may be
// larger, and does not replace the one without.
func Pull(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	p := r.Test.Project
	if p == nil || !r.Test.Inline || r.Remote != nil {
		return nil, nil
	}
	files, err := r.Spec.Layout.List(candidate)
	if err != nil {
		return nil, oracle.Errorf("cannot list the result: %w", err)
	}
	doing("looking for code of dependencies")
	output := ""
	if p.Pulled == nil {
		output = disk.AddSuffix(strings.TrimSuffix(r.Out.Path, ".repro"), ".standalone")
	}
	names, err := packages(ctx, r, candidate, files)
	others := caches
	if p.Pulled != nil || slices.Contains(p.Outside, vendor) {
		others = nil
	}
	for i := 0; i < len(names)+len(others) && err == nil; i++ {
		f, what := more(r, p), ""
		f.output = output
		var code []oracle.File
		if i < len(names) {
			what, f.from = names[i], p.Pull(names[i])
			needless := false
			if needless, err = f.asks(ctx, r, files); needless || err != nil {
				continue
			}
			code, err = p.Package(what, mostPulled)
		} else {
			c := others[i-len(names)]
			what, f.from, f.env = c.what, p.Pull(vendor), c.env()
			if slices.ContainsFunc(files, func(f oracle.File) bool { return f.Path == c.manifest }) {
				code, err = c.files(ctx, r, files)
			}
		}
		if errors.Is(err, project.ErrLarge) {
			r.Warn(fmt.Sprintf("%s have more than %d MiB, and are not reduced", what, mostPulled>>20))
			err = nil
			continue
		}
		if f.files = replaced(files, code); code == nil || err != nil {
			continue
		}
		same := false
		if same, err = f.asks(ctx, r, f.files); same {
			r.Warn(fmt.Sprintf("the result needs %s; they are reduced together now", what))
			return f, nil
		}
	}
	return nil, err
}

// more returns a Found for the command of a run in a project. Its run looks for the same failure by the same criterion:
// recognised anew, it could be another error of the same files.
func more(r *run.Run, p *project.Project) *Found {
	f := &Found{Command: r.Words(), from: p}
	if r.Interesting.IsZero() { // of the user
		known := r.Failure
		known.Criteria, f.known = r.Spec.Interesting, &known
	}
	return f
}

// replaced returns files with others, which may have the same paths, and without checksums.
func replaced(files, others []oracle.File) []oracle.File {
	all := slices.DeleteFunc(slices.Clone(files), func(f oracle.File) bool {
		return slices.ContainsFunc(others, func(o oracle.File) bool { return o.Path == f.Path })
	})
	all = append(all, others...)
	if free := unsealed(all); free != nil {
		return free
	}
	return all
}

// A cache has packages of others outside of the project.
type cache struct {
	manifest, what string

	// files returns the packages that a project needs, and its changed files.
	files func(ctx context.Context, r *run.Run, files []oracle.File) ([]oracle.File, error)
	env   func() []string // for tests with these files
}

var caches = []cache{
	{"go.mod", "Go packages of others", vendored, func() []string { return extended("GOFLAGS", "-mod=vendor") }},
	// Cargo hides the warnings of crates of registries, and errors about lints.
	{manifest, "crates of others", crates, func() []string { return extended("RUSTFLAGS", "--cap-lints=warn") }},
}

// extended returns a variable of the environment with one more option.
func extended(variable, option string) []string {
	return []string{variable + "=" + strings.TrimSpace(os.Getenv(variable)+" "+option)}
}

// copied copies the files to a directory that is removed after the run.
func copied(r *run.Run, files []oracle.File) (dir string, err error) {
	dir, remove, err := r.Scratch()
	if err == nil {
		r.Later(remove)
		err = oracle.WriteFiles(dir, files)
	}
	if err != nil {
		return "", oracle.Errorf("cannot copy the project: %w", err)
	}
	return dir, nil
}

// vendored returns the packages of others that a Go module needs.
func vendored(ctx context.Context, r *run.Run, files []oracle.File) ([]oracle.File, error) {
	dir, err := copied(r, files)
	if err != nil {
		return nil, err
	}
	rec := Recording{Dir: dir, scratch: dir}
	run, err := rec.run(ctx, r, dir, []string{program(r.Words(), "go"), "mod", "vendor"}, nil)
	if err != nil || !run.Ended(0) || !disk.Exists(filepath.Join(dir, vendor)) {
		return nil, err
	}
	copied := project.Project{Root: dir}
	return copied.Package(vendor, mostPulled)
}

// vendor is the directory of Go packages of others in a module.
const vendor = "vendor"

// program returns the program of a name in words, or else the name.
func program(words []string, name string) string {
	if i := slices.IndexFunc(words, func(w string) bool { return path.Base(w) == name }); i >= 0 {
		return words[i]
	}
	return name
}

// unsealed returns the files without checksums, or nil if there are none.
func unsealed(files []oracle.File) []oracle.File {
	files, changed := slices.Clone(files), false
	for i, f := range files {
		if name := path.Base(f.Path); grammars.Sealed(name, f.Content) != nil {
			files[i].Content, changed = grammars.Unsealed(name, f.Content), true
		}
	}
	if !changed {
		return nil
	}
	return files
}

// packages returns the packages outside of the project that a test of the candidate reads, and its code names.
func packages(ctx context.Context, r *run.Run, candidate []byte, files []oracle.File) ([]string, error) {
	if len(r.Test.Project.Outside) == 0 {
		return nil, nil
	}
	executor, spec := r.Programs(), r.Called()
	executor.Keeper, executor.Reads = nil, &local.Reads{Of: candidate, Argv: spec.Argv}
	if _, err := executor.Run(ctx, spec, candidate); err != nil {
		return nil, err
	}
	names := r.Test.Project.Packages(slices.Sorted(maps.Keys(executor.Reads.Found())))
	return slices.DeleteFunc(names, func(name string) bool {
		base := strings.TrimSuffix(path.Base(name), path.Ext(name))
		word := regexp.MustCompile(`\b` + strings.ReplaceAll(regexp.QuoteMeta(base), "-", "[-_]") + `\b`)
		return !slices.ContainsFunc(files, func(f oracle.File) bool {
			isCode := !grammars.ForContent(f.Path, f.Content).IsData() // a manifest may name packages that are not needed
			return isCode && word.Match(f.Content)
		})
	}), nil
}

// asks reports whether files fail in the same way in the project of the found part.
func (f *Found) asks(ctx context.Context, r *run.Run, files []oracle.File) (bool, error) {
	executor, spec := r.Programs(), r.Called()
	executor.Keeper = local.NewKeeper(ctx.Done(), 1) // of its own, for other files outside
	defer executor.Keeper.Clear()
	spec.Env = tool.Environment(r.Called().Env, f.env)
	spec.Layout.Files = func([]byte) ([]oracle.File, error) { return files, nil }
	spec.Layout.Outside = f.from.Dependencies()
	run, err := executor.Run(ctx, spec, nil)
	return run.Outcome == algo.Interesting, err
}
