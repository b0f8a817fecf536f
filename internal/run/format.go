package run

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"whittle/internal/disk"
	"whittle/internal/shell"
	"whittle/oracle"
)

// CheckFormatter returns an error if there is no program that a formatter begins with,
// where that is plain to see.
func CheckFormatter(command string) error {
	words := strings.Fields(command)
	switch {
	case command == "" || len(words) > 0 && strings.ContainsAny(words[0], "=$`'\"\\(){};&|<>"):
	case len(words) == 0:
		return errors.New("--format needs a command, as gofmt")
	case exec.Command("/bin/sh", "-c", `command -v "$1"`, "sh", words[0]).Run() != nil:
		return fmt.Errorf("--format %s: there is no program %s; install it, give its path, or leave --format out",
			command, words[0])
	}
	return nil
}

// formatLimit is how long a formatter may take where tests have no limit that was given.
const formatLimit = time.Minute

// formatted is how many times as long as a file what is made of it may be.
const formatted = 100

// Format returns what a formatter, a shell command, makes of a file. Where the command
// has a {}, that is a copy of the file, which it changes in place; else it reads its
// standard input, and what it writes is the result. It runs like a test, with the same
// limits, but in the current directory, where its settings are. The error says what is
// wrong with it, as in "it wrote nothing".
func (s *Run) Format(ctx context.Context, command string, file []byte) ([]byte, error) {
	dir, remove, err := s.Scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, s.Spec.Name)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		return nil, err
	}
	script := fmt.Sprintf("cd %s || exit\n{\n%s\n}", shell.Quote(here), command)
	if strings.Contains(command, oracle.Placeholder) {
		script = strings.ReplaceAll(script, oracle.Placeholder, shell.Quote(path))
	} else {
		script += " <" + shell.Quote(path)
		path += ".formatted"
		script += " >" + shell.Quote(path)
	}
	run, err := s.programs(dir).Run(ctx, oracle.Spec{
		Argv: []string{"/bin/sh", "-c", script}, Home: s.Spec.Home, Layout: s.Spec.Layout,
		Timeout: cmp.Or(s.Timeout, formatLimit), Limits: s.Limits, KeepOutput: true,
	}, file)
	if err == nil {
		err = reason(run)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && info.Size() > formatted*int64(len(file)+1<<10) {
		return nil, fmt.Errorf("it wrote %d bytes", info.Size())
	}
	result, err := disk.ReadPlain(path)
	if err == nil && len(bytes.TrimSpace(result)) == 0 && len(bytes.TrimSpace(file)) > 0 {
		err = errors.New("it wrote nothing")
	}
	return result, err
}

// reason says how the run of a formatter failed; nil if it has not.
func reason(run oracle.Run) error {
	how := ""
	switch {
	case run.TimedOut:
		return fmt.Errorf("it had not ended after %v", run.Timeout)
	case run.Exceeded != oracle.NoLimit:
		return fmt.Errorf("it used too much %s", run.Exceeded.What())
	case run.Signal != "":
		how = "it was ended by a signal, " + run.Signal
	case run.ExitCode != 0:
		how = fmt.Sprintf("it ended with exit code %d", run.ExitCode)
	default:
		return nil
	}
	if said, _, _ := strings.Cut(strings.TrimSpace(string(run.Output)), "\n"); said != "" {
		how += ": " + said
	}
	return errors.New(how)
}
