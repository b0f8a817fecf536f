// Package guard finds conditions that the result of a reduction is to keep because its
// input has them: other compilers, or the front end of the same, accept it, and warnings
// that make undefined behaviour likely do not come up. They are asked only about what the
// test found interesting.
package valid

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whittle/algo"
	"whittle/internal/stages"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A Guard is a program that accepts the input, and so has to accept the result.
type Guard struct {
	Name    string        // as "clang-16 -fsyntax-only"
	Program tool.Program  // zero for a command of the user's
	Argv    []string      // with {} for the candidate; exit code 0 says that it is accepted
	Group   string        // of several guards of a group the first that accepts the input is taken
	Last    bool          // it is asked only if there is no other guard
	Whole   bool          // Argv is the whole command, with Program in the place of its own
	Stdin   bool          // the candidate is the standard input
	Allowed []Allowed     // warnings that would be refused, but that the input has
	Took    time.Duration // of the input
}

// Allowed is a warning that the input has.
type Allowed struct {
	Name string
	Most int // lines of output that may show it
}

// String says what the guard is, for people.
func (g Guard) String() string {
	if len(g.Allowed) == 0 {
		return g.Name
	}
	var names []string
	for _, a := range g.Allowed {
		names = append(names, "-W"+a.Name)
	}
	return fmt.Sprintf("%s (but for %s)", g.Name, strings.Join(names, ", "))
}

// Names returns the names of guards as a list, each once.
func Names(guards []Guard) string {
	var names []string
	for _, g := range guards {
		if !slices.Contains(names, g.Name) {
			names = append(names, g.Name)
		}
	}
	return strings.Join(names, ", ")
}

// The least time limit of a guard, and how many times as long as for the input it may
// take.
const (
	leastTimeout = 10 * time.Second
	slack        = 10
)

// Stage returns the guard as a stage behind the test.
func (g Guard) Stage() stages.Stage {
	s := stages.Stage{Name: g.Name, Argv: g.Argv, Stdin: g.Stdin, Refused: algo.Unresolved,
		Timeout: max(leastTimeout, slack*g.Took)}
	s.Interesting.ExitCodes = []int{0}
	if g.Whole { // what it warns of is a matter of other guards
		return s
	}
	for _, a := range g.Allowed {
		s.Interesting.Lines = append(s.Interesting.Lines, oracle.Line{Pattern: g.Program.Warning(a.Name), Most: a.Most})
	}
	return s
}

// Stages returns some guards as stages.
func Stages(guards []Guard) []stages.Stage {
	var all []stages.Stage
	for _, g := range guards {
		all = append(all, g.Stage())
	}
	return all
}

// most is how many guards there are, at most.
const most = 2

// An Input is what guards are found for.
type Input struct {
	File     []byte
	Spec     oracle.Spec // how it lies in the test's directory, and the limits of tests
	Language string      // as whittle calls it
	Command  []string    // the words of the test, if it is a command; else nil
	Right    bool        // its program is as good as any other: it does not break
	Dirs     []string    // where files of the project may be, the nearest first

	Budget time.Duration // for all that Find runs; 0 is no limit
}

// read returns the nearest file of the project with a name; nil if there is none.
func (in Input) read(name string) []byte {
	for _, dir := range in.Dirs {
		if content, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			return content
		}
	}
	return nil
}

// Program returns the first program in the command that is known, its arguments, and the
// language that it reads the file by: that of the file, or that of g++ where gcc would read
// it. A program that reads something else, as one in Java that reads XML, is not known.
func (in Input) Program(ctx context.Context, m *tool.Machine) (
	p tool.Program, arguments []string, language string) {
	p, arguments, known := m.Command(ctx, in.Command)
	isReadBy := func(family string) bool { // "" is any
		return slices.ContainsFunc(tool.Tools(), func(t *tool.Tool) bool {
			return (family == "" || t.Family == family) && slices.Contains(t.Reads, in.Language)
		})
	}
	switch {
	case !known:
	case slices.Contains(p.Reads, in.Language):
		return p, arguments, in.Language
	case isReadBy(p.Family) || !isReadBy(""):
		return p, arguments, p.Reads[0]
	}
	return tool.Program{}, nil, in.Language
}

