package local

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"whittle/algo"
	"whittle/oracle"
)

func TestReads(t *testing.T) {
	c := newScript(t, `ls . d >/dev/null; test -s listed || exit 1
cat read d/read "$PWD/d/absolute" link >/dev/null; : <opened
ln linked alias && cat alias >/dev/null
mv away there && (cat there/read >/dev/null &) && sleep 0.1
rm gone; echo new >written`)
	program := &c.Executor
	if s := (unix.Statfs_t{}); unix.Statfs(program.Work, &s) != nil || s.Flags&unix.ST_NOATIME != 0 {
		t.Skip("no access times")
	}
	c.Files = func(candidate []byte) ([]oracle.File, error) {
		files := []oracle.File{{Path: "link", Mode: fs.ModeSymlink | 0o777, Link: "target"}, {Path: "d", Mode: fs.ModeDir | 0o755},
			{Path: "away", Mode: fs.ModeDir | 0o755}, {Path: "empty", Mode: fs.ModeDir | 0o755}}
		for _, name := range []string{"read", "d/read", "d/absolute", "d/beside", "target", "opened", "linked", "listed",
			"away/read", "away/beside", "gone", "written", "unused"} {
			files = append(files, oracle.File{Path: name, Mode: 0o644, Content: candidate})
		}
		return files, nil
	}
	program.Reads = &Reads{Of: []byte("input"), Argv: c.Spec.Argv}
	other := c.Spec
	other.Argv = []string{"/bin/cat", "unused"}
	if _, err := program.Run(context.Background(), other, []byte("input")); err != nil || program.Reads.Found() != nil {
		t.Errorf("found %v of another program, error %v", program.Reads.Found(), err)
	}
	for _, candidate := range []string{"other", "input", "another"} {
		if candidate == "input" && program.Reads.Found() != nil {
			t.Errorf("found %v in another candidate", program.Reads.Found())
		}
		if outcome, err := c.Ask(context.Background(), []byte(candidate)); err != nil || outcome != algo.Interesting {
			t.Fatalf("%v, error %v", outcome, err)
		}
	}
	// Files that have left their places count as read. Opening alone is no reading.
	want := []string{"away/beside", "away/read", "d/absolute", "d/read", "gone", "linked", "read", "target"}
	if got := slices.Sorted(maps.Keys(program.Reads.Found())); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}

	quiet := newScript(t, "true")
	executor := &quiet.Executor
	executor.Reads = &Reads{Of: []byte("input"), Argv: quiet.Spec.Argv}
	if _, err := quiet.Ask(context.Background(), []byte("input")); err != nil || executor.Reads.Found() != nil {
		t.Errorf("%v of a test that reads nothing, error %v", executor.Reads.Found(), err)
	}
}
