package others

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"whittle/oracle"
)

func TestOthers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a.other")
	others := func() *Set { return &Set{Dir: dir, Layout: oracle.Layout{Name: "a.c"}} }
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(dir, name))
		return string(text)
	}
	o := others()
	o.Keep("in f, at f.cc", "by: cc\n", []byte("long text"))
	o.Keep("in f, at f.cc", "by: cc\n", []byte("longer text"))
	o.Keep("in f at f cc", "by: cc\n", []byte("same slug"))
	if got := read("in-f-at-f-cc.c"); got != "long text" {
		t.Errorf("the smaller is %q", got)
	}
	if got := read("in-f-at-f-cc-2.c"); got != "same slug" {
		t.Errorf("the other with the same name is %q", got)
	}
	again := others()
	again.Keep("in f, at f.cc", "by: cc\n", []byte("long text, again"))
	again.Keep("in f, at f.cc", "by: cc\n", []byte("short"))
	if got := read("in-f-at-f-cc.c"); got != "short" || again.Err() != nil || o.Err() != nil {
		t.Errorf("%q, %v, %v", got, again.Err(), o.Err())
	}
	if got, want := read("in-f-at-f-cc.txt"), otherMark+"in f, at f.cc\nin-f-at-f-cc.c\n\nby: cc\n"; got != want {
		t.Errorf("%q is said, want %q", got, want)
	}
	mine := filepath.Join(dir, "in-g.txt")
	if err := os.Mkdir(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	again.Keep("in g", "", []byte("text"))
	if read("in-g-2.c") != "text" || again.Err() != nil {
		t.Errorf("not kept beside what is not ours: %v", again.Err())
	}
	inTheWay := &Set{Dir: filepath.Join(mine, "x\x00y"), Layout: oracle.Layout{Name: "a.c"}}
	inTheWay.Keep("in h", "", []byte("text"))
	if inTheWay.Err() == nil {
		t.Error("a directory that cannot be is no error")
	}
}

func TestOthersShared(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a.other")
	for range 2 { // the second finds the first's files
		var all sync.WaitGroup
		for _, name := range []string{"a.c", "a.cc", "a.txt"} {
			all.Go(func() {
				o := &Set{Dir: dir, Layout: oracle.Layout{Name: name}}
				o.Keep("in f", "about "+name+"\n", []byte("text of "+name))
				o.Keep("in f", "about "+name+"\n", []byte("text"))
				if o.Err() != nil {
					t.Error(o.Err())
				}
			})
		}
		all.Wait()
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 6 {
		t.Fatalf("%v, %v; want 3 candidates and 3 descriptions", files, err)
	}
	about := map[string]bool{}
	for _, f := range files {
		text, _ := os.ReadFile(filepath.Join(dir, f.Name()))
		if lines := strings.Split(string(text), "\n"); len(lines) > 4 {
			about[lines[4]] = true
			if got, err := os.ReadFile(filepath.Join(dir, lines[2])); err != nil || string(got) != "text" {
				t.Errorf("%s is about %s, which has %q, %v", f.Name(), lines[2], got, err)
			}
		}
	}
	if len(about) != 3 {
		t.Errorf("descriptions of %v", about)
	}
}

// The files of a candidate are kept without the files outside of it.
func TestOthersOutside(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "a.other")
	if err := os.Mkdir(filepath.Join(root, "deps"), 0o700); err != nil {
		t.Fatal(err)
	}
	o := &Set{Dir: dir, Layout: oracle.Layout{
		Name:    ".",
		Outside: &oracle.Outside{Root: root, Paths: []string{"deps"}},
		Files: func(candidate []byte) ([]oracle.File, error) {
			return []oracle.File{{Path: "f", Mode: 0o600, Content: candidate}}, nil
		},
	}}
	o.Keep("in f", "", []byte("text"))
	files, err := os.ReadDir(filepath.Join(dir, "in-f"))
	if len(files) != 1 || files[0].Name() != "f" || err != nil || o.Err() != nil {
		t.Errorf("%v are kept, %v, %v", files, err, o.Err())
	}
}
