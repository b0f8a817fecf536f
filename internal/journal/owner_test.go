package journal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"whittle/algo"
	"whittle/internal/disk"
	"whittle/oracle"
)

func TestJournalForeign(t *testing.T) {
	t.Parallel()
	ours := identityOf("input", "a", "test", "b", "limits", "c")
	content := func(id Identity) string {
		return string(id.header()) + string(record(oracle.KeyOf([]byte("x")), 'i', 0))
	}
	for _, tt := range []struct{ content, foreign string }{
		{content(identityOf("input", "z", "test", "b", "limits", "c")), "another input"},
		{content(identityOf("input", "a", "test", "z", "limits", "z")), "another test and limits"},
		{content(identityOf("input", "a", "test", "b")), "another limits"},
		{content(identityOf("input", "a", "test", "b", "limits", "c", "more", "d")), "something else"},
		{"whittle journal 2\n" + content(ours), "another version of whittle"},
		{"int main() {}\n", "something else"},
		{string(ours.header()[:10]), "something else"},
	} {
		path := filepath.Join(t.TempDir(), "a.journal")
		if err := os.WriteFile(path, []byte(tt.content), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, fresh := range []bool{false, true} {
			j, err := Open(path, ours, fresh)
			if err != nil {
				t.Fatal(err)
			}
			if j.Foreign != tt.foreign || j.Resumed || j.Known() != 0 {
				t.Errorf("it is of %q, not %q; %d known", j.Foreign, tt.foreign, j.Known())
			}
			closeJournal(t, j, false)
			if now, err := os.ReadFile(path); err != nil || string(now) != tt.content {
				t.Errorf("what is of %s was changed: %v", tt.foreign, err)
			}
		}
		j := openJournal(t, path, ours)
		if err := j.Begin(); err != nil || j.Foreign != "" {
			t.Fatal(j.Foreign, err)
		}
		if aside, err := os.ReadFile(j.Aside); err != nil || string(aside) != tt.content {
			t.Errorf("what is of %s was not kept: %q, %v", tt.foreign, aside, err)
		}
		j.Learn(oracle.KeyOf([]byte("y")), algo.Interesting, 0)
		closeJournal(t, j, true)
		j = begunJournal(t, path, ours)
		if _, known := j.Outcome([]byte("y")); j.Known() != 1 || !known {
			t.Errorf("%d known", j.Known())
		}
		closeJournal(t, j, true)
		j, err := Open(path, ours, true)
		if err != nil || !j.Resumed || j.Known() != 0 || j.Torn != 0 {
			t.Errorf("afresh: %+v, %v", j, err)
		}
		closeJournal(t, j, true)
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	var a, b Identity
	a.Add("test", []byte("ab"), []byte("c"))
	b.Add("test", []byte("a"), []byte("bc"))
	if bytes.Equal(a.header(), b.header()) {
		t.Errorf("both are %q", a.header())
	}
}

func TestJournalInUse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	id := identityOf("input", "a")
	j := openJournal(t, path, id)
	if _, err := Open(path, id, true); !errors.Is(err, disk.ErrInUse) {
		t.Errorf("the second got %v", err)
	}
	closeJournal(t, j, true)
	openJournal(t, path, id)
}

// Owned sums survive a fresh start. Records lost on a full disk are damage.
func TestJournalOwns(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	id := identityOf("input", "a")
	j := begunJournal(t, path, id)
	j.Learn(oracle.KeyOf([]byte("x")), algo.Interesting, 0)
	j.Own([]byte("sum"))
	j.Own([]byte("sum"))
	j.Sync()
	closeJournal(t, j, true)
	for _, fresh := range []bool{true, false, false} {
		j, err := Open(path, id, fresh)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Begin(); err != nil {
			t.Fatal(err)
		}
		if !j.Owns([]byte("sum")) || j.Owns([]byte("x")) || j.Known() != 0 || j.Damaged() {
			t.Errorf("fresh %v: owned %v, %d known, damaged %v", fresh, j.Owns([]byte("sum")), j.Known(), j.Damaged())
		}
		closeJournal(t, j, true)
	}
	j = begunJournal(t, path, id)
	full, err := os.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	j.file, full = full, j.file
	j.Own([]byte("lost"))
	j.file, full = full, j.file
	full.Close()
	if err := j.file.Truncate(j.good - 1); err != nil { // as append does
		t.Fatal(err)
	}
	closeJournal(t, j, true)
	if j := openJournal(t, path, id); !j.Damaged() || j.Owns([]byte("lost")) {
		t.Error("it is not known to be damaged")
	}
}

// A changed bit in the header is damage, not another test.
func TestJournalSeal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	ours, other := identityOf("input", "a", "test", "b"), identityOf("input", "a", "test", "z")
	ours.Seal()
	other.Seal()
	learnSome(t, path, ours, 1)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if j := openJournal(t, path, other); j.Foreign != "another test" || j.Damaged() {
		t.Errorf("it is of %q, damaged %v", j.Foreign, j.Damaged())
	} else {
		closeJournal(t, j, true)
	}
	for i := range len(ours.header()) {
		for _, content := range [][]byte{whole[:i], append(append(slices.Clone(whole[:i]), whole[i]^1), whole[i+1:]...)} {
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
			j := openJournal(t, path, ours)
			if len(content) > 0 && (!j.Damaged() || j.Resumed) {
				t.Errorf("%d of %d bytes: of %q, damaged %v", i, len(content), j.Foreign, j.Damaged())
			}
			closeJournal(t, j, true)
		}
	}
}

func TestJournalAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.journal")
	for i, c := range []struct{ content, there, want string }{
		{"mine", "mine too", "a.journal.old-2"},
		{"mine", "whittle journal 1\nold", "a.journal.old-2"},
		{"whittle journal 0\n", "whittle journal 1\nold", "a.journal.old"},
		{"whittle journal 0\n", "mine too", "a.journal.old-2"},
		{"mine", "", "a.journal.old"},
	} {
		for _, name := range []string{".old", ".old-2"} {
			os.Remove(path + name)
		}
		err := os.WriteFile(path, []byte(c.content), 0o644)
		if c.there != "" {
			err = errors.Join(err, os.WriteFile(path+".old", []byte(c.there), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
		j := begunJournal(t, path, identityOf("input", "a"))
		kept, err := os.ReadFile(j.Aside)
		if j.Aside != filepath.Join(dir, c.want) || string(kept) != c.content || err != nil {
			t.Errorf("%d: %q is in %s, %v", i, kept, j.Aside, err)
		}
		if there, err := os.ReadFile(path + ".old"); c.want != "a.journal.old" && string(there) != c.there {
			t.Errorf("%d: it is %q, %v", i, there, err)
		}
		closeJournal(t, j, false)
	}
}
