package stage

import (
	"errors"
	"fmt"
	"path/filepath"

	"whittle/internal/failure"
	"whittle/internal/local"
	"whittle/internal/output"
	"whittle/internal/printable"
	"whittle/internal/project"
	"whittle/internal/shell"
	"whittle/oracle"
)

// Surroundings are a directory around a project, with files that its command needs. nil means the project alone.
type Surroundings struct {
	apart *local.ApartError // of the project alone
	root  string
}

// Widen runs a command for the project that the user gave. If it fails in another way in a copy, it runs again for
// surroundings of the project. args are the arguments of the command, with dash of them before --.
func Widen(args []string, dash int, do func(*Surroundings) error) error {
	err := do(nil)
	var first, apart *local.ApartError
	if !errors.As(err, &first) {
		return err
	}
	if dir, err := filepath.EvalSymlinks(first.Dir); err == nil {
		first.Dir = dir
	}
	if dash == 0 || output.Within(first.Dir, args[0]) && output.Within(args[0], first.Dir) {
		for _, root := range project.Around(first.Dir) {
			if err := do(&Surroundings{first, root}); !errors.As(err, &apart) {
				return err
			}
		}
	}
	command := shell.Join(shell.In(filepath.Base(first.Dir), shell.Command(args[dash:])))
	return fmt.Errorf("%w: %s instead of %s; give a directory around it that has them, as in: whittle %s -- %s; "+
		"or skip the comparison: --no-sandbox", first, title(first.Inside), title(first.Outside),
		shell.Quote(filepath.Dir(first.Dir)), command)
}

func title(run oracle.Run) string {
	if all := failure.All(run); len(all) > 0 {
		return all[0].Title
	}
	return "no failure"
}

// Of returns the input and the command of a project in its surroundings, and the run that it must show.
func (s *Surroundings) Of(inputs, words []string) (in, argv []string, expected *oracle.Run) {
	if s == nil {
		return inputs, words, nil
	}
	dir, _ := filepath.Rel(s.root, s.apart.Dir) // both are absolute
	return []string{s.root}, shell.In(dir, words), &s.apart.Outside
}

// String returns a line about the directory that is reduced, or "".
func (s *Surroundings) String() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("the command needs files outside of %s; %s is reduced", printable.Line(s.apart.Dir),
		printable.Line(s.root))
}
