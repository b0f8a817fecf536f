package local

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"whittle/internal/process"
	"whittle/oracle"
	"whittle/parse/archive"
	"whittle/parse/text"
)

// several is a spec whose candidates are the keys of a map of files.
func several(candidates map[string][]oracle.File) *oracle.Spec {
	s := &oracle.Spec{}
	s.Files = func(candidate []byte) ([]oracle.File, error) { return candidates[string(candidate)], nil }
	return s
}

// tree returns the paths, types, permissions and contents below dir.
func tree(tb testing.TB, dir string) (all []string) {
	tb.Helper()
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		name, _ := filepath.Rel(dir, file)
		text := fmt.Sprint(name, info.Mode())
		if info.Mode().IsRegular() {
			content, _ := os.ReadFile(file)
			text += string(content)
		} else if !d.IsDir() {
			link, _ := os.Readlink(file)
			text += link
		}
		all = append(all, text)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

// randomFiles returns files below few names, so that a name is a file in one candidate and a directory in another.
func randomFiles(r *rand.Rand) (files []oracle.File) {
	var add func(dir string, depth int)
	add = func(dir string, depth int) {
		for _, name := range []string{"a", "b.py", "c"} {
			f := oracle.File{Path: dir + name}
			switch r.IntN(5) {
			case 0:
				f.Mode, f.Link = fs.ModeSymlink|0o777, []string{"a", "nowhere"}[r.IntN(2)]
			case 1, 2:
				f.Mode, f.Content = []fs.FileMode{0o644, 0o755}[r.IntN(2)], []byte{byte('0' + r.IntN(3))}
			case 3:
				if f.Mode = fs.ModeDir | []fs.FileMode{0o755, 0o700}[r.IntN(2)]; depth == 2 {
					continue
				}
			default:
				continue
			}
			files = append(files, f)
			if f.Mode.IsDir() {
				add(f.Path+"/", depth+1)
			}
		}
	}
	add("", 0)
	return files
}

// spoil changes a directory as a hostile test might.
func spoil(r *rand.Rand, dir, elsewhere string) {
	filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == dir || d.Type() == fs.ModeSymlink {
			return nil
		}
		switch r.IntN(9) {
		case 0:
			os.RemoveAll(file)
		case 1:
			os.WriteFile(file, []byte("9"), 0o600)
		case 2:
			os.Chmod(file, 0o500)
		case 3: // the same size and time
			info, _ := d.Info()
			os.WriteFile(file, []byte("7"), 0o600)
			os.Chtimes(file, info.ModTime(), info.ModTime())
		case 4:
			os.RemoveAll(file)
			os.Symlink(elsewhere, file)
			if d.IsDir() {
				return fs.SkipDir
			}
		case 5:
			if os.Mkdir(file+"x", 0o700) == nil {
				os.WriteFile(file+"x/product", nil, 0o600)
			}
		}
		return nil
	})
}

func TestLay(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 60
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 0))
		elsewhere, work := t.TempDir(), t.TempDir()
		for _, name := range []string{"a", "b.py", "c"} {
			os.WriteFile(filepath.Join(elsewhere, name), nil, 0o600)
		}
		candidates := map[string][]oracle.File{}
		spec := several(candidates)
		k := NewKeeper(nil, 1)
		k.KeepBuilds(seed%3 == 0)
		if seed%3 == 1 {
			spec.Outside = &oracle.Outside{Root: t.TempDir(), Paths: []string{"outside"}}
			oracle.WriteFiles(spec.Outside.Root, []oracle.File{file("outside/o", "o")})
		}
		for i := range 5 {
			key := fmt.Sprint(i)
			candidates[key] = randomFiles(r)
			if spec.Outside != nil && r.IntN(2) == 0 { // next to the file outside
				candidates[key] = append(candidates[key], oracle.File{Path: "outside/d", Mode: fs.ModeDir | 0o755},
					file("outside/d/f", fmt.Sprint(r.IntN(2))))
			}
			d, err := k.take(&Executor{Work: work}, spec, []byte(key))
			if err != nil {
				t.Fatal(err)
			}
			fresh := t.TempDir()
			if err := spec.Put(fresh, []byte(key)); err != nil {
				t.Fatal(err)
			}
			got, want := tree(t, d.dir)[1:], tree(t, fresh)[1:]
			if d.builds {
				products := func(text string) bool {
					return bytes.Contains([]byte(text), []byte("x")) && !slices.Contains(want, text)
				}
				got = slices.DeleteFunc(got, products)
				want = slices.DeleteFunc(want, products)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, candidate %d: %q, want %q", seed, i, got, want)
			}
			spoil(r, d.dir, elsewhere)
			if err := d.leave(false, 0); err != nil {
				t.Fatal(err)
			}
		}
		if got := tree(t, elsewhere); len(got) != 4 {
			t.Fatalf("seed %d: files elsewhere were changed: %q", seed, got)
		}
		k.Clear()
		if left, _ := os.ReadDir(work); len(left) > 0 {
			t.Fatalf("seed %d: %v is left", seed, left)
		}
	}
}

