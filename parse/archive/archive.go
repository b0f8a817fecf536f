// Package archive joins several files into one, an archive, whose language parses each file in its
// own language.
//
// Each file, directory and link has a head, on a line of its own, before the bytes of the file. A head
// begins with a hash of all files, which no file contains by accident, and has weight 1.
package archive

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"whittle/parse"
)

// An Entry is a file, a directory or a symbolic link.
type Entry struct {
	Path     string         // relative, clean, with slashes
	Mode     fs.FileMode    // type and permissions
	Link     string         // target of a link
	Content  []byte         // of a file
	Language parse.Language // of a file
	Kept     bool           // present in each archive: only its content may be deleted
	Sealed   bool           // goes only with its directory, unchanged
}

// A Set is a list of entries, and the Language of archives of them. It is safe for concurrent use.
type Set struct {
	entries  []Entry
	fixed    []Entry // present in each archive, without a head
	boundary []byte  // beginning of a head
	archive  []byte

	mu     sync.Mutex
	errors map[content]int
}

// New returns a Set of entries. A directory comes before its content, with no other entries in between.
// The fixed entries are in every archive and take no space there.
func New(entries []Entry, fixed ...Entry) *Set {
	h := sha256.New()
	for _, e := range slices.Concat(entries, fixed) {
		for _, s := range []string{e.Path, e.Mode.String(), e.Link, string(e.Content)} {
			fmt.Fprintf(h, "%d ", len(s))
			h.Write([]byte(s))
		}
	}
	s := &Set{entries: entries, fixed: fixed, errors: map[content]int{}}
	s.boundary = fmt.Appendf(nil, "\x00whittle %x ", h.Sum(nil)[:16])
	s.archive = s.Gather(func(e Entry) ([]byte, bool) { return e.Content, true })
	return s
}

// Seal asks by for each file. If it returns a language, all entries in the file's directory are sealed and read in this
// language. by may be nil.
func Seal(entries []Entry, by func(name string, content []byte) parse.Language) {
	for i := 0; by != nil && i < len(entries); i++ {
		dir, l := path.Dir(entries[i].Path), by(path.Base(entries[i].Path), entries[i].Content)
		for k := range entries {
			if e := &entries[k]; l != nil && strings.HasPrefix(e.Path, dir+"/") {
				e.Sealed = true
				if e.Language != nil {
					e.Language = l
				}
			}
		}
	}
}

// With returns the Set with one more entry at the end. Its archives are the archives of s and then
// the entry; see [Set.Cut].
func (s *Set) With(last Entry) *Set {
	w := &Set{entries: append(slices.Clip(s.entries), last), fixed: s.fixed, boundary: s.boundary,
		errors: map[content]int{}}
	w.archive = w.Gather(func(e Entry) ([]byte, bool) { return e.Content, true })
	return w
}

// Cut splits an archive of a Set from With at its last entry, if that is present.
func (s *Set) Cut(archive []byte) (before, last []byte, found bool) {
	return bytes.Cut(archive, s.head(len(s.entries)-1))
}

// Join is the inverse of Cut.
func (s *Set) Join(before, last []byte) []byte {
	return slices.Concat(before, s.head(len(s.entries)-1), last)
}

func (s *Set) head(entry int) []byte {
	return append(strconv.AppendInt(slices.Clip(s.boundary), int64(entry), 10), '\n')
}

// Gather returns an archive of the entries that content accepts, with its content.
func (s *Set) Gather(content func(Entry) ([]byte, bool)) []byte {
	archive := []byte{}
	for i, e := range s.entries {
		if text, ok := content(e); ok {
			archive = append(append(archive, s.head(i)...), text...)
		}
	}
	return archive
}

// Archive returns the archive of all entries.
func (s *Set) Archive() []byte { return s.archive }

// Fill returns an archive with the given content in all files.
func (s *Set) Fill(archive, content []byte) []byte {
	return s.fill(archive, content, func(string) bool { return true })
}

