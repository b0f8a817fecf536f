package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestHunks(t *testing.T) {
	before := "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n"
	after := "a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nl\nm\n"
	want := "@@ -3,5 +3,5 @@\n c\n d\n-e\n+E\n f\n g\n@@ -9,5 +9,4 @@\n i\n j\n-k\n l\n m\n"
	if got := Hunks([]byte(before), []byte(after)); got != want {
		t.Errorf("got:\n%s", got)
	}
	if got := Hunks([]byte(before), []byte(before)); got != "" {
		t.Errorf("of equal texts: %q", got)
	}
}

func TestHunksApply(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var before, after strings.Builder
		for i := range r.IntN(30) {
			line := fmt.Sprintf("%d %d\n", i, r.IntN(2))
			before.WriteString(line)
			switch r.IntN(12) {
			case 0:
			case 1:
				after.WriteString(strings.Repeat(line, 2))
			case 2:
				after.WriteString("x" + line)
			default:
				after.WriteString(line)
			}
		}
		text := Hunks([]byte(before.String()), []byte(after.String()))
		if text == "" && before.String() == after.String() {
			continue
		}
		if got := applyHunks(t, text, before.String()); got != after.String() {
			t.Fatalf("before:\n%s\nafter:\n%s\ndiff:\n%s\napplied:\n%s", before.String(), after.String(), text, got)
		}
	}
}

func applyHunks(t *testing.T, diff, before string) string {
	var made strings.Builder
	lines := slices.Collect(strings.Lines(before))
	next := 0
	for line := range strings.Lines(diff) {
		switch line[0] {
		case '@':
			var from int
			if _, err := fmt.Sscanf(line, "@@ -%d", &from); err != nil {
				t.Fatal(err)
			}
			for ; next < from-1; next++ {
				made.WriteString(lines[next])
			}
		case '+':
			made.WriteString(line[1:])
		default:
			if lines[next] != line[1:] {
				t.Fatalf("line %d is %q, and %q in the diff", next+1, lines[next], line[1:])
			}
			if line[0] == ' ' {
				made.WriteString(line[1:])
			}
			next++
		}
	}
	return made.String() + strings.Join(lines[next:], "")
}

func TestHunksLarge(t *testing.T) {
	before := bytes.Repeat([]byte("some line\n"), 1_000_000)
	text := Hunks(before, []byte("some line\nend\n"))
	if len(text) > 2*most || !strings.Contains(text, "-some line\n") {
		t.Errorf("the diff has %d bytes", len(text))
	}
	if text := Hunks(bytes.Repeat([]byte("x"), 10_000_000), nil); len(text) > 2*most {
		t.Errorf("the diff of a long line has %d bytes", len(text))
	}
}

func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ before, after, went, came string }{
		{"int f(void) {\n  g();\n  return 1;\n}\n", "int f(void) {\n  return 1;\n}\n", "g();", ""},
		{"int other;\nint crash;\n", "int crash;\n", "int other;", ""},
		{"f(1, 2);", "f(1);", ", 2", ""},
		{"a();\nb();\nc();\nd();\n", "b();\nd();\n", "a(); c();", ""},
		{"x = f(1, 2);", "x = 0;", "f(1, 2)", "0"},
		{"a", "a", "", ""},
		{"\x1b[2J", "", "\uFFFD[2J", ""},
		{strings.Repeat("wörd ", 30), "", strings.Repeat("wörd ", 12) + "…", ""},
		{strings.Repeat(" ", 1000) + "b", "b", "…", ""},
	} {
		if went, came := Excerpt([]byte(c.before), []byte(c.after)); went != c.went || came != c.came {
			t.Errorf("from %.20q to %q: %q, %q", c.before, c.after, went, came)
		}
	}
}
