package output

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"whittle/internal/disk"
	"whittle/internal/printable"
	"whittle/oracle"
	"whittle/parse/archive"
)

// sharedSuffix is the suffix of a result for others.
const sharedSuffix = ".repro"

// An Output receives the best file of a run: places on the disk, or a stream.
//
// Invariant: no file changes before Claim. Foreign files are moved aside, never overwritten.
type Output struct {
	Path string
	// Moved is called after a foreign file moved aside. It may be nil.
	Moved func(path, kept string)

	in     *Input
	places []*place // one, or several in place
	stream *stream  // nil for places
}

// NewOutput returns the output at path, or the default for "": a file, a directory for several files,
// a device or a pipe. It refuses links, the input and the test.
func NewOutput(in *Input, path, test string) (*Output, error) {
	o := &Output{Path: cmp.Or(path, in.ResultPath()), in: in}
	if in.Set != nil || in.Shared {
		return o, o.openDirectory(test)
	}
	return o, o.openFile(test)
}

func (o *Output) openFile(test string) error {
	path := o.Path
	if isStandard(path) {
		o.stream = &stream{path: path}
		return nil
	}
	info, err := os.Stat(path)
	link, _ := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && link != nil:
		return fmt.Errorf("%s is a dangling symbolic link; remove it or choose another output with -o", path)
	case errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(path, "/"):
		return fmt.Errorf("%s does not exist and ends with a slash; name a file with -o", path)
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return cannotWrite(path, err)
	case info.IsDir():
		return fmt.Errorf("%s is a directory; name a file with -o", path)
	case !info.Mode().IsRegular():
		if err := unix.Access(path, unix.W_OK); err != nil {
			return cannotWrite(path, err)
		}
		o.stream = &stream{path: path}
		return nil
	case SamePath(path, o.in.Paths[0]):
		return fmt.Errorf("%s is the file to reduce, which is never overwritten; use --in-place for that", path)
	case SamePath(path, test):
		return fmt.Errorf("%s is the test and would be overwritten; choose another output with -o", path)
	case link.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link and would be replaced; name the file itself with -o", path)
	}
	o.places = []*place{newPlace(path, false)}
	return nil
}

func (o *Output) openDirectory(test string) error {
	path, in := o.Path, o.in
	if isStandard(path) {
		return fmt.Errorf("%s takes one file; name a directory for several with -o", path)
	}
	for _, input := range in.Paths {
		if Within(input, path) {
			return fmt.Errorf("%s has %s, which is never overwritten; choose another directory with -o, or use --in-place",
				path, input)
		}
		if Within(path, input) {
			return fmt.Errorf("%s is in %s, one of the inputs; choose another directory with -o", path, input)
		}
	}
	if Within(test, path) {
		return fmt.Errorf("the test %s is in %s and would be overwritten; choose another directory with -o", test, path)
	}
	p := newPlace(path, true)
	if len(in.Names) == 1 {
		p.name = in.Names[0]
	}
	if in.Shared {
		p.reports = []string{o.added("run.sh"), o.added("report.md"), o.added("report.html")}
	}
	o.places = []*place{p}
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return cannotWrite(path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link and would be replaced; name the directory itself with -o", path)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory; the result is several files, name a directory for them with -o", path)
	}
	entries, err := in.entries(in.Bytes)
	if err != nil || in.Set == nil { // the run on the whole project has checked it
		return err
	}
	return p.holdsOnly(entries)
}

// added returns the name of a file that whittle adds to the files of the input.
func (o *Output) added(name string) string {
	entries, _ := o.in.entries(o.in.Bytes)
	for slices.ContainsFunc(entries, func(e archive.Entry) bool { return e.Path == name }) {
		name = "whittle-" + name
	}
	return name
}

// File returns the path of the result of a single file.
func (o *Output) File() string {
	if o.in.Shared {
		return filepath.Join(o.Path, o.in.place())
	}
	return o.Path
}

