package whittle_test

import (
	"context"
	"regexp"
	"testing"

	"whittle"
	"whittle/parse"
)

// reads is a language that counts how often a file is read.
type reads struct {
	parse.Language
	parses *int
}

func (c reads) Parse(source []byte) (*parse.Tree, error) {
	*c.parses++
	return c.Language.Parse(source)
}

// A file is read once, however many passes find nothing in it that may go.
func TestFileIsReadOnce(t *testing.T) {
	parses := 0
	source := readInput(t, "queue.c")
	result, err := whittle.Reduce(context.Background(), whittle.Options{
		Input: source, Language: reads{language(t, "c"), &parses}, Property: containing("^" + regexp.QuoteMeta(string(source)) + "$"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Passes) < 4 || parses != 1 {
		t.Errorf("read %d times for %d passes", parses, len(result.Passes))
	}
}

// What two characters need is no space.
func TestChars(t *testing.T) {
	for _, source := range []string{"a b\n", "a + b", "xa\xffyb\xfe"} {
		result, err := whittle.Reduce(context.Background(), whittle.Options{
			Input: []byte(source), Language: language(t, "chars"), Property: containing("(?s)a.*b"), MaxTests: 1000,
		})
		if err != nil {
			t.Fatal(err)
		}
		if string(result.File) != "ab" {
			t.Errorf("%q came to %q", source, result.File)
		}
	}
}
