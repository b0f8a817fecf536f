package whittle_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
	"whittle/oracle"
	"whittle/parse/archive"
)

// A gap is a tiny input for something that another reducer did and whittle did not:
//
//	-- c/if --      language and name
//	input
//	=>
//	smallest        the expected tokens, or fewer
//	exact           the expected bytes
//	? pattern       the property; by default the tokens of smallest in order
//	open 12         not reached: so many tokens now
type gap struct {
	input, smallest, pattern string
	exact                    bool
	open                     int
}

// neutral matches the tokens of all languages.
var neutral = regexp.MustCompile(`"[^"\n]*"|'[^'\n]*'|[\pL\pN_$]+|\S`)

func neutralTokens(text string) []string { return neutral.FindAllString(text, -1) }

func readGap(t *testing.T, text string) (g gap) {
	input, rest, ok := strings.Cut(text, "=>\n")
	if !ok {
		t.Fatalf("no line => in\n%s", text)
	}
	g.input = input
	for line := range strings.Lines(rest) {
		if pattern, ok := strings.CutPrefix(line, "? "); ok {
			g.pattern = strings.TrimSuffix(pattern, "\n")
		} else if line == "exact\n" {
			g.exact = true
		} else if tokens, ok := strings.CutPrefix(line, "open "); ok {
			n, err := strconv.Atoi(strings.TrimSpace(tokens))
			if err != nil {
				t.Fatal(err)
			}
			g.open = n
		} else {
			g.smallest += line
		}
	}
	return g
}

func (g gap) property() oracle.Property {
	if g.pattern != "" {
		return containing("(?s)" + g.pattern)
	}
	needed := neutralTokens(g.smallest)
	return func(_ context.Context, candidate []byte) (algo.Outcome, error) {
		rest := needed
		for _, token := range neutralTokens(string(candidate)) {
			if len(rest) > 0 && token == rest[0] {
				rest = rest[1:]
			}
		}
		if len(rest) > 0 {
			return algo.Uninteresting, nil
		}
		return algo.Interesting, nil
	}
}

func TestGaps(t *testing.T) {
	files, err := filepath.Glob("testdata/gaps/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no gaps", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			g := readGap(t, string(f.Data))
			name := strings.TrimSuffix(filepath.Base(file), ".txtar") + "/" + f.Name
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				g.check(t, f.Name)
			})
		}
	}
}

func (g gap) check(t *testing.T, name string) {
	l, _, _ := strings.Cut(name, "/")
	own := language(t, l)
	result, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: []byte(g.input), Language: own, Property: g.property(),
		Rewrites: grammars.BundledRules(l).Families(own), Adapt: grammars.Adapt(own),
	})
	if err != nil {
		t.Fatal(err)
	}
	got, want := len(neutralTokens(string(result.File))), len(neutralTokens(g.smallest))
	good := got <= want && (!g.exact || string(result.File) == g.smallest)
	switch {
	case !good && (g.open == 0 || got > g.open):
		t.Errorf("%d tokens, want %d\n%s\nwant\n%s", got, max(want, g.open), result.File, g.smallest)
	case good && g.open > 0:
		t.Errorf("no longer open:\n%s", result.File)
	}
}

func TestGapIncludes(t *testing.T) {
	c := language(t, "c")
	set := archive.New([]archive.Entry{
		{Path: "a.c", Content: []byte("int k;\n#include \"b.h\"\nint y = x;\n"), Language: c},
		{Path: "b.h", Content: []byte("int x;\nint z;\n"), Language: c},
	})
	// whole preprocesses a.c.
	whole := func(archive []byte) (text string, files int) {
		entries, err := set.Entries(archive)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Path == "a.c" {
				text = string(e.Content)
			} else {
				text = strings.Replace(text, "#include \"b.h\"", string(e.Content), 1)
			}
		}
		return text, len(entries)
	}
	compiles := regexp.MustCompile(`^[^#]*int x;[^#]*int y = x;[^#]*$`)
	result, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: set.Archive(), Language: set,
		Property: func(_ context.Context, archive []byte) (algo.Outcome, error) {
			if text, _ := whole(archive); compiles.MatchString(text) {
				return algo.Interesting, nil
			}
			return algo.Uninteresting, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if text, files := whole(result.File); files != 1 || text != "int x;\nint y = x;\n" {
		t.Errorf("%d files, %q", files, text)
	}
}
