package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"whittle/algo"
	"whittle/internal/environment"
	"whittle/search"
)

func identityOf(parts ...string) (id Identity) {
	for i := 0; i < len(parts); i += 2 {
		id.Add(parts[i], []byte(parts[i+1]))
	}
	return id
}

func openJournal(t *testing.T, path string, id Identity) *Journal {
	t.Helper()
	j, err := Open(path, id, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close(true) })
	return j
}

// begunJournal opens a journal and begins it.
func begunJournal(t *testing.T, path string, id Identity) *Journal {
	t.Helper()
	j := openJournal(t, path, id)
	if err := j.Begin(); err != nil {
		t.Fatal(err)
	}
	return j
}

func closeJournal(t *testing.T, j *Journal, keep bool) {
	t.Helper()
	if err := j.Close(keep); err != nil {
		t.Fatal(err)
	}
}

// learnSome writes a journal of n outcomes.
func learnSome(t *testing.T, path string, id Identity, n int) {
	t.Helper()
	j := begunJournal(t, path, id)
	for i := range n {
		j.Learn(search.KeyOf(fmt.Append(nil, i)), algo.Outcome(i%3), time.Duration(i)*time.Second)
	}
	closeJournal(t, j, true)
}

func TestJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	id := identityOf("input", "a", "test", "b")
	j := begunJournal(t, path, id)
	if j.Resumed() || j.Foreign() != "" || j.Known() != 0 {
		t.Errorf("a new journal is %+v", j)
	}
	var learners sync.WaitGroup
	for i := range 100 {
		learners.Go(func() { j.Learn(search.KeyOf(fmt.Append(nil, i)), algo.Outcome(i%3), time.Duration(i)*time.Second) })
	}
	learners.Wait()
	j.Learn(search.KeyOf([]byte("7")), algo.Unresolved, 0) // on second thoughts
	j.Learn(search.KeyOf([]byte("8")), algo.Outcome(8%3), 0)
	closeJournal(t, j, true)
	closeJournal(t, j, false)

	j = begunJournal(t, path, id)
	if !j.Resumed() || j.Known() != 100 || j.Torn() != 0 || j.Slowest() != 97*time.Second {
		t.Errorf("%d are known, %d bytes torn, the slowest took %v", j.Known(), j.Torn(), j.Slowest())
	}
	for i := range 100 {
		want := algo.Outcome(i % 3)
		if i == 7 {
			want = algo.Unresolved
		}
		if o, known := j.Outcome(fmt.Append(nil, i)); o != want || !known {
			t.Errorf("%d is %v, %v", i, o, known)
		}
	}
	if _, known := j.Outcome([]byte("100")); known {
		t.Error("what nobody learned is known")
	}
	j.Forget([]byte("3"))
	if _, known := j.Outcome([]byte("3")); known {
		t.Error("what was forgotten is known")
	}
	if info, err := os.Stat(path); err != nil || info.Size() != int64(len(id.header())+101*recordSize) {
		t.Errorf("%v, %v: not a record for each new outcome", info.Size(), err)
	}
	closeJournal(t, j, false)
	if _, err := os.Stat(path); err == nil {
		t.Error("the journal is still there")
	}
}

// Nothing is kept where nothing was learned.
func TestJournalEmpty(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	learnSome(t, path, identityOf("input", "a"), 0)
	if _, err := os.Stat(path); err == nil {
		t.Error("an empty journal was kept")
	}
	if (*Journal)(nil).Resumed() {
		t.Error("no journal goes on")
	}
}

// However a file was torn or changed, what is known from it is true, and what is
// learned afterwards is kept.
func TestJournalTorn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	id := identityOf("input", "a")
	learnSome(t, path, id, 4)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head := len(id.header())
	check := func(what string, content []byte, known int) {
		t.Helper()
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		j := begunJournal(t, path, id)
		if j.Known() != known || j.Torn() != int64(len(content)-head-known*recordSize) {
			t.Errorf("%s: %d are known, not %d; %d bytes torn", what, j.Known(), known, j.Torn())
		}
		for i := range known {
			if o, ok := j.Outcome(fmt.Append(nil, i)); !ok || o != algo.Outcome(i%3) {
				t.Errorf("%s: %d is %v, %v", what, i, o, ok)
			}
		}
		j.Learn(search.KeyOf([]byte("later")), algo.Interesting, 0)
		closeJournal(t, j, true)
		j = begunJournal(t, path, id)
		if j.Known() != known+1 || j.Torn() != 0 {
			t.Errorf("%s: then %d are known, %d bytes torn", what, j.Known(), j.Torn())
		}
		closeJournal(t, j, true)
	}
	for n := head; n <= len(whole); n++ {
		check(fmt.Sprint("cut to ", n), whole[:n], (n-head)/recordSize)
	}
	for n := head; n < len(whole); n += 5 {
		for _, b := range []byte{0, '\n', whole[n] ^ 1} {
			changed := slices.Clone(whole)
			changed[n] = b
			if bytes.Equal(changed, whole) {
				continue
			}
			check(fmt.Sprintf("byte %d is %q", n, b), changed, (n-head)/recordSize)
		}
	}
	check("zeros behind", append(slices.Clone(whole), make([]byte, 1000)...), 4)
}

