package stage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/disk"
	"whittle/internal/local"
	"whittle/internal/project"
	"whittle/internal/run"
	"whittle/oracle"
)

// mostPulled bounds the bytes of a package to pull.
const mostPulled = 16 << 20

// data are languages of manifests, which also name packages that the code does not need.
var data = strings.Fields("json toml yaml structure lock")

// Unseal returns a project whose vendored packages have no checksums, so that their files may change, or nil.
func Unseal(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	if r.Test.Project == nil || !r.Test.Inline || r.Remote != nil {
		return nil, nil
	}
	files, err := r.Spec.Layout.List(candidate)
	if err != nil {
		return nil, oracle.Errorf("cannot list the project: %w", err)
	}
	f := &Found{Command: r.Words(), files: unsealed(files), from: r.Test.Project}
	if f.files == nil {
		return nil, nil
	}
	doing("asking whether vendored packages may change")
	if f.recognise(ctx, r).Title != r.Failure.Title {
		return nil, ctx.Err()
	}
	r.Warn("vendored packages are reduced, too, without their checksums")
	return f, nil
}

// Pull returns the result of a project with a package outside of it that becomes input, or nil: the first that the code
// names, and that the test reads and needs. The result with it may be larger, and does not replace the one without.
func Pull(ctx context.Context, r *run.Run, candidate []byte, doing func(step string)) (*Found, error) {
	p := r.Test.Project
	if p == nil || len(p.Outside) == 0 || !r.Test.Inline || r.Remote != nil {
		return nil, nil
	}
	files, err := r.Spec.Layout.List(candidate)
	if err != nil {
		return nil, oracle.Errorf("cannot list the result: %w", err)
	}
	doing("looking for code of dependencies")
	names, err := packages(ctx, r, candidate, files)
	for _, name := range names {
		f := &Found{Command: r.Words(), from: p.Pull(name)}
		if p.Pulled == nil {
			f.output = disk.AddSuffix(strings.TrimSuffix(r.Out.Path, ".repro"), ".standalone")
		}
		if needless, err := asks(ctx, r, f.from, files, r.Spec.Interesting); err != nil {
			return nil, err
		} else if needless {
			continue
		}
		more, err := p.Package(name, mostPulled)
		if errors.Is(err, fs.ErrInvalid) {
			r.Warn(fmt.Sprintf("%s has more than %d MiB, and is not reduced", name, mostPulled>>20))
			continue
		}
		if err != nil {
			return nil, oracle.Errorf("cannot read a dependency: %w", err)
		}
		if f.files = slices.Concat(files, more); unsealed(f.files) != nil {
			f.files = unsealed(f.files)
		}
		yes, err := asks(ctx, r, f.from, f.files, r.Spec.Interesting)
		if yes { // the run recognises the failure anew, with functions of the package; it must be the same
			if found := f.recognise(ctx, r); found.Title != r.Failure.Title {
				yes, err = asks(ctx, r, p, files, found.Criteria)
			}
		}
		if err != nil {
			return nil, err
		}
		if yes {
			r.Warn(fmt.Sprintf("the result needs %s; they are reduced together now", name))
			return f, nil
		}
	}
	return nil, err
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
	executor := r.Programs()
	executor.Keeper, executor.Reads = nil, &local.Reads{Of: candidate}
	if _, err := executor.Run(ctx, r.Called(), candidate); err != nil {
		return nil, err
	}
	names := r.Test.Project.Packages(slices.Sorted(maps.Keys(executor.Reads.Found())))
	return slices.DeleteFunc(names, func(name string) bool {
		base := strings.TrimSuffix(path.Base(name), path.Ext(name))
		word := regexp.MustCompile(`\b` + strings.ReplaceAll(regexp.QuoteMeta(base), "-", "[-_]") + `\b`)
		return !slices.ContainsFunc(files, func(f oracle.File) bool {
			return !slices.Contains(data, grammars.ForContent(f.Path, f.Content).Name) && word.Match(f.Content)
		})
	}), nil
}

// asks reports whether the files of a candidate in a project meet criteria.
func asks(ctx context.Context, r *run.Run, p *project.Project, files []oracle.File, c oracle.Criteria) (bool, error) {
	executor, spec := r.Programs(), r.Called()
	executor.Keeper, spec.Interesting = nil, c
	spec.Layout.Files = func([]byte) ([]oracle.File, error) { return files, nil }
	spec.Layout.Outside = p.Copy
	run, err := executor.Run(ctx, spec, nil)
	return run.Outcome == algo.Interesting, err
}
