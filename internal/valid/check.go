// Package valid finds conditions that hold for the input, and that the result must keep. Other
// compilers, or the front end of the same one, must accept it, without new warnings of undefined
// behavior. Programs must crash at the same place. Only interesting candidates are checked.
//
// A [DiffTest] is a test of its own: two commands must give different results.
package valid

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/disk"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A Check is a program that accepts the input, and must accept the result.
type Check struct {
	Name    string        // such as "clang-16 -fsyntax-only"
	Program tool.Program  // zero for a command of the user
	Argv    []string      // with {} for the candidate; exit code 0 accepts it
	Group   string        // only the first check of a group that accepts the input is used
	Last    bool          // used only if there is no other check
	Whole   bool          // Argv is the test's command with Program as the compiler
	Stdin   bool          // the candidate is the standard input
	Allowed []Allowed     // warnings that the input has
	Took    time.Duration // for the input
}

// Allowed is a warning that the input has.
type Allowed struct {
	Name string
	Most int // the number of output lines that may show it
}

func (g Check) String() string {
	if len(g.Allowed) == 0 {
		return g.Name
	}
	var names []string
	for _, a := range g.Allowed {
		names = append(names, "-W"+a.Name)
	}
	return fmt.Sprintf("%s (except %s)", g.Name, strings.Join(names, ", "))
}

// Names lists the names of checks without repetitions.
func Names(checks []Check) string {
	var names []string
	for _, g := range checks {
		if !slices.Contains(names, g.Name) {
			names = append(names, g.Name)
		}
	}
	return strings.Join(names, ", ")
}

const (
	// The time limit of a check is slack times its time for the input, at least leastTimeout.
	leastTimeout = 10 * time.Second
	slack        = 10
)

// Stage returns the check as a stage after the test.
func (g Check) Stage() chain.Stage {
	s := chain.Stage{Name: g.Name, Argv: g.Argv, Stdin: g.Stdin, Refused: algo.Unresolved,
		Timeout: max(leastTimeout, slack*g.Took)}
	s.Interesting.ExitCodes = []int{0}
	if g.Whole { // other checks look for warnings
		return s
	}
	for _, a := range g.Allowed {
		s.Interesting.Lines = append(s.Interesting.Lines, oracle.Line{Pattern: g.Program.Warning(a.Name), Most: a.Most})
	}
	return s
}

func Stages(checks []Check) []chain.Stage {
	var all []chain.Stage
	for _, g := range checks {
		all = append(all, g.Stage())
	}
	return all
}

const mostChecks = 2

// An Input describes the input of a reduction.
type Input struct {
	File     []byte
	Spec     oracle.Spec // the layout and the limits of tests
	Language string      // whittle's name for it
	Command  []string    // the words of the test if it is a command
	Right    bool        // the command succeeds, so its compiler can be a check
	Dirs     []string    // directories of the project, the nearest first

	Budget time.Duration // for each search for checks; 0 is no limit

	Crash bool          // there is a place where a program dies
	Debug bool          // use a debugger if no sanitizer reports it
	Warns bool          // allow no new warnings
	Took  time.Duration // the time of the test
}

func (in Input) read(name string) []byte {
	for _, dir := range in.Dirs {
		if content, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			return content
		}
	}
	return nil
}

// otherwise matches names of files that gcc and others do not read as C.
var otherwise = regexp.MustCompile(`\.(ad[bs]|[fF]|for|ftn|[fF]\d\d|fpp|di?|mm?|mod|[sS]|asm)$`)

// Compilers leave files with unknown names to the linker, and so accept them. Only clang reads the dialects.
var (
	shaders  = regexp.MustCompile(`\.(glsl|frag|vert|comp|geom|tes[ce]|metal)$`)
	dialects = regexp.MustCompile(`\.(cl|cuh?|hlsli?)$`)
)

func (in Input) isReadBy(p tool.Program) bool {
	name := in.Spec.Layout.Name
	return !shaders.MatchString(name) && (p.Family == "llvm" || !dialects.MatchString(name))
}