// TakeOver replaces the result of an earlier run at the same path, which has released it.
func (o *Output) TakeOver(earlier *Output) {
	if len(o.places) == 1 && len(earlier.places) == 1 && o.Path == earlier.Path {
		o.places[0].ours = earlier.places[0].ours
	}
}

// String returns the path as printable text.
func (o *Output) String() string { return printable.Line(o.Path) }

// Claim locks the output until Release. The error wraps disk.ErrInUse if another whittle has it. In
// place, no other whittle may have reduced the inputs since they were read.
func (o *Output) Claim() (err error) {
	defer func() {
		if err != nil {
			o.Release()
		}
	}()
	if o.stream != nil {
		if _, err := standard(o.stream.path); err != nil {
			return cannotWrite(o.stream.path, err)
		}
		return nil
	}
	// Runs claim in the same order, so that one of them gets all places.
	byPath := func(a, b *place) int { return cmp.Compare(resolved(a.path), resolved(b.path)) }
	for _, p := range slices.SortedFunc(slices.Values(o.places), byPath) {
		p.aside = func(kept string) {
			if o.Moved != nil {
				o.Moved(p.path, kept)
			}
		}
		switch err := p.claim(); {
		case errors.Is(err, disk.ErrInUse) && o.in.inPlace:
			return fmt.Errorf("%w; wait until it has ended", err)
		case errors.Is(err, disk.ErrInUse):
			return fmt.Errorf("%w; wait until it has ended, or choose another output with -o", err)
		case err != nil:
			return o.cannotWrite(p, err)
		}
	}
	for path, source := range o.in.sources {
		if now, err := o.in.source(path); err != nil || now != source {
			return fmt.Errorf("%s was reduced by another whittle just now; look at its result, then start again", path)
		}
	}
	return nil
}

// Release unlocks the output.
func (o *Output) Release() {
	for _, p := range o.places {
		p.release()
	}
}

// Write replaces different content. Missing files are removed, directories become empty.
func (o *Output) Write(file []byte) error {
	if o.stream != nil {
		o.stream.best = file
		return nil
	}
	entries, err := o.in.entries(file)
	if err != nil {
		return err
	}
	for _, p := range o.places {
		if err := p.Put(p.part(entries)); err != nil {
			return o.cannotWrite(p, err)
		}
	}
	return nil
}

// Edited returns a single output file that others have changed since Write, also if it was moved aside; otherwise nil.
func (o *Output) Edited() (content []byte) {
	for _, p := range o.places {
		if p.edited == "" && p.ours != (digest{}) && p.present(o.limit()) != p.ours {
			p.edited = p.path
		}
		content, _ = readAtMost(p.edited, o.limit())
		p.edited = ""
	}
	return content
}

// Finish syncs the last file, or sends it to a stream. It waits for a reader until ctx is done.
func (o *Output) Finish(ctx context.Context) error {
	if o.stream != nil {
		return o.stream.finish(ctx)
	}
	var failed error
	for _, p := range o.places {
		if err := p.sync(); err != nil {
			failed = cmp.Or(failed, o.cannotWrite(p, err))
		}
	}
	return failed
}

// Replaces reports whether the output replaces its own files: neither stream nor in place.
func (o *Output) Replaces() bool { return o.stream == nil && !o.in.inPlace }

// Sidecar returns the result's path with a suffix; for streams the default path.
func (o *Output) Sidecar(suffix string) string {
	path := o.Path
	switch {
	case o.stream != nil:
		path = o.in.ResultPath()
	case o.in.inPlace: // Path is for messages
		path = o.in.Paths[0]
	}
	return disk.AddSuffix(filepath.Clean(path), suffix)
}

func (o *Output) cannotWrite(p *place, err error) error {
	if !o.in.inPlace {
		return cannotWrite(p.path, err)
	}
	return oracle.Errorf("cannot replace %s: %w; without --in-place the result may go elsewhere", p.path, err)
}

func cannotWrite(path string, err error) error {
	return oracle.Errorf("cannot write the result to %s: %w; choose another place with -o", path, err)
}
