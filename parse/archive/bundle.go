// Package bundle makes one file of several: an archive, which is reduced like
// any other file, in a language of its own that reads each file in it by that
// file's language.
//
// In an archive each file, directory and link has a head, a line of its own, and
// a file's bytes follow as they are. A head begins with what cannot be in a file
// by accident: a hash of them all. It is a token of weight 1, so a file counts
// for one token more than what is in it, and an empty one is worth removing.
package archive

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"sync"

	"whittle/parse"
)

// Entry is a file, a directory or a symbolic link.
type Entry struct {
	Path     string         // relative, clean, with slashes
	Mode     fs.FileMode    // its type and permissions
	Link     string         // what a link points to
	Content  []byte         // of a file
	Language parse.Language // of a file
	Kept     bool           // it is in each archive: only what is in it may go
}

// Set is a number of entries, and the Language of the archives that hold some
// of them. It may be used by many goroutines.
type Set struct {
	entries  []Entry
	fixed    []Entry // that are in each archive, and have no head
	boundary []byte  // what a head begins with
	archive  []byte

	mu     sync.Mutex
	errors map[content]int
}

// New makes a Set of entries that have different paths. A directory stands
// somewhere before what is in it, and has that as its children if nothing else
// is in between. The fixed entries are in every archive as they are, and take no room
// there.
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

// With returns the Set of the entries of s and of one more, which is the last. Its
// archives are those of s with that behind them; see [Set.Cut].
func (s *Set) With(last Entry) *Set {
	w := &Set{entries: append(slices.Clip(s.entries), last), fixed: s.fixed, boundary: s.boundary,
		errors: map[content]int{}}
	w.archive = w.Gather(func(e Entry) ([]byte, bool) { return e.Content, true })
	return w
}

// Cut returns the two parts of an archive of a Set that With made: the archive of what
// was there before, and what the last entry contains. It reports whether that is there.
func (s *Set) Cut(archive []byte) (before, last []byte, found bool) {
	return bytes.Cut(archive, s.head(len(s.entries)-1))
}

// Join is the opposite of Cut.
func (s *Set) Join(before, last []byte) []byte {
	return slices.Concat(before, s.head(len(s.entries)-1), last)
}

// head returns the head of an entry.
func (s *Set) head(entry int) []byte {
	return append(strconv.AppendInt(slices.Clip(s.boundary), int64(entry), 10), '\n')
}

// Gather makes an archive of the entries for which content reports true, with what
// it returns.
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

// Fill returns an archive of the entries that are in another, in which each file contains
// the same.
func (s *Set) Fill(archive, content []byte) []byte {
	there := map[int]bool{}
	pieces, _ := s.split(archive)
	for _, p := range pieces {
		there[p.entry] = true
	}
	at := -1
	return s.Gather(func(e Entry) ([]byte, bool) {
		if at++; e.Language == nil {
			return nil, there[at] // a directory or link
		}
		return content, there[at]
	})
}

// Entries returns the entries that are in an archive, with what they contain
// there: the fixed ones first. The error says that it is no archive of s.
func (s *Set) Entries(archive []byte) ([]Entry, error) {
	pieces, err := s.split(archive)
	if err != nil {
		return nil, err
	}
	entries := slices.Clone(s.fixed)
	for _, p := range pieces {
		e := s.entries[p.entry]
		e.Content = archive[p.content:p.end:p.end]
		entries = append(entries, e)
	}
	return entries, nil
}

// piece is an entry in an archive: its head is archive[start:content], what it
// contains archive[content:end].
type piece struct{ entry, start, content, end int }

var errNoArchive = errors.New("this is no archive of these files")

func (s *Set) split(archive []byte) (pieces []piece, err error) {
	for at := 0; at < len(archive); {
		rest, ok := bytes.CutPrefix(archive[at:], s.boundary)
		number, _, found := bytes.Cut(rest[:min(len(rest), 20)], []byte("\n"))
		i, err := strconv.Atoi(string(number))
		if !ok || !found || err != nil || i < 0 || i >= len(s.entries) {
			return nil, errNoArchive
		}
		p := piece{i, at, at + len(s.boundary) + len(number) + 1, len(archive)}
		if n := bytes.Index(archive[p.content:], s.boundary); n >= 0 {
			p.end = p.content + n
		}
		if s.entries[i].Language == nil && p.end > p.content {
			return nil, errNoArchive // a directory or link contains nothing
		}
		pieces = append(pieces, p)
		at = p.end
	}
	return pieces, nil
}

// content is what a file contains.
type content struct {
	entry int
	hash  [sha256.Size]byte
}

// known is for how many contents a Set remembers the number of errors.
const known = 4096

// Errors counts the syntax errors of the files in an archive, of each as its
// language does. A file is not read again that has been lately. It returns 0 for
// what is no archive, and parse.Unreadable if a file cannot be read.
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
	if len(s.errors) >= known {
		clear(s.errors)
	}
	s.errors[key] = n
	return n
}
