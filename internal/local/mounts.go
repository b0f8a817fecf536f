package local

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whittle/internal/disk"
	"whittle/internal/sandbox"
	"whittle/oracle"
)

// Surround makes the files outside of candidates in dir. Directories are overlays if the sandbox can mount them, since
// copies of node_modules, for example, would take seconds and gigabytes. The overlays are for programs that may write
// to the directory around changes, in which their changes will be. traced has the directories that a sandbox traces.
func Surround(
	o *oracle.Outside, dir, changes string, box *sandbox.Sandbox, traced []string,
) (over []sandbox.Overlay, err error) {
	for i, name := range o.Paths {
		lower := filepath.Join(o.Root, name)
		if info, err := os.Lstat(lower); err == nil && info.IsDir() {
			at := sandbox.Overlay{Lower: lower, At: filepath.Join(dir, name), Changes: filepath.Join(changes, strconv.Itoa(i))}
			for _, path := range o.Except {
				if below, is := strings.CutPrefix(path, name+"/"); is {
					at.Except = append(at.Except, below)
				}
			}
			at.Links = leaving(o, lower)
			over = append(over, at)
		}
	}
	if box == nil || forget(over) != nil || !mounting(box, over).Overlays(traced, filepath.Dir(changes)) {
		for _, at := range over {
			os.Remove(at.At)
		}
		over, err = nil, disk.RemoveTree(changes)
	}
	for _, name := range o.Paths {
		mounted := slices.ContainsFunc(over, func(at sandbox.Overlay) bool { return at.At == filepath.Join(dir, name) })
		if !mounted && err == nil {
			err = o.CopyPath(name, dir)
		}
	}
	return over, err
}

// leaving returns the symbolic links of a directory of packages, and of their scopes such as @types, that lead out of
// the root.
func leaving(o *oracle.Outside, dir string) map[string]string {
	links := map[string]string{}
	for _, pattern := range []string{"*", "@*/*"} {
		paths, _ := fs.Glob(os.DirFS(dir), pattern)
		for _, name := range paths {
			before, err := os.Readlink(filepath.Join(dir, name))
			if err != nil {
				continue // no link
			}
			if target, err := o.Link(filepath.Join(dir, name)); err == nil && target != before {
				links[name] = target
			}
		}
	}
	return links
}

// gone returns a path outside of candidates that the user has removed during the run, or "". o may be nil.
func gone(o *oracle.Outside) string {
	if o == nil {
		return ""
	}
	for _, name := range o.Paths {
		path := filepath.Join(o.Root, name)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path
		}
	}
	return ""
}

// forget undoes the changes of overlays.
func forget(over []sandbox.Overlay) (err error) {
	for _, at := range over {
		upper := filepath.Join(at.Changes, "upper")
		err = cmp.Or(err, disk.RemoveTree(at.Changes), os.MkdirAll(at.At, 0o777), os.MkdirAll(upper, 0o777),
			os.Mkdir(filepath.Join(at.Changes, "work"), 0o777))
		if info, errStat := os.Stat(at.Lower); errStat == nil && err == nil {
			err = os.Chmod(upper, info.Mode().Perm())
		}
		for name, target := range at.Links {
			path := filepath.Join(upper, name)
			err = cmp.Or(err, os.MkdirAll(filepath.Dir(path), 0o777), os.Symlink(target, path))
		}
	}
	return err
}

// mounting returns a sandbox with overlays. box may be nil.
func mounting(box *sandbox.Sandbox, over []sandbox.Overlay) *sandbox.Sandbox {
	if len(over) == 0 {
		return box
	}
	with := *box
	with.Over = over
	return &with
}
