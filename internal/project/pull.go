package project

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"whittle/oracle"
)

// Packages returns the packages in Outside that have the paths, without pulled ones. Below the innermost directory of
// dependencies, such as node_modules or site-packages, a package is a file, or the outermost directory that has files
// itself: @scope/name, but not @scope.
func (p *Project) Packages(paths []string) (packages []string) {
	for _, name := range paths {
		if !slices.ContainsFunc(p.Outside, func(outside string) bool { return below(name, outside) }) {
			continue
		}
		parts := strings.Split(name, "/")
		at := len(parts) - 1
		for at >= 0 && !slices.Contains(dependencies, parts[at]) && parts[at] != "site-packages" {
			at--
		}
		if at < 0 {
			continue
		}
		for at++; at < len(parts)-1 && !p.hasFiles(path.Join(parts[:at+1]...)); {
			at++
		}
		packages = append(packages, path.Join(parts[:min(at+1, len(parts))]...))
	}
	slices.Sort(packages)
	return slices.DeleteFunc(slices.Compact(packages), p.pulls)
}

func (p *Project) hasFiles(dir string) bool {
	entries, _ := os.ReadDir(filepath.Join(p.Root, dir))
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Type().IsRegular() })
}

// Pull returns the project without a package outside of it.
func (p *Project) Pull(name string) *Project {
	return &Project{Root: p.Root, Outside: p.Outside, Pulled: append(slices.Clip(p.Pulled), name)}
}

func (p *Project) pulls(name string) bool { return slices.Contains(p.Pulled, name) }

// ErrLarge says that a package is too large.
var ErrLarge = errors.New("too large")

// Package returns the files of a package without links and products of tools, such as bytecode. The error is [ErrLarge]
// for more than most bytes.
func (p *Project) Package(name string, most int64) (files []oracle.File, err error) {
	err = filepath.WalkDir(filepath.Join(p.Root, name), func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && isProduct(file):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if most -= info.Size(); most < 0 {
			return ErrLarge
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		place, err := filepath.Rel(p.Root, file)
		files = append(files, oracle.File{Path: filepath.ToSlash(place), Mode: info.Mode().Perm(), Content: content})
		return err
	})
	return files, err
}
