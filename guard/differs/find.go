package differs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"whittle/algo"
	"whittle/guard"
	"whittle/internal/shell"
	"whittle/internal/toolchain"
	"whittle/oracle"
	"whittle/oracle/stages"
)

// Found is a test as stages.
type Found struct {
	// Sides are the two commands. What they come to is interesting if it differs.
	Sides []stages.Stage
	// Guards say that one of them, always the same, is right: other compilers that agree
	// with it, and programs that would end where they do what is undefined.
	Guards []stages.Stage
	// Notes are lines of text that are worth knowing.
	Notes []string
}

// A finder finds the stages of a test.
type finder struct {
	executor oracle.Executor
	machine  *toolchain.Machine
	in       guard.Input
	answers  [2]answer // to the input
	right    int       // of the sides, as others say; -1 is not known yet
}

// Find returns the stages of a test of an input; with guards, if these are wanted. The error
// is a [*SameError] if the sides do not differ.
func (t Test) Find(ctx context.Context, executor oracle.Executor, m *toolchain.Machine, in guard.Input, guards bool,
) (found Found, err error) {
	f := &finder{executor: executor, machine: m, in: in, right: -1}
	if found.Sides, err = f.sides(ctx, t); err != nil || !guards {
		return found, err
	}
	command, arguments, language := in.Program(ctx, m)
	if command.Tool == nil || command.Builds == nil {
		return found, nil
	}
	programs := m.Programs(ctx, language)
	sanitisers, undefined, err := f.sanitisers(ctx, programs, command, arguments)
	if err != nil {
		return found, err
	}
	if undefined != "" {
		found.Notes = append(found.Notes, fmt.Sprintf(
			"the input does what is undefined, says %s: the two commands may both be right", undefined))
	}
	compilers, err := f.compilers(ctx, t, programs, command, arguments)
	found.Guards = append(compilers, sanitisers...) // which take longer
	return found, err
}

// sides returns the two commands as stages.
func (f *finder) sides(ctx context.Context, t Test) ([]stages.Stage, error) {
	var sides [2]side
	for i, command := range t {
		sides[i] = sideOf(command)
		var again answer
		var err error
		if f.answers[i], err = f.ask(ctx, sides[i]); err == nil {
			again, err = f.ask(ctx, sides[i])
		}
		if err == nil && !again.equal(f.answers[i]) {
			err = &SameError{"it does not print the same each time"}
		}
		if same := (*SameError)(nil); errors.As(err, &same) {
			return nil, &SameError{fmt.Sprintf("--differs: %s: %s", command, same.text)}
		}
		if err != nil {
			return nil, err
		}
	}
	first, second := f.answers[0], f.answers[1]
	if first.equal(second) {
		return nil, &SameError{"--differs: both commands come to the same, which is:\n" + first.shown()}
	}
	return []stages.Stage{
		sides[0].stage(algo.Uninteresting, func(runs []oracle.Run) bool { return answerOf(runs[0]).like(first) }),
		sides[1].stage(algo.Uninteresting, func(runs []oracle.Run) bool {
			a, b := answerOf(runs[0]), answerOf(runs[1])
			return b.like(second) && !a.equal(b)
		}),
	}, nil
}

// ask runs a side on the input. The error is a [*SameError] if nothing came of it.
func (f *finder) ask(ctx context.Context, s side) (answer, error) {
	spec := f.in.Spec
	spec.Argv, spec.Interesting, spec.Stdin, spec.KeepOutput = s.argv(), oracle.Criteria{}, false, true
	run, err := f.executor.Run(ctx, spec, f.in.File)
	if err != nil {
		return answer{}, err
	}
	a := answerOf(run)
	if run.Outcome != algo.Interesting || a.code < 0 {
		return a, &SameError{"it cannot be built, or did not end"}
	}
	return a, nil
}

// agrees reports whether a side agrees with one of the two about the input, with the one
// that is right if that is known, and returns it as a guard. Else, if it could be asked
// at all, built is true.
func (f *finder) agrees(ctx context.Context, s side) (guard stages.Stage, agrees, built bool, err error) {
	a, err := f.ask(ctx, s)
	if same := (*SameError)(nil); errors.As(err, &same) {
		return guard, false, false, nil
	}
	if err != nil {
		return guard, false, false, err
	}
	with := 0
	if !a.equal(f.answers[0]) {
		with = 1
	}
	if !a.equal(f.answers[with]) || f.right >= 0 && f.right != with {
		return guard, false, true, nil
	}
	f.right = with
	return s.stage(algo.Unresolved, func(runs []oracle.Run) bool {
		return answerOf(runs[len(runs)-1]).equal(answerOf(runs[with]))
	}), true, true, nil
}

// most is how many other compilers, and how many sanitizers, guard a result, at most.
const most = 2

// sanitisers returns programs that do what is defined only, one of each family of
// compilers, and the name of one that says that the input does something else.
func (f *finder) sanitisers(ctx context.Context, programs []toolchain.Program, command toolchain.Program,
	arguments []string) (guards []stages.Stage, undefined string, err error) {
	families := map[string]bool{}
	for _, p := range programs {
		for _, sanitise := range p.Sanitise {
			if families[p.Family] || len(guards) == most {
				break
			}
			s := sideBy(p, command, arguments, sanitise)
			guard, agrees, built, err := f.agrees(ctx, s)
			switch {
			case err != nil:
				return nil, "", err
			case agrees:
				guards = append(guards, guard)
			case built:
				undefined = s.name
			}
			families[p.Family] = built
		}
	}
	return guards, undefined, nil
}

// compilers returns compilers that neither side is of, and that agree with the right one,
// one of each family.
func (f *finder) compilers(ctx context.Context, t Test, programs []toolchain.Program, command toolchain.Program,
	arguments []string) (guards []stages.Stage, err error) {
	families := map[string]bool{}
	for _, p := range programs {
		if p.Builds == nil || families[p.Family] || len(guards) == most || t.has(ctx, f.machine, p) {
			continue
		}
		guard, agrees, _, err := f.agrees(ctx, sideBy(p, command, arguments, nil))
		if err != nil {
			return nil, err
		}
		if families[p.Family] = agrees; agrees {
			guards = append(guards, guard)
		}
	}
	return guards, nil
}

// has reports whether a program is that of one of the commands.
func (t Test) has(ctx context.Context, m *toolchain.Machine, p toolchain.Program) bool {
	for _, command := range t {
		if of, _, known := m.Command(ctx, strings.Fields(command)); known && p.Akin(of) {
			return true
		}
	}
	return false
}

// sideBy is a side that another compiler builds, with some arguments more.
func sideBy(p, command toolchain.Program, arguments, more []string) side {
	name := strings.Join(append([]string{p.String()}, more...), " ")
	words := []string{shell.Quote(p.Path)}
	for _, w := range append(guard.LanguageFor(p, command, arguments), more...) {
		words = append(words, shell.Quote(w))
	}
	return built(name, strings.Join(append(words, oracle.Placeholder, outputs(p.Tool)), " "))
}
