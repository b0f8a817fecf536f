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

	"whittle/internal/disk"
	"whittle/internal/journal"
	"whittle/oracle"
	"whittle/parse/archive"
)

// places is a target on the disk: a file or directory, or several in place.
type places struct {
	out *Output
	in  *Input
	all []*place
}

// A place is a file or directory with a part of the result.
type place struct {
	path string
	name string // of its entry; "." for all
	dir  bool
	kept bool // an earlier run kept the original

	*claimed
}

// below returns an entry's relative path; "" outside of the place.
func (p *place) below(e archive.Entry) string {
	switch rest, ok := strings.CutPrefix(e.Path, p.name+"/"); {
	case p.name == ".":
		return e.Path
	case e.Path == p.name:
		return "."
	case ok:
		return rest
	}
	return ""
}

// part returns the place's entries with relative paths.
func (p *place) part(entries []archive.Entry) []archive.Entry {
	var inside []archive.Entry
	for _, e := range entries {
		if name := p.below(e); name != "" {
			e.Path = name
			inside = append(inside, e)
		}
	}
	return inside
}

func (p *place) sum(entries []archive.Entry) digest { return digestOf(p.dir, p.part(entries)) }

// claim locks all places or none, in the same order in each run, so that one succeeds.
func (o *places) claim() error {
	byPath := func(a, b *place) int { return cmp.Compare(resolved(a.path), resolved(b.path)) }
	for _, p := range slices.SortedFunc(slices.Values(o.all), byPath) {
		c, err := claimPath(p.path)
		if err != nil {
			o.release()
			if errors.Is(err, disk.ErrInUse) {
				return fmt.Errorf("%w; wait until it has ended%s", err, o.elsewhere(", or choose another output with -o"))
			}
			return o.cannotWrite(p, err)
		}
		c.Aside = func(kept string) {
			if o.out.Moved != nil {
				o.out.Moved(p.path, kept)
			}
		}
		c.Puts = func(s digest) {
			if o.out.puts != nil {
				o.out.puts(s)
			}
		}
		p.claimed = c
	}
	return nil
}

func (o *places) release() {
	for _, p := range o.all {
		if p.claimed != nil {
			p.Close()
		}
	}
}

// elsewhere returns the advice, but not in place.
func (o *places) elsewhere(advice string) string {
	if o.in.inPlace {
		return ""
	}
	return advice
}

func (o *places) cannotWrite(p *place, err error) error {
	if !o.in.inPlace {
		return cannotWrite(p.path, err)
	}
	err = fmt.Errorf("cannot replace %s: %w; without --in-place the result may go elsewhere", p.path, err)
	return &oracle.EnvironmentError{Err: err}
}

// limit bounds reads from files of unknown origin.
func (o *places) limit() int64 { return 2*int64(len(o.in.Bytes)) + 1<<20 }

func (o *places) takeUp() []byte {
	return o.in.gather(func(e archive.Entry) (content []byte, there bool) {
		for _, p := range o.all {
			name := p.below(e)
			if name == "" {
				continue
			}
			path := filepath.Join(p.path, filepath.FromSlash(name))
			info, err := os.Lstat(path)
			if err == nil && info.Mode().IsRegular() && info.Size() <= o.limit() {
				content, err = os.ReadFile(path)
			}
			return content, err == nil && info.Mode().Type() == e.Mode.Type()
		}
		return nil, false
	})
}

// recognise marks content as whittle's if it is the input in place, in the journal, or the
// interesting file that takeUp returned. It returns the paths of other content.
func (o *places) recognise(j *journal.Journal, file []byte, interesting bool) (unknown []string, err error) {
	input, err := o.in.entries(o.in.Bytes)
	if err != nil {
		return nil, err
	}
	var known []archive.Entry
	if interesting {
		if known, err = o.in.entries(file); err != nil {
			return nil, err
		}
	}
	for _, p := range o.all {
		if o.in.inPlace && !p.kept { // the input was read from it
			p.Took(p.sum(input))
			continue
		}
		if p.kept {
			p.Like(BackUpPath(p.path))
		}
		there := p.There(o.limit())
		switch {
		case o.in.inPlace && there == p.sum(input), j.Owns(there.Bytes()), known != nil && there == p.sum(known):
			p.Took(there)
		case there != (digest{}):
			unknown = append(unknown, p.path)
		}
	}
	return unknown, nil
}

// clear moves foreign content aside.
func (o *places) clear() error {
	for _, p := range o.all {
		if err := p.Clear(); err != nil {
			return o.cannotWrite(p, err)
		}
	}
	return nil
}

// backUp keeps the originals in place.
func (o *places) backUp() error {
	entries, err := o.in.entries(o.in.Bytes)
	if err != nil {
		return err
	}
	for _, p := range o.all {
		original := BackUpPath(p.path)
		switch {
		case p.kept:
		case p.dir:
			p.KeepDirectory(original)
		default:
			e := p.part(entries)[0]
			if err := p.KeepFile(original, e.Content, e.Mode.Perm()); errors.Is(err, fs.ErrExist) {
				return backedUp(p.path)
			} else if err != nil {
				return &oracle.EnvironmentError{Err: fmt.Errorf("cannot keep the input as %s: %w", original, err)}
			}
		}
	}
	return nil
}

func (o *places) disown() {
	for _, p := range o.all {
		p.Took(digest{})
	}
}

// write replaces all places. Missing files are removed, directories become empty.
func (o *places) write(file []byte) error {
	entries, err := o.in.entries(file)
	if err != nil {
		return err
	}
	for _, p := range o.all {
		if err := p.Put(p.dir, p.part(entries)); err != nil {
			return o.cannotWrite(p, err)
		}
	}
	return nil
}

func (o *places) finish(context.Context, context.Context) error {
	var failed error
	for _, p := range o.all {
		if err := p.Sync(p.dir); err != nil {
			failed = cmp.Or(failed, o.cannotWrite(p, err))
		}
	}
	return failed
}

// holdsOnly checks that all files may be of an earlier result.
func (p *place) holdsOnly(set *archive.Set) error {
	entries, err := set.Entries(set.Archive())
	if err != nil {
		return err
	}
	known := map[string]bool{".": true}
	for _, e := range entries {
		for name := p.below(e); name != "" && !known[name]; name = filepath.Dir(name) {
			known[name] = true
		}
	}
	return filepath.WalkDir(p.path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return cannotWrite(p.path, err)
		}
		if name, err := filepath.Rel(p.path, path); err != nil || !known[filepath.ToSlash(name)] {
			return fmt.Errorf("%s holds %s, which is not one of the files to reduce and would be lost; "+
				"choose another directory with -o",
				p.path, path)
		}
		return nil
	})
}
