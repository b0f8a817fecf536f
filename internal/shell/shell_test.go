package shell

import (
	"os/exec"
	"strings"
	"testing"
)

// A shell reads each quoted word as the original.
func TestQuote(t *testing.T) {
	for _, word := range []string{"", "a", "a b", "it's", "$HOME", "`ls`", "a\nb", "*", "~", "!x", `\`, "é", "-n", "{}"} {
		got, err := exec.Command("/bin/sh", "-c", "printf %s "+Quote(word)).Output()
		if string(got) != word || err != nil {
			t.Errorf("%q is read as %q, %v", word, got, err)
		}
	}
	for word, want := range map[string]string{Here + "/a b.c": "/x/a b.c", "a" + Here: "a/x", `'"$PWD"${PWD}`: `'"$PWD"${PWD}`} {
		c := exec.Command("/bin/sh", "-c", "PWD=/x; printf %s "+Quote(word))
		if got, err := c.Output(); err != nil || string(got) != want {
			t.Errorf("%q is %q, %v, want %q", word, got, err, want)
		}
	}
	if got := Quote("src/a-b_1.c"); got != "src/a-b_1.c" {
		t.Errorf("a plain word is %s", got)
	}
}

// Bash reads each line as the words.
func TestLine(t *testing.T) {
	word := "it's\n\x1b[2J\t1\x7f\r\n"
	line := Line("printf %s " + Quote(word))
	got, err := exec.Command("bash", "-c", line).Output()
	if string(got) != word || err != nil || strings.ContainsAny(line, "\n\t\r\x1b\x7f") {
		t.Errorf("%q is read as %q, %v", line, got, err)
	}
}

func TestJoin(t *testing.T) {
	got := Join([]string{"a=b", "-std=c++17", "-Da=b c", "{}", "-x{}", "it's"})
	if want := `'a=b' -std=c++17 '-Da=b c' {} '-x{}' 'it'\''s'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestBare(t *testing.T) {
	for command, want := range map[string]string{
		"env ./run.sh -v": "./run.sh -v", "env /run": "/run", "env a-b/c": "a-b/c", "env A=./b ./c": "env A=./b ./c",
		"env -C/tmp ./c": "env -C/tmp ./c", "env make": "env make", "env": "env", "./env ./a": "./env ./a",
	} {
		if got := strings.Join(Bare(strings.Fields(command)), " "); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}

func TestRepeat(t *testing.T) {
	text := Repeat("touch here", 2, Join([]string{"sh", "-c", "ls # it's\necho \"$1\"", "sh", "x"}))
	if strings.Contains(text, "\n") {
		t.Errorf("more than a line: %q", text)
	}
	out, err := exec.Command("bash", "-c", text).Output()
	if want := strings.Repeat("here\nx\nexit code 0\n", 2); err != nil || string(out) != want {
		t.Errorf("%s prints %q, %v; want %q", text, out, err, want)
	}
}
