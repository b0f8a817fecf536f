package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"whittle/internal/disk"
	"whittle/oracle"
)

// Others keeps the smallest candidate of each other failure in a directory, safe for concurrent
// use. NAME.c has a description NAME.txt; NAME.txt has NAME.about.txt. Runs on small.c and
// small.cc may share it.
type Others struct {
	Dir    string
	Layout oracle.Layout

	mu    sync.Mutex
	found []*other
	err   error
}

// An other is a failure with a candidate.
type other struct {
	title, name string
	size        int
}

// otherMark begins a description.
const otherMark = "Another failure, which whittle met on the way.\n"

// OthersPath returns the directory: small.other for small.c and small.cc.
func (o *Output) OthersPath() string {
	stem, _ := o.stem()
	dir, base := filepath.Split(stem)
	return disk.JoinName(dir, base, ".other")
}

// Keep keeps the failure's candidate unless it has a smaller one. The description ends with
// about. Errors go to Err.
func (o *Others) Keep(title, about string, candidate []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.IndexFunc(o.found, func(f *other) bool { return f.title == title })
	if o.err != nil || i >= 0 && o.found[i].size <= len(candidate) {
		return
	}
	if i < 0 {
		if o.err = os.MkdirAll(o.Dir, 0o777); o.err != nil {
			return
		}
		var f *other
		if f, o.err = o.begin(title); o.err != nil {
			return
		}
		o.found = append(o.found, f)
		if i = len(o.found) - 1; o.found[i].size > 0 && o.found[i].size <= len(candidate) {
			return // an earlier run kept a smaller one
		}
	}
	o.found[i].size = len(candidate)
	o.err = o.write(o.found[i], about, candidate)
}

// Titles returns the titles of the failures, sorted.
func (o *Others) Titles() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var titles []string
	for _, f := range o.found {
		titles = append(titles, f.title)
	}
	slices.Sort(titles)
	return titles
}

// A Kept is a candidate of another failure.
type Kept struct {
	Title, Path string
	Bytes       int
}

// All returns the kept candidates, sorted by title.
func (o *Others) All() []Kept {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []Kept
	for _, f := range o.found {
		all = append(all, Kept{f.title, o.path(f), f.size})
	}
	slices.SortFunc(all, func(a, b Kept) int { return strings.Compare(a.Title, b.Title) })
	return all
}

// Err returns the first error of Keep.
func (o *Others) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return fmt.Errorf("cannot keep the candidate of another failure: %w", o.err)
	}
	return nil
}

// begin reserves an earlier run's name of the title, or a free one.
func (o *Others) begin(title string) (*other, error) {
	base := slug(title)
	for n := 1; ; n++ {
		f := &other{title: title, name: base}
		if n > 1 {
			f.name = fmt.Sprintf("%s-%d", base, n)
		}
		if slices.ContainsFunc(o.found, func(other *other) bool { return other.name == f.name }) {
			continue
		}
		info, err := os.Lstat(o.path(f))
		free := errors.Is(err, fs.ErrNotExist)
		if err != nil && !free {
			return nil, err
		}
		if free {
			if err := o.reserve(f); !errors.Is(err, fs.ErrExist) {
				return f, err
			}
		}
		text, err := disk.ReadPlain(o.description(f))
		if err != nil || !strings.HasPrefix(string(text), o.head(f)) {
			continue // another failure or a foreign file
		}
		if !free && info.Mode().IsRegular() {
			f.size = int(info.Size())
		}
		return f, nil
	}
}

// reserve creates an empty candidate and description, or returns fs.ErrExist, perhaps because of
// a concurrent run.
func (o *Others) reserve(f *other) error {
	create := func(path, text string) error {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = file.WriteString(text)
		return errors.Join(err, file.Close())
	}
	if o.Layout.Several() {
		return create(o.description(f), o.head(f))
	}
	err := create(o.path(f), "")
	if err == nil {
		if err = create(o.description(f), o.head(f)); err != nil {
			os.Remove(o.path(f))
		}
	}
	return err
}

// head returns a description's title and name of the candidate.
func (o *Others) head(f *other) string {
	return otherMark + f.title + "\n" + filepath.Base(o.path(f)) + "\n"
}

func (o *Others) description(f *other) string {
	path := filepath.Join(o.Dir, f.name+".txt")
	if path == o.path(f) {
		path = filepath.Join(o.Dir, f.name+".about.txt")
	}
	return path
}

// path returns the candidate's path: a file, or a directory for several.
func (o *Others) path(f *other) string {
	if o.Layout.Several() {
		return filepath.Join(o.Dir, f.name)
	}
	return filepath.Join(o.Dir, f.name+filepath.Ext(o.Layout.Name))
}

func (o *Others) write(f *other, about string, candidate []byte) error {
	scratch, err := os.MkdirTemp(o.Dir, ".new-")
	if err != nil {
		return err
	}
	defer disk.RemoveTree(scratch)
	whole := filepath.Join(scratch, "whole")
	if err := os.Mkdir(whole, 0o777); err != nil {
		return err
	}
	if err := o.Layout.Put(whole, candidate); err != nil {
		return err
	}
	if !o.Layout.Several() {
		whole = filepath.Join(whole, o.Layout.Name)
	} else if err := disk.RemoveTree(o.path(f)); err != nil {
		return err
	}
	text := filepath.Join(scratch, "about")
	if err := os.WriteFile(text, []byte(o.head(f)+"\n"+about), 0o666); err != nil {
		return err
	}
	if err := os.Rename(text, o.description(f)); err != nil {
		return err
	}
	return os.Rename(whole, o.path(f))
}

// longestSlug is in bytes.
const longestSlug = 60

// slug makes a file name of a title.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	name := ""
	for _, w := range words {
		if len(name)+len(w) >= longestSlug {
			break
		}
		name = strings.TrimPrefix(name+"-"+w, "-")
	}
	if name == "" {
		name = "failure"
	}
	return name
}
