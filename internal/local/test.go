package local

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"whittle/algo"
	"whittle/internal/process"
	"whittle/oracle"
)

// A test is one run of the program.
type test struct {
	*Executor
	spec        *oracle.Spec
	kept        *kept  // may be nil
	around      string // the directory of all files
	dir, tmp    string // the candidate's, and that for temporary files
	copied      uint64 // bytes of files that the test did not write
	used        uint64 // bytes of all files at the end, if known
	null, input *os.File
	env         []string        // see Executor.Around
	elsewhere   *regexp.Regexp  // paths by which the sandbox shows dir, too; or nil
	before      map[string]mark // regular files in dir before the test
	record      *process.Record // nil unless the result depends on the output
	output      *process.Output // read into record
	runaway     bool            // the test ended by itself after one of its programs was killed
}

// prepare writes the candidate to a new directory and opens the standard files.
func (t *test) prepare(candidate []byte) (err error) {
	if t.kept != nil {
		t.around, t.dir, t.copied = t.kept.around, t.kept.dir, t.kept.copied
		t.tmp, err = t.kept.tmp()
	} else {
		t.dir, t.tmp, err = process.Lay(&t.spec.Layout, t.around, candidate)
		if t.spec.Outside != nil {
			t.copied = process.DiskUse(t.dir, math.MaxUint64)
		}
	}
	if t.spec.Disk > 0 {
		t.spec.Disk += t.copied // the test did not write it
	}
	if err != nil {
		return err
	}
	if t.null, err = os.OpenFile(os.DevNull, os.O_RDWR, 0); err == nil && t.spec.Stdin {
		t.input, err = os.Open(filepath.Join(t.dir, t.spec.Name))
	}
	if err != nil {
		return oracle.Errorf("cannot give the test its standard input: %w", err)
	}
	if t.Sandbox != nil && t.Sandbox.Home != "" { // some tools make paths relative
		t.elsewhere = regexp.MustCompile(`(^|[^\w./-]|//)(?:\.\.(?:/\.\.)*)?` + regexp.QuoteMeta(t.Sandbox.Home+"/"))
	}
	if reason, dir := t.spec.Reason, []byte(t.dir+"/"); reason != nil { // absolute paths of files become relative
		t.spec.Reason = func(line []byte) string { return reason(bytes.ReplaceAll(t.here(line), dir, nil)) }
	}
	if process.Recorded(t.spec) {
		t.record = process.NewRecord(t.spec)
		t.output, err = process.ReadOutput(t.record)
	}
	if t.spec.Reason != nil {
		t.before = t.files()
	}
	return err
}

// here returns a text with the paths of dir.
func (t *test) here(text []byte) []byte {
	if t.elsewhere == nil {
		return text
	}
	return t.elsewhere.ReplaceAll(text, []byte("${1}"+strings.ReplaceAll(t.dir, "$", "$$")+"/"))
}

// files returns the regular files in dir.
func (t *test) files() map[string]mark {
	files := map[string]mark{}
	entries, _ := os.ReadDir(t.dir)
	for _, e := range entries {
		if e.Type().IsRegular() {
			files[e.Name()], _ = markOf(filepath.Join(t.dir, e.Name()))
		}
	}
	return files
}

// longestText bounds the files that may have messages.
const longestText = 1 << 20

// readFiles finds reasons in new text files, since many scripts redirect the output of a compiler.
func (t *test) readFiles(run *oracle.Run) {
	if t.spec.Reason == nil || len(run.Reasons) > 0 || t.spec.Interesting.Judge(run) == algo.Unresolved {
		return
	}
	reasons := process.Reasons{Of: t.spec.Reason}
	files := t.files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(t.dir, name)
		info, err := os.Lstat(path)
		before, known := t.before[name]
		known = known && (t.kept == nil || before == files[name]) // a kept build leaves logs of earlier tests
		if known || err != nil || !info.Mode().IsRegular() || info.Size() > longestText {
			continue
		}
		if text, err := os.ReadFile(path); err == nil && bytes.IndexByte(text, 0) < 0 {
			reasons.Write(text)
		}
	}
	run.Reasons = reasons.All()
}

func (t *test) attr() *syscall.ProcAttr {
	input, printed := cmp.Or(t.input, t.null), t.null
	if t.output != nil {
		printed = t.output.Theirs
	}
	home := cmp.Or(t.spec.Home, filepath.Dir(t.spec.Argv[0]))
	dir := cmp.Or(t.start, t.dir)
	return &syscall.ProcAttr{
		Dir:   dir,
		Env:   append(process.Environment(t.spec.Env, dir, t.tmp, home), t.env...),
		Files: []uintptr{input.Fd(), printed.Fd(), printed.Fd()},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	}
}

// wait waits until all processes of the test, which have t.tmp in their environment, are dead.
func (t *test) wait(ctx context.Context, g *process.Group, watch process.Stopwatch) (oracle.Run, error) {
	run := oracle.Run{Timeout: t.spec.Timeout}
	var late atomic.Bool
	if run.Timeout > 0 {
		defer t.Reaper.After(run.Timeout, func() {
			late.Store(true)
			g.Kill()
		})()
	}
	guard := g.Watch(t.spec, t.around, t.tmp)
	certain, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(certain, g.Kill)()
	if t.record != nil && t.kept == nil {
		go func() {
			select {
			case <-t.record.Certain:
				end()
			case <-certain.Done():
			}
		}()
	}
	status, err := g.Wait(t.tmp)
	run.Exceeded = guard.Stop(status.WaitStatus)
	t.used = guard.Disk
	if err != nil {
		return oracle.Run{}, oracle.Errorf("cannot wait for the test %s: %w", t.spec.Argv[0], err)
	}
	run.ExitCode, run.Elapsed = status.ExitStatus(), watch.Elapsed()
	run.Processor = max(status.Processor, time.Duration(guard.Used.Load()))
	run.Longest, run.Waited = time.Duration(guard.Longest.Load()), time.Duration(guard.Waited.Load())
	if run.Exceeded == oracle.ProcessorLimit {
		run.Exceeded = oracle.NoLimit
		late.Store(true)
	}
	switch {
	case status.Signaled():
		run.Died = status.Signal()
		run.Signal = run.Died.String()
		run.TimedOut = run.Died == syscall.SIGKILL && late.Load()
	case run.ExitCode > oracle.ExitSignal && run.ExitCode <= oracle.ExitSignal+oracle.LastSignal:
		run.Died = syscall.Signal(run.ExitCode - oracle.ExitSignal)
	}
	t.runaway = guard.Runaway.Load() && !run.TimedOut
	run.TimedOut = run.TimedOut || t.runaway
	return run, nil
}

// remove removes the directory, with files next to it, or gives it back.
func (t *test) remove(run *oracle.Run, failed bool) error {
	if t.kept == nil {
		return process.RemoveDirectory(t.around)
	}
	failed = failed || (run.TimedOut || run.Died == syscall.SIGKILL) && !t.runaway
	if d := t.kept; d.builds && t.used > 0 {
		d.copied, d.first = t.used, cmp.Or(d.first, t.used)
		failed = failed || d.copied > d.first+t.spec.Disk-t.copied // products of many tests
	}
	return t.kept.leave(failed || run.Exceeded != oracle.NoLimit || t.traced != nil, run.Elapsed)
}

// end closes the files, and adds the output to the run.
func (t *test) end(run *oracle.Run) {
	if t.output != nil {
		t.output.Close()
	}
	if t.record != nil {
		t.record.End(run)
		run.Output = t.here(run.Output)
	}
	t.null.Close() // nil is fine
	t.input.Close()
}
