// Package repro writes the script that shows a result to others: it copies the files of the result to a new directory,
// and runs the command there.
package repro

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whittle/algo"
	"whittle/internal/diagnose"
	"whittle/internal/printable"
	"whittle/internal/run"
	"whittle/internal/sandbox"
	"whittle/internal/shell"
	"whittle/internal/stage"
	"whittle/internal/tool"
	"whittle/oracle"
)

// variables configure builds. The script sets them.
var variables = strings.Fields(`CC CXX CPP FC LD AR CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LIBS MAKEFLAGS CMAKE_GENERATOR
	CMAKE_BUILD_TYPE CMAKE_PREFIX_PATH RUSTC RUSTFLAGS RUSTUP_TOOLCHAIN RUSTC_BOOTSTRAP GOFLAGS GO111MODULE GOOS GOARCH
	GOEXPERIMENT CGO_ENABLED PYTHONPATH PYTHONHASHSEED PYTEST_ADDOPTS NODE_OPTIONS NODE_ENV JAVA_TOOL_OPTIONS
	SOURCE_DATE_EPOCH`)

// places are variables about the user and the directories of tools. The test of the script has only these.
var places = strings.Fields(`PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TZ CARGO_HOME RUSTUP_HOME GOPATH GOROOT
	GOCACHE GOMODCACHE GOPROXY GOSUMDB GOTOOLCHAIN JAVA_HOME NVM_DIR PYENV_ROOT VIRTUAL_ENV XDG_CACHE_HOME`)

type repro struct {
	run     *run.Run
	files   []oracle.File
	tools   []string      // lines about versions
	outside []string      // paths in the project that the script copies
	took    time.Duration // by the command
	limit   time.Duration // for the script, if tests have less time
	python  bool          // Python finds the files by a variable, as the project is installed here by its path
}

// Write writes the script of a run's result for others, tests it in a clean directory, and says whether it shows the
// failure. Without time left it only writes the script.
func Write(ctx context.Context, r *run.Run) (err error) {
	if !r.Input.Shared {
		return nil
	}
	p := &repro{run: r}
	if p.files, err = r.Spec.Layout.List(r.Best()); err != nil {
		return oracle.Errorf("cannot list the result: %w", err)
	}
	if err := p.ask(ctx); err != nil {
		return err
	}
	to, script := r.Out.Script(), p.script()
	if r.Test.Project != nil && len(r.Test.Project.Outside) > 0 {
		if !p.alone(ctx, to.Path, script) {
			p.outside = r.Test.Project.Outside // the result still needs its dependencies
			script = p.script()
		}
	}
	isPython := func(f oracle.File) bool { return filepath.Ext(f.Path) == ".py" }
	if policy := r.Policy(); policy != nil && policy.Home != "" && slices.ContainsFunc(p.files, isPython) {
		if !p.alone(ctx, to.Path, script) {
			p.python = true
			script = p.script()
		}
	}
	kept, err := to.Write(script)
	if err != nil {
		return oracle.Errorf("cannot write the script: %w", err)
	}
	if kept != "" {
		r.WarnMoved(to.Path, kept)
	}
	message, err := p.check(ctx, to.Path, script)
	if ctx.Err() != nil {
		why := "the run was interrupted"
		if run.TimeOver(ctx) {
			why = "there was no time left"
		}
		message, err = printable.Line(to.Path)+" is not tested, as "+why, nil
	}
	if err == nil {
		r.Warn(message)
	}
	return err
}

// ask finds the tools, by one more run of the command.
func (p *repro) ask(ctx context.Context) error {
	began := time.Now()
	recording, err := stage.Record(ctx, p.run, p.words(), p.run.Best())
	p.took = time.Since(began)
	var programs []string
	switch {
	case err == nil:
		programs = recording.Programs()
	case ctx.Err() == nil:
		return err
	default: // no time for a run, only for the programs in the command
		programs = slices.DeleteFunc(p.words(), func(w string) bool { return !stage.Records(w) })
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), run.Grace/2)
		defer cancel()
		ctx = limited
	}
	var m tool.Machine
	if first := p.words()[0]; filepath.IsAbs(first) && err == nil {
		programs = append(programs, first)
	}
	for _, path := range programs {
		version := printable.Line(m.Version(ctx, path))
		if name := filepath.Base(path); version != "" && !strings.Contains(version, name) {
			version = name + ": " + version
		}
		if version != "" && !slices.Contains(p.tools, version) {
			p.tools = append(p.tools, version)
		}
	}
	return nil
}

func (p *repro) words() (words []string) {
	r := p.run
	for i, w := range stage.Words(r) {
		if i > 0 {
			w = strings.ReplaceAll(w, oracle.Placeholder, r.Spec.Layout.Name)
		}
		words = append(words, w)
	}
	return words
}

