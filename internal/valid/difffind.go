package valid

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/internal/disk"
	"whittle/internal/failure"
	"whittle/internal/tool"
	"whittle/oracle"
)

type diffFinder struct {
	*DiffStages
	*Finder
	command  tool.Command   // of the first side; without a Tool if unknown
	programs []tool.Program // that read the same language
}

// FindSides returns the stages of a [DiffTest], with validity checks by known programs on request. The error is a
// [*failure.UnfitError] if the sides do not differ.
func (finder *Finder) FindSides(ctx context.Context) (*DiffStages, error) {
	f := &diffFinder{DiffStages: &DiffStages{right: -1}, Finder: finder}
	if err := f.findSides(ctx); err != nil || !f.Known() {
		return f.DiffStages, err
	}
	var language string
	f.command, language = f.Input.Program(ctx, f.Machine)
	if f.command.Tool == nil || f.command.Builds == nil {
		return f.DiffStages, nil
	}
	f.programs = f.Machine.Programs(ctx, language)
	sanitizers, err := f.agreeing(ctx, func(p tool.Program) [][]string { return p.Sanitise },
		func(s side) bool { return f.undefined(ctx, s) })
	if err != nil {
		return nil, err
	}
	compilers, err := f.agreeing(ctx, func(p tool.Program) [][]string {
		if p.Builds == nil || f.Differs.has(ctx, f.Machine, p) {
			return nil
		}
		return [][]string{nil}
	}, func(side) bool { return false })
	f.checks = append(compilers, sanitizers...) // the slower ones last
	return f.DiffStages, err
}

func (f *diffFinder) findSides(ctx context.Context) error {
	var again [2]answer
	for i, command := range f.Differs {
		f.sides[i] = sideOf(command)
		var err error
		if f.answers[i], err = f.ask(ctx, f.sides[i]); err == nil {
			again[i], err = f.ask(ctx, f.sides[i])
		}
		if errors.As(err, new(*failure.UnfitError)) {
			return failure.Unfitf("--differs: %s: %v", command, err)
		}
		if err != nil {
			return err
		}
	}
	for i, command := range f.Differs {
		name := ""
		if code := f.answers[i].code; code == notFound || code == notExecutable {
			name = relative(command, f.Input.Spec.Home)
		}
		if name != "" {
			return failure.Unfitf("--differs: %s: exit code %d: it runs %s by a relative path, but tests run in "+
				"fresh directories\n  -> use the absolute path: %s", command, f.answers[i].code, name,
				filepath.Join(f.Input.Spec.Home, name))
		}
	}
	varying := -1
	for i := range f.sides {
		if !again[i].equal(f.answers[i]) {
			varying = i
		}
	}
	same := f.answers[0].equal(f.answers[1])
	if varying >= 0 || same {
		if err := f.sometimes(ctx); f.Sometimes || err != nil {
			return err
		}
	}
	if varying >= 0 {
		return failure.Unfitf("--differs: %s: its result differs between two runs on the input", f.Differs[varying])
	}
	if same {
		return failure.Unfitf("--differs: both commands give the same result on the input:\n%s", f.answers[0].shown())
	}
	return nil
}

// sometimes finds a side that gives the other's result in some runs, and another result in others.
func (f *diffFinder) sometimes(ctx context.Context) error {
	for i, s := range f.sides {
		usual := f.answers[1-i]
		var agrees, odd *answer
		for n := 0; n < mostTries && (agrees == nil || odd == nil); n++ {
			a, err := f.ask(ctx, s)
			switch {
			case errors.As(err, new(*failure.UnfitError)):
			case err != nil:
				return err
			case a.equal(usual):
				agrees = &a
			default:
				odd = &a
			}
		}
		if agrees != nil && odd != nil {
			f.answers[i], f.Sometimes = *odd, true
			return nil
		}
	}
	return nil
}

const mostTries = 20

// Exit codes of a shell for a program that it cannot run.
const notExecutable, notFound = 126, 127

var word = regexp.MustCompile(`[\w./+@%,~-]+`)

// relative returns the first program in a shell command that is a path relative to home, or "".
func relative(command, home string) string {
	for _, w := range word.FindAllString(command, -1) {
		if !strings.Contains(w, "/") || filepath.IsAbs(w) {
			continue
		}
		if disk.IsProgram(filepath.Join(home, w)) {
			return w
		}
	}
	return ""
}

func (f *diffFinder) ask(ctx context.Context, s side) (answer, error) {
	spec := f.Input.Spec
	spec.Argv, spec.Interesting, spec.Stdin = argv(s.script()), oracle.Criteria{}, false
	spec.KeepOutput, spec.RawOutput = true, true
	run, err := f.Programs.Run(ctx, spec, f.Input.File)
	if err != nil {
		return answer{}, err
	}
	if run.ExitCode != 0 || answerOf(run).code < 0 {
		return answer{}, failure.Unfitf("it failed to build, or did not end")
	}
	return answerOf(run), nil
}

// agrees reports whether a side agrees with the right one, which the first agreement chooses. built
// is false without a result.
func (f *diffFinder) agrees(ctx context.Context, s side) (agrees, built bool, err error) {
	a, err := f.ask(ctx, s)
	if errors.As(err, new(*failure.UnfitError)) {
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

// agreeing returns sides that agree with the right one, at most one per family. They are built by the programs, each
// with one of alternative arguments. disagrees reports whether a side that does not agree is enough for its family.
func (f *diffFinder) agreeing(ctx context.Context, alternatives func(p tool.Program) [][]string,
	disagrees func(s side) bool,
) (checks []side, err error) {
	families := map[string]bool{}
	for _, p := range f.programs {
		for _, more := range alternatives(p) {
			if families[p.Family] || len(checks) == mostChecks {
				break
			}
			s := f.sideBy(p, more)
			agrees, built, err := f.agrees(ctx, s)
			if err != nil {
				return nil, err
			}
			if agrees {
				checks = append(checks, s)
			}
			families[p.Family] = agrees || built && disagrees(s)
		}
	}
	return checks, nil
}

// undefined notes why a program built with sanitizers disagrees: by a report, or by another result that is right, too.
func (f *diffFinder) undefined(ctx context.Context, s side) bool {
	s.run = fmt.Sprintf("ASAN_OPTIONS=detect_leaks=0:exitcode=%[1]d UBSAN_OPTIONS=exitcode=%[1]d %[2]s", reported, s.run)
	a, err := f.ask(ctx, s)
	trapped := a.code > oracle.ExitSignal && max(f.answers[0].code, f.answers[1].code) <= oracle.ExitSignal
	if err != nil {
		return false // another sanitizer may tell
	}
	why := "the input has undefined behavior, says %s"
	if a.code != reported && !trapped {
		why = "%s reports nothing, but the program gives another result: correct compilers may differ here, " +
			"as in the order of evaluation"
	}
	f.Notes = append(f.Notes, fmt.Sprintf(why+"; both commands may be right", s.name))
	return true
}

func (t DiffTest) has(ctx context.Context, m *tool.Machine, p tool.Program) bool {
	return slices.ContainsFunc(t[:], func(command string) bool {
		of, known := m.Command(ctx, strings.Fields(command))
		return known && p.Akin(of.Program)
	})
}

func (f *diffFinder) sideBy(p tool.Program, more []string) side {
	name := strings.Join(append([]string{p.String()}, more...), " ")
	return built(name, buildBy(p, append(languageFor(p, f.command), more...), diffProgram))
}
