package isolate

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"slices"

	"whittle/parse"
	"whittle/parse/archive"
)

// A Project is two versions of a set of files, and the changes between them. A version with some
// changes is an archive of its Set.
type Project struct {
	Set   *archive.Set
	pairs []pair
	count int

	files, around map[string]bool // paths of equal files, and their directories
}

// A pair is a file that differs in two versions. Its changes from first to next are tokens, then those of the whole
// file; -1 means no change.
type pair struct {
	old, new *archive.Entry // nil if missing
	mix      *mixture       // nil for equal or binary contents
	first    int
	all      int // of the whole file, as of a binary file
	path     int
	mode     int // of the permissions
	next     int
}

// NewProject compares two versions. read returns the language of a text file, nil for a file that
// changes as a whole. Files are paired by path, else by similar contents.
func NewProject(old, new []archive.Entry, read func(archive.Entry) (parse.Language, error)) (*Project, error) {
	p := &Project{}
	var same []archive.Entry
	for _, pair := range match(old, new) {
		if pair.old != nil && pair.new != nil && equal(*pair.old, *pair.new) {
			same = append(same, *pair.old)
			continue
		}
		if err := pair.number(p.count, read); err != nil {
			return nil, err
		}
		p.count = pair.next
		p.pairs = append(p.pairs, pair)
	}
	var heads []archive.Entry
	for _, pair := range p.pairs {
		heads = append(heads, pair.heads()...)
	}
	p.Set = archive.New(heads, same...)
	p.files, p.around = map[string]bool{}, parents(same)
	for _, e := range same {
		p.files[e.Path] = !e.Mode.IsDir()
	}
	return p, nil
}

func equal(a, b archive.Entry) bool {
	return a.Path == b.Path && a.Mode == b.Mode && a.Link == b.Link && bytes.Equal(a.Content, b.Content)
}

func (p *pair) number(first int, read func(archive.Entry) (parse.Language, error)) error {
	p.first, p.next, p.all, p.path, p.mode = first, first, -1, -1, -1
	good, err := treeOf(p.old, read)
	if err != nil {
		return err
	}
	bad, err := treeOf(p.new, read)
	if err != nil {
		return err
	}
	inParts := good != nil && bad != nil
	if inParts {
		if m := mix(good, bad); m.changes > 0 {
			p.mix = m
			p.next += m.changes
		}
	}
	one := func() int { p.next++; return p.next - 1 }
	both := p.old != nil && p.new != nil
	if !inParts || !both && p.mix == nil {
		p.all = one()
		return nil
	}
	if both && p.old.Path != p.new.Path {
		p.path = one()
	}
	if both && p.old.Mode != p.new.Mode {
		p.mode = one()
	}
	return nil
}

// treeOf parses a version of a file; nil is an empty file. The tree of a binary file, a link or a directory is nil.
func treeOf(e *archive.Entry, read func(archive.Entry) (parse.Language, error)) (*parse.Tree, error) {
	if e == nil {
		return &parse.Tree{Nodes: []parse.Node{{Next: 1, Parent: -1}}}, nil
	}
	if !e.Mode.IsRegular() {
		return nil, nil
	}
	l, err := read(*e)
	if l == nil || err != nil {
		return nil, err
	}
	return l.Parse(e.Content)
}

func (p *pair) heads() (heads []archive.Entry) {
	for _, e := range []*archive.Entry{p.old, p.new} {
		for _, f := range []*archive.Entry{p.old, p.new} {
			if e == nil || f == nil {
				continue
			}
			head := *e
			if p.mode >= 0 {
				head.Mode = f.Mode
			}
			if !slices.ContainsFunc(heads, func(h archive.Entry) bool { return key(h) == key(head) }) {
				heads = append(heads, head)
			}
		}
	}
	return heads
}

type head struct {
	path, link string
	mode       fs.FileMode
}

func key(e archive.Entry) head { return head{e.Path, e.Link, e.Mode} }

// with returns the file with some of its changes, which ascend; nil if it then does not exist.
func (p *pair) with(made []int) *archive.Entry {
	has := func(change int) bool {
		_, yes := slices.BinarySearch(made, change)
		return change >= 0 && yes
	}
	if p.all >= 0 {
		if has(p.all) {
			return p.new
		}
		return p.old
	}
	switch {
	case p.old == nil && len(made) == 0, p.new == nil && len(made) == p.next-p.first:
		return nil
	case len(made) == 0:
		return p.old
	}
	e := *cmp.Or(p.old, p.new)
	if has(p.path) {
		e.Path, e.Language = p.new.Path, p.new.Language
	}
	if has(p.mode) {
		e.Mode = p.new.Mode
	}
	if p.mix != nil {
		end, _ := slices.BinarySearch(made, p.first+p.mix.changes)
		inside := slices.Clone(made[:end])
		for i := range inside {
			inside[i] -= p.first
		}
		e.Content = p.mix.render(inside)
	}
	return &e
}

// With returns the differing files with some changes, which ascend.
func (p *Project) With(made []int) (files []archive.Entry) {
	for _, pair := range p.pairs {
		from, _ := slices.BinarySearch(made, pair.first)
		to, _ := slices.BinarySearch(made, pair.next)
		if e := pair.with(made[from:to]); e != nil {
			files = append(files, *e)
		}
	}
	return files
}

func (p *Project) render(made []int) []byte {
	content := map[head][]byte{}
	for _, e := range p.With(made) {
		content[key(e)] = e.Content
	}
	return p.Set.Gather(func(e archive.Entry) ([]byte, bool) {
		text, ok := content[key(e)]
		delete(content, key(e)) // equal paths cannot be written
		if e.Language == nil {
			text = nil
		}
		return text, ok
	})
}

// possible reports whether a version can exist on a disk: files have different paths, and are not below
// other files.
func (p *Project) possible(made []int) bool {
	files := p.With(made)
	taken := map[string]bool{}
	for _, e := range files {
		if taken[e.Path] {
			return false
		}
		taken[e.Path] = true
	}
	around := parents(files)
	for _, e := range files {
		if !e.Mode.IsDir() && (around[e.Path] || p.around[e.Path]) {
			return false
		}
	}
	for dir := range around {
		if p.files[dir] {
			return false
		}
	}
	return true
}

func parents(entries []archive.Entry) map[string]bool {
	found := map[string]bool{}
	for _, e := range entries {
		for dir := path.Dir(e.Path); dir != "." && !found[dir]; dir = path.Dir(dir) {
			found[dir] = true
		}
	}
	return found
}
