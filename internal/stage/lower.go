package stage

import (
	"cmp"
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/internal/tool"
)

// stages are the tools that continue from IR, with alternative arguments.
var stages = []struct {
	tool string
	runs [][]string
}{
	{"opt", [][]string{{"-passes=default<O{level}>", "-disable-output", "{}"}}},
	{"llc", [][]string{{"-O{level}", "{}"}, {"-O{level}", "-filetype=obj", "-relocation-model=pic", "{}"}}},
}

// A lowered is the work of a tool behind a compiler.
type lowered struct {
	Tool string
	Emit []string   // the command of the compiler, without the path of its output
	Runs [][]string // alternative commands of the tool; nil if it is not installed in this version
}

// lower returns the tools for parts of a compiler's work, in order.
func lower(ctx context.Context, m *tool.Machine, c tool.Command) (all []lowered) {
	l := c.Lowers
	level, handed := "0", []string(nil)
	kept := tool.WithoutOptions(c.Words[c.At:], func(option []string) bool {
		if option[0] == l.Hands {
			handed = append(handed, option[1:]...)
		}
		if found := levelOf.FindStringSubmatch(strings.Join(option, "")); found != nil {
			level = cmp.Or(map[string]string{"": "2", "fast": "3", "g": "1"}[found[1]], found[1])
		}
		name, _, _ := strings.Cut(option[0], "=")
		return slices.Contains(l.Drops, name)
	})
	compiler := c.With(c.Path)[:c.At+1]
	if path, err := exec.LookPath(compiler[0]); err == nil { // of env
		compiler[0] = path
	}
	for i, s := range stages {
		next := lowered{Tool: s.tool, Emit: slices.Concat(compiler, kept[1:], l.Emits[i], []string{"-o"})}
		if s.tool == "llc" && strings.Contains("sz", level) {
			level = "2"
		}
		if p, ok := akin(ctx, m, c.Program, s.tool); ok {
			for _, arguments := range s.runs {
				run := slices.Concat([]string{p.String()}, handed, arguments)
				for i := range run {
					run[i] = strings.ReplaceAll(run[i], "{level}", level)
				}
				next.Runs = append(next.Runs, run)
			}
		}
		all = append(all, next)
	}
	return all
}

// levelOf matches options of clang and rustc for the level of optimisation.
var levelOf = regexp.MustCompile(`^(?:-O|-C ?opt-level=)([0-9a-z]*)$`)

// akin returns a tool of the version of a compiler, preferably next to it.
func akin(ctx context.Context, m *tool.Machine, compiler tool.Program, name string) (p tool.Program, ok bool) {
	version := compiler.Number()
	if l := compiler.Lowers; l.Version != "" {
		version = ""
		for _, d := range compiler.Details(ctx) {
			if found := l.Version.Regexp().FindStringSubmatch(d.Output); found != nil {
				version = found[1]
			}
		}
	}
	major, _, _ := strings.Cut(version, ".")
	for _, found := range m.Programs(ctx, "llvm") {
		if !strings.HasPrefix(filepath.Base(found.Path), name) || !strings.HasPrefix(found.Number(), major+".") {
			continue
		}
		if near := filepath.Dir(found.Path) == filepath.Dir(compiler.Path); !ok || near {
			p, ok = found, true
		}
	}
	return p, ok
}
