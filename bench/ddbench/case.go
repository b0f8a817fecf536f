package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"whittle"

	"whittle/bench/internal/outcomes"
	"whittle/grammars"
)

// A benchCase is a folder with an input and its test.
type benchCase struct {
	Name     string
	Input    string
	Test     string // absolute path
	Identity string // changes with their contents
	Known    int    // tokens of the smallest known result; 0 if unknown
	content  []byte
	script   []byte
	language grammars.Language
}

// openCases opens folders that are cases or contain cases.
func openCases(folders []string) (cases []benchCase, err error) {
	for _, folder := range folders {
		tests, _ := filepath.Glob(filepath.Join(folder, "*", "test.sh"))
		if len(tests) == 0 {
			tests = []string{filepath.Join(folder, "test.sh")}
		}
		for _, test := range tests {
			c, err := openCase(filepath.Dir(test))
			if err != nil {
				return nil, err
			}
			cases = append(cases, c)
		}
	}
	return cases, nil
}

func openCase(folder string) (benchCase, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return benchCase{}, err
	}
	c := benchCase{Name: filepath.Base(folder), Test: filepath.Join(folder, "test.sh")}
	for _, pattern := range []string{"small.*", "input.*"} {
		if found, _ := filepath.Glob(filepath.Join(folder, pattern)); len(found) == 1 {
			c.Input = found[0]
			break
		}
	}
	if c.Input == "" {
		return c, usagef("%s is not a case: it needs one input file small.* or input.*", folder)
	}
	if c.content, err = os.ReadFile(c.Input); err == nil {
		c.script, err = os.ReadFile(c.Test)
	}
	if err != nil {
		return c, usagef("%s is not a case: %v", folder, err)
	}
	c.language = grammars.ForFile(c.Input)
	both := sha256.Sum256(append(append([]byte{}, c.content...), c.script...))
	c.Identity = fmt.Sprintf("%x", both[:6])
	about, _ := os.ReadFile(filepath.Join(folder, "case.txt"))
	if m := known.FindSubmatch(about); m != nil {
		c.Known, _ = strconv.Atoi(string(m[1]))
	}
	return c, nil
}

// explain adds a hint to an error of a reduction.
func (c benchCase) explain(err error) error {
	if errors.Is(err, whittle.ErrUninteresting) {
		return fmt.Errorf("%s: %w; are the programs that %s uses installed?", c.Input, err, c.Test)
	}
	return err
}

func (c benchCase) outcomes(path string) (*outcomes.Oracle, error) {
	return outcomes.Open(path, c.Test, c.script, c.Input, c.content)
}

var known = regexp.MustCompile(`smallest known[^\n]*?(\d+) tokens`)
