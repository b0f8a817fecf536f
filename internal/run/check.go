package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"whittle/internal/diagnose"
	"whittle/internal/failure"
	"whittle/internal/failure/script"
	"whittle/internal/shell"
	"whittle/internal/valid"
	"whittle/oracle"
)

// checkSandbox reports whether a sandbox protects this machine.
func (r *Run) checkSandbox() diagnose.Finding {
	if r.Boxed() {
		return diagnose.Finding{Text: fmt.Sprintf("tests run in a sandbox (%v)", r.SandboxLevel)}
	}
	f := diagnose.Finding{Text: "tests run without a sandbox: what they do to this machine stays"}
	if r.Sandbox.On { // the user did not switch it off
		f.Grade = diagnose.Note
	}
	return f
}

// checkReading checks that the tree renders to the bytes of the file, and reports syntax errors.
func (in *Input) checkReading(report func(diagnose.Finding)) error {
	a, err := diagnose.Analyse(in.Language, in.Bytes)
	if err != nil {
		return err
	}
	if !a.Same {
		report(diagnose.Finding{
			Grade:  diagnose.Bad,
			Text:   fmt.Sprintf("whittle cannot give %s back as it is, read as %s", in, in.ReadBy()),
			Advice: "read it by another language, as --language structure; and tell us of this file",
		})
		return nil
	}
	report(diagnose.Finding{Text: fmt.Sprintf("read as %s in %v, %s has %s, and whittle gives it back byte for byte",
		in.ReadBy(), a.Elapsed.Round(100*time.Microsecond), in, english.Plural(a.Weight, "token", ""))})
	if a.Errors > 0 {
		report(diagnose.Finding{
			Grade: diagnose.Note,
			Text: fmt.Sprintf("%s has %s as %s; candidates have no more",
				in, english.Plural(a.Errors, "syntax error", ""), in.ReadBy()),
			Advice: "if it is of another language, say so by --language or --grammar",
		})
	}
	return nil
}

// Check reads the inputs and tells merits and mistakes of the test of a run. It stops
// after findings that make the others meaningless. Its error is not about the test.
func (r *Run) Check(ctx context.Context, inputs []string, tell func(diagnose.Finding)) error {
	err := r.Read(inputs)
	if err == nil {
		err = r.Start(ctx)
	}
	if err != nil {
		return err
	}
	tell(r.checkSandbox())
	if r.cluster != nil {
		bad := false
		err := r.checkElsewhere(ctx, func(f diagnose.Finding) {
			bad = bad || f.Grade == diagnose.Bad
			tell(f)
		})
		if err != nil || bad {
			return err
		}
	}
	err = r.recogniseBeside(ctx, r.Recognise(ctx))
	if unknown := (*diagnose.UnknownError)(nil); errors.As(err, &unknown) {
		f := diagnose.Finding{Grade: diagnose.Bad, Text: unknown.Error(), Advice: unknown.Advice}
		cause, err := r.Diagnosis().WhyNot(ctx, unknown.Run)
		if cause != nil && err == nil && !unknown.Final {
			f.Text, f.Advice = f.Text+"; "+cause.What, cause.Advice
		}
		tell(f)
		return err
	}
	if err != nil {
		return err
	}
	if r.Failure.Title != "" {
		tell(diagnose.Finding{Text: "the failure is recognised by: " + r.Failure.Title})
	}
	var weak, stronger string
	if err = r.Locate(ctx); err == nil {
		weak, stronger, err = r.weakness(ctx)
	}
	if err != nil {
		return Cause(ctx, err)
	}
	if weak != "" {
		tell(diagnose.Finding{Grade: diagnose.Note, Text: weak, Advice: stronger})
	}
	test := r.Diagnosis()
	test.Spec.Afresh = true
	if err := test.Check(ctx, r.Jobs, tell); err != nil {
		return err
	}
	return r.Input.checkReading(tell)
}

