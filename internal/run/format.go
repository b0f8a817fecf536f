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
	"slices"
	"strings"
	"time"

	"whittle"
	"whittle/internal/diagnose"
	"whittle/internal/disk"
	"whittle/internal/propose"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
	"whittle/pass"
)

// Values of Reduction.Format that are not commands.
const (
	FormatAuto = "auto" // the formatter of the language, if the test is a command
	FormatNone = "none"
)

// single reports whether programs of the user need a single file.
func (r *Run) single() bool {
	f := r.Reduction.Format
	return f != "" && f != FormatAuto && f != FormatNone || len(r.Propose.Commands) > 0
}

// CheckFormatter returns an error if the program of a simple command does not exist.
func CheckFormatter(command string) error {
	words := strings.Fields(command)
	switch {
	case command == FormatAuto, command == FormatNone, command == "":
	case len(words) > 0 && strings.ContainsAny(words[0], "=$`'\"\\(){};&|<>"):
	case len(words) == 0:
		return errors.New("--format needs a command, as gofmt")
	case exec.Command("/bin/sh", "-c", `command -v "$1"`, "sh", words[0]).Run() != nil:
		return fmt.Errorf("--format %s: there is no program %s; install it, give its path, or leave --format out",
			command, words[0])
	}
	return nil
}

func (r *Run) formatter() string {
	switch r.Reduction.Format {
	case FormatNone, "":
		return ""
	case FormatAuto:
		if r.Search.NoRewrite || r.Input.Set != nil || !r.Test.Inline {
			return ""
		}
		return shell.Join(tool.Formatter(r.Input.ReadBy(), r.Spec.Name))
	}
	return r.Reduction.Format
}

func (r *Run) addFormatter(ctx context.Context, o *whittle.Options) {
	if r.formats == "" {
		return
	}
	o.Passes = append(o.Passes, pass.Format(func(file []byte) ([]byte, error) {
		return r.within(file, func(file []byte) ([]byte, error) { return r.runFormatter(ctx, r.formats, file) })
	}, func(err error) {
		if ctx.Err() == nil {
			r.unformatted(err)
		}
	}))
}

func (r *Run) addProposers(ctx context.Context, o *whittle.Options) {
	if p, config := r.program, r.Propose; r.Input.Set == nil {
		if r.driver().Rewrites && !r.Search.NoRewrite && len(r.Test.Argv) > 0 {
			own := r.Host.machine.Proposers(ctx, slices.Concat(r.Test.Argv, r.Diagnosis().Words()), r.Input.ReadBy())
			config.Commands = slices.Concat(config.Commands, own)
		}
		o.Passes = append(o.Passes, propose.Passes(ctx, propose.Options{
			Config: config, Edited: r.Out.Edited, Output: r.Out.String(), Name: r.Spec.Name, Work: p.Work,
			Reaper: p.Reaper, Launch: launchIn(p.Sandbox, p.Work), Journal: r.Journal, Within: r.within, Warn: r.Warn,
		})...)
	}
}

func (r *Run) unformatted(err error) {
	if f := r.Reduction.Format; f != FormatAuto {
		r.Warn(fmt.Sprintf("--format %s: %v; the result does not change", f, err))
	}
}

// formatLimit limits programs other than the test, without --timeout.
const formatLimit = time.Minute

// maxGrowth bounds formatted size over original size.
const maxGrowth = 100

// runFormatter returns the output of a formatter. A shell command with {} changes a copy in
// place; others are filters. It has the limits of a test, but runs in the current directory,
// which may have its settings. The error completes a sentence, as in "it wrote nothing".
func (r *Run) runFormatter(ctx context.Context, command string, file []byte) ([]byte, error) {
	dir, remove, err := r.Scratch()
	if err != nil {
		return nil, err
	}
	defer remove()
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, r.Spec.Name)
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
	run, err := r.Programs(dir).Run(ctx, oracle.Spec{
		Argv: []string{"/bin/sh", "-c", script}, Home: r.Spec.Home, Layout: r.Spec.Layout,
		Timeout: cmp.Or(r.Timeout, formatLimit), Limits: r.Limits, KeepOutput: true,
	}, file)
	if err == nil {
		err = diagnose.Failed(run)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxGrowth*int64(len(file)+1<<10) {
		return nil, fmt.Errorf("it wrote %d bytes", info.Size())
	}
	result, err := disk.ReadPlain(path)
	if err == nil && len(bytes.TrimSpace(result)) == 0 && len(bytes.TrimSpace(file)) > 0 {
		err = errors.New("it wrote nothing")
	}
	return result, err
}
