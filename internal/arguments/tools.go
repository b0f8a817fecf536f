package arguments

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"whittle/internal/facts"
)

//go:embed tools.txt
var table string

// A tool is what is known of the arguments of a family of programs; tools.txt says what
// its fields are.
type tool struct {
	programs                   []string
	takes, keep, path, program []string
	output, outdir, careful    []string
	faster, variable, include  []string
	weaker, preprocess         [][]string
	operands                   int
	runs                       string
	known                      bool // its options are
}

// tools are the families in the table.
var tools = sync.OnceValue(func() []tool { return facts.Must(read(table)) })

// find returns what is known of a program.
func find(program string) tool {
	var any tool
	for _, t := range tools() {
		if slices.Contains(t.programs, "") {
			any = t
		} else if t.isOf(program) {
			t.takes, t.keep = slices.Concat(t.takes, any.takes), slices.Concat(t.keep, any.keep)
			t.output, t.outdir = slices.Concat(t.output, any.output), slices.Concat(t.outdir, any.outdir)
			t.known = true
			return t
		}
	}
	return any
}

// read reads the table.
func read(text string) ([]tool, error) {
	var all []tool
	err := facts.Read("tools.txt", text, func(line string) {
		programs := strings.Fields(line)[1:]
		if len(programs) == 0 {
			programs = []string{""} // any
		}
		all = append(all, tool{programs: programs})
	}, func(field, value string) error { return all[len(all)-1].set(field, strings.Fields(value)) })
	return all, err
}

// set sets a field, or adds to it.
func (t *tool) set(field string, words []string) (err error) {
	switch field {
	case "takes":
		t.takes = append(t.takes, words...)
	case "keep":
		t.keep = append(t.keep, words...)
	case "output":
		t.output = append(t.output, words...)
	case "outdir":
		t.outdir = append(t.outdir, words...)
	case "careful":
		t.careful = append(t.careful, words...)
	case "path":
		t.path = append(t.path, words...)
	case "program":
		t.program = append(t.program, words...)
	case "faster":
		t.faster = append(t.faster, words...)
	case "variable":
		t.variable = append(t.variable, words...)
	case "weaker":
		t.weaker = append(t.weaker, words)
	case "include":
		t.include = append(t.include, words...)
	case "preprocess":
		t.preprocess = append(t.preprocess, words)
	case "operands":
		t.operands, err = strconv.Atoi(strings.Join(words, " "))
	case "runs":
		t.runs = strings.Join(words, " ")
	default:
		err = fmt.Errorf("nobody knows %s", field)
	}
	return err
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

// isCareful reports whether a command may do harm without an option.
func (t *tool) isCareful(option string) bool {
	return slices.ContainsFunc(t.careful, func(pattern string) bool {
		ok, _ := filepath.Match(pattern, option)
		return ok
	})
}

// keeps reports whether an option stays.
func (t *tool) keeps(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return slices.Contains(t.keep, name)
}
