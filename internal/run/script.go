package run

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"whittle/internal/failure/script"
)

// A script's command may take slower times its duration on the input, at least leastLimit.
const (
	leastLimit = 10 * time.Second
	slower     = 20
)

// Script returns a shell script of the test: command, criterion and validity checks.
func (r *Run) Script() *script.Script {
	if r.Prepared != "" {
		r.Warn(fmt.Sprintf("%[1]s includes files that are not where the script runs; it is for %[1]s with their text, "+
			"as cc -E -P makes it", r.Input))
	}
	spec := r.Spec
	all := &script.Script{Name: spec.Layout.Name, About: r.Failure.Title}
	var behind []script.Stage
	if r.differs != nil {
		all.About = fmt.Sprintf("what %s and %s come to is not the same", r.Test.Differs[0], r.Test.Differs[1])
		all.Stages, behind = r.differs.Shell(all.Name)
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
	words := r.Spec.Arguments()
	if program := r.Test.Argv[0]; !strings.Contains(program, "/") {
		words[0] = program
	}
	if strings.Contains(strings.Join(words, " "), testDir) {
		words = append([]string{"env", testDir + "=" + cmp.Or(r.Spec.Home, filepath.Dir(r.Spec.Argv[0]))}, words...)
	}
	return words
}