func (p *repro) script() []byte {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	list := func(what string, lines []string) {
		for i, l := range lines {
			if i > 0 {
				what = strings.Repeat(" ", len(what))
			}
			fmt.Fprintf(&b, "# %s %s\n", what, l)
		}
	}
	r := p.run
	shows := cmp.Or(r.Failure.Title, r.Test.String())
	if r.Failure.Title == "" && r.Interesting.Output != nil {
		shows = r.Interesting.String()
	}
	list("Shows:", []string{printable.Line(shows)})
	list("Tools:", p.tools)
	list("Not here:", p.outside)
	b.WriteString("work=$(mktemp -d) || exit 125\ntrap 'rm -rf \"$work\"' EXIT\ncd \"$(dirname \"$0\")\" || exit 125\n")
	names := map[bool][]string{}
	for _, f := range p.files {
		names[f.Mode.IsDir()] = append(names[f.Mode.IsDir()], f.Path)
	}
	loop := func(names []string, body string) {
		if len(names) == 0 {
			return
		}
		b.WriteString("for file in")
		for _, name := range names {
			b.WriteString(" \\\n\t" + shell.Quote("./"+name))
		}
		fmt.Fprintf(&b, "\ndo\n\t%s || exit 125\ndone\n", body)
	}
	if len(p.outside) > 0 {
		fmt.Fprintf(&b, "project=${PROJECT:-%s}\n", shell.Quote(r.Test.Project.Root))
		loop(p.outside, `mkdir -p "$work/$(dirname "$file")" && cp -R "$project/$file" "$work/$file"`)
		loop(r.Test.Project.Pulled, `rm -rf "$work/$file"`)
	}
	loop(names[true], `mkdir -p "$work/$file"`)
	loop(names[false], `mkdir -p "$work/$(dirname "$file")" && cp -P "$file" "$work/$file"`)
	b.WriteString("cd \"$work\" || exit 125\n")
	called := r.Called()
	env := slices.Concat(os.Environ(), called.Env)
	for _, name := range variables {
		if value, ok := lookup(env, name); ok && !(p.python && name == "PYTHONPATH") {
			fmt.Fprintf(&b, "export %s=%s\n", name, shell.Quote(value))
		}
	}
	if p.python {
		dirs := []string{`"$work"`, `"$work"/src`}
		value, _ := lookup(env, "PYTHONPATH")
		for _, dir := range filepath.SplitList(value) {
			if below, is := strings.CutPrefix(dir, r.Test.Project.Root+"/"); is {
				dirs = append(dirs, `"$work"/`+shell.Quote(below))
			} else {
				dirs = append(dirs, shell.Quote(dir))
			}
		}
		fmt.Fprintf(&b, "export PYTHONPATH=%s\n", strings.Join(dirs, ":"))
	}
	command := shell.Join(shell.Bare(p.words()))
	if called.Stdin {
		command += " <" + shell.Quote(called.Layout.Name)
	}
	b.WriteString(command + "\n")
	return []byte(b.String())
}

// lookup returns the last value of a variable.
func lookup(env []string, name string) (value string, found bool) {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value, found = v, true
		}
	}
	return value, found
}

// base is the environment of a test of the script.
func base() (env []string) {
	for _, name := range places {
		if value, ok := lookup(os.Environ(), name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// fails runs the script in a clean directory with only the files, and without the rest of the project.
func (p *repro) fails(ctx context.Context, path string, script []byte, env []string) (oracle.Run, error) {
	spec := p.run.Bare().Spec
	name := filepath.Base(path)
	spec.Argv, spec.Stdin, spec.KeepOutput, spec.Reason = []string{"/bin/sh", name}, false, true, nil
	files := append(slices.Clone(p.files), oracle.File{Path: name, Mode: fs.FileMode(0o755), Content: script})
	spec.Layout = oracle.Layout{Name: name, Files: func([]byte) ([]oracle.File, error) { return files, nil }}
	spec.Env, spec.Timeout = env, cmp.Or(p.limit, spec.Timeout)
	hidden, remove, err := p.run.Scratch()
	if err != nil {
		return oracle.Run{}, oracle.Errorf("cannot hide the project: %w", err)
	}
	defer remove()
	program := p.run.Programs(hidden)
	if box := program.Sandbox; box != nil && box.Home != "" {
		box.Over, box.Home = []sandbox.Overlay{{Lower: hidden, At: box.Home, Except: p.outside}}, ""
	}
	return program.Run(ctx, spec, nil)
}

// alone reports whether the script fails with its own files. Without its packages npx asks the network for minutes, so
// there is a time limit.
func (p *repro) alone(ctx context.Context, path string, script []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second+4*p.took)
	defer cancel()
	run, err := p.fails(ctx, path, script, base())
	return err == nil && run.Outcome == algo.Interesting
}

// hangLimit shows that the script of a hang is only slow: the limits of tests are shorter.
const hangLimit = 3 * time.Minute

// check tests the script, and returns a message.
func (p *repro) check(ctx context.Context, path string, script []byte) (message string, err error) {
	shown := printable.Line(path)
	if p.run.Failure.Limit > 0 {
		p.limit = hangLimit
	}
	var last oracle.Run
	for _, env := range [][]string{base(), nil} {
		if last, err = p.fails(ctx, path, script, env); err != nil {
			return "", err
		}
		how := " fails in the same way in a clean directory"
		if last.Ended(0) {
			how = " shows the same in a clean directory"
		}
		switch {
		case p.limit > 0 && !last.TimedOut:
			return fmt.Sprintf("%s ends after %v (%s), so the failure may only be that the command is slow; give a longer "+
				"--timeout", shown, last.Elapsed.Round(time.Second/10), diagnose.Ending(last)), nil
		case last.Outcome != algo.Interesting:
		case env != nil:
			return shown + how, nil
		default:
			return shown + how + ", but only with your environment", nil
		}
	}
	return fmt.Sprintf("%s does not show the same in a clean directory (%s)", shown, diagnose.Ending(last)), nil
}
