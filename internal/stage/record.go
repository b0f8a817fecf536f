package stage

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"whittle/internal/disk"
	"whittle/internal/local"
	"whittle/internal/run"
	"whittle/internal/sandbox"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A Step is a program that a command started.
type Step struct {
	Dir    string
	Words  []string // with the path of the program, unless PATH has it
	Unit   string   // the package that the step compiles, if its builder says so
	Status string   // exit code, as a shell has it; "" if the step was killed
}

// A Recording is one run of a command, with the steps of its known programs.
type Recording struct {
	Dir   string // the files of the candidate and the files that the command wrote, until the run is closed
	Run   oracle.Run
	Steps []Step // in the order in which they ended

	scratch string
	over    []sandbox.Overlay
}

// shim is a script that records a step: the directory, the unit and the words, each before a zero byte. Then it runs
// the program, which may be the first argument.
const shim = `#!/bin/sh
log=%[1]s/$$
while [ -e "$log" ]; do log=${log}_; done
printf '%%s\0' "$PWD" "${TOOLEXEC_IMPORTPATH-$CARGO_PKG_NAME}" %[2]s "$@" >"$log"
%[2]s "$@"
status=$?
printf %%s $status >"$log.status"
exit $status
`

// wrappers are variables that make builders start their compilers by a program, before which the text comes.
var wrappers = []struct{ variable, text string }{
	{"RUSTC_WRAPPER", ""}, {"GOFLAGS", "-toolexec="},
}

// builders are programs to record that are no tools.
var builders = strings.Fields(`make gmake cmake ninja meson bazel cargo npm npx yarn pnpm deno bun pytest tox mvn gradle
	ld ar`)

// Record runs words, the command of a run, on a candidate. A script before PATH starts each program of a table that
// PATH has.
func Record(ctx context.Context, r *run.Run, words []string, candidate []byte) (*Recording, error) {
	scratch, remove, err := r.Scratch()
	if err != nil {
		return nil, oracle.Errorf("cannot make a directory to record a command: %w", err)
	}
	r.Later(remove)
	rec := &Recording{Dir: filepath.Join(scratch, "project"), scratch: scratch}
	for _, dir := range []string{rec.Dir, rec.log(), rec.bin()} {
		if err == nil {
			err = os.Mkdir(dir, 0o700)
		}
	}
	var env []string
	if err == nil {
		env, err = rec.shims()
	}
	layout := r.Spec.Layout
	if layout.Outside != nil && err == nil {
		box := r.Programs(scratch).Sandbox
		rec.over, err = local.Surround(layout.Outside, rec.Dir, filepath.Join(scratch, "changes"), box, nil)
		layout.Outside = nil
	}
	if err == nil {
		err = layout.Put(rec.Dir, candidate)
	}
	if err != nil {
		return nil, oracle.Errorf("cannot prepare to record a command: %w", err)
	}
	if words, err = rec.script(words); err == nil {
		rec.Run, err = rec.run(ctx, r, rec.Dir, words, env)
	}
	if err == nil {
		err = rec.read()
	}
	return rec, err
}

// absolute matches a path in a script.
var absolute = regexp.MustCompile(`/[\w./+-]+`)

// script returns the words with a copy of a script that runs shims instead of known programs by their absolute paths.
func (rec *Recording) script(words []string) ([]string, error) {
	text, err := os.ReadFile(words[0])
	if err != nil || !bytes.HasPrefix(text, []byte("#!")) {
		return words, nil
	}
	_, body, _ := bytes.Cut(text, []byte("\n"))
	paths := map[string]string{}
	replaced := absolute.ReplaceAllFunc(body, func(path []byte) []byte {
		name := string(path)
		if tool.Find(filepath.Base(name)) == nil || !disk.IsProgram(name) {
			return path
		}
		if paths[name] == "" {
			paths[name] = filepath.Join(rec.bin(), strconv.Itoa(len(paths)), filepath.Base(name))
			err = cmp.Or(err, os.Mkdir(filepath.Dir(paths[name]), 0o700), rec.shim(paths[name], shell.Quote(name)))
		}
		return []byte(paths[name])
	})
	if len(paths) == 0 || err != nil {
		return words, err
	}
	own := filepath.Join(rec.scratch, filepath.Base(words[0]))
	whole := slices.Concat(text[:len(text)-len(body)], replaced)
	return slices.Concat([]string{own}, words[1:]), os.WriteFile(own, whole, 0o700)
}

// Records reports whether a recording has the steps of a program, given by path or name.
func Records(program string) bool {
	return tool.Find(program) != nil || slices.Contains(builders, filepath.Base(program))
}

