package shell

import (
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	for command, want := range map[string][]string{
		"":                     nil,
		"  a\t b ":             {"a", "b"},
		`a 'b c'd "e\"f\g"`:    {"a", "b cd", `e"f\g`},
		`-DS=\"a\ b\" '' "\\"`: {`-DS="a b"`, "", `\`},
	} {
		if got, err := Split(command); !slices.Equal(got, want) || err != nil {
			t.Errorf("%s: %q, %v", command, got, err)
		}
	}
	if _, err := Split("a 'b"); err == nil {
		t.Error("no error")
	}
	words := []string{"", "a", "a b", "it's", "$HOME", "a\nb", `\`, `"`, "-n", "{}", "-a=b"}
	if got, err := Split(Join(words)); !slices.Equal(got, words) || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