func file(name, content string) oracle.File {
	return oracle.File{Path: name, Mode: 0o644, Content: []byte(content)}
}

// A kept build finds the right times and products.
func TestLayTimes(t *testing.T) {
	spec := several(map[string][]oracle.File{
		"1": {file("a", "1"), file("b", "1"), {Path: "d", Mode: fs.ModeDir | 0o755}, file("d/e.py", "1")},
		"2": {file("a", "2"), file("b", "1"), {Path: "d", Mode: fs.ModeDir | 0o755}, file("d/e.py", "2")},
		"3": {file("a", "2")},
	})
	spec.Outside = &oracle.Outside{Root: t.TempDir(), Paths: []string{"vendor"}}
	oracle.WriteFiles(spec.Outside.Root, []oracle.File{file("vendor/e.c", "")})
	k := NewKeeper(nil, 1)
	k.KeepBuilds(true)
	work := t.TempDir()
	take := func(candidate string) *kept {
		d, err := k.take(&Executor{Work: work}, spec, []byte(candidate))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	time := func(d *kept, name string) time.Time {
		info, err := os.Stat(filepath.Join(d.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	d := take("1")
	os.MkdirAll(d.path("d/__pycache__"), 0o755)
	for _, name := range []string{"a.o", "d/e.o", "d/__pycache__/e.cpython-312.pyc", "d/__pycache__/ee.pyc"} {
		os.WriteFile(d.path(name), nil, 0o644)
	}
	b, product := time(d, "b"), time(d, "a.o")
	d.leave(false, 0)
	d = take("2")
	if !time(d, "b").Equal(b) || !time(d, "a").After(product) {
		t.Error("wrong times")
	}
	for name, there := range map[string]bool{
		"a.o": true, "d/e.o": true, "d/__pycache__/e.cpython-312.pyc": false, "d/__pycache__/ee.pyc": true,
	} {
		if _, err := os.Stat(d.path(name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.leave(false, 0)
	d = take("3")
	if _, err := os.Stat(d.path("d")); err == nil {
		t.Error("a removed directory stays")
	}
	if _, err := os.Stat(d.path("a.o")); err != nil {
		t.Error("a product went")
	}
	if _, err := os.Stat(d.path("vendor/e.c")); err != nil {
		t.Error("a file outside of candidates went with one of its name")
	}
	d.leave(true, 0)
	if left, _ := os.ReadDir(work); len(left) > 0 {
		t.Errorf("a spoiled directory stays: %v", left)
	}
}

// A kept build ends with a change that make or cargo does not notice.
func TestRewires(t *testing.T) {
	first := []oracle.File{file("a.c", "1"), file("Makefile", "1"), file("v/m/.cargo-checksum.json", "{}"), file("v/m/src/l.rs", "1")}
	for changed, stays := range map[string]bool{"a.c": true, "Makefile": false, "v/m/src/l.rs": false} {
		second := slices.Clone(first)
		for i := range second {
			if second[i].Path == changed {
				second[i].Content = []byte("2")
			}
		}
		spec := several(map[string][]oracle.File{"1": first, "2": second})
		k, work := NewKeeper(nil, 1), t.TempDir()
		k.KeepBuilds(true)
		for _, candidate := range []string{"1", "2"} {
			d, err := k.take(&Executor{Work: work}, spec, []byte(candidate))
			if err != nil {
				t.Fatal(err)
			}
			product := d.path("product")
			if candidate == "1" {
				err = os.WriteFile(product, nil, 0o644)
			} else if _, missing := os.Stat(product); (missing == nil) != stays {
				t.Errorf("%s: a product stays: %t, want %t", changed, !stays, stays)
			}
			if err = errors.Join(err, d.leave(false, 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A clean test does not see files of a kept build.
func TestLayAfresh(t *testing.T) {
	spec := several(map[string][]oracle.File{"1": {file("a", "1")}})
	k := NewKeeper(nil, 1)
	k.KeepBuilds(true)
	work := t.TempDir()
	for range 3 {
		for _, afresh := range []bool{false, true} {
			spec.Afresh = afresh
			d, err := k.take(&Executor{Work: work}, spec, []byte("1"))
			if err != nil {
				t.Fatal(err)
			}
			if got := len(tree(t, d.dir)); afresh && got != 2 {
				t.Errorf("a clean directory has %d files", got)
			}
			os.WriteFile(d.path("product"), nil, 0o644)
			d.leave(false, 0)
		}
	}
	if dirs, _ := os.ReadDir(work); len(dirs) != 2 {
		t.Errorf("%d directories", len(dirs))
	}
}

func TestTakeFails(t *testing.T) {
	spec := &oracle.Spec{}
	wrong := errors.New("no archive")
	spec.Files = func([]byte) ([]oracle.File, error) { return nil, wrong }
	if _, err := NewKeeper(nil, 1).take(&Executor{Work: t.TempDir()}, spec, nil); !errors.Is(err, wrong) {
		t.Error(err)
	}
	spec.Files = func([]byte) ([]oracle.File, error) { return []oracle.File{file("a/b", ""), file("a", "")}, nil }
	work := t.TempDir()
	if _, err := NewKeeper(nil, 1).take(&Executor{Work: work}, spec, nil); err == nil {
		t.Error("no error")
	}
	if left, _ := os.ReadDir(work); len(left) > 0 {
		t.Error(left)
	}
}

// BenchmarkLay lays out 4,355 files with 64 MB; one has changed.
func BenchmarkLay(b *testing.B) {
	const n, size = 4355, 64 << 20 / 4355
	r := rand.New(rand.NewPCG(1, 1))
	content := make([]byte, size)
	for i := range content {
		content[i] = byte(r.IntN(256))
	}
	entries := make([]archive.Entry, 0, n+100)
	for i := range n {
		dir := fmt.Sprintf("d%d", i/50)
		if i%50 == 0 {
			entries = append(entries, archive.Entry{Path: dir, Mode: fs.ModeDir | 0o755})
		}
		name := fmt.Sprintf("%s/%d.c", dir, i)
		e := archive.Entry{Path: name, Mode: 0o644, Content: slices.Clone(content), Language: text.Lines}
		entries = append(entries, e)
	}
	set := archive.New(entries)
	spec := &oracle.Spec{}
	spec.Files = func(candidate []byte) (files []oracle.File, err error) {
		entries, err := set.Entries(candidate)
		for _, e := range entries {
			files = append(files, oracle.File{Path: e.Path, Mode: e.Mode, Content: e.Content})
		}
		return files, err
	}
	for _, mode := range []string{"fresh", "kept", "build"} {
		b.Run(mode, func(b *testing.B) {
			k := NewKeeper(nil, 1)
			k.KeepBuilds(mode == "build")
			work := b.TempDir()
			lay := func(changed []byte) {
				candidate := set.Gather(func(e archive.Entry) ([]byte, bool) {
					if e.Path == "d40/2000.c" {
						return changed, true
					}
					return e.Content, true
				})
				b.StartTimer()
				defer b.StopTimer()
				if mode == "fresh" {
					around, err := process.MakeDirectory(work)
					if err == nil {
						_, _, err = process.Lay(&spec.Layout, around, candidate)
					}
					if err == nil {
						err = process.RemoveDirectory(around)
					}
					if err != nil {
						b.Fatal(err)
					}
					return
				}
				d, err := k.take(&Executor{Work: work}, spec, candidate)
				if err != nil {
					b.Fatal(err)
				}
				d.leave(false, 0)
				d.ended = time.Time{} // a test takes longer than a tick
			}
			lay([]byte("x"))
			lay([]byte("y"))
			b.ResetTimer()
			b.StopTimer()
			for i := range b.N {
				lay(fmt.Appendf(nil, "int x%d;", i))
			}
		})
	}
}
