package propose_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/internal/journal"
	"whittle/internal/propose"
)

// A reduction of a C file that keeps the words crash and 7, with proposers.
type reduction struct {
	t       *testing.T
	file    string
	keeps   []string // words
	balance bool     // it keeps as many 1 as 2, at least 3
	without bool     // no passes
	jobs    int
	journal string // path
	edited  func() []byte
	timeout time.Duration

	steps    []string
	messages []string
	result   whittle.Result
}

const small = "int other(int a) { return a + 1; }\n" +
	"long long crash(long long b, int c) { long long d = other(c); return b / 7 + d; }\n"

func (r *reduction) run(commands ...string) {
	t := r.t
	t.Helper()
	j := &journal.Journal{}
	if r.journal != "" {
		var err error
		if j, err = journal.Open(r.journal, journal.Identity{}, false); err != nil {
			t.Fatal(err)
		}
		if err := j.Begin(); err != nil {
			t.Fatal(err)
		}
		defer j.Close(true)
	}
	if r.edited == nil {
		r.edited = func() []byte { return nil }
	}
	o := propose.Options{
		Name: "small.c", Config: propose.Config{Commands: commands, Share: propose.Share}, Work: t.TempDir(), Journal: j,
		Timeout: cmp.Or(r.timeout, time.Second),
		Within:  func(file []byte, change func([]byte) ([]byte, error)) ([]byte, error) { return change(file) },
		Warn:    func(text string) { r.messages = append(r.messages, text) },
		Edited:  r.edited, Output: "small.reduced.c",
	}
	options := whittle.Options{
		Input: []byte(r.file), Language: grammars.ForFile("x.c"), Jobs: max(r.jobs, 1), Journal: j,
		Property: func(_ context.Context, candidate []byte) (algo.Outcome, error) {
			time.Sleep(time.Duration(rand.IntN(2)) * time.Millisecond / 4)
			missing := func(word string) bool { return !bytes.Contains(candidate, []byte(word)) }
			if slices.ContainsFunc(r.keeps, missing) {
				return algo.Uninteresting, nil
			}
			if ones := bytes.Count(candidate, []byte("1")); r.balance &&
				(ones < 3 || ones != bytes.Count(candidate, []byte("2"))) {
				return algo.Uninteresting, nil
			}
			return algo.Interesting, nil
		},
		Observe: whittle.On(func(d whittle.Decision) {
			r.steps = append(r.steps, fmt.Sprintf("%s: %q %v", d.Pass, d.File, d.Outcome))
		}),
	}
	if !r.without {
		options.Passes = propose.Passes(t.Context(), o)
	}
	var err error
	if r.result, err = whittle.Reduce(t.Context(), options); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(o.Work); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func script(t *testing.T, text string) (command string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "propose.sh")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "sh " + path
}

