package output

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReport(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(r Report, text, wantKept string) {
		t.Helper()
		kept, err := r.Write([]byte(text))
		if err != nil || kept != wantKept {
			t.Errorf("%s: %q kept, %v; want %q", text, kept, err, wantKept)
		}
		got, _ := os.ReadFile(r.Path)
		if body, mark := split(got); string(body) != text || mark == "" {
			t.Errorf("%q was written, want %q", got, text)
		}
	}
	content := func(path, want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s has %q, %v; want %q", path, got, err, want)
		}
	}
	put := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := Report{"q.report.md", "q.c"}
	write(r, "one\n", "")
	write(r, "two\n", "")
	first, _ := os.ReadFile(r.Path)
	put(r.Path, string(first)+"filed as 1234\n")
	write(r, "three\n", "q.report.md.old")
	content("q.report.md.old", string(first)+"filed as 1234\n")
	put(r.Path, "foreign\n")
	write(r, "four\n", "q.report.md.old-2")
	content("q.report.md.old-2", "foreign\n")

	// on another file, and at a path of the user
	write(Report{r.Path, "q.cc"}, "five\n", "q.report.md.old-3")
	write(Report{Path: r.Path}, "six\n", "")
	put("notes.md", "mine\n")
	write(Report{Path: "notes.md"}, "seven\n", "notes.md.old")

	put("victim", string(first))
	if err := os.Symlink("victim", "link.md"); err != nil {
		t.Fatal(err)
	}
	write(Report{Path: "link.md"}, "eight\n", "link.md.old")
	content("victim", string(first))
	if target, err := os.Readlink("link.md.old"); err != nil || target != "victim" {
		t.Errorf("the link is %q, %v", target, err)
	}
	if _, err := (Report{Path: "nowhere/r.md"}).Write([]byte("text")); err == nil {
		t.Error("no error where nothing can be")
	}
	if left, _ := filepath.Glob(".*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestReports(t *testing.T) {
	t.Chdir(t.TempDir())
	paths := func(name string) (of []Report) {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		in, err := NewInput(false, name)
		if err != nil {
			t.Fatal(err)
		}
		o, err := NewOutput(in, "", "test.sh")
		if err != nil {
			t.Fatal(err)
		}
		return o.Reports()
	}
	for range 2 {
		for _, c := range []struct{ name, markdown, page string }{
			{"q.c", "q.report.md", "q.report.html"},
			{"q.cc", "q.cc.report.md", "q.cc.report.html"},
			{"r.c", "r.report.md", "r.report.html"},
			{"plain", "plain.report.md", "plain.report.html"},
		} {
			r := paths(c.name)
			if r[0].Path != c.markdown || r[1].Path != c.page {
				t.Errorf("%s: %v", c.name, r)
			}
			for _, to := range r {
				if _, err := to.Write([]byte("about " + c.name + "\n")); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if old, _ := filepath.Glob("*.old"); len(old) > 0 {
		t.Errorf("moved: %v", old)
	}
}

// A result for others is a directory, also of a single file. Its script and reports are no part of its content; when a
// user has changed one, the whole is kept.
func TestShared(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("run.sh", []byte("the input"), 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := NewInput(false, "run.sh")
	if err != nil || in.ReadFile("") != nil {
		t.Fatal(err)
	}
	in.Shared = true
	moved := ""
	open := func() *Output {
		t.Helper()
		o, err := NewOutput(in, "it.repro", "test")
		if err == nil {
			err = o.Claim()
		}
		if err != nil {
			t.Fatal(err)
		}
		o.Moved = func(_, kept string) { moved = kept }
		t.Cleanup(o.Release)
		return o
	}
	write := func(o *Output, content, wantMoved string) {
		t.Helper()
		if err := o.Write([]byte(content)); err != nil || moved != wantMoved {
			t.Errorf("%s: error %v, moved to %q, want %q", content, err, moved, wantMoved)
		}
		if got, err := os.ReadFile("it.repro/run.sh"); string(got) != content {
			t.Errorf("%q, error %v; want %q", got, err, content)
		}
	}
	add := func(o *Output) {
		t.Helper()
		for _, r := range append(o.Reports(), o.Script()) {
			if kept, err := r.Write([]byte("echo\n")); kept != "" || err != nil {
				t.Errorf("%s: %s is kept, error %v", r.Path, kept, err)
			}
		}
	}
	o := open()
	write(o, "one", "")
	add(o)
	if o.Script().Path != "it.repro/whittle-run.sh" || o.File() != "it.repro/run.sh" {
		t.Error(o.Script().Path, o.File())
	}
	if info, err := os.Stat(o.Script().Path); err != nil || info.Mode()&0o111 == 0 {
		t.Error("the script cannot be run", err)
	}
	write(o, "two", "") // also removes added files
	add(o)
	o.Release()

	next := open()
	next.TakeOver(o)
	write(next, "three", "")
	add(next)
	if err := os.WriteFile(next.Script().Path, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	write(next, "four", "it.repro.old")
	if got, _ := os.ReadFile("it.repro.old/whittle-run.sh"); string(got) != "mine\n" {
		t.Errorf("%q is kept", got)
	}
}
