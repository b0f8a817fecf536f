package failure

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/oracle"
)

var update = flag.Bool("update", false, "rewrite the expected signatures in testdata")

// A recording is the output of a failing tool, with the expected signatures. The comment of the
// archive has lines: "exit 1" or "signal SIGSEGV" is the end of the tool. "run COMMAND" reproduces
// the failure with the first file, and another failure with the file in other. It requires the tool
// of "needs TOOL" in the given "version".
type recording struct {
	name    string
	archive *txtar.Archive
	words   map[string]string
	run     oracle.Run
}

func recordings(t *testing.T) (all []recording) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := recording{strings.TrimSuffix(filepath.Base(file), ".txtar"), archive, map[string]string{}, oracle.Run{}}
		for line := range strings.Lines(string(archive.Comment)) {
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			r.words[word] = rest
		}
		if name := r.words["signal"]; name != "" {
			signals, err := oracle.ParseSignals(name)
			if err != nil {
				t.Fatal(file, err)
			}
			r.run.ExitCode, r.run.Died = -1, signals[0]
		} else if _, err := fmt.Sscan(r.words["exit"], &r.run.ExitCode); err != nil {
			t.Fatal(file, err)
		}
		r.run.Output = r.member("output")
		all = append(all, r)
	}
	return all
}

func (r *recording) member(name string) []byte {
	for _, f := range r.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func (r *recording) put(name string, data []byte) {
	for i, f := range r.archive.Files {
		if f.Name == name {
			r.archive.Files[i].Data = data
			return
		}
	}
	r.archive.Files = append(r.archive.Files, txtar.File{Name: name, Data: data})
}

func (r *recording) write(t *testing.T) {
	t.Helper()
	if err := os.WriteFile("testdata/"+r.name+".txtar", txtar.Format(r.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func text(all []Signature) string {
	var b strings.Builder
	for _, s := range all {
		strength := ""
		if s.Strong {
			strength = ", strong"
		}
		fmt.Fprintf(&b, "%s [%s%s]\n", s.Title, s.Kind, strength)
		for _, line := range s.Shown {
			fmt.Fprintf(&b, "\tshown    %s\n", line)
		}
		for _, line := range s.Criteria.Lines {
			fmt.Fprintf(&b, "\tline     %s", line.Pattern)
			if line.Most > 0 {
				fmt.Fprintf(&b, "   (at most %d)", line.Most)
			}
			if line.Least > 1 {
				fmt.Fprintf(&b, "   (at least %d)", line.Least)
			}
			b.WriteByte('\n')
		}
		rest := s.Criteria
		rest.Lines = nil
		if rest := rest.String(); rest != "0" {
			fmt.Fprintf(&b, "\tcriteria %s\n", rest)
		}
	}
	return b.String()
}

func TestSignatures(t *testing.T) {
	for _, r := range recordings(t) {
		got := text(All(r.run))
		if *update {
			r.put("signatures", []byte(got))
			r.write(t)
		} else if want := r.member("signatures"); !bytes.Equal([]byte(got), want) {
			t.Errorf("%s: got\n%swant\n%s", r.name, got, want)
		}
	}
}

func TestCriteriaHold(t *testing.T) {
	recorded := recordings(t)
	signatures := make([][]Signature, len(recorded))
	for i, r := range recorded {
		signatures[i] = All(r.run)
	}
	for i, r := range recorded {
		for _, s := range signatures[i] {
			if !holds(s, r.run) {
				t.Errorf("%s: %s does not hold for its own run: %s", r.name, s.Title, s.Criteria)
			}
		}
		if len(signatures[i]) == 0 {
			t.Errorf("%s has no signature", r.name)
			continue
		}
		best := signatures[i][0]
		for j, o := range recorded {
			if len(signatures[j]) == 0 || signatures[j][0].Title == best.Title || best.Kind == Death {
				continue
			}
			if best.Strong && holds(best, o.run) {
				t.Errorf("%s of %s holds for %s", best.Title, r.name, o.name)
			}
		}
	}
}

// Output without its beginning does not tell the number of errors.
func TestCut(t *testing.T) {
	for _, r := range recordings(t) {
		r.run.Cut = true
		for _, s := range All(r.run) {
			for _, line := range s.Criteria.Lines {
				if line.Most > 0 {
					t.Errorf("%s: %s requires at most %d lines that match %s", r.name, s.Title, line.Most, line.Pattern)
				}
			}
		}
	}
}

func holds(s Signature, run oracle.Run) bool { return s.Criteria.Hold(run) }

func TestEnds(t *testing.T) {
	code := func(code int) oracle.Run {
		run := oracle.Run{ExitCode: code}
		if code > oracle.ExitSignal {
			run.Died = syscall.Signal(code - oracle.ExitSignal)
		}
		return run
	}
	for _, c := range []struct {
		run    oracle.Run
		title  string
		strong bool
	}{
		{code(0), "", false},
		{code(3), "exit code 3", false},
		{code(139), "death by SIGSEGV", true},
		{code(134), "death by SIGABRT", true},
		{code(137), "death by SIGKILL", false},
		{code(130), "exit code 130", false},
		{code(255), "exit code 255", false},
		{oracle.Run{ExitCode: -1, Died: syscall.SIGTERM, Signal: "terminated"}, "death by SIGTERM", false},
		{oracle.Run{ExitCode: -1, Died: syscall.SIGFPE, Signal: "floating point exception"}, "death by SIGFPE", true},
		{oracle.Run{ExitCode: -1, TimedOut: true}, "no end in time", true},
		{oracle.Run{ExitCode: -1, Exceeded: oracle.MemoryLimit}, "too much memory", true},
		{oracle.Run{ExitCode: -1, Exceeded: oracle.DiskLimit}, "", false},
	} {
		all := All(c.run)
		if len(all) == 0 {
			if c.title != "" {
				t.Errorf("%+v has no signature, want %s", c.run, c.title)
			}
			continue
		}
		if all[0].Title != c.title || all[0].Strong != c.strong || !holds(all[0], c.run) {
			t.Errorf("%+v has %s, want %s", c.run, text(all), c.title)
		}
		if s, ok := Of(c.run); ok != c.strong || ok && s.Title != c.title {
			t.Errorf("%+v has %s, %v", c.run, s.Title, ok)
		}
	}
}

// Lines that count failures come last.
func TestSummaries(t *testing.T) {
	for line, want := range map[string]string{
		"ERROR: Found 1 problems in 'check -assert'.":  "summaries",
		"At least one error was detected in a.zip.":    "summaries",
		"2 errors generated.":                          "summaries",
		"12 error(s)":                                  "summaries",
		"ERROR: 3 fatal errors occurred":               "summaries",
		"error: aborting due to 2 previous errors":     "summaries",
		"collect2: error: ld returned 1 exit status":   "summaries",
		"make[1]: *** [Makefile:5: main] Error 2":      "summaries",
		"Result: FAIL":                                 "summaries",
		"a.c:3: warning: unused variable":              "warnings",
		"error: expected 2 errors, got 3":              "",
		"error: 2 problems: no name, no value":         "",
		"make: *** No rule to make target 'a'.  Stop.": "",
		"syntax error near line 3":                     "",
	} {
		if got := rankOf(line, oracle.Run{ExitCode: 1}); got != want {
			t.Errorf("%s: rank %q, want %q", line, got, want)
		}
	}
}
