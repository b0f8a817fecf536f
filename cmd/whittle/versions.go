package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"whittle/internal/isolation"
	"whittle/internal/run"
	"whittle/internal/versions"
	"whittle/isolate"
)

// The values of --want.
const (
	wantChange     = "change"
	wantDifference = "difference"
)

// by returns the algorithm, or nil for --want difference.
func (f *flags) by() isolate.Algorithm {
	if f.want == wantDifference {
		return nil
	}
	return isolation.AlgorithmOf(f.changesBy)
}

func (f *flags) readVersions(ctx context.Context, s *run.Run, inputs []string) (*versions.Pair, error) {
	level := func(usual string) string {
		if f.level == "" {
			f.level = usual
		}
		return f.level
	}
	want := func(usual string) {
		if f.want == "" {
			f.want = usual
		}
	}
	if f.revisions != "" {
		want(wantChange)
		return versions.Revisions(ctx, s, ".", f.revisions, level("hunk"))
	}
	isDir := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	}
	for _, path := range inputs {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("there is no %s to compare", path)
		}
	}
	switch old, new := inputs[0], inputs[1]; {
	case isDir(old) && isDir(new):
		want(wantChange)
		return versions.Directories(s, old, new, level("hunk"))
	case isDir(old) || isDir(new):
		return nil, usagef("only one of %s and %s is a directory; isolate compares two files or two directories", old, new)
	case f.level == "file":
		return nil, usagef("--level file: use hunk, line or token for two files")
	}
	want(wantDifference)
	return versions.Files(s, inputs[0], inputs[1], level("token"))
}
