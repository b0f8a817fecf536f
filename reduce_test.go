package whittle_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/internal/testkit/cases"
	"whittle/oracle"
	"whittle/parse"
)

func containing(pattern string) func(context.Context, []byte) (algo.Outcome, error) {
	re := regexp.MustCompile(pattern)
	return func(_ context.Context, candidate []byte) (algo.Outcome, error) {
		if re.Match(candidate) {
			return algo.Interesting, nil
		}
		return algo.Uninteresting, nil
	}
}

var inputs = []struct{ file, language, pattern string }{
	{"queue.c", "c", `(?s)NEXT\(tail\) == head.*cost\[i\] < 0.*goto out`},
	{"queue.c", "c", `(?s)\bfor\b.*"busy".*EXIT_SUCCESS`},
	{"Inventory.java", "java", `(?s)continue.*catch.*label:`},
	{"words.py", "python", `(?s)elif.*raise.*rows\.pop\(\).*finally`},
	{"menu.xml", "xml", `(?s)<dish.*<dish.*>[^<]*&vat;.*how=`},
	{"menu.xml", "xml", `(?s)ATTLIST.*xmlns:m.*caf.*<m:extra`},
	{"orders.json", "json", `(?s)"price": -.*"tags".*"z".*"by"`},
	{"sets.smt2", "smt2", `(?s)max2 .*f e \(\+.*get-value`},
}

// In short mode only the first two.
func some(jobs ...int) []int {
	if testing.Short() {
		return jobs[:2]
	}
	return jobs
}

func readInput(tb testing.TB, file string) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "input", file))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func language(tb testing.TB, name string) grammars.Language {
	tb.Helper()
	l, ok := grammars.Find(name)
	if !ok {
		tb.Fatalf("no language %s", name)
	}
	return l
}

// Errors are counted by a full parse.
func TestPersesKeepsSyntax(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and is not about what runs beside each other")
	}
	for i, in := range inputs {
		for _, algorithm := range whittle.Algorithms().Names() {
			t.Run(fmt.Sprint(i, in.file, "/", algorithm), func(t *testing.T) {
				keepsSyntax(t, in.language, algorithm, readInput(t, in.file), containing(in.pattern))
			})
		}
	}
	t.Run("broken.c", func(t *testing.T) {
		broken := append([]byte("int f( { return }\n"), readInput(t, "queue.c")...)
		keepsSyntax(t, "c", "", broken, containing(`return }(?s).*goto out`))
	})
}

// Passes before the queue do not add syntax errors, even if the input had more. The queue asks such questions, too.
func TestErrorsFromInput(t *testing.T) {
	l, name := language(t, "c"), ""
	input := append([]byte("int f( { return }\nint g( { return }\n"), readInput(t, "queue.c")...)
	early, late := 0, 0
	_, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: input, Language: l, Property: containing(`goto out`),
		Observe: func(e whittle.Event) error {
			switch e := e.(type) {
			case whittle.PassBegan:
				name = e.Name
			case whittle.Decision:
				worse := l.Errors(e.File) > l.Errors(e.Base)
				switch {
				case name == "queue" && worse:
					late++
				case worse:
					t.Errorf("%s adds an error:\n%s", name, e.File)
				case name == "perses":
					early++
				}
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if early == 0 || late == 0 {
		t.Errorf("%d early questions without more errors, and %d late ones with more", early, late)
	}
}

// Only the context of a change is parsed. A long string keeps these files large.
func TestPersesKeepsSyntaxOfLargeFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and is not about what runs beside each other")
	}
	const large = 8 << 10 // at least this size
	long := strings.Repeat("x", large)
	// The string is before this text, or at the end.
	texts := map[string]struct{ before, text string }{
		"c":      {"", "char long_string[] = \"" + long + "\";\n"},
		"java":   {"", "class LongString { String s = \"" + long + "\"; }\n"},
		"python": {"", "long_string = \"" + long + "\"\n"},
		"xml":    {"</menu>", "<dish name=\"" + long + "\"/>"},
		"json":   {"\"orders\":", "\"long\": \"" + long + "\", "},
		"smt2":   {"", "(set-info :long \"" + long + "\")\n"},
	}
	for i, in := range inputs {
		s := texts[in.language]
		before, after, _ := bytes.Cut(readInput(t, in.file), []byte(s.before))
		if s.before == "" {
			before, after = after, before
		}
		source := slices.Concat(before, []byte(s.text+s.before), after)
		has := containing(in.pattern)
		for _, algorithm := range []string{"grain", "ddmin", "probdd"} {
			t.Run(fmt.Sprint(i, in.file, "/", algorithm), func(t *testing.T) {
				keepsSyntax(t, in.language, algorithm, source, func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
					if !bytes.Contains(candidate, []byte(long)) {
						return algo.Uninteresting, nil
					}
					return has(ctx, candidate)
				})
			})
		}
	}
}