// Program returns the command with its first known program, and the language as which this program reads the file,
// such as C++ for g++ with a C file. Programs that read another language do not count.
func (in Input) Program(ctx context.Context, m *tool.Machine) (command tool.Command, language string) {
	p, known := m.Command(ctx, in.Command)
	isReadBy := func(family string) bool { // "" matches any
		return slices.ContainsFunc(tool.Tools(), func(t *tool.Tool) bool {
			return (family == "" || t.Family == family) && slices.Contains(t.Reads, in.Language)
		})
	}
	switch {
	case !known || p.Reads == nil || in.Language == "structure" && otherwise.MatchString(in.Spec.Layout.Name):
	case slices.Contains(p.Reads, in.Language):
		return p, in.Language
	case isReadBy(p.Family) || !isReadBy("") && runsFile(p):
		return p, p.Reads[0]
	}
	return tool.Command{}, in.Language
}

// runsFile reports whether the file is not data of a script, as in python3 script.py {}.
func runsFile(c tool.Command) bool {
	first := slices.IndexFunc(c.Arguments(), func(w string) bool { return !strings.HasPrefix(w, "-") })
	return first < 0 || c.Arguments()[first] == tool.File || tool.OptionsOf(c.Path).Runs == tool.RunsNone
}

// Asked returns the possible checks: other programs first, then the command's own. It runs programs only for their
// versions. A command in a project that names no file has none: a check of one file or directory would require it.
func (f *Finder) Asked(ctx context.Context) []Check {
	in := f.Input
	named := func(word string) bool { return strings.Contains(word, oracle.Placeholder) }
	if len(in.Command) > 0 && in.Spec.Several() && !slices.ContainsFunc(in.Command, named) {
		return nil
	}
	command, language := in.Program(ctx, f.Machine)
	breaks := command.Tool != nil && !in.Right
	var asked, same []Check
	for _, p := range f.programs(ctx, language) {
		if breaks && p.Akin(command.Program) || !p.Fits(command.Program, in.read) || !in.isReadBy(p) {
			continue
		}
		asked = append(asked, in.checksBy(p, command)...)
	}
	if breaks {
		same = in.checksBy(command.Program, command)
	}
	for i := range same {
		same[i].Last = true
	}
	return append(asked, same...)
}

// programs returns the programs that read a language, without those for other languages if another of their family is
// for this one: gcc accepts the same files of C++ as g++.
func (f *Finder) programs(ctx context.Context, language string) []tool.Program {
	all := f.Machine.Programs(ctx, language)
	isFor := func(p tool.Program) bool { return p.Reads[0] == language }
	return slices.DeleteFunc(slices.Clone(all), func(p tool.Program) bool {
		return !isFor(p) && slices.ContainsFunc(all, func(o tool.Program) bool { return o.Family == p.Family && isFor(o) })
	})
}

// languageFor returns the arguments that select the language and that another program knows, too.
func languageFor(p tool.Program, command tool.Command) (language []string) {
	if command.Tool == nil {
		return nil
	}
	for _, words := range command.Language(command.Arguments()) {
		if len(p.Language(words)) > 0 {
			language = append(language, words...)
		}
	}
	return language
}

func (in Input) checksBy(p tool.Program, command tool.Command) (checks []Check) {
	languages := [][]string{languageFor(p, command)}
	if command.Tool == nil {
		languages = append(in.scripted(p), nil)
	}
	for _, language := range languages {
		for _, check := range p.Checks {
			argv := slices.Concat([]string{p.Path}, language, p.Ends)
			for _, warning := range p.Bars {
				argv = append(argv, p.Bar(warning))
			}
			checks = append(checks, Check{Name: checkName(p, check), Program: p, Group: p.Family, Argv: append(argv, check...)})
		}
	}
	return checks
}

// scripted returns the arguments in the test's script that select the language of p, for each command of the script.
// The command may be another program, so the check may need none of them.
func (in Input) scripted(p tool.Program) (languages [][]string) {
	add := func(words []string) []string {
		if language := slices.Concat(p.Language(words)...); language != nil {
			languages = append(languages, language)
		}
		return words
	}
	for _, w := range in.Spec.Argv {
		if text, err := disk.ReadPlain(w); err == nil && bytes.HasPrefix(text, []byte("#!")) {
			shell.Edit(string(text), add)
			break
		}
	}
	shell.EditScript(in.Spec.Argv, func(words, _ []string) []string { return add(words) })
	return languages
}

