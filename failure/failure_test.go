package failure

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/oracle"
)

var update = flag.Bool("update", false, "rewrite what testdata says of the signatures")

// A recording is what a tool printed when it failed, and what is to be said of it.
type recording struct {
	name    string
	archive *txtar.Archive
	run     oracle.Run
}

// recordings returns those of testdata: the comment says how it ended, as "exit 1" or
// "signal SIGSEGV".
func recordings(t *testing.T) (all []recording) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := recording{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), archive: archive}
		r.run.Output = member(archive, "output")
		end := strings.Fields(string(archive.Comment))
		switch end[0] {
		case "exit":
			if _, err := fmt.Sscan(end[1], &r.run.ExitCode); err != nil {
				t.Fatal(file, err)
			}
		case "signal":
			signals, err := oracle.ParseSignals(end[1])
			if err != nil {
				t.Fatal(file, err)
			}
			r.run.ExitCode, r.run.Died = -1, signals[0]
		}
		all = append(all, r)
	}
	return all
}

func member(archive *txtar.Archive, name string) []byte {
	for _, f := range archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// text returns signatures as testdata has them.
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

// What tools print has the signatures that testdata says.
func TestSignatures(t *testing.T) {
	for _, r := range recordings(t) {
		got := text(All(r.run))
		if *update {
			files := []txtar.File{{Name: "output", Data: r.run.Output}, {Name: "signatures", Data: []byte(got)}}
			if err := os.WriteFile("testdata/"+r.name+".txtar", txtar.Format(&txtar.Archive{Comment: r.archive.Comment, Files: files}), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want := member(r.archive, "signatures"); !bytes.Equal([]byte(got), want) {
			t.Errorf("%s: got\n%swant\n%s", r.name, got, want)
		}
	}
}

// Every signature holds for the run that it was made of.
func TestCriteriaHold(t *testing.T) {
	for _, r := range recordings(t) {
		for _, s := range All(r.run) {
			for _, line := range s.Criteria.Lines {
				if n := count(line, r.run.Output); n < line.Least || line.Most > 0 && n > line.Most {
					t.Errorf("%s: %d lines of the output match %s", r.name, n, line.Pattern)
				}
			}
		}
	}
}

// count returns how many lines of output match.
func count(line oracle.Line, output []byte) (n int) {
	for _, l := range printed(output) {
		if line.Pattern.MatchString(l) {
			n++
		}
	}
	return n
}
