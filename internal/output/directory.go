package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"whittle/internal/disk"
)

// openDirectory returns the target of several files, without foreign files.
func (o *Output) openDirectory(test string) (target, error) {
	path, in := o.Path, o.in
	name := "."
	if len(in.Names) == 1 {
		name = in.Names[0]
	}
	all := &place{path: path, name: name, dir: true}
	if isStandard(path) {
		return nil, fmt.Errorf("%s takes one file; name a directory for several with -o", path)
	}
	for _, input := range in.Paths {
		if Within(input, path) {
			return nil, fmt.Errorf("%s has %s, which is never overwritten; choose another directory with -o, or use --in-place",
				path, input)
		}
		if Within(path, input) {
			return nil, fmt.Errorf("%s is in %s, one of the inputs; choose another directory with -o", path, input)
		}
	}
	if Within(test, path) {
		return nil, fmt.Errorf("the test %s is in %s and would be overwritten; choose another directory with -o", test, path)
	}
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, cannotWrite(path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%s is a symbolic link and would be replaced; name the directory itself with -o", path)
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a directory; the result is several files, name a directory for them with -o", path)
	default:
		if err := all.holdsOnly(in.Set); err != nil {
			return nil, err
		}
	}
	return &places{out: o, in: o.in, all: []*place{all}}, nil
}

// directoryPath returns the default: dir.reduced for one directory, else reduced.
func (in *Input) directoryPath() string {
	if len(in.Paths) > 1 {
		return "reduced"
	}
	path := filepath.Clean(in.Paths[0])
	if base := filepath.Base(path); base == "." || base == ".." {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
	}
	return disk.AddSuffix(path, ".reduced")
}
