package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func (p *place) result() (map[string]string, error) {
	var result map[string]string
	for i, path := range p.outputs() {
		files, err := readAll(path)
		if err != nil {
			return nil, err
		}
		for below, content := range files {
			if result == nil {
				result = map[string]string{}
			}
			result[p.input.args[i]+below] = content
		}
	}
	return result, nil
}

func (p *place) holds(result map[string]string) bool {
	return p.property.holdsFor(func(path string) ([]byte, error) {
		content, ok := result[path]
		if !ok {
			return nil, os.ErrNotExist
		}
		return []byte(content), nil
	})
}

func (p *place) checkInput() error {
	var all []error
	for _, arg := range p.input.args {
		want := p.input.original(arg)
		here, err := readAll(filepath.Join(p.work, arg))
		kept, keptErr := readAll(filepath.Join(p.work, arg+".orig"))
		all = append(all, err, keptErr)
		if !maps.Equal(here, want) && (p.output != inPlace || !maps.Equal(kept, want)) {
			all = append(all, fmt.Errorf("the input %s is not there any more", arg))
		}
	}
	return errors.Join(all...)
}

// checkStopped checks the invariants between runs. killed means that whittle could not clean up.
func (p *place) checkStopped(killed bool) error {
	err := p.checkInput()
	result, resultErr := p.result()
	err = errors.Join(err, resultErr)
	if result != nil && p.steady() && !p.spoils() && !p.holds(result) {
		err = errors.Join(err, fmt.Errorf("the output is not interesting: %q", result))
	}
	if killed {
		return err
	}
	return errors.Join(err, p.checkLeft())
}

func (p *place) spoils() bool {
	return p.wrong.name == "removes the output" || p.wrong.name == "replaces the output"
}

func (p *place) checkEnd(code int) error {
	err := errors.Join(p.checkInput(), p.checkLeft())
	result, resultErr := p.result()
	err = errors.Join(err, resultErr)
	if code == 0 && !p.holds(result) {
		err = errors.Join(err, fmt.Errorf("the result is not interesting: %q", result))
	}
	return errors.Join(err, p.checkNames(code))
}

// checkNames expects the user's former files, the result, and no others.
func (p *place) checkNames(code int) error {
	want := map[string]bool{} // true means required
	for _, arg := range p.input.args {
		want[arg] = p.output != inPlace // may have been reduced away in place
		if p.output == inPlace {
			want[arg+".orig"] = code == 0
		}
		if dir := filepath.Dir(arg); dir != "." {
			want[dir] = false
		}
	}
	if p.output == inPlace { // keeps its journal
		journal, _ := filepath.Rel(p.work, p.journal())
		want[journal] = code == 0
	}
	if p.form == "script" {
		want[script] = true
	}
	if p.output != inPlace && code == 0 {
		whole, _ := filepath.Rel(p.work, p.whole())
		want[whole] = true
	}
	var more []error
	err := filepath.WalkDir(p.work, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(p.work, path)
		_, known := want[name]
		delete(want, name)
		switch {
		case err != nil || name == ".":
			return err
		case known && d.IsDir() && !slices.ContainsFunc(p.input.args,
			func(arg string) bool { return filepath.Dir(arg) == name }):
			return fs.SkipDir
		case known:
			return nil
		case (p.maxTests > 0 || !p.steady()) && path == p.journal(), !p.steady() && strings.Contains(name, "flaky-"):
			return nil
		case p.property.Answer.Name == crash.Name && d.IsDir() && strings.HasSuffix(name, ".other"): // other failures
			return fs.SkipDir
		case p.odd && path == p.whole()+".old" && d.IsDir():
			return fs.SkipDir
		case p.odd && (path == p.journal()+".old" || path == p.whole()+".old"):
			return nil
		case (p.odd || p.spoils()) && p.isKept(path): // no journal identifies it
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		more = append(more, fmt.Errorf("there is %q", name))
		return nil
	})
	for name, needed := range want {
		if needed {
			more = append(more, fmt.Errorf("there is no %q", name))
		}
	}
	return errors.Join(append(more, err)...)
}

// isKept reports whether a file is former output that was moved aside.
func (p *place) isKept(path string) bool {
	return slices.ContainsFunc(append(p.outputs(), p.whole()), func(output string) bool {
		return strings.HasPrefix(path, output+".old")
	})
}

// checkLeft checks that TMPDIR is empty and no process is alive.
func (p *place) checkLeft() error {
	entries, err := os.ReadDir(p.tmp)
	for _, e := range entries {
		err = errors.Join(err, fmt.Errorf("left in TMPDIR: %s", e.Name()))
	}
	// A killed process may take time to die.
	alive := p.alive()
	for end := time.Now().Add(p.dying); len(alive) > 0 && time.Now().Before(end); alive = p.alive() {
		time.Sleep(10 * time.Millisecond)
	}
	for pid, command := range alive {
		err = errors.Join(err, fmt.Errorf("still alive: %d %q", pid, command))
		syscall.Kill(pid, syscall.SIGKILL)
	}
	return err
}

func (p *place) alive() map[int]string {
	alive := map[int]string{}
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		environment, _ := os.ReadFile(path)
		if !slices.ContainsFunc(bytes.Split(environment, []byte{0}), func(v []byte) bool { return string(v) == mark+p.dir }) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		pid := 0
		fmt.Sscanf(path, "/proc/%d/", &pid)
		alive[pid] = string(command)
	}
	return alive
}
