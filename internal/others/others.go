// Package others keeps candidates that fail in another way than the input.
package others

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"whittle/internal/disk"
	"whittle/oracle"
)

// A Set keeps the smallest candidate of each other failure in a directory, which runs on small.c and
// small.cc may share. NAME.txt describes NAME.c, and NAME.about.txt describes NAME.txt. It is safe for
// concurrent use.
type Set struct {
	Dir    string
	Layout oracle.Layout

	mu    sync.Mutex
	found []*Kept
	err   error
}

// A Kept is a candidate with another failure.
type Kept struct {
	Title, Path string // a file, or a directory for several
	Bytes       int

	about string // path of the description
}

// otherMark begins a description.
const otherMark = "Another failure, which whittle met on the way.\n"

// Keep stores the candidate of a failure unless a smaller one is stored. The description ends with
// about.
func (o *Set) Keep(title, about string, candidate []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = o.keep(title, about, candidate)
	}
}

func (o *Set) keep(title, about string, candidate []byte) error {
	i := slices.IndexFunc(o.found, func(k *Kept) bool { return k.Title == title })
	if i < 0 {
		if err := os.MkdirAll(o.Dir, 0o777); err != nil {
			return err
		}
		k, err := o.begin(title)
		if err != nil {
			return err
		}
		i, o.found = len(o.found), append(o.found, k)
	}
	k := o.found[i]
	if k.Bytes <= len(candidate) {
		return nil
	}
	k.Bytes = len(candidate)
	return o.write(k, about, candidate)
}

// All returns the kept candidates, sorted by title.
func (o *Set) All() []Kept {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []Kept
	for _, k := range o.found {
		all = append(all, *k)
	}
	slices.SortFunc(all, func(a, b Kept) int { return strings.Compare(a.Title, b.Title) })
	return all
}

// Err returns the first error of Keep.
func (o *Set) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return fmt.Errorf("cannot keep the candidate of another failure: %w", o.err)
	}
	return nil
}

// begin returns an earlier run's candidate with the title, or reserves a free name.
func (o *Set) begin(title string) (*Kept, error) {
	base := slug(title)
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		k := o.named(title, name)
		if slices.ContainsFunc(o.found, func(other *Kept) bool { return other.Path == k.Path }) {
			continue
		}
		switch info, err := os.Lstat(k.Path); {
		case errors.Is(err, fs.ErrNotExist):
			if err := o.reserve(k); !errors.Is(err, fs.ErrExist) {
				return k, err
			}
		case err != nil:
			return nil, err
		case info.Mode().IsRegular() && info.Size() > 0:
			k.Bytes = int(info.Size())
		}
		// The name may belong to another failure or a foreign file.
		if text, err := disk.ReadPlain(k.about); err == nil && strings.HasPrefix(string(text), k.head()) {
			return k, nil
		}
	}
}

func (o *Set) named(title, name string) *Kept {
	path := filepath.Join(o.Dir, name)
	k := &Kept{Title: title, Path: path, Bytes: math.MaxInt, about: path + ".txt"}
	if !o.Layout.Several() {
		k.Path += filepath.Ext(o.Layout.Name)
	}
	if k.about == k.Path {
		k.about = path + ".about.txt"
	}
	return k
}

// reserve creates the files of k, or returns fs.ErrExist if a concurrent run did.
func (o *Set) reserve(k *Kept) error {
	if o.Layout.Several() {
		return disk.Create(k.about, []byte(k.head()), 0o666)
	}
	err := disk.Create(k.Path, nil, 0o666)
	if err == nil {
		if err = disk.Create(k.about, []byte(k.head()), 0o666); err != nil {
			os.Remove(k.Path)
		}
	}
	return err
}

func (k *Kept) head() string { return otherMark + k.Title + "\n" + filepath.Base(k.Path) + "\n" }

func (o *Set) write(k *Kept, about string, candidate []byte) error {
	scratch, err := os.MkdirTemp(o.Dir, ".new-")
	if err != nil {
		return err
	}
	defer disk.RemoveTree(scratch)
	whole := filepath.Join(scratch, "whole")
	if err := os.Mkdir(whole, 0o777); err != nil {
		return err
	}
	layout := o.Layout
	layout.Outside = nil // dependencies can be large
	if err := layout.Put(whole, candidate); err != nil {
		return err
	}
	if !o.Layout.Several() {
		whole = filepath.Join(whole, o.Layout.Name)
	} else if err := disk.RemoveTree(k.Path); err != nil {
		return err
	}
	text := filepath.Join(scratch, "about")
	if err := os.WriteFile(text, []byte(k.head()+"\n"+about), 0o666); err != nil {
		return err
	}
	if err := os.Rename(text, k.about); err != nil {
		return err
	}
	return os.Rename(whole, k.Path)
}

// longestSlug limits a slug, in bytes.
const longestSlug = 60

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
