package script_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"whittle/internal/failure/script"
	"whittle/oracle"
)

func asks(t *testing.T, s *script.Script) bool {
	t.Helper()
	text, err := s.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "test.sh")
	if err := errors.Join(os.WriteFile(path, text, 0o755),
		os.WriteFile(filepath.Join(dir, s.Name), []byte("the file\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "./test.sh")
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	if len(output) > 0 {
		t.Errorf("it prints %q:\n%s", output, text)
	}
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%v:\n%s", err, text)
	}
	return err == nil
}

func lines(least, most int, pattern string) oracle.Criteria {
	return oracle.Criteria{Lines: []oracle.Line{{Pattern: regexp.MustCompile(pattern), Least: least, Most: most}}}
}

func TestStages(t *testing.T) {
	signals := oracle.Criteria{Signals: []syscall.Signal{syscall.SIGABRT, syscall.SIGSEGV}}
	codes := func(codes ...int) oracle.Criteria { return oracle.Criteria{ExitCodes: codes} }
	hang := oracle.Criteria{Timeout: true}
	for _, c := range []struct {
		criteria oracle.Criteria
		command  string
		want     bool
	}{
		{oracle.Criteria{}, "true", true},
		{oracle.Criteria{}, "exit 3", false},
		{codes(3), "exit 3", true},
		{codes(3), "exit 4", false},
		{codes(1, 4, 9), "exit 4", true},
		{codes(1, 4, 9), "exit 5", false},
		{codes(1, 2, 3), "exit 3", true},
		{codes(1, 2, 3), "exit 4", false},
		{signals, "kill -SEGV $$", true},
		{signals, "kill -ABRT $$", true},
		{signals, "kill -FPE $$", false},
		{signals, "true", false},
		{hang, "sleep 60", true},
		{hang, "trap '' TERM; while :; do sleep 0.1; done", true},
		{hang, "true", false},
		{lines(1, 0, "err.r: [0-9]+$"), "echo 'an error: 12'; exit 7", true},
		{lines(1, 0, "err.r: [0-9]+$"), "echo 'an error: x' >&2", false},
		{lines(1, 0, "it's"), "echo \"it's\" >&2", true},
		{lines(1, 0, "-e"), "echo -- -e", true},
		{lines(1, 0, "error"), "echo error; sleep 60", false},
		{lines(2, 0, "error"), "echo error; echo two errors", true},
		{lines(2, 0, "error"), "echo error", false},
		{lines(0, 2, "error"), "true", true},
		{lines(0, 2, "error"), "echo error; echo error; echo error", false},
		{lines(1, 1, "error"), "echo error", true},
		{lines(1, 1, "error"), "true", false},
		{lines(1, 2, "error"), "echo error; echo error; echo error", false},
		{lines(1, 2, "error"), "echo error; echo error", true},
		{lines(1, 0, "behind"), `printf 'a\0b\n\377\nbehind\n'`, true},
		{oracle.Criteria{Output: regexp.MustCompile(`(?m)^\w+: \d+$`), ExitCodes: []int{2}}, "echo x: 1; exit 2", true},
		{oracle.Criteria{Output: regexp.MustCompile(`(?m)^\w+: \d+$`), ExitCodes: []int{2}}, "echo x:1; exit 2", false},
		{oracle.Criteria{}, "grep -q 'the file' 'a b.c'", true},
	} {
		stage := script.Stage{Argv: []string{"sh", "-c", c.command}, Timeout: 400 * time.Millisecond, Criteria: c.criteria}
		if got := asks(t, &script.Script{Name: "a b.c", Stages: []script.Stage{stage}}); got != c.want {
			t.Errorf("%s, after %s: %v", c.criteria, c.command, got)
		}
		stage.Timeout = 0
		if strings.Contains(c.command, "sleep") {
			continue
		}
		if got := asks(t, &script.Script{Name: "a b.c", Stages: []script.Stage{stage}}); got != c.want {
			t.Errorf("%s, after %s, without a limit: %v", c.criteria, c.command, got)
		}
	}
}

// Stages run one after the other, and may read the file.
func TestRow(t *testing.T) {
	for _, c := range []struct {
		commands [2]string
		want     bool
	}{
		{[2]string{"grep -q file && exit 3", "test -e whittle.out"}, true},
		{[2]string{"exit 3", "false"}, false},
		{[2]string{"exit 2", "true"}, false},
	} {
		s := script.Script{Name: "-a.c", About: "two\nlines", Stages: []script.Stage{
			{Argv: []string{"sh", "-c", c.commands[0]}, Stdin: true, Criteria: oracle.Criteria{ExitCodes: []int{3}}},
			{About: "the second\nexit 1", Argv: []string{"sh", "-c", c.commands[1]}},
		}}
		if got := asks(t, &s); got != c.want {
			t.Errorf("%q: %v", c.commands, got)
		}
	}
}

// Colors and links in the output of a command are ignored.
func TestEscapes(t *testing.T) {
	const printed = `printf 'a.c: \033[01;31m\033[Kerr\033[mor: \033]8;;http://x\033\\one\033]8;;\007 two\033(B\n'`
	for _, escapes := range []bool{true, false} {
		stage := script.Stage{Argv: []string{"sh", "-c", printed}, Criteria: lines(1, 1, "^a.c: error: one two$"), Escapes: escapes}
		if got := asks(t, &script.Script{Name: "a.c", Stages: []script.Stage{stage}}); got != escapes {
			t.Errorf("without escape sequences %v: %v", escapes, got)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []oracle.Criteria{
		{Memory: true}, lines(1, 0, `(?i)error`), lines(1, 0, `[é]`), lines(1, 0, `\pL`), lines(1, 0, `[a\]b]`),
	} {
		s := script.Script{Name: "a.c", Stages: []script.Stage{{Argv: []string{"true"}, Criteria: c}}}
		if text, err := s.Bytes(); err == nil {
			t.Errorf("%s: %s", c, text)
		}
	}
}

func TestExtended(t *testing.T) {
	patterns := []string{
		`error: \d+`, `\w+\s\w+`, `[\w.]+@`, `[^\s:]+:`, `\S+ \D`, `a\{b}`, `a{2}b`, `(?:ab|c)+?d`, `(?P<n>x)y`, `x*?y`, `x??y`,
		`\[x]`, `a\/b`, `\"q\"`, `^a.*b$`, `(?m)^a`, `[]x]y`, `[^]x]y`, `[a-c-]z`, `[\\x]y`, `[[:alpha:]]+1`, `\$\^\|`, `a\+\?\*`,
		`\ba\b`, `(a|b)?c`, `{x`, `é+ü`, "`'", `.é.`, `\t`,
	}
	const letters = "aabbcxyzd019 :.@[]{}|+*?$^\\/\"-'`\téü"
	r := rand.New(rand.NewPCG(1, 2))
	var all []string
	for range 3000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteRune([]rune(letters)[r.IntN(len([]rune(letters)))])
		}
		all = append(all, b.String())
	}
	all = append(all, "error: 12", "one two", "aab", "ababd", "x y", "a é b", "{x", "a\tb", "a{b}", "a/b", `"q"`, "$^|", "a+?*")
	for _, p := range patterns {
		pattern := regexp.MustCompile(p)
		extended, err := script.Extended(pattern)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		var want strings.Builder
		for i, line := range all {
			if pattern.MatchString(line) {
				fmt.Fprintf(&want, "%d:%s\n", i+1, line)
			}
		}
		grep := exec.CommandContext(t.Context(), "grep", "-a", "-n", "-E", "-e", extended)
		grep.Env = append(os.Environ(), "LC_ALL=C")
		grep.Stdin = strings.NewReader(strings.Join(all, "\n") + "\n")
		got, err := grep.Output()
		if err != nil {
			t.Errorf("%s as %s: %v", p, extended, err)
		}
		if string(got) != want.String() {
			t.Errorf("%s as %s: grep finds %d bytes, Go %d", p, extended, len(got), want.Len())
		}
	}
}
