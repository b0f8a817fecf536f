package stage

import (
	"context"
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
	if l == nil {
		return nil
	}
	o := tool.OptionsOf(c.Words[c.At])
	level, kept, handed := "0", slices.Clone(c.Words[:c.At+1]), []string(nil)
	for i := c.At + 1; i < len(c.Words); {
		option := c.Words[i:][:1]
		if slices.Contains(o.Takes, option[0]) && i+1 < len(c.Words) {
			option = c.Words[i:][:2]
		}
		i += len(option)
		if name, _, _ := strings.Cut(option[0], "="); !slices.Contains(l.Drops, name) {
			kept = append(kept, option...)
		}
		if option[0] == l.Hands {
			handed = append(handed, option[1:]...)
		}
		if found := levelOf.FindStringSubmatch(strings.Join(option, "")); found != nil {
			if level = found[1]; level == "" || level == "fast" || level == "g" {
				level = map[string]string{"": "2", "fast": "3", "g": "1"}[level]
			}
		}
	}
	for i, s := range stages {
		next := lowered{Tool: s.tool, Emit: slices.Concat(kept, l.Emits[i], []string{"-o"})}
		if s.tool == "llc" && strings.Contains("sz", level) {
			level = "2"
		}
		for _, arguments := range s.runs {
			if p, ok := akin(ctx, m, c.Program, s.tool); ok {
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
	major := func(version string) string {
		first, _, _ := strings.Cut(version, ".")
		return first
	}
	for _, found := range m.Programs(ctx, "llvm") {
		isTool, _ := filepath.Match(name+"*", filepath.Base(found.Path))
		if !isTool || version == "" || major(found.Number()) != major(version) {
			continue
		}
		if near := filepath.Dir(found.Path) == filepath.Dir(compiler.Path); !ok || near {
			p, ok = found, true
		}
	}
	return p, ok
}