// Script reads the inputs and returns a script for the command of a run.
func (r *Run) Script(ctx context.Context, inputs []string) ([]byte, error) {
	if err := r.ReadFor("to write a test for", inputs); err != nil {
		return nil, err
	}
	if err := r.Start(ctx); err != nil {
		return nil, err
	}
	err := r.Prepare(ctx, false)
	if err == nil {
		err = r.Guard(ctx)
	}
	if err == nil {
		_, err = r.expect(ctx)
	}
	if err != nil {
		return nil, r.ExplainUnknown(ctx, err)
	}
	return r.script().Bytes()
}

// Recognised describes the criterion and its alternatives. With weak it warns if other failures meet the criterion.
func (r *Run) Recognised(ctx context.Context, weak bool) (lines []diagnose.Line, err error) {
	if r.Prepared != "" {
		lines = append(lines, diagnose.Line{Text: r.Prepared})
	}
	if text := r.missing(r.Failure.Run); text != "" {
		lines = append(lines, diagnose.Line{Text: text})
	}
	lines = append(lines, r.Diagnosis().Describe(r.Failure)...)
	if weak {
		var text, stronger string
		if text, stronger, err = r.weakness(ctx); text != "" {
			lines = append(lines, diagnose.Line{Text: text}, diagnose.Line{Text: stronger})
		}
	}
	return lines, err
}

// weakness returns a warning and advice if other failures meet the criterion. It must follow Guard or Locate.
func (r *Run) weakness(ctx context.Context) (warning, advice string, err error) {
	if r.Failure.Kind == failure.WrongValue && r.Failure.Weak() == "" && r.Test.Project != nil && r.Known == nil {
		return "weak criterion: an assertion of a test, so other code that fails it in this way is interesting, too",
			"if an older revision is right, find the change: whittle isolate --git OLD -- " + r.Test.String(), nil
	}
	weak := cmp.Or(r.Failure.Weak(), r.Spec.Interesting.Weak())
	if weak == "" || r.Crash != nil && r.Crash.Title != "" {
		return "", "", nil
	}
	warning = fmt.Sprintf("weak criterion: %s is interesting, so the result may show another bug", weak)
	if r.Failure.Kind == failure.Memory && r.Limits.Memory > 1<<30 { // no script can check it
		return warning, fmt.Sprintf("each test fills %s, so a lower limit makes it faster: --memory-limit %s",
			humanize.IBytes(r.Limits.Memory), strings.ReplaceAll(humanize.IBytes(r.Limits.Memory/8), " ", "")), nil
	}
	limited, cancel := context.WithTimeout(ctx, diagnose.CauseTime)
	defer cancel()
	command, title, err := r.stronger(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = nil
	}
	switch {
	case err != nil:
		return "", "", err
	case command != "":
		advice = fmt.Sprintf("stronger, as it looks for %s: %s", title, command)
	case r.Test.Inline:
		advice = fmt.Sprintf("stronger: a script that checks more; this writes one to begin with: "+
			"whittle test %s -- %s >test.sh", shell.Join(r.Input.Paths), r.Test)
	default:
		advice = "stronger: give --interesting-output with a line that only this failure prints"
	}
	return warning, advice, nil
}

// stronger returns a command line with a stronger criterion and its failure's title. It was tried
// on the input, an empty file and garbage.
func (r *Run) stronger(ctx context.Context) (command, title string, err error) {
	found := r.Failure
	given := !r.Interesting.IsZero()
	if given {
		t := r.Diagnosis()
		t.Spec.Interesting, t.Command, t.Seen = oracle.Criteria{}, true, nil
		found, err = t.Recognise(ctx)
		if unknown := (*diagnose.UnknownError)(nil); errors.As(err, &unknown) {
			return "", "", nil
		}
		if err != nil {
			return "", "", err
		}
	}
	if found.Title != "" && found.Weak() == "" && given && r.Test.Inline {
		return r.commandLine(""), found.Title, nil // recognised without flags
	}
	if title, err = r.place(ctx, found); err != nil {
		return "", "", err
	} else if title != "" {
		return r.commandLine(""), title, nil
	}
	for _, signature := range slices.Concat([]failure.Signature{found.Signature}, found.Others, found.Own) {
		flags := diagnose.Flags(signature)
		says := found.Weak() == found.Criteria.Weak() // otherwise the other lines say less
		if says && signature.Title != "" && signature.Weak() == "" && flags != "" {
			return r.commandLine(flags), signature.Title, nil
		}
	}
	return "", "", nil
}

