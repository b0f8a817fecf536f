package view

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"whittle/internal/chain"
)

var update = flag.Bool("update", false, "update the golden screens")

func midway() scene {
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := state{
		began: began, now: began.Add(83 * time.Second),
		input: "crash.c", output: "crash.reduced.c", how: "c, coupled",
		seeks: "looking for: internal compiler error: in purge_dead_edges, at cfgrtl.cc", doing: "preparing the next pass",
		tokens: 412, atAll: 12_345, bytes: 1903, tests: 1204, replayed: 300,
		succeeded: began.Add(80 * time.Second),
		passes: []row{
			{name: "comments", turns: 1, tests: 1, removed: 37, took: time.Second},
			{name: "definitions", turns: 2, tests: 64, removed: 9_122, took: 12 * time.Second},
			{name: "perses", turns: 2, tests: 812, removed: 2_701, took: 48 * time.Second},
			{name: "words", turns: 1, tests: 21, removed: 73, took: 2 * time.Second, skipped: true},
			{name: "slices", turns: 1, tests: 6, removed: -12, took: 400 * time.Millisecond},
		},
		turns: []turn{
			{pass: "comments", tokens: 12_345, took: time.Second},
			{pass: "definitions", tokens: 12_308, took: 10 * time.Second},
			{pass: "perses", tokens: 3_186, took: 45 * time.Second},
			{pass: "words", tokens: 485, took: 10 * time.Second},
			{pass: "slices", tokens: 412, took: 12 * time.Second},
			{pass: "definitions", tokens: 412, took: 2 * time.Second},
			{pass: "perses", tokens: 412},
		},
		passing: true, passBegan: began.Add(80 * time.Second), kind: "children",
		talk: []string{"whittle: the test is flaky: the same 1,903 bytes were interesting once and once not\n"},
		jobs: 4, load: chain.Load{Busy: 3, Ended: 1_500, Time: 240 * time.Second},
	}
	tokens := 12_345
	for i := range 60 {
		s.sizes = append(s.sizes, size{time.Duration(i*i) * 22 * time.Millisecond, tokens})
		tokens -= tokens / 17
	}
	s.sizes = append(s.sizes, size{80 * time.Second, 412})
	return scene{state: s, look: plain(), file: text(strings.Repeat("int f(int a) {\n\treturn a + 1;\n}\n\n", 12)),
		change: text("@@ -3,4 +3,3 @@\n int f(int a) {\n-\tprintf(\"日本語 \x1b[2J\\n\");\r\n \treturn a + 1;\n }\n")}
}

func TestScreens(t *testing.T) {
	change := func(f func(s *scene)) scene {
		s := midway()
		f(&s)
		return s
	}
	for name, c := range map[string]struct {
		scene         scene
		width, height int
	}{
		"80x24":   {midway(), 80, 24},
		"120x40":  {midway(), 120, 40},
		"40x12":   {midway(), 40, 12},
		"20x5":    {midway(), 20, 5},
		"change":  {change(func(s *scene) { s.ui.diff = true }), 80, 24},
		"help":    {change(func(s *scene) { s.help = true }), 80, 24},
		"moved":   {change(func(s *scene) { s.tops[0], s.left = 1000, 4 }), 80, 24},
		"paused":  {change(func(s *scene) { s.paused, s.load.Busy = true, 0 }), 80, 24},
		"stopped": {change(func(s *scene) { s.stopped, s.talk = true, nil }), 80, 24},
		"limited": {change(func(s *scene) { s.maxTime = 90 * time.Second }), 80, 24},
		"cluster": {change(func(s *scene) { s.load.Where = "64 jobs on build.example.com, 92% from its cache" }), 120, 24},
		"first": {scene{look: plain(), state: state{
			input: "a\x1b[2Jb.c", output: "a.reduced.c", doing: "testing a.c", jobs: 1},
			file: text("int x;")}, 80, 24},
	} {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			for _, line := range c.scene.draw(c.width, c.height) {
				got.WriteString(strings.TrimRight(line, " ") + "\n")
			}
			path := filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got.String(), want)
			}
		})
	}
}

// Screens of any size and look are filled exactly.
func TestSizes(t *testing.T) {
	for _, l := range []look{plain(), colours()} {
		for _, help := range []bool{false, true} {
			for width := 0; width < 130; width += 3 {
				for height := range 45 {
					s := midway()
					s.look, s.help, s.ui.diff = l, help, height%2 == 0
					lines := s.draw(width, height)
					if len(lines) != height {
						t.Fatalf("%dx%d has %d lines", width, height, len(lines))
					}
					for _, line := range lines {
						if ansi.StringWidth(line) > width || strings.ContainsAny(line, "\n\r\t") {
							t.Fatalf("%dx%d has the line %q", width, height, line)
						}
					}
				}
			}
		}
	}
}

// Drawing takes time for the visible part only.
func TestLarge(t *testing.T) {
	for _, file := range []string{strings.Repeat("x", 10<<20), strings.Repeat("line\n", 2<<20), strings.Repeat("\x00\xff", 5<<20)} {
		s := midway()
		s.file = text(file)
		s.tops[0] = 1000
		began := time.Now()
		s.draw(80, 24)
		if took := time.Since(began); took > time.Second {
			t.Errorf("it takes %v", took)
		}
	}
}

// Random keys and sizes break no drawing.
func TestAnyKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	keys := []string{"up", "down", "pgup", "pgdown", "home", "end", "left", "right", "tab", "?", "s", "p", "+", "-", "é", ""}
	s := midway()
	for range 3000 {
		width, height := r.IntN(140), r.IntN(50)
		switch r.IntN(8) {
		case 0:
			s.file = text(strings.Repeat("a line\n", r.IntN(60)))
		case 1:
			s.change = text(strings.Repeat("-a line", r.IntN(40)))
		case 2:
			s.talk = s.talk[:r.IntN(len(s.talk)+1)]
		case 3:
			s.passing = !s.passing
		}
		s.ui, _ = s.press(keys[r.IntN(len(keys))], max(s.layOut(height).body-1, 1), [2]int{s.file.lines(), s.change.lines()})
		if lines := s.draw(width, height); len(lines) != height {
			t.Fatalf("%dx%d has %d lines", width, height, len(lines))
		}
	}
}

func plain() look {
	same := func(s string) string { return s }
	return look{same, same, same, same, same}
}