func keepsSyntax(t *testing.T, name, algorithm string, source []byte, property oracle.Property) {
	l := language(t, name)
	tree, err := l.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	_, err = whittle.Reduce(t.Context(), whittle.Options{
		Input: source, Language: l, Algorithm: algorithm,
		Property: func(ctx context.Context, candidate []byte) (algo.Outcome, error) {
			tested++
			c, err := l.Parse(candidate)
			if err != nil {
				t.Error(err)
			} else if c.Errors > tree.Errors {
				t.Errorf("%d syntax errors, the input has %d:\n%s", c.Errors, tree.Errors, candidate)
			}
			return property(ctx, candidate)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if tested < 20 {
		t.Errorf("only %d candidates were tested", tested)
	}
}

// With a 1-minimal algorithm HDD* is 1-tree-minimal (Misherghi and Su 2006, section 4).
func TestTreeMinimal(t *testing.T) {
	for _, in := range inputs {
		for _, driver := range []string{"hdd", "hddr"} {
			for _, algorithm := range []string{"ddmin", "wddmin"} {
				t.Run(in.file+"/"+driver+"/"+algorithm, func(t *testing.T) {
					l := language(t, in.language)
					property := containing(in.pattern)
					r, err := whittle.Reduce(context.Background(), whittle.Options{
						Input: readInput(t, in.file), Language: l, Driver: driver, Algorithm: algorithm, Property: property,
					})
					if err != nil {
						t.Fatal(err)
					}
					tree, err := l.Parse(r.File)
					if err != nil {
						t.Fatal(err)
					}
					whole := parse.Whole(tree)
					for n := range tree.Nodes {
						without := whole.Prune(int32(n)).Render()
						if bytes.Equal(without, r.File) {
							continue
						}
						if o, _ := property(t.Context(), without); n > 0 && o == algo.Interesting {
							t.Errorf("node %d of\n%s\ncan be removed:\n%s", n, r.File, without)
						}
					}
				})
			}
		}
	}
}

func TestJobsDoNotMatter(t *testing.T) {
	for i, driver := range []string{"coupled", "perses", "hdd", "hddr"} {
		for k := range cases.Of(t, len(inputs), 4) {
			in := inputs[(k+i)%len(inputs)]
			t.Run(driver+"/"+in.file, func(t *testing.T) {
				var first []string
				for _, jobs := range some(1, 8, 2, 33) {
					var decisions []string
					r, err := whittle.Reduce(context.Background(), whittle.Options{
						Input: readInput(t, in.file), Language: language(t, in.language),
						Driver: driver, Jobs: jobs, Property: containing(in.pattern),
						Observe: whittle.On(func(d whittle.Decision) {
							decisions = append(decisions, fmt.Sprint(d.Pass, d.Tokens, d.Bytes, d.Outcome, d.Cached, d.Accepted, d.Tests))
						}),
					})
					if err != nil {
						t.Fatal(err)
					}
					decisions = append(decisions, string(r.File), fmt.Sprint(r.Tests, r.Cached, r.Accepted, r.Rounds))
					if first == nil {
						first = decisions
					}
					if !slices.Equal(first, decisions) {
						t.Errorf("with %d jobs the run differs from that with 1", jobs)
					}
				}
			})
		}
	}
}

func TestLimits(t *testing.T) {
	in := inputs[0]
	o := whittle.Options{Input: readInput(t, in.file), Language: language(t, in.language),
		Property: containing(in.pattern)}
	full, err := whittle.Reduce(t.Context(), o)
	if err != nil || !full.Complete {
		t.Fatal(full.Complete, err)
	}
	o.MaxTests = full.Tests / 2
	half, err := whittle.Reduce(t.Context(), o)
	if err != nil || half.Complete || half.Tests != o.MaxTests || len(half.File) <= len(full.File) {
		t.Errorf("half of the tests: complete %v, %d tests, %d bytes, error %v",
			half.Complete, half.Tests, len(half.File), err)
	}
	if o, _ := o.Property(t.Context(), half.File); o != algo.Interesting {
		t.Error("the best so far is not interesting")
	}
	o.Property = containing("not in the file")
	if r, err := whittle.Reduce(t.Context(), o); err != whittle.ErrUninteresting || !bytes.Equal(r.File, o.Input) {
		t.Errorf("an uninteresting input gave error %v", err)
	}
}

func ExampleReduce() {
	lines, _ := grammars.Find("lines")
	result, err := whittle.Reduce(context.Background(), whittle.Options{
		Input:    []byte("one\ntwo\nthree\nfour\n"),
		Language: lines,
		Property: containing("two|three"),
	})
	fmt.Printf("%s%v\n", result.File, err)
	// Output:
	// two
	// <nil>
}

// Options.Policy searches each list instead of the algorithm.
func TestList(t *testing.T) {
	lengths := map[int]bool{}
	each := func(weights []int) *algo.Step[[]int] {
		lengths[len(weights)] = true
		return algo.Each(len(weights))
	}
	result, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: readInput(t, "words.py"), Language: language(t, "python"), Property: containing("finally"),
		Driver: "hdd", Policy: rounds.Plain(each),
	})
	if err != nil || !result.Complete || result.Tokens >= result.TokensAtAll || len(lengths) < 2 {
		t.Errorf("error %v, %d of %d tokens left, lists of %v", err, result.Tokens, result.TokensAtAll, lengths)
	}
}

// A file of more than 16 MiB is first read by lines, then by its language.
func TestCoarse(t *testing.T) {
	var input bytes.Buffer
	for i := range 250_000 {
		fmt.Fprintf(&input, "{\"id\": %d, \"name\": [\"n%d\"], \"text\": \"some text\", \"sum\": 12345}\n", i, i)
	}
	l, _ := grammars.Find("json")
	reading := grammars.NewReading(l, "x.json", input.Bytes(), func(text string) { t.Error(text) })
	reading.Coarse = true
	r, err := whittle.Reduce(t.Context(), whittle.Options{
		Input: input.Bytes(), Language: reading, Property: containing(`(?s)"n70000".*"n210000"`),
	})
	if want := "\"n70000\"\n\"n210000\"\n"; err != nil || string(r.File) != want || r.Tests > 90 {
		t.Errorf("%s after %d tests, %v", r.File, r.Tests, err)
	}
}