// place returns the title of the crash without the user's criteria, or "".
func (r *Run) place(ctx context.Context, found diagnose.Failure) (title string, err error) {
	if !r.Test.Inline || r.Interesting.IsZero() && r.Valid.Known() {
		return "", nil // Locate has looked for it
	}
	was, interesting, checks, crash := r.Failure, r.Spec.Interesting, r.Valid, r.Crash
	defer func() { r.Failure, r.Spec.Interesting, r.Valid, r.Crash = was, interesting, checks, crash }()
	r.Failure, r.Spec.Interesting, r.Valid = found, found.Criteria, valid.Options{}
	if err := r.Locate(ctx); err != nil || r.Crash == nil {
		return "", err
	}
	return r.Crash.Title, nil
}

func (r *Run) commandLine(flags string) string {
	words := []string{"whittle"}
	if flags != "" {
		words = append(words, flags)
	}
	if r.Test.Inline {
		return strings.Join(append(words, shell.Join(r.Input.Paths), "--", r.Test.String()), " ")
	}
	return strings.Join(append(words, r.Test.String(), shell.Join(r.Input.Paths)), " ")
}

// A script's command may take slower times its duration on the input, at least leastLimit.
const (
	leastLimit = 10 * time.Second
	slower     = 20
)

// script returns a shell script of the test: command, criterion and validity checks.
func (r *Run) script() *script.Script {
	if r.Prepared != "" {
		r.Warn(fmt.Sprintf("%[1]s includes files that are not where the script runs; it is for %[1]s with their text, "+
			"as cc -E -P makes it", r.Input))
	}
	spec := r.Spec
	all := &script.Script{Name: spec.Layout.Name, About: r.Failure.Title}
	var behind []script.Stage
	if r.Sides != nil {
		all.About = fmt.Sprintf("what %s and %s come to is not the same", r.Test.Differs[0], r.Test.Differs[1])
		all.Stages, behind = r.Sides.Shell(all.Name)
	} else {
		all.About = cmp.Or(all.About, "exit code "+spec.Interesting.String())
		all.Stages = []script.Stage{{
			Argv: r.scriptCommand(), Stdin: spec.Stdin, Criteria: spec.Interesting, Escapes: r.Failure.Run.Stripped,
			Timeout: cmp.Or(spec.Timeout, max(leastLimit, (slower*r.Failure.Run.Elapsed).Round(time.Second))),
		}}
	}
	for _, g := range r.Guards {
		stage := g.Stage()
		spec.Argv = stage.Argv
		all.Stages = append(all.Stages, script.Stage{
			About: stage.Name + " accepts it, as it did at first", Argv: spec.Arguments(), Stdin: stage.Stdin,
			Timeout: stage.Timeout.Round(time.Second), Criteria: stage.Interesting,
		})
	}
	all.Stages = append(all.Stages, behind...)
	if r.Crash != nil {
		stage := r.Crash.Stage
		spec.Argv = stage.Command(r.Spec.Argv)
		all.Stages = append(all.Stages, script.Stage{
			About: strings.Join(r.Crash.Notes(), "; "), Argv: spec.Arguments(), Stdin: spec.Stdin,
			Timeout: stage.Timeout.Round(time.Second), Criteria: stage.Interesting,
		})
	}
	return all
}

// testDir names the variable with the directory of the test.
const testDir = "WHITTLE_TEST_DIR"

// scriptCommand returns the test's words, with the program as the user wrote it.
func (r *Run) scriptCommand() []string {
	words := r.Spec.ArgumentsIn(shell.Here)
	if program := r.Test.Argv[0]; !strings.Contains(program, "/") {
		words[len(r.Spec.Before)] = program
	}
	if strings.Contains(strings.Join(words, " "), testDir) {
		words = append([]string{"env", testDir + "=" + cmp.Or(r.Spec.Home, filepath.Dir(r.Spec.Argv[0]))}, words...)
	}
	return words
}