// FillMost is Fill for the files with the most frequent extension.
func (s *Set) FillMost(archive, content []byte) []byte {
	most, times := "", map[string]int{}
	for _, e := range s.entries {
		ext := path.Ext(e.Path)
		if e.Language != nil && ext != "" {
			times[ext]++
		}
		if times[ext] > times[most] {
			most = ext
		}
	}
	return s.fill(archive, content, func(name string) bool { return path.Ext(name) == most })
}

func (s *Set) fill(archive, content []byte, is func(name string) bool) []byte {
	there := map[int][]byte{}
	pieces, _ := s.split(archive)
	for _, p := range pieces {
		there[p.entry] = archive[p.content:p.end]
	}
	at := -1
	return s.Gather(func(e Entry) ([]byte, bool) {
		at++
		old, ok := there[at]
		if e.Language != nil && is(e.Path) { // no directory or link
			old = content
		}
		return old, ok
	})
}

// Entries returns the entries of an archive with their content there, the fixed ones first. Unchanged contents share
// the memory of the Set, so that they compare fast.
func (s *Set) Entries(archive []byte) ([]Entry, error) {
	pieces, err := s.split(archive)
	if err != nil {
		return nil, err
	}
	entries := slices.Clone(s.fixed)
	for _, p := range pieces {
		e := s.entries[p.entry]
		if !p.whole {
			e.Content = archive[p.content:p.end:p.end]
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// Starts returns the offsets of the contents of the files of an archive, by path.
func (s *Set) Starts(archive []byte) map[string]int {
	starts := map[string]int{}
	pieces, _ := s.split(archive)
	for _, p := range pieces {
		starts[s.entries[p.entry].Path] = p.content
	}
	return starts
}

// A piece is an entry with the head archive[start:content] and the content archive[content:end].
type piece struct {
	entry, start, content, end int
	whole                      bool // the content of the entry did not change
}

var errNoArchive = errors.New("this is no archive of these files")

func (s *Set) split(archive []byte) (pieces []piece, err error) {
	for at := 0; at < len(archive); {
		rest, ok := bytes.CutPrefix(archive[at:], s.boundary)
		number, _, found := bytes.Cut(rest[:min(len(rest), 20)], []byte("\n"))
		i, err := strconv.Atoi(string(number))
		if !ok || !found || err != nil || i < 0 || i >= len(s.entries) {
			return nil, errNoArchive
		}
		p := piece{entry: i, start: at, content: at + len(s.boundary) + len(number) + 1, end: len(archive)}
		after, same := bytes.CutPrefix(archive[p.content:], s.entries[i].Content)
		if p.whole = same && (len(after) == 0 || bytes.HasPrefix(after, s.boundary)); p.whole {
			p.end -= len(after)
		} else if n := bytes.Index(archive[p.content:], s.boundary); n >= 0 {
			p.end = p.content + n
		}
		if s.entries[i].Language == nil && p.end > p.content {
			return nil, errNoArchive // a directory or link has no content
		}
		pieces = append(pieces, p)
		at = p.end
	}
	return pieces, nil
}

type content struct {
	entry int
	hash  [sha256.Size]byte
}

// maxCached is the size of the cache of error counts.
const maxCached = 4096

// Errors returns the syntax errors of all files, 0 if archive is no archive, and parse.Unreadable if a
// file cannot be parsed. It caches the counts of files.
func (s *Set) Errors(archive []byte) int {
	pieces, _ := s.split(archive)
	n := 0
	for _, p := range pieces {
		if s.entries[p.entry].Language != nil {
			n += s.errorsIn(p.entry, archive[p.content:p.end:p.end])
		}
	}
	return min(n, parse.Unreadable)
}

func (s *Set) errorsIn(entry int, text []byte) int {
	key := content{entry, sha256.Sum256(text)}
	s.mu.Lock()
	n, ok := s.errors[key]
	s.mu.Unlock()
	if ok {
		return n
	}
	n = s.entries[entry].Language.Errors(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.errors) >= maxCached {
		clear(s.errors)
	}
	s.errors[key] = n
	return n
}
