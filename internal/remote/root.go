package remote

import (
	"cmp"
	_ "embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"unicode/utf8"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"whittle/oracle"
)

// An Input is a file or directory below WHITTLE_TEST_DIR.
type Input struct {
	Local string // on this machine
	Path  string // on the worker, relative, with slashes
}

const (
	scriptName    = "whittle.sh"
	candidateName = "candidate"
	testName      = "test"
)

// testMark precedes the path of a file of the test within a word.
const testMark = "whittle-test:"

//go:embed whittle.sh
var script []byte

type folder struct {
	files   map[string]entry
	folders map[string]*folder
	links   map[string]string
}

func newFolder() *folder {
	return &folder{map[string]entry{}, map[string]*folder{}, map[string]string{}}
}

type entry struct {
	blob
	executable bool
}

func (f *folder) at(p string) *folder {
	if p == "." {
		return f
	}
	parent := f.at(path.Dir(p))
	if parent.folders[path.Base(p)] == nil {
		parent.folders[path.Base(p)] = newFolder()
	}
	return parent.folders[path.Base(p)]
}

func (f *folder) addFile(p string, b blob, executable bool) {
	f.at(path.Dir(p)).files[path.Base(p)] = entry{b, executable}
}

func (f *folder) addLink(p, target string) {
	f.at(path.Dir(p)).links[path.Base(p)] = target
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// close appends all blobs of the folder, itself last, and returns its own.
func (f *folder) close(hash *digestFunction, blobs *[]blob) blob {
	d := &repb.Directory{}
	for _, name := range sortedKeys(f.files) {
		e := f.files[name]
		*blobs = append(*blobs, e.blob)
		d.Files = append(d.Files, &repb.FileNode{Name: name, Digest: e.Proto(), IsExecutable: e.executable})
	}
	for _, name := range sortedKeys(f.folders) {
		child := f.folders[name].close(hash, blobs)
		d.Directories = append(d.Directories, &repb.DirectoryNode{Name: name, Digest: child.Proto()})
	}
	for _, name := range sortedKeys(f.links) {
		d.Symlinks = append(d.Symlinks, &repb.SymlinkNode{Name: name, Target: f.links[name]})
		*blobs = append(*blobs, hash.blob([]byte(f.links[name]))) // for justbuild
	}
	b := hash.message(d)
	*blobs = append(*blobs, b)
	return b
}

type base struct {
	script blob
	test   blob    // directory of the test's files
	blobs  []blob  // its files
	inputs []Input // with absolute Local
}

func newBase(hash *digestFunction, inputs []Input) (*base, error) {
	b := &base{script: hash.blob(script)}
	b.blobs = append(b.blobs, b.script)
	test := newFolder()
	for _, in := range inputs {
		if !fs.ValidPath(in.Path) || in.Path == "." || !utf8.ValidString(in.Path) {
			return nil, oracle.Errorf("the file %s of the test cannot be at %q on the cluster; "+
				"give it a relative path without .. there", in.Local, in.Path)
		}
		if err := b.add(hash, test, in); err != nil {
			return nil, oracle.Errorf("cannot read a file of the test, which the cluster is to have: %w", err)
		}
	}
	b.test = test.close(hash, &b.blobs)
	return b, nil
}

func (b *base) add(hash *digestFunction, to *folder, in Input) error {
	local, err := filepath.Abs(in.Local)
	if err != nil {
		return err
	}
	b.inputs = append(b.inputs, Input{local, in.Path})
	if _, err := os.Stat(local); err != nil {
		return err
	}
	if local, err = filepath.EvalSymlinks(local); err != nil {
		return err
	}
	return filepath.WalkDir(local, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(local, p)
		if err != nil {
			return err
		}
		return addLocal(hash, to, p, path.Join(in.Path, filepath.ToSlash(below)), d)
	})
}

// addLocal adds a file or directory. It follows a link that leads out of its directory.
func addLocal(hash *digestFunction, to *folder, local, at string, d fs.DirEntry) error {
	if d.Type() == fs.ModeSymlink {
		if target, err := os.Readlink(local); err == nil && filepath.IsLocal(target) {
			to.addLink(at, filepath.ToSlash(target))
			return nil
		}
	}
	info, err := os.Stat(local)
	switch {
	case err != nil:
		return err
	case d.IsDir():
		to.at(at)
		return nil
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no file", local)
	}
	b, err := hash.file(local)
	if err == nil {
		to.addFile(at, b, info.Mode()&0o111 != 0)
	}
	return err
}

// root returns the digest of a candidate's input root, and the blobs that the base lacks.
func (b *base) root(hash *digestFunction, layout *oracle.Layout, candidate []byte) (digest, []blob, error) {
	if layout.Write != nil {
		return digest{}, nil, oracle.Errorf(
			"the candidate is laid on a disk of this machine, where no cluster finds it; run this test here")
	}
	files, err := layout.List(candidate)
	if err != nil {
		return digest{}, nil, oracle.Errorf("cannot send the candidate: %w", err)
	}
	dir := newFolder()
	for _, f := range files {
		if !utf8.ValidString(f.Path) || !utf8.ValidString(f.Link) {
			return digest{}, nil, oracle.Errorf(
				"the name %q is not UTF-8, which a cluster needs; rename the file", cmp.Or(f.Link, f.Path))
		}
		switch f.Mode.Type() {
		case fs.ModeDir:
			dir.at(f.Path)
		case fs.ModeSymlink:
			dir.addLink(f.Path, f.Link)
		default:
			dir.addFile(f.Path, hash.blob(f.Content), f.Mode&0o111 != 0)
		}
	}
	var blobs []blob
	top := dir.close(hash, &blobs)
	root := hash.message(&repb.Directory{
		Files: []*repb.FileNode{{Name: scriptName, Digest: b.script.Proto(), IsExecutable: true}},
		Directories: []*repb.DirectoryNode{
			{Name: candidateName, Digest: top.Proto()},
			{Name: testName, Digest: b.test.Proto()},
		},
	})
	return root.digest, append(blobs, root), nil
}