// A run with a useless program is the same as without, with one message about a program that fails.
func TestUseless(t *testing.T) {
	without := &reduction{t: t, file: small, keeps: []string{"crash", "7"}, without: true}
	without.run()
	for name, c := range map[string]struct{ command, message string }{
		"ends":            {"true", ""},
		"copies":          {"cat", ""},
		"fails":           {"echo no >&2; echo hello >&2; exit 3", "it ended with exit code 3: hello;"},
		"crashes":         {"kill -SEGV $$", "it was ended by a signal: segmentation fault"},
		"is missing":      {"/nonexistent/program", "it ended with exit code 127"},
		"hangs":           {"sleep 1000", "it gave no answer within 1s"},
		"hangs in groups": {"sleep 1000 & sleep 1000", "it gave no answer within 1s"},
		"floods":          {"yes", "it wrote more than "},
		"floods slowly":   {"while :; do echo 'int'; sleep 0.01; done", "it gave no answer within 1s"},
		"writes garbage":  {"head -c 100 /dev/urandom; echo '{{{'", ""},
		"writes more":     {"cat {}; cat {}", ""},

		"JSON: ends":            {"json:true", ""},
		"JSON: ends late":       {"json:read line; exec sleep 0.1", ""},
		"JSON: fails":           {"json:read line; exit 4", "it ended with exit code 4"},
		"JSON: is idle":         {`json:echo '{"idle": true}'; sleep 1000`, ""},
		"JSON: hangs":           {"json:sleep 1000", "it gave no answer within 1s"},
		"JSON: empty":           {`json:echo '{"content": ""}'; read a; read b; echo '{"idle": true}'; sleep 1000`, ""},
		"JSON: floods":          {"json:yes", "it gave no answer: 1000 lines are no messages"},
		"JSON: floods one line": {"json:cat /dev/zero", "it wrote a line of more than 64 MB"},
		"JSON: no base64":       {`json:echo '{"content": "%%"}'`, ""},
		"JSON: always the same": {`json:yes '{"content": "aW50"}'`, "none of 1000 proposals can be used"},
		"JSON: another type":    {`json:echo '[1]'; echo 7`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &reduction{t: t, file: small, keeps: without.keeps, jobs: 4}
			if !strings.Contains(c.message, "within") {
				r.timeout = time.Minute // for a busy machine
			}
			r.run(c.command)
			if name == "JSON: always the same" { // "int" is tested, once
				r.steps = slices.DeleteFunc(r.steps, func(s string) bool { return strings.HasPrefix(s, "propose ") })
			}
			if !slices.Equal(r.steps, without.steps) {
				t.Errorf("%d steps, without %d; the last: %s", len(r.steps), len(without.steps), r.steps[len(r.steps)-1])
			}
			messages := strings.Join(r.messages, "\n")
			if !strings.Contains(messages, c.message) || (c.message == "") != (messages == "") || len(r.messages) > 1 {
				t.Errorf("messages %q, want %q", r.messages, c.message)
			}
		})
	}
}

// Proposals without a success are at most a twentieth of the other tests, for several programs, too.
func TestShare(t *testing.T) {
	var file strings.Builder
	for i := range 60 {
		fmt.Fprintf(&file, "int crash%d(int a) { return a / 7; }\n", i)
	}
	keeps := strings.Fields("7 crash3 crash17 crash31 crash44 crash58")
	without := &reduction{t: t, file: file.String(), keeps: keeps, without: true}
	without.run()
	// Each line is another prefix of the file.
	prefixes := script(t, `read line; while [ ${n:=1} -lt 200 ]; do
		printf '{"content": "%s"}\n' "$(printf "int x$n;" | base64)"; read line; n=$((n+1)); done`)
	for _, commands := range [][]string{{"json:" + prefixes}, {"json:" + prefixes, "json: " + prefixes, "echo 'int y;'"}} {
		r := &reduction{t: t, file: file.String(), keeps: keeps}
		r.run(commands...)
		more := r.result.Tests - without.result.Tests
		t.Logf("%d tests and %d proposals", without.result.Tests, more)
		if more < len(commands) || float64(more) > 0.05*float64(without.result.Tests) {
			t.Errorf("%d tests, without proposals %d", r.result.Tests, without.result.Tests)
		}
		if !bytes.Equal(r.result.File, without.result.File) {
			t.Errorf("the result is %q, without proposals %q", r.result.File, without.result.File)
		}
	}
}

const lists = "int crash[] = { 1, 1, 1, 1, 1, 1, 1, 1 }, other[] = { 2, 2, 2, 2, 2, 2, 2, 2 };\n"

// A proposal that saves only bytes is taken, but pays for no further test and no further round.
func TestOnlyBytes(t *testing.T) {
	file := strings.Repeat(small, 40) + "char *crash7 = \"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\";\n"
	keeps := []string{"crash", "/ 7", "crash7", "\"zz"}
	without := &reduction{t: t, file: file, keeps: keeps, without: true}
	without.run()
	r := &reduction{t: t, file: file, keeps: keeps}
	r.run("sed 's/\"z/\"/'")
	taken := 0
	for _, s := range r.steps {
		if strings.HasPrefix(s, "propose ") && strings.HasSuffix(s, algo.Interesting.String()) {
			taken++
		}
	}
	if more := r.result.Tests - without.result.Tests; taken == 0 || float64(more) > 0.05*float64(without.result.Tests) {
		t.Errorf("%d tests, without proposals %d; %d were taken", r.result.Tests, without.result.Tests, taken)
	}
	if r.result.Tokens != without.result.Tokens || r.result.Rounds != without.result.Rounds {
		t.Errorf("%d rounds and %d tokens, without proposals %d and %d", r.result.Rounds, r.result.Tokens,
			without.result.Rounds, without.result.Tokens)
	}
}

