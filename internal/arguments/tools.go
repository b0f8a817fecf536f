package arguments

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed tools.txt
var table string

// A tool is what is known of the arguments of a family of programs; tools.txt says what
// its fields are.
type tool struct {
	programs                   []string
	takes, keep, path, program []string
	faster, variable, include  []string
	weaker, preprocess         [][]string
	operands                   int
	runs                       string
	known                      bool // its options are
}

// find returns what is known of a program.
func find(program string) tool {
	var any tool
	for block := range strings.SplitSeq(table, "\n\n") {
		t := read(block)
		if slices.Contains(t.programs, "") {
			any = t
		} else if t.isOf(program) {
			t.takes, t.keep = slices.Concat(t.takes, any.takes), slices.Concat(t.keep, any.keep)
			t.known = true
			return t
		}
	}
	return any
}

// read reads a family; of text that has none it is empty.
func read(block string) (t tool) {
	for line := range strings.Lines(block) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(line, "#"):
			continue
		case !strings.HasPrefix(line, " "):
			if t.programs = words[1:]; len(t.programs) == 0 {
				t.programs = []string{""} // any
			}
			continue
		}
		switch rest := words[1:]; words[0] {
		case "takes":
			t.takes = append(t.takes, rest...)
		case "keep":
			t.keep = append(t.keep, rest...)
		case "path":
			t.path = append(t.path, rest...)
		case "program":
			t.program = append(t.program, rest...)
		case "faster":
			t.faster = append(t.faster, rest...)
		case "variable":
			t.variable = append(t.variable, rest...)
		case "weaker":
			t.weaker = append(t.weaker, rest)
		case "include":
			t.include = append(t.include, rest...)
		case "preprocess":
			t.preprocess = append(t.preprocess, rest)
		case "operands":
			t.operands, _ = strconv.Atoi(rest[0])
		case "runs":
			t.runs = rest[0]
		}
	}
	return t
}

// version is what stands behind the name of a program.
var version = regexp.MustCompile(`(?:\.exe)?(?:-?[0-9][0-9.]*)?$`)

// isOf reports whether a program is of the family.
func (t *tool) isOf(program string) bool {
	name := version.ReplaceAllString(filepath.Base(program), "")
	for {
		if slices.Contains(t.programs, name) {
			return true
		}
		_, behind, found := strings.Cut(name, "-")
		if !found || t.runs != "" {
			return false
		}
		name = behind
	}
}

// keeps reports whether an option stays.
func (t *tool) keeps(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return slices.Contains(t.keep, name)
}
