package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Names collects the files of a run to find conflicts, however paths are spelled.
type Names []named

type named struct {
	path, what string
	whole      bool
}

// Add adds a file that cannot conflict.
func (n *Names) Add(path, what string) { *n = append(*n, named{path, what, false}) }

// AddWhole adds a file or a directory tree.
func (n *Names) AddWhole(path, what string) { *n = append(*n, named{path, what, true}) }

// other returns the file with a path, or the directory around it. The path - is a standard stream.
func (n *Names) other(path string) (other named, ok bool) {
	for _, other := range *n {
		if SamePath(other.path, path) || other.whole && path != "-" && Within(path, other.path) {
			return other, true
		}
	}
	return named{}, false
}

// Claim adds the output of a flag.
func (n *Names) Claim(flag, path, what string) error {
	if path == "" {
		return nil
	}
	other, ok := n.other(path)
	switch {
	case ok && path == "-":
		return fmt.Errorf("standard output has %s; give %s a file", other.what, flag)
	case ok && SamePath(other.path, path):
		return fmt.Errorf("%s %s would overwrite %s", flag, path, other.what)
	case ok:
		return fmt.Errorf("%s %s is in %s, which holds only reduced files; choose another place",
			flag, path, other.path)
	}
	n.Add(path, what)
	return nil
}

// ClaimBeside adds a sidecar file.
func (n *Names) ClaimBeside(of, path, what string) error {
	if other, ok := n.other(path); ok {
		return fmt.Errorf("%s is %s and also the path of %s of %s; rename one of them", path, other.what, what, of)
	}
	n.AddWhole(path, what+" of "+of)
	return nil
}

// SamePath reports whether a write to one path changes the other.
func SamePath(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	}
	return resolved(a) == resolved(b)
}

// Within reports whether path is dir or inside it.
func Within(path, dir string) bool {
	relative, err := filepath.Rel(resolved(dir), resolved(path))
	return err == nil && filepath.IsLocal(relative)
}

// resolved returns the absolute path, existing or not, without links. A dangling link resolves to the path that a
// write creates.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	links := 0
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest)
		}
		if path == filepath.Dir(path) {
			return filepath.Join(path, rest)
		}
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 && links < 40 {
			if target, err := os.Readlink(path); err == nil {
				if !filepath.IsAbs(target) {
					target = filepath.Join(filepath.Dir(path), target)
				}
				path, links = filepath.Clean(target), links+1
				continue
			}
		}
		path, rest = filepath.Dir(path), filepath.Join(filepath.Base(path), rest)
	}
}
