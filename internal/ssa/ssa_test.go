package ssa_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/internal/ssa"
	"whittle/parse"
	"whittle/pass"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func language(t *testing.T, name string) (parse.Language, ssa.Facts) {
	l, ok := grammars.Find(name)
	if !ok {
		t.Fatalf("no language %s", name)
	}
	return l, grammars.BundledRules(name).Values
}

func read(t *testing.T, l parse.Language, text []byte) *parse.Tree {
	t.Helper()
	tree, err := l.Parse(text)
	if err != nil || tree.Errors > 0 {
		t.Fatalf("%v, %d syntax errors in\n%s", err, tree.Errors, text)
	}
	return tree
}

// In testdata, "LIST NUMBERS" is the file before it without these parts of a list; 0 is the last in the file.
func TestParts(t *testing.T) {
	for _, name := range []string{"llvm", "mlir"} {
		l, facts := language(t, name)
		path := "testdata/" + name + ".txtar"
		golden, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var source []byte
		for i := range golden.Files {
			file := &golden.Files[i]
			at := strings.IndexAny(file.Name, "0123456789")
			if at < 0 {
				source = file.Data
				continue
			}
			gone := strings.Fields(file.Name[at:])
			c, parts := ssa.Without(l, facts, read(t, l, source), strings.TrimSpace(file.Name[:at]),
				func(i int) bool { return slices.Contains(gone, strconv.Itoa(i)) })
			if last, _ := strconv.Atoi(gone[len(gone)-1]); last >= parts {
				t.Fatalf("%s: %s has only %d parts", path, file.Name, parts)
			}
			got := string(c.Render())
			if errors := l.Errors([]byte(got)); errors > 0 {
				t.Errorf("%s: %s: %d syntax errors", path, file.Name, errors)
			}
			if got != string(file.Data) && !*update {
				t.Errorf("%s: %s (-update):\n%s", path, file.Name, got)
			}
			file.Data = []byte(got)
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(golden), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A deletion of a definition replaces its uses, whichever pass asks for it.
func TestRepairing(t *testing.T) {
	llvm := "define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  %c = mul i32 %b, %b\n  ret i32 %c\n}\n"
	head := "define i32 @g(i32 %a) {\nb:\n"
	begin := "  switch i32 %x, label %c [\n    i32 1, label %d\n  ]\n"
	call, jump, end := "  %x = call i32 @g(i32 %a)\n", "c:\n  br label %d\nd:\n", "  ret i32 %p\n}\n"
	edges := head + call + begin + jump + "  %p = phi i32 [ %x, %b ], [ 2, %c ]\n" + end
	mlir := "func.func @f() {\n  return\n}\nfunc.func private @g() {\n  llvm.return\n}\n"
	for _, c := range []struct{ language, file, gone, want string }{
		{"llvm", llvm, "%b = add i32 %a, 1", "define i32 @f(i32 %a) {\n  %c = mul i32 %a, %a\n  ret i32 %c\n}\n"},
		{"llvm", llvm, "ret i32 %c", "define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  %c = mul i32 %b, %b\n  unreachable\n}\n"},
		{"llvm", llvm, "i32 %a", "define i32 @f() {\n  %b = add i32 0, 1\n  %c = mul i32 %b, %b\n  ret i32 %c\n}\n"},
		{"llvm", edges, "%x =", head + "  call i32 @g(i32 %a)\n" + strings.Replace(begin, "%x", "%a", 1) + jump +
			"  %p = phi i32 [ %a, %b ], [ 2, %c ]\n" + end},
		{"llvm", edges, "i32 1, label %d", head + call + "  br label %c\n" + jump + "  %p = phi i32 [ 2, %c ]\n" + end},
		{"llvm", edges, "[ 2, %c ]", head + call + begin + "c:\n  ret i32 0\nd:\n  %p = phi i32 [ %x, %b ]\n" + end},
		{"llvm", edges, "c:\n  br label %d", head + call + "  br label %d\nd:\n  %p = phi i32 [ %x, %b ]\n" + end},
		{"mlir", mlir, "{\n  return\n}", "func.func private @f()\nfunc.func private @g() {\n  llvm.return\n}\n"},
		{"mlir", mlir, "{\n  llvm.return\n}", "func.func @f() {\n  return\n}\nfunc.func private @g()\n"},
	} {
		l, facts := language(t, c.language)
		tree := read(t, l, []byte(c.file))
		p := ssa.Repairing(facts, pass.Pass{Search: func(t *parse.Tree, _ pass.Gate, _ pass.Plan) *pass.Step {
			for n := range t.Nodes {
				if base := parse.Whole(t); t.Nodes[n].Slot.Droppable() && text(t, int32(n)) == c.gone {
					return &pass.Step{Candidate: base.Drop(int32(n)), Next: func(algo.Outcome) *pass.Step { return nil }}
				}
			}
			return nil
		}})
		s := p.Search(tree, pass.Gate{}, pass.Plan{})
		if s == nil {
			t.Fatalf("no node %q", c.gone)
		}
		if got := string(s.Candidate.Render()); got != c.want {
			t.Errorf("without %q:\n%s, want\n%s", c.gone, got, c.want)
		}
	}
}

func text(t *parse.Tree, n int32) string {
	node := t.Nodes[n]
	return string(t.Source[t.Tokens[node.First].Start:t.Tokens[node.Last-1].End])
}

// The pass finds a required instruction of a long function in few questions.
func TestPass(t *testing.T) {
	l, facts := language(t, "llvm")
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 3))
		file := module(r, 40)
		needed := "fdiv double %d, 0x7FF0000000000000"
		at := strings.LastIndex(file, "  ret ")
		file = file[:at] + "  %needed = " + needed + "\n" + file[at:]
		file = strings.Replace(file, "(i32 %a0", "(double %d, i32 %a0", -1)
		tests, best := 0, []byte(file)
		plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 1}, Parse: l.Parse}
		for s := ssa.Pass(facts).Search(read(t, l, best), pass.Gate{}, plan); !s.Ended(); tests++ {
			outcome := algo.Uninteresting
			if text := s.Candidate.Render(); strings.Contains(string(text), "fdiv double") &&
				strings.Contains(string(text), "0x7FF0000000000000") {
				outcome, best = algo.Interesting, text
			}
			s = s.Next(outcome)
		}
		if tests > 50 || len(best) > len(file)/5 {
			t.Errorf("seed %d: %d questions, %d of %d bytes are left\n%s", seed, tests, len(best), len(file), best)
		}
	}
}

