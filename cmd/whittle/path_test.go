package main

import (
	"cmp"
	"errors"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"whittle/internal/tool"
)

// commonTools are the programs on the PATH of scripts. None is a compiler, an interpreter or a formatter: whittle would
// run each that reads the input's language, which is most of the time of a short reduction.
const commonTools = `[ as awk basename bwrap cat chmod chown cksum cmp column cp cut date dd df diff dirname
	echo env expr false find getconf git grep head hostname id install join kill ld ln ls make mkdir mkfifo mktemp
	mount mv nice nl nohup od paste printf ps pwd readlink rev rm rmdir sed seq setsid sh shuf sleep sort split stat
	su tac tail tar tee test timeout touch tr true truncate tty umount uname uniq unshare wc xargs yes`

// machinePath is the PATH with all programs of the machine, and whittle.
var machinePath string

// suite runs the tests with a PATH of whittle and the common tools.
type suite struct{ *testing.M }

func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "tools-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = linkTools(dir, strings.Fields(commonTools))
	}
	whittle, notFound := exec.LookPath("whittle")
	if err := errors.Join(err, notFound); err != nil {
		log.Print(err)
		return 1
	}
	machinePath = os.Getenv("PATH")
	os.Setenv("PATH", filepath.Dir(whittle)+string(filepath.ListSeparator)+dir)
	return s.M.Run()
}

// linkTools makes links in dir to those of the programs that the machine has. It prefers /usr/bin to other directories,
// since shims, as those of pyenv, are slow.
func linkTools(dir string, names []string) error {
	dirs := append([]string{"/usr/bin"}, filepath.SplitList(cmp.Or(machinePath, os.Getenv("PATH")))...)
	for _, name := range names {
		for _, d := range dirs {
			if path, err := exec.LookPath(filepath.Join(d, name)); err == nil {
				if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// compiler returns the absolute path of a program that is not a common tool.
func compiler(t *testing.T, name string) string {
	for _, dir := range filepath.SplitList(machinePath) {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path
		}
	}
	t.Skipf("the machine has no %s", name)
	return ""
}

// tools NAME...: these programs are on the PATH, too, if the machine has them; without names, all that it has.
func tools(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg, "tools [NAME...]")
	path := machinePath
	if len(args) > 0 {
		dir, err := os.MkdirTemp("", "tools-")
		ts.Check(err)
		ts.Defer(func() { os.RemoveAll(dir) })
		ts.Check(linkTools(dir, args))
		path = ts.Getenv("PATH") + string(filepath.ListSeparator) + dir
	}
	ts.Setenv("PATH", path)
	if home, err := os.UserHomeDir(); err == nil { // programs of rustup need it
		ts.Setenv("RUSTUP_HOME", cmp.Or(os.Getenv("RUSTUP_HOME"), filepath.Join(home, ".rustup")))
	}
}

func TestCommonTools(t *testing.T) {
	if i := slices.IndexFunc(strings.Fields(commonTools), func(s string) bool { return tool.Find(s) != nil }); i >= 0 {
		t.Error(strings.Fields(commonTools)[i], "may check inputs")
	}
}