func checkName(p tool.Program, check []string) string {
	if !strings.HasPrefix(filepath.Base(p.Path), p.Name) {
		return p.Name
	}
	words := []string{p.String()}
	for _, w := range check {
		if w != tool.File && w != "." {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// Accepted returns the first check of each group that accepts the input, at most mostChecks. It skips
// programs that crash or take too long, and the rest when the budget is spent.
func (f *Finder) Accepted(ctx context.Context, asked []Check) ([]Check, error) {
	limited := ctx
	if f.Input.Budget > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, f.Input.Budget)
		defer cancel()
	}
	var checks []Check
	for _, g := range asked {
		same := func(other Check) bool { return other.Group == g.Group }
		if len(checks) == mostChecks || g.Last && len(checks) > 0 || slices.ContainsFunc(checks, same) {
			continue
		}
		accepted, err := g.accepts(limited, f.Programs, f.Input)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			return checks, nil
		}
		if err != nil {
			return nil, err
		}
		if accepted {
			checks = append(checks, g)
		}
	}
	return checks, nil
}

func (g *Check) accepts(ctx context.Context, executor oracle.Executor, in Input) (bool, error) {
	for {
		run, err := g.run(ctx, executor, in)
		if err != nil {
			return false, err
		}
		if run.Outcome == algo.Interesting {
			g.Took = max(g.Took, run.Elapsed)
			for i, n := range run.Counts {
				g.Allowed[i].Most = n
			}
			return true, nil
		}
		if g.Program.Tool == nil || run.ExitCode <= 0 || !g.allow(run.Output) && !g.dropUnknown(run.Output) {
			return false, nil
		}
	}
}

func (g *Check) run(ctx context.Context, executor oracle.Executor, in Input) (oracle.Run, error) {
	spec := in.Spec
	s := g.Stage()
	spec.Argv, spec.Interesting, spec.Timeout = s.Argv, s.Interesting, s.Timeout
	spec.Stdin, spec.KeepOutput = s.Stdin, true
	return executor.Run(ctx, spec, in.File)
}

func (g *Check) allow(output []byte) bool {
	before := len(g.Allowed)
	for _, name := range g.Program.Errors(output) {
		if !allows(g.Allowed, name) {
			end := slices.Index(slices.Concat(g.Argv, []string{tool.File}), tool.File)
			g.Allowed = append(g.Allowed, Allowed{Name: name})
			g.Argv = slices.Insert(slices.Clone(g.Argv), end, g.Program.Allow(name))
		}
	}
	return len(g.Allowed) > before
}

func allows(all []Allowed, name string) bool {
	return slices.ContainsFunc(all, func(a Allowed) bool { return a.Name == name })
}

// Command returns a check by a shell command of the user, with {} for the candidate.
func Command(command string) Check {
	return Check{Name: command, Argv: argv(command)}
}

const (
	newer = "newer version"
	older = "older version"
)

// Whole returns checks that run the whole command with another compiler: newer versions of the
// failing one, the nearest first, then older ones, then others. If the nearest accept the input,
// the bug is new, and the result must not show an older or more general one.
func (f *Finder) Whole(ctx context.Context) []Check {
	in := f.Input
	command, language := in.Program(ctx, f.Machine)
	if command.Tool == nil || in.Right {
		return nil
	}
	command.Words = command.OnlyCompile()
	var before, after, others []Check
	for _, p := range f.Machine.Programs(ctx, language) {
		if p.Akin(command.Program) || !p.Comparable(command.Program, language) {
			continue
		}
		g := Check{Name: shortName(p, command.Arguments()), Program: p, Argv: command.With(p.Path), Whole: true,
			Stdin: in.Spec.Stdin}
		switch {
		case p.Tool != command.Tool:
			g.Group, g.Last = p.Family, true
			others = append(others, g)
		case tool.CompareVersions(p, command.Program) < 0:
			g.Group = older
			before = append(before, g)
		default:
			g.Group = newer
			after = append(after, g)
		}
	}
	slices.Reverse(after) // the nearest is the oldest
	return slices.Concat(after, before, others)
}

func shortName(p tool.Program, arguments []string) string {
	const most = 60
	name := p.String()
	for i, w := range arguments {
		if w == tool.File {
			continue
		}
		if len(name)+1+len(w) > most && i < len(arguments)-1 {
			return name + " …"
		}
		name += " " + strings.ReplaceAll(w, "\n", " ")
	}
	return name
}

func (g *Check) dropUnknown(output []byte) bool {
	if !g.Whole {
		return false
	}
	rest, unknown := tool.Without(g.Argv, output)
	g.Argv = rest
	return len(unknown) > 0
}
