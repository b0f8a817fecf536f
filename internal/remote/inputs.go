package remote

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// NewInputs returns the inputs for files and directories, relative to the directory of the test.
func NewInputs(home string, paths []string) (inputs []Input, err error) {
	for _, path := range paths {
		below, err := filepath.Rel(home, path)
		if below == "." {
			return nil, fmt.Errorf("--remote-input %s is where the test is, and where results come to be, which no test needs; "+
				"name the files and directories there that it does need", path)
		}
		if err != nil || !filepath.IsLocal(below) {
			below = filepath.Base(path)
		}
		in := Input{Local: path, Path: filepath.ToSlash(below)}
		for _, other := range inputs {
			if other.Path == in.Path && other.Local != in.Local {
				return nil, fmt.Errorf("%s and %s would both be %s for the test on the cluster; rename one of them",
					other.Local, in.Local, in.Path)
			}
		}
		if !slices.Contains(inputs, in) {
			inputs = append(inputs, in)
		}
	}
	return inputs, nil
}

// Identity returns what outcomes depend on, without address and credentials.
func (o *Options) Identity() (parts [][]byte) {
	parts = append(parts, fmt.Appendf(nil, "%s %q %q %q", script, o.Platform, o.Env, o.Check))
	for _, in := range o.Inputs {
		h, local := sha256.New(), in.Local
		if real, err := filepath.EvalSymlinks(local); err == nil {
			local = real
		}
		filepath.WalkDir(local, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // Dial has read it before
			}
			fmt.Fprintf(h, "%q %v\n", strings.TrimPrefix(path, local), d.Type())
			if file, err := os.Open(path); err == nil && !d.IsDir() {
				io.Copy(h, file)
				file.Close()
			}
			return nil
		})
		parts = append(parts, fmt.Appendf(nil, "%s %x", in.Path, h.Sum(nil)))
	}
	return parts
}

// Place returns the address without protocol.
func (o *Options) Place() string {
	_, place, found := strings.Cut(o.Target, "://")
	if !found {
		place = o.Target
	}
	return strings.TrimSuffix(place, "/")
}
