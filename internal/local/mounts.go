package local

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"whittle/internal/disk"
	"whittle/internal/process"
	"whittle/internal/sandbox"
	"whittle/oracle"
)

// changes is the directory around the candidate for the changes of overlays.
const changes = ".changes"

// surround makes the files outside of candidates. Directories are overlays if the sandbox can mount them, since copies
// of node_modules, for example, would take seconds and gigabytes.
func (d *kept) surround(o *oracle.Outside, box *sandbox.Sandbox) error {
	d.mounted = &oracle.Outside{Root: o.Root, Except: o.Except}
	for _, name := range o.Paths {
		if info, err := os.Lstat(filepath.Join(o.Root, name)); err == nil && info.IsDir() {
			d.mounted.Paths = append(d.mounted.Paths, name)
		}
	}
	if box == nil || len(d.mounted.Paths) == 0 || d.forget() != nil || !d.in(box).Overlays(d.around) {
		d.mounted = nil
		if err := cmp.Or(process.RemoveDirectory(d.around), os.MkdirAll(d.dir, 0o700)); err != nil {
			return err
		}
	}
	for _, name := range o.Paths {
		var err error
		if d.mounted == nil || !slices.Contains(d.mounted.Paths, name) {
			err = o.CopyPath(name, d.dir)
		}
		if err != nil {
			return err
		}
	}
	d.copied = process.DiskUse(d.dir, math.MaxUint64)
	return nil
}

// forget undoes the changes of overlays.
func (d *kept) forget() error {
	if d.mounted == nil {
		return nil
	}
	err := disk.RemoveTree(filepath.Join(d.around, changes))
	for i := range d.mounted.Paths {
		over := d.overlay(i)
		upper := filepath.Join(over.Changes, "upper")
		err = cmp.Or(err, os.MkdirAll(over.At, 0o777), os.MkdirAll(upper, 0o777),
			os.Mkdir(filepath.Join(over.Changes, "work"), 0o777))
		if info, errStat := os.Stat(over.Lower); errStat == nil && err == nil {
			err = os.Chmod(upper, info.Mode().Perm())
		}
	}
	return err
}

// in returns a sandbox with the overlays.
func (d *kept) in(box *sandbox.Sandbox) *sandbox.Sandbox {
	if d == nil || d.mounted == nil {
		return box
	}
	with := *box
	for i := range d.mounted.Paths {
		with.Over = append(slices.Clip(with.Over), d.overlay(i))
	}
	return &with
}

func (d *kept) overlay(i int) sandbox.Overlay {
	name := d.mounted.Paths[i]
	over := sandbox.Overlay{
		Lower:   filepath.Join(d.mounted.Root, name),
		At:      d.path(name),
		Changes: filepath.Join(d.around, changes, strconv.Itoa(i)),
	}
	for _, path := range d.mounted.Except {
		if below, is := strings.CutPrefix(path, name+"/"); is {
			over.Except = append(over.Except, below)
		}
	}
	return over
}