// Asked returns what may become a guard of an input, in the order in which it is asked:
// another program than that of the command first, of each family one, and the same at
// last. It runs nothing but what says a version.
func Asked(ctx context.Context, m *tool.Machine, in Input) []Guard {
	command, arguments, language := in.Program(ctx, m)
	breaks := command.Tool != nil && !in.Right
	var asked, same []Guard
	for _, p := range m.Programs(ctx, language) {
		if breaks && p.Akin(command) || !p.Fits(command, in.read) {
			continue
		}
		asked = append(asked, of(p, command, arguments)...)
	}
	if breaks {
		same = of(command, command, arguments)
	}
	for i := range same {
		same[i].Last = true
	}
	return append(asked, same...)
}

// LanguageFor returns those of the arguments of a command that say what the language is,
// and that another program knows, too.
func LanguageFor(p, command tool.Program, arguments []string) []string {
	if command.Tool == nil {
		return nil
	}
	var language []string
	for _, words := range command.Language(arguments) {
		if len(p.Language(words)) > 0 {
			language = append(language, words...)
		}
	}
	return language
}

// of returns how a program may be asked about what a command gets.
func of(p, command tool.Program, arguments []string) []Guard {
	language := LanguageFor(p, command, arguments)
	var guards []Guard
	for _, check := range p.Checks {
		argv := slices.Concat([]string{p.Path}, language, p.Ends)
		for _, warning := range p.Bars {
			argv = append(argv, p.Bar(warning))
		}
		guards = append(guards, Guard{Name: name(p, check), Program: p, Group: p.Family, Argv: append(argv, check...)})
	}
	return guards
}

// name is what a check is called.
func name(p tool.Program, check []string) string {
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

// Find returns the guards of an input among those that are asked: of each group the first
// that accepts the input, and two at most. A program that crashes or takes too long is no
// guard. When the budget is used up, the others are not asked.
func Find(ctx context.Context, executor oracle.Executor, asked []Guard, in Input) ([]Guard, error) {
	limited := ctx
	if in.Budget > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, in.Budget)
		defer cancel()
	}
	var guards []Guard
	for _, g := range asked {
		same := func(other Guard) bool { return other.Group == g.Group }
		if len(guards) == most || g.Last && len(guards) > 0 || slices.ContainsFunc(guards, same) {
			continue
		}
		accepted, err := g.accepts(limited, executor, in)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			return guards, nil
		}
		if err != nil {
			return nil, err
		}
		if accepted {
			guards = append(guards, g)
		}
	}
	return guards, nil
}

// accepts reports whether the program accepts the input. What it warns of, and would
// refuse else, is allowed then.
func (g *Guard) accepts(ctx context.Context, executor oracle.Executor, in Input) (bool, error) {
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
		if g.Program.Tool == nil || run.ExitCode <= 0 || !g.allow(run.Output) && !g.leaveOut(run.Output) {
			return false, nil
		}
	}
}

// run runs the guard on the input, where any number of what is allowed may come.
func (g *Guard) run(ctx context.Context, executor oracle.Executor, in Input) (oracle.Run, error) {
	spec := in.Spec
	s := g.Stage()
	for i := range s.Interesting.Lines {
		s.Interesting.Lines[i].Most = 0
	}
	spec.Argv, spec.Interesting, spec.Timeout = s.Argv, s.Interesting, s.Timeout
	spec.Stdin, spec.KeepOutput = s.Stdin, true
	return executor.Run(ctx, spec, in.File)
}

// allow allows the errors in what the program has printed that are only warnings. It
// reports whether there was one that was not allowed yet.
func (g *Guard) allow(output []byte) bool {
	argv := g.Argv
	for _, name := range g.Program.Errors(output) {
		if slices.ContainsFunc(g.Allowed, func(a Allowed) bool { return a.Name == name }) {
			continue
		}
		g.Allowed = append(g.Allowed, Allowed{Name: name})
		g.Argv = slices.Insert(slices.Clone(g.Argv), g.end(), g.Program.Allow(name))
	}
	return len(g.Argv) > len(argv)
}

// end is where more arguments of the program may stand in Argv, behind those that it has.
func (g *Guard) end() int {
	if i := slices.Index(g.Argv, tool.File); i >= 0 {
		return i
	}
	return len(g.Argv)
}

// Command returns the guard that is a shell command of the user's, with {} for the
// candidate.
func Command(command string) Guard {
	script := strings.ReplaceAll(command, oracle.Placeholder, `"$1"`)
	return Guard{Name: command, Argv: []string{"/bin/sh", "-c", script, "sh", oracle.Placeholder}}
}
