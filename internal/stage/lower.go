package stage

import (
	"cmp"
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

// options returns the words behind a compiler, an option with its value together.
func options(c tool.Command) (all [][]string) {
	o := tool.OptionsOf(c.Words[c.At])
	for rest := c.Words[c.At+1:]; len(rest) > 0; rest = rest[len(all[len(all)-1]):] {
		n := 1
		if slices.Contains(o.Takes, rest[0]) && len(rest) > 1 {
			n = 2
		}
		all = append(all, rest[:n])
	}
	return all
}

func isLevel(option []string) bool { return levelOf.MatchString(strings.Join(option, "")) }

// atLevel returns a command with the level of optimisation of another.
func atLevel(c, of tool.Command) tool.Command {
	words := slices.Clone(c.Words[:c.At+1])
	for _, option := range options(of) {
		if isLevel(option) {
			words = append(words, option...)
		}
	}
	for _, option := range options(c) {
		if !isLevel(option) {
			words = append(words, option...)
		}
	}
	c.Words = words
	return c
}

// lower returns the tools for parts of a compiler's work, in order.
func lower(ctx context.Context, m *tool.Machine, c tool.Command) (all []lowered) {
	l := c.Lowers
	if l == nil {
		return nil
	}
	level, kept, handed := "0", slices.Clone(c.Words[:c.At+1]), []string(nil)
	for _, option := range options(c) {
		if name, _, _ := strings.Cut(option[0], "="); !slices.Contains(l.Drops, name) {
			kept = append(kept, option...)
		}
		if option[0] == l.Hands {
			handed = append(handed, option[1:]...)
		}
		if isLevel(option) {
			level = levelOf.FindStringSubmatch(strings.Join(option, ""))[1]
			level = cmp.Or(map[string]string{"": "2", "fast": "3", "g": "1"}[level], level)
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