// Proposals that succeed are taken, by either protocol, and the program gets the better file.
func TestTaken(t *testing.T) {
	shorter := script(t, `while read -r line; do
		text=$(printf %s "$line" | sed 's/.*"content": "//; s/".*//' | base64 -d)
		case $line in *false*) echo '{"idle": true}'; continue;; esac
		printf '{"content": "%s"}\n' "$(printf %s "$text" | sed 's/1, //; s/2, //' | base64 -w0)"
	done`)
	for _, command := range []string{"sed 's/1, //; s/2, //'", "sed -i 's/1, //; s/2, //' {}", "json:" + shorter} {
		r := &reduction{t: t, file: lists, keeps: []string{"int crash", "other"}, balance: true}
		r.run(command)
		if got := strings.TrimSpace(string(r.result.File)); got != "int crash = { 1, 1, 1 }, other = { 2, 2, 2 };" {
			t.Errorf("%s: the result is %s; messages %q", command, got, r.messages)
		}
	}
}

// A run repeats from its journal with the same steps, for any number of jobs, without the program.
func TestReplay(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	for _, prefix := range []string{"", "json:"} {
		program := script(t, fmt.Sprintf(`[ ! -e %s ] || exit 1
			propose() { sed "s/z\{$(($(od -An -N1 -i /dev/urandom) %% 4 + 1))\}//"; }
			if [ -n "$1" ]; then propose; exit; fi
			while read -r line; do
				case $line in *false*) echo '{"idle": true}'; continue;; esac
				text=$(printf %%s "$line" | sed 's/.*"content": "//; s/".*//' | base64 -d)
				printf '{"content": "%%s"}\n' "$(printf %%s "$text" | propose | base64 -w0)"
			done`, gone))
		if prefix == "" {
			program += " filter"
		}
		os.Remove(gone)
		path := filepath.Join(t.TempDir(), "journal")
		var first *reduction
		for _, jobs := range []int{8, 1, 8} {
			r := &reduction{t: t, file: small + "char *crash7 = \"zzzzzzzzzzzz\";\n", keeps: []string{"crash", "7", "\"zzz"},
				jobs: jobs, journal: path}
			r.run(prefix + program)
			if first == nil {
				if first = r; !strings.Contains(strings.Join(r.steps, "\n"), "propose") {
					t.Fatalf("no proposal was tested: %q", r.messages)
				}
				os.WriteFile(gone, nil, 0o600)
				continue
			}
			if !slices.Equal(r.steps, first.steps) || r.result.Replayed != r.result.Tests || len(r.messages) > 0 {
				t.Errorf("-j %d: %d steps, at first %d; %d of %d tests from the journal; messages %q", jobs, len(r.steps),
					len(first.steps), r.result.Replayed, r.result.Tests, r.messages)
			}
		}
	}
}

// An edited output is tested, taken if it holds, and repeated from the journal.
func TestEdited(t *testing.T) {
	for edit, want := range map[string]string{
		"long crash7;\n":   "is interesting; the reduction continues with it",
		"long crash;\n":    "is uninteresting; the reduction continues without it",
		"long long long (": "is not used",
		small + small:      "is not used",
	} {
		path := filepath.Join(t.TempDir(), "journal")
		asked := 0
		edited := func() []byte {
			if asked++; asked == 3 {
				return []byte(edit)
			}
			return nil
		}
		r := &reduction{t: t, file: small, keeps: []string{"crash", "7"}, journal: path, edited: edited, jobs: 2}
		r.run()
		if !strings.Contains(strings.Join(r.messages, "\n"), want) || len(r.messages) != 1 {
			t.Errorf("%q: messages %q, want %q", edit, r.messages, want)
		}
		again := &reduction{t: t, file: small, keeps: r.keeps, journal: path}
		again.run()
		if !slices.Equal(again.steps, r.steps) || again.result.Replayed != again.result.Tests {
			t.Errorf("%q: %d steps, at first %d", edit, len(again.steps), len(r.steps))
		}
	}
}
