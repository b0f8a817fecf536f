package differs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/internal/valid"
	"whittle/oracle"
)

// A finder finds the stages of a test.
type finder struct {
	*Found
	executor oracle.Executor
	machine  *tool.Machine
	in       valid.Input

	command   tool.Program // of the first side; none that is known has no Tool
	arguments []string
	programs  []tool.Program // that read the same language
}

// Find returns the stages of a test of an input; with guards, if these are wanted. The error
// is a [*SameError] if the sides do not differ.
func (t Test) Find(ctx context.Context, executor oracle.Executor, m *tool.Machine, in valid.Input, guards bool,
) (*Found, error) {
	f := &finder{Found: &Found{right: -1}, executor: executor, machine: m, in: in}
	if err := f.findSides(ctx, t); err != nil || !guards {
		return f.Found, err
	}
	var language string
	f.command, f.arguments, language = in.Program(ctx, m)
	if f.command.Tool == nil || f.command.Builds == nil {
		return f.Found, nil
	}
	f.programs = m.Programs(ctx, language)
	sanitisers, err := f.sanitisers(ctx)
	if err != nil {
		return nil, err
	}
	compilers, err := f.compilers(ctx, t)
	f.guards = append(compilers, sanitisers...) // which take longer
	return f.Found, err
}

// findSides asks the two commands about the input, each twice.
func (f *finder) findSides(ctx context.Context, t Test) error {
	for i, command := range t {
		f.sides[i] = sideOf(command)
		var again answer
		var err error
		if f.answers[i], err = f.ask(ctx, f.sides[i]); err == nil {
			again, err = f.ask(ctx, f.sides[i])
		}
		if err == nil && !again.equal(f.answers[i]) {
			err = &SameError{"it does not print the same each time"}
		}
		if same := (*SameError)(nil); errors.As(err, &same) {
			return &SameError{fmt.Sprintf("--differs: %s: %s", command, same.text)}
		}
		if err != nil {
			return err
		}
	}
	for i, command := range t {
		name := ""
		if code := f.answers[i].code; code == notFound || code == notExecutable {
			name = relative(command, f.in.Spec.Home)
		}
		if name != "" {
			return &SameError{fmt.Sprintf("--differs: %s: exit code %d: it runs %s by a relative path, and runs itself in a "+
				"fresh directory\n  -> name it by its absolute path: %s", command, f.answers[i].code, name,
				filepath.Join(f.in.Spec.Home, name))}
		}
	}
	if f.answers[0].equal(f.answers[1]) {
		return &SameError{"--differs: both commands come to the same, which is:\n" + f.answers[0].shown()}
	}
	return nil
}

// The exit codes of a shell for a program that it cannot run.
const notExecutable, notFound = 126, 127

// word matches what may be the name of a file in a shell command.
var word = regexp.MustCompile(`[\w./+@%,~-]+`)

// relative returns the first word of a shell command that names a program by a path from the
// directory home; "" if there is none.
func relative(command, home string) string {
	for _, w := range word.FindAllString(command, -1) {
		if !strings.Contains(w, "/") || filepath.IsAbs(w) {
			continue
		}
		if info, err := os.Stat(filepath.Join(home, w)); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return w
		}
	}
	return ""
}

// ask runs a side on the input. The error is a [*SameError] if nothing came of it.
func (f *finder) ask(ctx context.Context, s side) (answer, error) {
	spec := f.in.Spec
	spec.Argv, spec.Interesting, spec.Stdin = argv(s.script()), oracle.Criteria{}, false
	spec.KeepOutput, spec.RawOutput = true, true
	run, err := f.executor.Run(ctx, spec, f.in.File)
	if err != nil {
		return answer{}, err
	}
	if run.ExitCode != 0 || answerOf(run).code < 0 {
		return answer{}, &SameError{"it cannot be built, or did not end"}
	}
	return answerOf(run), nil
}

// agrees reports whether a side agrees with one of the two about the input: with the one
// that is right, if that is known; else that is. If the side could be asked at all, built
// is true.
func (f *finder) agrees(ctx context.Context, s side) (agrees, built bool, err error) {
	a, err := f.ask(ctx, s)
	if same := (*SameError)(nil); errors.As(err, &same) {
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	for i, of := range f.answers {
		if a.equal(of) && (f.right < 0 || f.right == i) {
			f.right = i
			return true, true, nil
		}
	}
	return false, true, nil
}

// most is how many other compilers, and how many sanitizers, guard a result, at most.
const most = 2

// sanitisers returns programs that do only what is defined, one of each family of
// compilers. If one says that the input does something else, that is noted.
func (f *finder) sanitisers(ctx context.Context) (guards []side, err error) {
	families := map[string]bool{}
	for _, p := range f.programs {
		for _, sanitise := range p.Sanitise {
			if families[p.Family] || len(guards) == most {
				break
			}
			s := f.sideBy(p, sanitise)
			agrees, built, err := f.agrees(ctx, s)
			switch {
			case err != nil:
				return nil, err
			case agrees:
				guards = append(guards, s)
			case built:
				f.Notes = append(f.Notes, fmt.Sprintf(
					"the input does what is undefined, says %s: the two commands may both be right", s.name))
			}
			families[p.Family] = built
		}
	}
	return guards, nil
}

// compilers returns compilers that neither side is of, and that agree with the right one,
// one of each family.
func (f *finder) compilers(ctx context.Context, t Test) (guards []side, err error) {
	families := map[string]bool{}
	for _, p := range f.programs {
		if p.Builds == nil || families[p.Family] || len(guards) == most || t.has(ctx, f.machine, p) {
			continue
		}
		s := f.sideBy(p, nil)
		agrees, _, err := f.agrees(ctx, s)
		if err != nil {
			return nil, err
		}
		if families[p.Family] = agrees; agrees {
			guards = append(guards, s)
		}
	}
	return guards, nil
}

// has reports whether a program is that of one of the commands.
func (t Test) has(ctx context.Context, m *tool.Machine, p tool.Program) bool {
	for _, command := range t {
		if of, _, known := m.Command(ctx, strings.Fields(command)); known && p.Akin(of) {
			return true
		}
	}
	return false
}

// sideBy is a side that another compiler builds, with some arguments more.
func (f *finder) sideBy(p tool.Program, more []string) side {
	name := strings.Join(append([]string{p.String()}, more...), " ")
	words := []string{shell.Quote(p.Path)}
	for _, w := range append(valid.LanguageFor(p, f.command, f.arguments), more...) {
		words = append(words, shell.Quote(w))
	}
	return built(name, strings.Join(append(words, oracle.Placeholder, p.Output(program)), " "))
}
