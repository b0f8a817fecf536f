package session

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"whittle/failure/script"
)

// The least time limit of a script's commands, and how many times as long as on the input
// they may take.
const (
	leastLimit = 10 * time.Second
	patience   = 20
)

// Script returns what is interesting as a shell script: the command with the criterion that
// Recognise has found, and behind it the guards that Guard has.
func (s *Session) Script() *script.Script {
	spec := s.Spec
	name := spec.Layout.Name
	test := script.Stage{
		Argv:     s.command(),
		Stdin:    spec.Stdin,
		Timeout:  cmp.Or(spec.Timeout, limit(s.Failure.Run.Elapsed)),
		Criteria: spec.Interesting,
	}
	all := &script.Script{Name: name, About: s.Failure.Title, Stages: []script.Stage{test}}
	if all.About == "" {
		all.About = "exit code " + spec.Interesting.String()
	}
	for _, g := range s.Guards {
		stage := g.Stage()
		spec.Argv = stage.Argv
		all.Stages = append(all.Stages, script.Stage{
			About:    fmt.Sprintf("%s accepts it, as it did at first", stage.Name),
			Argv:     spec.Arguments(),
			Timeout:  stage.Timeout.Round(time.Second),
			Criteria: stage.Interesting,
		})
	}
	return all
}

// limit is the time limit of a command that took so long.
func limit(elapsed time.Duration) time.Duration {
	return max(leastLimit, (patience * elapsed).Round(time.Second))
}

// command returns the words of the test, with the program as the user calls it.
func (s *Session) command() []string {
	words := s.Spec.Arguments()
	if program := s.Test.Argv[0]; !strings.Contains(program, "/") {
		words[0] = program
	}
	return words
}
