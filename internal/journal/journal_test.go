package journal

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"whittle/algo"
	"whittle/oracle"
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

func learnSome(t *testing.T, path string, id Identity, n int) {
	t.Helper()
	j := begunJournal(t, path, id)
	for i := range n {
		j.Learn(oracle.KeyOf(fmt.Append(nil, i)), algo.Outcome(i%3), time.Duration(i)*time.Second)
	}
	closeJournal(t, j, true)
}

func TestJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	id := identityOf("input", "a", "test", "b")
	j := begunJournal(t, path, id)
	if j.Resumed || j.Foreign != "" || j.Known() != 0 {
		t.Errorf("a new journal is %+v", j)
	}
	var learners sync.WaitGroup
	for i := range 100 {
		learners.Go(func() { j.Learn(oracle.KeyOf(fmt.Append(nil, i)), algo.Outcome(i%3), time.Duration(i)*time.Second) })
	}
	learners.Wait()
	j.Learn(oracle.KeyOf([]byte("7")), algo.Unresolved, 0) // a changed outcome
	j.Learn(oracle.KeyOf([]byte("8")), algo.Outcome(8%3), 0)
	closeJournal(t, j, true)
	closeJournal(t, j, false)

	j = begunJournal(t, path, id)
	if !j.Resumed || j.Known() != 100 || j.Torn != 0 || j.Slowest != 97*time.Second {
		t.Errorf("%d are known, %d bytes torn, the slowest took %v", j.Known(), j.Torn, j.Slowest)
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

func TestJournalEmpty(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.journal")
	learnSome(t, path, identityOf("input", "a"), 0)
	if _, err := os.Stat(path); err == nil {
		t.Error("an empty journal was kept")
	}
	if new(Journal).Resumed {
		t.Error("no journal goes on")
	}
}

// Damaged files have only correct outcomes, and keep later ones.
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
		if j.Known() != known || j.Torn != int64(len(content)-head-known*recordSize) {
			t.Errorf("%s: %d are known, not %d; %d bytes torn", what, j.Known(), known, j.Torn)
		}
		for i := range known {
			if o, ok := j.Outcome(fmt.Append(nil, i)); !ok || o != algo.Outcome(i%3) {
				t.Errorf("%s: %d is %v, %v", what, i, o, ok)
			}
		}
		j.Learn(oracle.KeyOf([]byte("later")), algo.Interesting, 0)
		closeJournal(t, j, true)
		j = begunJournal(t, path, id)
		if j.Known() != known+1 || j.Torn != 0 {
			t.Errorf("%s: then %d are known, %d bytes torn", what, j.Known(), j.Torn)
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
		var environment *oracle.EnvironmentError
		if !errors.As(err, &environment) || !strings.Contains(err.Error(), message) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, message)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("the link was followed")
	}
}

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
			j.Learn(oracle.KeyOf([]byte("more")), algo.Interesting, 0)
			closeJournal(t, j, true)
			if now, err := os.ReadFile(path); err != nil || string(now) != content {
				t.Errorf("%q has become %q, %v", content, now, err)
			}
		}
	}
	j := openJournal(t, path, id)
	j.Learn(oracle.KeyOf([]byte("early")), algo.Interesting, 0)
	if err := j.Begin(); err != nil {
		t.Fatal(err)
	}
	closeJournal(t, j, true)
	if _, known := openJournal(t, path, id).Outcome([]byte("early")); !known {
		t.Error("what was learned before the beginning is lost")
	}
}

func TestJournalLost(t *testing.T) {
	t.Parallel()
	j := begunJournal(t, filepath.Join(t.TempDir(), "a.journal"), identityOf("input", "a"))
	lost := 0
	j.Lost = func(error) { lost++ }
	j.file.Close()
	for _, c := range []string{"a", "b", "c"} {
		j.Learn(oracle.KeyOf([]byte(c)), algo.Interesting, 0)
	}
	if _, known := j.Outcome([]byte("b")); lost != 1 || !known {
		t.Errorf("lost %d times, known %v", lost, known)
	}
}

