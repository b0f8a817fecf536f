package run

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"whittle/internal/failure/script"
	"whittle/internal/valid"
)

// The least time limit of a script's commands, and how many times as long as on the input
// they may take.
const (
	leastLimit = 10 * time.Second
	slower     = 20
)

// Script returns what is interesting as a shell script: the command with the criterion that
// Recognise has found, and behind it the guards that Guard has. It warns of what the script
// does not see to.
func (s *Run) Script() *script.Script {
	if s.Prepared != "" {
		s.Warn(fmt.Sprintf("%[1]s includes files that are not where the script runs; it is for %[1]s with their text, "+
			"as cc -E -P makes it", s.Input))
	}
	spec := s.Spec
	all := &script.Script{Name: spec.Layout.Name, About: s.Failure.Title}
	var behind []valid.ScriptPart
	switch {
	case s.differs != nil:
		all.About = fmt.Sprintf("what %s and %s come to is not the same", s.Test.Differs[0], s.Test.Differs[1])
		var sides []valid.ScriptPart
		sides, behind = s.differs.Shell(all.Name)
		all.Stages = parts(sides)
	default:
		all.About = cmp.Or(all.About, "exit code "+spec.Interesting.String())
		all.Stages = []script.Stage{{
			Argv: s.command(), Stdin: spec.Stdin, Criteria: spec.Interesting,
			Timeout: cmp.Or(spec.Timeout, limit(s.Failure.Run.Elapsed)), Escapes: s.Failure.Run.Stripped,
		}}
	}
	for _, g := range s.Guards {
		stage := g.Stage()
		spec.Argv = stage.Argv
		all.Stages = append(all.Stages, script.Stage{
			About:    stage.Name + " accepts it, as it did at first",
			Argv:     spec.Arguments(),
			Stdin:    stage.Stdin,
			Timeout:  stage.Timeout.Round(time.Second),
			Criteria: stage.Interesting,
		})
	}
	all.Stages = append(all.Stages, parts(behind)...)
	if s.Crash != nil {
		stage := s.Crash.Stage
		spec.Argv = stage.Command(s.Spec.Argv)
		all.Stages = append(all.Stages, script.Stage{
			About: strings.Join(s.Crash.Notes(), "; "), Argv: spec.Arguments(), Stdin: spec.Stdin,
			Timeout: stage.Timeout.Round(time.Second), Criteria: stage.Interesting,
		})
	}
	return all
}

// parts returns the parts of a script as stages of one.
func parts(all []valid.ScriptPart) (made []script.Stage) {
	for _, p := range all {
		made = append(made, script.Stage{About: p.About, Lines: p.Lines})
	}
	return made
}

// limit is the time limit of a command that took so long.
func limit(elapsed time.Duration) time.Duration {
	return max(leastLimit, (slower * elapsed).Round(time.Second))
}

// testDir is the variable by which a test finds the user's files.
const testDir = "WHITTLE_TEST_DIR"

// command returns the words of the test, with the program as the user calls it.
func (s *Run) command() []string {
	words := s.Spec.Arguments()
	if program := s.Test.Argv[0]; !strings.Contains(program, "/") {
		words[0] = program
	}
	if strings.Contains(strings.Join(words, " "), testDir) {
		words = append([]string{"env", testDir + "=" + cmp.Or(s.Spec.Home, filepath.Dir(s.Spec.Argv[0]))}, words...)
	}
	return words
}
