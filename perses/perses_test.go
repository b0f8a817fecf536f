package perses

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/internal/testkit/algotest"
	"whittle/parse"
	"whittle/parse/archive"
	"whittle/pass"
)

// run returns the best file and the number of candidates.
func run(s *algo.Step[*parse.Candidate], source string, interesting func(string) bool) (best string, asked int) {
	last, asked := algotest.Follow(s, func(c *parse.Candidate) bool { return interesting(string(c.Render())) })
	if last == nil {
		return source, asked
	}
	return string(last.Render()), asked
}

func parsed(t testing.TB, language, source string) *parse.Tree {
	t.Helper()
	l, _ := grammars.Find(language)
	tree, err := l.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func by(a algo.Algorithm) pass.Plan {
	return pass.Plan{Plan: rounds.Plan{Policy: rounds.Plain(a), Width: 1}}
}

func TestWords(t *testing.T) {
	source := `package p

import (
	"fmt"
	"io/fs"
	"os"
)

func a() {
	keep()
	fmt.Println(b())
}

func b() int { return 1 }

func c() { os.Exit(2) }
`
	// Like a Go compiler: imports must be used, and uses declared.
	compiles := func(file string) bool {
		for _, name := range []string{"fmt", "os"} {
			if strings.Contains(file, `"`+name+`"`) != strings.Contains(file, name+".") {
				return false
			}
		}
		return strings.Contains(file, "keep()") && (!strings.Contains(file, "b())") || strings.Contains(file, "func b"))
	}
	got, asked := run(Words().Search(parsed(t, "go", source), pass.Gate{}, by(algo.DDMin)), source, compiles)
	for _, gone := range []string{"fmt", "os", "func b", "func c"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q is still in\n%s", gone, got)
		}
	}
	if !strings.Contains(got, "keep()") || asked > 60 {
		t.Errorf("after %d candidates:\n%s", asked, got)
	}
}

func TestSlices(t *testing.T) {
	source := "int a[3];\nint x;\n"
	tree := parsed(t, "c", source)
	c := grammars.ForFile("x.c")
	allows := func(_, c2 *candidate) bool { return c.Errors(c2.Render()) == 0 }
	search := Slices().Search(tree, pass.Gate{Fits: allows}, by(algo.DDMin))
	got, asked := run(search, source, func(file string) bool { return strings.Contains(file, "int a") })
	if got != "int a;\nint x;\n" || asked > 10 {
		t.Errorf("after %d candidates: %q", asked, got)
	}
}

func TestDeepNest(t *testing.T) {
	source := "int x = " + strings.Repeat("(", 500) + "y" + strings.Repeat(")", 500) + ";\n"
	c := grammars.ForFile("x.c")
	allows := func(_, c2 *candidate) bool { return c.Errors(c2.Render()) == 0 }
	search := Queue().Search(parsed(t, "c", source), pass.Gate{Fits: allows}, by(algo.ProbDD(0.1)))
	got, asked := run(search, source, func(file string) bool { return strings.Contains(file, "y") })
	if strings.Contains(got, "(") || asked > 60 {
		t.Errorf("after %d candidates: %q", asked, got)
	}
}

// The next node of a kind may be far below.
func TestDistantLevels(t *testing.T) {
	source := "x()"
	for k := range 5 {
		source = fmt.Sprintf("new class { m%d() { %s } }().m%d()", k, source, k)
	}
	needed := func(file string) bool {
		at, found := 0, true
		for _, word := range []string{"m3() {", "m2() {", "m1() {", "x()", ".m1()", ".m2()", ".m3()"} {
			i := strings.Index(file[at:], word)
			at, found = at+max(i, 0), found && i >= 0
		}
		for k := range 5 { // a call of each method, and only of these
			method := fmt.Sprintf("m%d()", k)
			found = found && strings.Contains(file, method+" {") == strings.Contains(file, "."+method)
		}
		return found
	}
	js := grammars.ForFile("x.js")
	allows := func(_, c *candidate) bool { return js.Errors(c.Render()) == 0 }
	search := QueueUntil().Search(parsed(t, "javascript", source), pass.Gate{Fits: allows}, by(algo.DDMin))
	got, _ := run(search, source, needed)
	if strings.Contains(got, "m4") {
		t.Errorf("%s", got)
	}
}

func TestQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var q *queue
	var weights []int
	for i := range 500 {
		w := r.IntN(100)
		weights = append(weights, w)
		before := q
		q = q.push(entry{node: int32(i), weight: w})
		if before != nil && before.weight > q.weight {
			t.Fatal("the heaviest is not first")
		}
	}
	slices.SortFunc(weights, func(a, b int) int { return b - a })
	for i, rest := 0, q; rest != nil; i++ {
		var e entry
		if e, rest = rest.pop(); e.weight != weights[i] {
			t.Fatalf("number %d weighs %d, want %d", i, e.weight, weights[i])
		}
	}
	if e, _ := q.pop(); e.weight != weights[0] {
		t.Error("pop changed the queue it was called on")
	}
	newer := (*queue)(nil).push(entry{node: 1, weight: 7}).push(entry{node: 2, weight: 7})
	if e, _ := newer.pop(); e.node != 2 {
		t.Error("of two that weigh the same the newer comes first")
	}
}

func ExampleQueue() {
	c := grammars.ForFile("x.c")
	tree, _ := c.Parse([]byte("int a;\nint f(int x) { if (x) { crash(); } return x; }\n"))
	gate := pass.Gate{Fits: func(_, candidate *parse.Candidate) bool { return c.Errors(candidate.Render()) == 0 }}
	search := Queue().Search(tree, gate, pass.Plan{Plan: rounds.Plan{Policy: rounds.Plain(algo.ProbDD(0.1)), Width: 1}})
	best, _ := run(search, "", func(file string) bool { return strings.Contains(file, "crash()") })
	fmt.Println(best)
	// Output:
	// crash();
}

// Whole files come first, even in a light directory.
func TestFilesFirst(t *testing.T) {
	c := grammars.ForFile("x.c")
	heavy := strings.Repeat("int x; int f(void) { return 1 + 2; }\n", 20)
	set := archive.New([]archive.Entry{
		{Path: "a.c", Content: []byte(heavy), Language: c}, {Path: "d", Mode: fs.ModeDir},
		{Path: "d/b.c", Content: []byte("int b;\n"), Language: c}, {Path: "d/c.c", Content: []byte("int c;\n"), Language: c},
	})
	tree, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	file, inside := false, false // a candidate lacked d/b.c only, or a part of a.c
	coherent := func(_, c *candidate) bool { return c.Coherent() }
	run(Queue().Search(tree, pass.Gate{Fits: coherent}, by(algo.DDMin)), "", func(archive string) bool {
		entries, err := set.Entries([]byte(archive))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			inside = inside || e.Path == "a.c" && len(e.Content) > 0 && len(e.Content) < len(heavy)
		}
		if len(entries) == 3 && entries[2].Path == "d/c.c" {
			if file = true; inside {
				t.Error("a part of a file went before a whole one")
			}
		}
		return false
	})
	if !file || !inside {
		t.Errorf("whole file tried: %v, part of one: %v", file, inside)
	}
}

// A file goes with its mentions, if neither goes alone.
func TestFileWithMentions(t *testing.T) {
	files := []string{"<?php class A {}\n", "<?php class B {}\n", "<?php f([new A(), new B()]);\n"}
	var entries []archive.Entry
	for i, path := range []string{"A.php", "B.php", "main.php"} {
		e := archive.Entry{Path: path, Content: []byte(files[i])}
		e.Language = grammars.NewReading(grammars.ForFile("x.php"), e.Path, e.Content, nil)
		entries = append(entries, e)
	}
	set := archive.New(entries)
	tree, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	best, _ := run(Queue().Search(tree, pass.Gate{}, by(algo.DDMin)), "", func(archive string) bool {
		for _, class := range []string{"A", "B"} {
			if strings.Contains(archive, "new "+class) != strings.Contains(archive, "class "+class) {
				return false
			}
		}
		return strings.Contains(archive, "f([new B") && strings.Contains(archive, "<?php class B {}")
	})
	if !strings.Contains(best, "new B") || strings.Contains(best, "new A") {
		t.Errorf("%q", best)
	}
}

// On a small file it is like Queue.
func TestQueueUntil(t *testing.T) {
	for _, functions := range []int{300, 20} {
		var b strings.Builder
		for i := range functions {
			fmt.Fprintf(&b, "int f%d() { return 1 + 2 + 3 + 4 + 5; }\n", i)
		}
		named := func(file string) bool { return strings.Count(file, "int f") == functions }
		left := func(p pass.Pass) float64 {
			tree := parsed(t, "c", b.String())
			plan := pass.Plan{Plan: rounds.Plan{Policy: rounds.Plain(algo.OPDD), Width: 1}}
			got, _ := run(p.Search(tree, pass.Gate{}, plan), b.String(), named)
			return float64(parse.Whole(parsed(t, "c", got)).Weight()) / float64(parse.Whole(tree).Weight())
		}
		until, whole := left(QueueUntil()), left(Queue())
		if whole > 0.5 || functions == 20 && until != whole || functions == 300 && (until < 0.6 || until > 0.75) {
			t.Errorf("of %d functions %.2f is left, %.2f by the whole queue", functions, until, whole)
		}
	}
}