// A run that resumes another gets its facts, and not its own.
func TestFacts(t *testing.T) {
	path, id := filepath.Join(t.TempDir(), "journal"), identityOf("input", "a")
	all := []string{"a", "b", "c"}
	for i, c := range []struct {
		found string
		fresh bool
		want  string
	}{{"a c", false, "a c"}, {"a b", false, "a c"}, {"", false, "a c"}, {"b", true, "b"}, {"c", false, "b"},
		{"", true, ""}, {"c", false, ""}} {
		j, err := Open(path, id, c.fresh)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, f := range strings.Fields(c.found) {
			found[f] = true
		}
		for _, when := range []string{"first", "second"} {
			got := strings.Join(slices.Sorted(maps.Keys(j.Facts(found, all))), " ")
			if got != c.want {
				t.Errorf("run %d has %q, %s; want %q", i, got, when, c.want)
			}
		}
		if err := j.Begin(); err != nil {
			t.Fatal(err)
		}
		closeJournal(t, j, true)
	}
	if got := (&Journal{}).Facts(map[string]bool{"a": true}, all); !got["a"] {
		t.Error("without a file, a fact is lost")
	}
}

// Reasons of any length are kept, also after a crash within their records, which drops them.
func TestReasons(t *testing.T) {
	path, id := filepath.Join(t.TempDir(), "journal"), identityOf("input", "a")
	all := [][]string{nil, {"a.c:1 x"}, {"sixteen bytes :1"}, {"a.c:1:2 x y", "- z", strings.Repeat("n", 100)}, nil}
	j := begunJournal(t, path, id)
	for i, reasons := range all {
		j.Learn(oracle.KeyOf(fmt.Append(nil, i)), algo.Uninteresting, time.Second, reasons...)
	}
	closeJournal(t, j, true)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for records := range 12 {
		if err := os.WriteFile(path, whole[:len(whole)-records*recordSize], 0o600); err != nil {
			t.Fatal(err)
		}
		j := begunJournal(t, path, id)
		j.Learn(oracle.KeyOf([]byte("next")), algo.Uninteresting, 0)
		closeJournal(t, j, true)
		j = begunJournal(t, path, id)
		if r, known := j.Recall(oracle.KeyOf([]byte("next"))); !known || r.Reasons != nil || j.Torn > 0 {
			t.Errorf("without %d records, the next one has the reasons %q", records, r.Reasons)
		}
		lost := 0
		for i, reasons := range all {
			r, known := j.Recall(oracle.KeyOf(fmt.Append(nil, i)))
			if !known {
				lost++
			} else if !slices.Equal(r.Reasons, reasons) {
				t.Errorf("without %d records, %q became %q", records, reasons, r.Reasons)
			}
		}
		if want := min(records, 1) + min(records/2, 1) + min(records/11, 1); lost != want {
			t.Errorf("without %d records, %d outcomes are lost, want %d", records, lost, want)
		}
		closeJournal(t, j, true)
	}
}

// A decision is made once, and outlives outcomes that are forgotten.
func TestDecide(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.journal")
	never := func() bool {
		t.Error("decided again")
		return true
	}
	j := begunJournal(t, path, identityOf("input", "a"))
	if j.Decide("x", func() bool { return true }) != true || !j.Decide("x", never) || j.Decide("y", func() bool { return false }) {
		t.Error("wrong decisions")
	}
	key := oracle.KeyOf([]byte("c"))
	j.Facts(map[string]bool{"f": true}, []string{"f"})
	j.Learn(key, algo.Uninteresting, 0)
	j.Distrust("x", false)
	if _, known := j.Recall(key); known {
		t.Error("an outcome is known")
	}
	j.Learn(key, algo.Interesting, 0)
	for range 2 {
		if j.Decide("x", never) || j.Decide("y", never) || !j.Facts(nil, []string{"f"})["f"] {
			t.Error("wrong decisions")
		}
		if r, _ := j.Recall(key); r.Outcome != algo.Interesting {
			t.Errorf("%+v", r)
		}
		j.Close(true)
		j = begunJournal(t, path, identityOf("input", "a"))
	}
	j.Close(false)
	none := &Journal{}
	none.Distrust("x", false)
	if !none.Decide("x", func() bool { return true }) {
		t.Error("wrong without a file")
	}
}