// shim writes a script that records the step of a program.
func (rec *Recording) shim(path, program string) error {
	return os.WriteFile(path, fmt.Appendf(nil, shim, shell.Quote(rec.log()), program), 0o700)
}

func (rec *Recording) log() string { return filepath.Join(rec.scratch, "log") }
func (rec *Recording) bin() string { return filepath.Join(rec.scratch, "bin") }

// run runs a command in a directory of the recording, by the limits and the criterion of a run.
func (rec *Recording) run(ctx context.Context, r *run.Run, dir string, words, env []string) (oracle.Run, error) {
	spec := r.Bare().Spec
	spec.Argv = slices.Concat([]string{"/bin/sh", "-c", `cd "$0" && exec "$@"`, dir}, words)
	spec.Layout, spec.Env, spec.KeepOutput, spec.Reason = oracle.Layout{Name: "whittle"}, env, true, nil
	if spec.Env == nil {
		spec.Env = environment(r)
	}
	program := r.Programs(rec.scratch)
	if box := program.Sandbox; box != nil {
		box.Over = rec.over
		if box.Home != "" {
			box.Over = append(slices.Clip(rec.over), sandbox.Overlay{Lower: rec.Dir, At: box.Home})
			box.Home = ""
		}
	}
	return program.Run(ctx, spec, nil)
}

func environment(r *run.Run) []string {
	if r.Spec.Env != nil {
		return r.Spec.Env
	}
	return os.Environ()
}

// shims writes the scripts, and returns the environment that starts them.
func (rec *Recording) shims() (env []string, err error) {
	write := func(name, program string) {
		err = cmp.Or(err, rec.shim(filepath.Join(rec.bin(), name), program))
	}
	seen := map[string]bool{}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			name, path := e.Name(), filepath.Join(dir, e.Name())
			if seen[name] || !filepath.IsAbs(dir) || !Records(name) {
				continue
			}
			if disk.IsProgram(path) {
				seen[name] = true
				write(name, shell.Quote(path))
			}
		}
	}
	const wrap = "whittle-wrap"
	write(wrap, "")
	env = append(os.Environ(), "PATH="+rec.bin()+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, w := range wrappers {
		before := os.Getenv(w.variable)
		if w.text == "" && before != "" || w.text != "" && strings.Contains(before, w.text) {
			continue // a wrapper of the user
		}
		env = append(env, w.variable+"="+strings.TrimSpace(before+" "+w.text+filepath.Join(rec.bin(), wrap)))
	}
	return env, err
}

// read reads the steps.
func (rec *Recording) read() error {
	entries, err := os.ReadDir(rec.log())
	if err != nil {
		return oracle.Errorf("cannot read the steps of a command: %w", err)
	}
	ended := map[string]time.Time{}
	for _, e := range entries {
		path := filepath.Join(rec.log(), e.Name())
		if strings.HasSuffix(path, ".status") {
			continue
		}
		text, err := os.ReadFile(path)
		fields := strings.Split(string(bytes.TrimSuffix(text, []byte{0})), "\x00")
		if err != nil || len(fields) < 3 {
			continue // of a killed shell
		}
		s := Step{Dir: fields[0], Unit: fields[1], Words: fields[2:]}
		if name := filepath.Base(s.Words[0]); inPath(name) == s.Words[0] {
			s.Words[0] = name
		}
		if status, err := os.ReadFile(path + ".status"); err == nil {
			s.Status = string(status)
		}
		if info, err := os.Stat(path + ".status"); err == nil {
			ended[s.key()] = info.ModTime()
		}
		rec.Steps = append(rec.Steps, s)
	}
	slices.SortStableFunc(rec.Steps, func(a, b Step) int {
		return cmp.Or(ended[a.key()].Compare(ended[b.key()]), cmp.Compare(a.key(), b.key()))
	})
	return nil
}

func (s Step) key() string { return s.Dir + "\x00" + strings.Join(s.Words, "\x00") }

// Failed returns the steps that failed, in an order that does not depend on time.
func (rec *Recording) Failed() (failed []Step) {
	for _, s := range rec.Steps {
		if s.Status != "0" {
			failed = append(failed, s)
		}
	}
	slices.SortFunc(failed, func(a, b Step) int { return cmp.Compare(a.key(), b.key()) })
	return slices.CompactFunc(failed, func(a, b Step) bool { return a.key() == b.key() }) // of a shim in a wrapper
}

// inPath returns the path of a program, or "".
func inPath(name string) string {
	path, _ := exec.LookPath(name)
	return path
}

// Programs returns the programs that ran, sorted.
func (rec *Recording) Programs() (paths []string) {
	for _, s := range rec.Steps {
		paths = append(paths, s.Words[0])
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
