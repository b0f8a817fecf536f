package workers

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"whittle/algo"
)

// The first n changes result in the n-th file. Each change also applies alone.
func TestChanges(t *testing.T) {
	files := []string{"a(1); b(2);\nc(3);\n", "a(1); b(2);\n", "a(1); d;\n", "a; d;\n", "a;d"}
	var all [][]byte
	for _, f := range files {
		all = append(all, []byte(f))
	}
	c := newChanges(all[0], all[1:])
	made := map[int]bool{}
	for i, want := range files {
		if made[i] = i > 0; string(c.with(made)) != want {
			t.Errorf("the first %d changes make %q, want %q", i, c.with(made), want)
		}
	}
	for change, want := range map[int]string{
		1: "a(1); b(2);\n", 2: "a(1); d;\nc(3);\n", 3: "a; b(2);\nc(3);\n", 4: "a(1);b(2)c(3);\n",
	} {
		if got := string(c.with(map[int]bool{change: true})); got != want {
			t.Errorf("change %d alone makes %q, want %q", change, got, want)
		}
	}
}

func TestChangesOfLongTexts(t *testing.T) {
	var all, some strings.Builder
	for i := range 700 {
		line := strings.Repeat("x", i%7) + " (" + strings.Repeat("y", i%11) + ");\n"
		all.WriteString(line)
		if i%3 > 0 {
			some.WriteString(strings.ReplaceAll(line, "y", ""))
		}
	}
	c := newChanges([]byte(all.String()), [][]byte{[]byte(some.String())})
	if string(c.with(nil)) != all.String() || string(c.with(map[int]bool{1: true})) != some.String() {
		t.Error("the changes do not restore the texts")
	}
}

// Of six changes, three hold alone, two after these but not together, and one never.
func TestStages(t *testing.T) {
	run := Run{Setting: Setting{Asks: 2}}
	text := "a b c d e f g"
	run.Files = [][]byte{[]byte(text)}
	for _, word := range strings.Fields("a b c d e f") {
		text = strings.ReplaceAll(text, word, "-")
		run.Files = append(run.Files, []byte(text))
	}
	tests := func(_ context.Context, candidate []byte) (algo.Outcome, time.Duration, error) {
		has := func(word string) bool { return strings.Contains(string(candidate), word) }
		needs := func(word, before string) bool { return has(word) || !has(before) }
		if needs("d", "a") && needs("e", "b") && (has("d") || has("e")) && has("f") {
			return algo.Interesting, 0, nil
		}
		return algo.Uninteresting, 0, nil
	}
	found, err := run.Stages(t.Context(), tests)
	if err != nil || found.Changes != 6 || found.Left != 2 || !slices.Equal(found.Alone, []int{3, 2}) {
		t.Errorf("%+v, error %v", found, err)
	}
}
