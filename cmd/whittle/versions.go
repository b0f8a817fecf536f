package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"

	"whittle/internal/isolation"
	"whittle/internal/run"
)

// readVersions reads the versions, and sets --want and --level if they are not given.
func (f *flags) readVersions(ctx context.Context, s *run.Run, inputs []string) (*isolation.Pair, error) {
	directories := 0
	for _, path := range inputs {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, usagef("there is no %s to compare", path)
		}
		if err == nil && info.IsDir() {
			directories++
		}
	}
	switch {
	case directories == 1:
		return nil, usagef("only one of %s and %s is a directory; isolate compares two files or two directories",
			inputs[0], inputs[1])
	case directories == 0 && f.revisions == "" && f.level == "file":
		return nil, usagef("--level file: use hunk, line or token for two files")
	case directories == 0 && f.revisions == "":
		f.want, f.level = cmp.Or(f.want, isolation.Difference), cmp.Or(f.level, "token")
		return isolation.Files(s, inputs[0], inputs[1], f.level)
	}
	f.want, f.level = cmp.Or(f.want, isolation.Change), cmp.Or(f.level, "hunk")
	if f.revisions != "" {
		return isolation.Revisions(ctx, s, ".", f.revisions, f.level)
	}
	return isolation.Directories(s, inputs[0], inputs[1], f.level)
}