func TestJournalForeign(t *testing.T) {
	t.Parallel()
	ours := identityOf("input", "a", "test", "b", "limits", "c")
	content := func(id Identity) string {
		return string(id.header()) + string(record(search.KeyOf([]byte("x")), 'i', 0))
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
			if j.Foreign() != tt.foreign || j.Resumed() || j.Known() != 0 {
				t.Errorf("it is of %q, not %q; %d known", j.Foreign(), tt.foreign, j.Known())
			}
			closeJournal(t, j, false)
			if now, err := os.ReadFile(path); err != nil || string(now) != tt.content {
				t.Errorf("what is of %s was changed: %v", tt.foreign, err)
			}
		}
		j := openJournal(t, path, ours)
		if err := j.Begin(); err != nil || j.Foreign() != "" {
			t.Fatal(j.Foreign(), err)
		}
		if aside, err := os.ReadFile(j.Aside()); err != nil || string(aside) != tt.content {
			t.Errorf("what is of %s was not kept: %q, %v", tt.foreign, aside, err)
		}
		j.Learn(search.KeyOf([]byte("y")), algo.Interesting, 0)
		closeJournal(t, j, true)
		j = begunJournal(t, path, ours)
		if _, known := j.Outcome([]byte("y")); j.Known() != 1 || !known {
			t.Errorf("%d known", j.Known())
		}
		closeJournal(t, j, true)
		j, err := Open(path, ours, true)
		if err != nil || !j.Resumed() || j.Known() != 0 || j.Torn() != 0 {
			t.Errorf("afresh: %+v, %v", j, err)
		}
		closeJournal(t, j, true)
	}
}

// Parts do not run into each other.
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
	if _, err := Open(path, id, true); !errors.Is(err, ErrInUse) {
		t.Errorf("the second got %v", err)
	}
	closeJournal(t, j, true)
	openJournal(t, path, id)
}

func TestJournalPlaces(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for path, message := range map[string]string{
		dir:                           "is a directory",
		filepath.Join(dir, "link"):    "symbolic link",
		filepath.Join(dir, "no", "a"): "no such file",
		os.DevNull:                    "no plain file",
	} {
		_, err := Open(path, identityOf("input", "a"), false)
		var environment *environment.Error
		if !errors.As(err, &environment) || !strings.Contains(err.Error(), message) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, message)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("the link was followed")
	}
}

// Until it is begun a journal leaves the file as it is, whatever it learns.
func TestJournalNotBegun(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	id := identityOf("input", "a")
	learnSome(t, path, id, 3)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{string(whole), string(whole) + "torn", "something else"} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, fresh := range []bool{false, true} {
			j, err := Open(path, id, fresh)
			if err != nil {
				t.Fatal(err)
			}
			j.Learn(search.KeyOf([]byte("more")), algo.Interesting, 0)
			closeJournal(t, j, true)
			if now, err := os.ReadFile(path); err != nil || string(now) != content {
				t.Errorf("%q has become %q, %v", content, now, err)
			}
		}
	}
	j := openJournal(t, path, id)
	j.Learn(search.KeyOf([]byte("early")), algo.Interesting, 0)
	if err := j.Begin(); err != nil {
		t.Fatal(err)
	}
	closeJournal(t, j, true)
	if _, known := openJournal(t, path, id).Outcome([]byte("early")); !known {
		t.Error("what was learned before the beginning is lost")
	}
}

// What a journal owns it owns afresh, too. One that lost something by a full disk
// is known to be damaged.
func TestJournalOwns(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	id := identityOf("input", "a")
	j := begunJournal(t, path, id)
	j.Learn(search.KeyOf([]byte("x")), algo.Interesting, 0)
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
	if err := j.file.Truncate(j.good - 1); err != nil { // as append would, could it write
		t.Fatal(err)
	}
	closeJournal(t, j, true)
	if j := openJournal(t, path, id); !j.Damaged() || j.Owns([]byte("lost")) {
		t.Error("it is not known to be damaged")
	}
}

// A changed bit in the header is damage, not another property.
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
	if j := openJournal(t, path, other); j.Foreign() != "another test" || j.Damaged() {
		t.Errorf("it is of %q, damaged %v", j.Foreign(), j.Damaged())
	} else {
		closeJournal(t, j, true)
	}
	for i := range len(ours.header()) {
		for _, content := range [][]byte{whole[:i], append(append(slices.Clone(whole[:i]), whole[i]^1), whole[i+1:]...)} {
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
			j := openJournal(t, path, ours)
			if len(content) > 0 && (!j.Damaged() || j.Resumed()) {
				t.Errorf("%d of %d bytes: of %q, damaged %v", i, len(content), j.Foreign(), j.Damaged())
			}
			closeJournal(t, j, true)
		}
	}
}

// The journal of something else replaces only an older journal where it goes.
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
		kept, err := os.ReadFile(j.Aside())
		if j.Aside() != filepath.Join(dir, c.want) || string(kept) != c.content || err != nil {
			t.Errorf("%d: %q is in %s, %v", i, kept, j.Aside(), err)
		}
		if there, err := os.ReadFile(path + ".old"); c.want != "a.journal.old" && string(there) != c.there {
			t.Errorf("%d: it is %q, %v", i, there, err)
		}
		closeJournal(t, j, false)
	}
}

// A journal that cannot be written to says so once, and knows what it learns
// nevertheless.
func TestJournalLost(t *testing.T) {
	t.Parallel()
	j := begunJournal(t, filepath.Join(t.TempDir(), "a.journal"), identityOf("input", "a"))
	lost := 0
	j.Lost = func(error) { lost++ }
	j.file.Close()
	for _, c := range []string{"a", "b", "c"} {
		j.Learn(search.KeyOf([]byte(c)), algo.Interesting, 0)
	}
	if _, known := j.Outcome([]byte("b")); lost != 1 || !known {
		t.Errorf("lost %d times, known %v", lost, known)
	}
}