// A list without gains ends after the same number of questions in short and long files.
func TestPassIsPatient(t *testing.T) {
	l, facts := language(t, "llvm")
	for _, length := range []int{50, 2000} {
		asked := map[string]int{}
		plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 1}, Parse: l.Parse}
		file := module(rand.New(rand.NewPCG(1, 3)), length)
		for s := ssa.Pass(facts).Search(read(t, l, []byte(file)), pass.Gate{}, plan); !s.Ended(); {
			asked[s.About.List.Kind]++
			s = s.Next(algo.Uninteresting)
		}
		if max(asked["instructions"], asked["blocks"]) > 32 || asked["instructions by constants"] > 8 || asked["instructions"] == 0 {
			t.Errorf("%d instructions: questions %v", length, asked)
		}
	}
}

// Files with syntax errors, here without their ends, have incomplete instructions.
func TestIncompleteFiles(t *testing.T) {
	for _, name := range []string{"llvm", "mlir"} {
		l, facts := language(t, name)
		golden, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 1}, Parse: l.Parse}
		for end := 0; end < len(golden.Files[0].Data); end += 5 {
			tree, err := l.Parse(golden.Files[0].Data[:end])
			if err != nil {
				t.Fatal(err)
			}
			s := ssa.Pass(facts).Search(tree, pass.Gate{}, plan)
			for asked := 0; !s.Ended() && asked < 3; asked++ {
				s.Candidate.Render()
				s = s.Next(algo.Uninteresting)
			}
		}
	}
}
