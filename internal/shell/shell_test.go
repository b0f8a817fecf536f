package shell

import (
	"os/exec"
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
	if got := Quote("src/a-b_1.c"); got != "src/a-b_1.c" {
		t.Errorf("a plain word is %s", got)
	}
}

func TestJoin(t *testing.T) {
	got := Join([]string{"a=b", "-std=c++17", "-Da=b c", "{}", "-x{}", "it's"})
	if want := `'a=b' -std=c++17 '-Da=b c' {} '-x{}' 'it'\''s'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
