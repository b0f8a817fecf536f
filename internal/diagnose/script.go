package diagnose

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const scriptLimit = 1 << 20

func (t *Test) script() string { return textOf(t.Spec.Argv[0]) }

// textOf returns "" for a file that is no text, or too large.
func textOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, scriptLimit+1))
	if err != nil || len(text) > scriptLimit || bytes.IndexByte(text, 0) >= 0 {
		return ""
	}
	return string(text)
}

var word = regexp.MustCompile(`[\w./+@%,~-]+`)

// Words returns the words of a script, and of its arguments.
func (t *Test) Words() []string {
	return wordsIn(append([]string{t.script()}, t.Spec.Argv[1:]...)...)
}

func wordsIn(texts ...string) (words []string) {
	known := map[string]bool{}
	for _, w := range word.FindAllString(strings.Join(texts, "\n"), -1) {
		if !known[w] {
			known[w] = true
			words = append(words, w)
		}
	}
	return words
}

func (t *Test) edited(text string) change {
	return func(w *world) {
		if w.Home == "" {
			w.Home = filepath.Dir(w.Argv[0])
		}
		path := filepath.Join(w.scratch, "script", filepath.Base(w.Argv[0])) // the sandbox shows its directory
		w.Argv = append([]string{path}, w.Argv[1:]...)
		w.write(path, []byte(text))
	}
}

func (t *Test) endsLinesByCRLF(try func(*Cause, change) bool) {
	if text := t.script(); strings.Contains(text, "\r\n") {
		try(&Cause{"its lines end with CR LF, as on Windows", `remove the CRs: sed -i 's/\r$//' ` + t.Shown},
			t.edited(strings.ReplaceAll(text, "\r\n", "\n")))
	}
}

const otherNames = 8

// readsOtherName also gives the candidate other names in the script.
func (t *Test) readsOtherName(try func(*Cause, change) bool) {
	name := t.Spec.Name
	if t.Spec.Write != nil || filepath.Ext(name) == "" {
		return // several files, or every word would be of the same kind
	}
	tried := 0
	for _, w := range t.Words() {
		w = filepath.Clean(w)
		if !filepath.IsLocal(w) || w == name || filepath.Ext(w) != filepath.Ext(name) || w == filepath.Ext(name) {
			continue
		}
		if tried++; tried > otherNames || !try(&Cause{
			fmt.Sprintf("it looks for %s, but the name of the candidate is %s", w, name),
			fmt.Sprintf("read %s in the current directory", name)}, as(w)) {
			return
		}
	}
}

func as(name string) change {
	return adding(func(dir string, candidate []byte) error {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return os.WriteFile(path, candidate, 0o600)
	})
}

// readsPath replaces the absolute path of the input by the name of the candidate.
func (t *Test) readsPath(try func(*Cause, change) bool) {
	text, file := t.script(), t.Files[0]
	if strings.Contains(text, file) && t.Fill == nil {
		try(&Cause{fmt.Sprintf("it reads %s, and not the candidate", file),
			fmt.Sprintf("read %s in the current directory: take the path away from it", t.Spec.Name)},
			t.edited(strings.ReplaceAll(text, file, t.Spec.Name)))
	}
}

var goesElsewhere = regexp.MustCompile(`\bcd\b|\bpushd\b|\$0|dirname|WHITTLE_TEST_DIR|BASH_SOURCE|__file__`)

// readsBeside runs a copy of the test next to the candidate, in case it changes its directory.
func (t *Test) readsBeside(try func(*Cause, change) bool) {
	home := filepath.Dir(t.Spec.Argv[0])
	if home != t.Dir || !goesElsewhere.MatchString(t.script()) || t.Fill != nil {
		return
	}
	try(&Cause{fmt.Sprintf("it reads %s next to the test, and not the candidate", filepath.Base(t.Files[0])),
		"stay in the current directory, which holds the candidate; do not use cd"},
		func(w *world) {
			w.Home = filepath.Join(w.scratch, "x", "y", "z", "home")
			for _, u := range t.units(home) {
				u.lay(w.Home)
			}
			w.Argv = append([]string{filepath.Join(w.Home, filepath.Base(w.Argv[0]))}, w.Argv[1:]...)
			w.write(filepath.Join(w.Home, filepath.Base(t.Files[0])), w.candidate)
		})
}

// goesOn ends the script at the first failing command.
func (t *Test) goesOn(try func(*Cause, change) bool) {
	first, rest, _ := strings.Cut(t.script(), "\n")
	if strings.HasPrefix(first, "#!") && strings.Contains(first, "sh") {
		try(&Cause{"it continues after a failing command, and finds " + t.empty() + " interesting",
			`begin it with "set -e", or join its commands with &&`}, t.edited(first+"\nset -e\n"+rest))
	}
}

func (t *Test) needsNoFile(ctx context.Context) (bool, error) {
	if t.Spec.Stdin {
		return false, nil
	}
	return t.says(ctx, nil, func(w *world) { w.Write = func(string, []byte) error { return nil } })
}

// garbage is valid in no language and shows no bug.
var garbage = []byte("%% ]) whittle's garbage ([ }\n@@ \"{ is not what you look for } ;;\n")

// Probes returns two candidates without the problem: an empty one, and garbage.
func (t *Test) Probes() [2][]byte { return [2][]byte{{}, t.with(garbage)} }

// Careless returns a candidate with garbage in the sources of a directory if that is interesting, and empty sources are
// not. Otherwise it returns nil.
func (t *Test) Careless(interesting func(candidate []byte) (bool, error)) ([]byte, error) {
	if t.FillMost == nil {
		return nil, nil
	}
	broken := t.FillMost(garbage)
	yes, err := interesting(broken)
	if yes && err == nil {
		yes, err = interesting(t.FillMost(nil))
		yes = !yes
	}
	if !yes || err != nil {
		return nil, err
	}
	return broken, nil
}
