package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whittle/internal/report"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A fake is a compiler whose bug depends on its arguments.
type fake func(arguments []string) (verdict report.Verdict, output string)

func find(t *testing.T, name string, most int, command string, f fake) (*Bisection, string) {
	t.Helper()
	words := strings.Fields(command)
	b := &Bisection{
		Command: tool.Command{Words: words, Program: tool.Program{Tool: tool.Find(name)}},
		Most:    most,
		Doing:   func(string) {},
		Ask: func(_ context.Context, command []string) (Answer, error) {
			verdict, output := f(command[1:])
			return Answer{Verdict: verdict, Run: oracle.Run{Output: []byte(output)}}, nil
		},
	}
	facts, err := b.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, x := range facts {
		lines = append(lines, x.Name+": "+x.Text)
	}
	return b, strings.Join(lines, "\n")
}

// clang returns a compiler whose pass number bad crashes at the given level and above.
func clang(passes, bad int, from string) fake {
	return func(arguments []string) (report.Verdict, string) {
		limit := passes
		var b strings.Builder
		for _, a := range arguments {
			if n, err := strconv.Atoi(strings.TrimPrefix(a, "-opt-bisect-limit=")); err == nil && n >= 0 {
				limit = n
			}
		}
		verdict := report.Accepts
		for i := 1; i <= passes; i++ {
			if i > limit {
				fmt.Fprintf(&b, "BISECT: NOT running pass (%d) P%d on f\n", i, i)
				continue
			}
			fmt.Fprintf(&b, "BISECT: running pass (%d) P%d on f\n", i, i)
			if i == bad && level(strings.Join(arguments, " ")) >= from {
				return report.HasBug, b.String()
			}
		}
		return verdict, b.String()
	}
}

func TestLLVM(t *testing.T) {
	for _, c := range []struct {
		passes, bad int
		from        string
		want        string
	}{
		{1, 1, "-O0", "first bad pass: P1 on f\nfirst bad limit: -mllvm -opt-bisect-limit=1\nlowest failing level: -O0"},
		{1000, 1, "-O1", "first bad pass: P1 on f\nfirst bad limit: -mllvm -opt-bisect-limit=1\nlowest failing level: -O1"},
		{1000, 777, "-O2", "first bad pass: P777 on f\nfirst bad limit: -mllvm -opt-bisect-limit=777\nlowest failing level: -O2"},
		{3000, 2999, "-O2", "first bad pass: P2999 on f\nfirst bad limit: -mllvm -opt-bisect-limit=2999\nlowest failing level: -O2"},
	} {
		b, got := find(t, "clang-16", 1000, "clang-16 -O2 -c {}", clang(c.passes, c.bad, c.from))
		if got != c.want || b.Runs > 22 {
			t.Errorf("pass %d of %d: %d runs\n%s", c.bad, c.passes, b.Runs, got)
		}
	}
}

// Bugs outside the optional passes are in a stage.
func TestStage(t *testing.T) {
	for _, c := range []struct {
		fine []string // arguments that hide the bug
		said string
		want string
	}{
		{nil, "", "stage: parsing and semantic analysis (front end)\nalso fails with: -fsyntax-only"},
		{[]string{"-fsyntax-only"}, "", "stage: LLVM IR generation (front end)\n" +
			"also fails with: -emit-llvm -Xclang -disable-llvm-passes"},
		{[]string{"-fsyntax-only", "-disable-llvm-passes"}, "BISECT: running pass (1) P on f\n",
			"first bad pass: none: it fails without all passes that can be left out\n" +
				"stage: passes of the optimizer that always run\nalso fails with: -emit-llvm"},
		{[]string{"-fsyntax-only", "-emit-llvm"}, "BISECT: running pass (1) P on f\n",
			"first bad pass: none: it fails without all passes that can be left out\n" +
				"stage: code generator"},
	} {
		_, got := find(t, "clang", 1000, "clang -O1 -c {}", func(arguments []string) (report.Verdict, string) {
			for _, a := range arguments {
				if slices.Contains(c.fine, a) {
					return report.Accepts, ""
				}
			}
			return report.HasBug, c.said
		})
		if want := c.want + "\nlowest failing level: -O0"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// gcc returns a compiler that names its crashing pass, with a bug that needs some optimizations and
// the nth transformation of a counter.
func gcc(needs []string, counter string, nth int) fake {
	return func(arguments []string) (report.Verdict, string) {
		count := 1 << 30
		for _, a := range arguments {
			switch {
			case a == "--help=optimizers":
				return report.HasBug, "  -falign-functions      \t\t[enabled]\n  -fmove-loops \t[enabled]\n" +
					"  -ftree-vect           \t\t[enabled]\n  -fnot-on     \t[disabled]\n  -fallocation-dce     \t[enabled]\n"
			case a == "-fdbg-cnt-list":
				return report.Accepts, "  counter name   value  closed intervals\n-----\n  ccp     0      unset\n" +
					"  vect_slp      0    unset\n  match     0     unset\n"
			case a == "-fdump-passes":
				return report.HasBug, "  tree-vect2     : ON\n   tree-vect1   :  ON\n tree-vect3 : OFF\n"
			case a == "-fdisable-tree-vect1":
				return report.FailsElse, ""
			case strings.HasPrefix(a, "-fdbg-cnt="):
				for part := range strings.SplitSeq(strings.TrimPrefix(a, "-fdbg-cnt="), ",") {
					if name, n, _ := strings.Cut(part, ":"); name == counter {
						count, _ = strconv.Atoi(n)
					}
				}
			case slices.Contains(needs, a):
				return report.Accepts, ""
			}
		}
		if count < nth {
			return report.Accepts, ""
		}
		return report.HasBug, "during GIMPLE pass: vect\n"
	}
}

func TestGCC(t *testing.T) {
	for _, c := range []struct {
		needs   []string
		counter string
		nth     int
		want    string
	}{
		{[]string{"-fno-tree-vect"}, "match", 1234, "does not fail with: -fno-tree-vect\nfirst bad limit: -fdbg-cnt=match:1234"},
		{[]string{"-fno-move-loops", "-fno-tree-vect"}, "ccp", 1, "does not fail with: -fno-tree-vect\nfirst bad limit: -fdbg-cnt=ccp:1"},
		{[]string{"-fno-allocation-dce"}, "", 0, "does not fail with: -fno-allocation-dce"},
		{nil, "vect_slp", 16, "first bad limit: -fdbg-cnt=vect_slp:16"},
		{nil, "", 0, ""},
	} {
		b, got := find(t, "gcc-12", 1000, "gcc-12 -O2 -c {}", gcc(c.needs, c.counter, c.nth))
		want := "crashing pass: GIMPLE vect\nwith -fdisable-tree-vect2 -fdisable-tree-vect1: fails in another way: \n" +
			"lowest failing level: -O0\n" + c.want
		if got != strings.TrimSpace(want) || b.Runs > 40 {
			t.Errorf("%+v: %d runs\n%s", c, b.Runs, got)
		}
	}
}

// Several optimizations that must all be off are found together.
func TestCulprits(t *testing.T) {
	for _, matter := range [][]int{{0}, {99}, {3, 50}, {0, 1, 99}, {98, 99}} {
		b := &Bisection{Command: tool.Command{Words: []string{"gcc"}}, Most: 1000, Doing: func(string) {}, Ask: func(_ context.Context, command []string) (Answer, error) {
			for _, m := range matter {
				if !slices.Contains(command, strconv.Itoa(m)) {
					return Answer{Verdict: report.HasBug}, nil
				}
			}
			return Answer{Verdict: report.Accepts}, nil
		}}
		got := b.culprits(t.Context(), 100, func(switches []int) (words []string) {
			for _, s := range switches {
				words = append(words, strconv.Itoa(s))
			}
			return words
		})
		if b.err != nil || !slices.Equal(got, matter) || b.Runs > 9*len(matter)+1 {
			t.Errorf("%v are %v after %d runs, %v", matter, got, b.Runs, b.err)
		}
	}
}

func TestMost(t *testing.T) {
	for most := 1; most < 10; most++ {
		b, got := find(t, "clang", most, "clang -O2 -c {}", clang(3000, 77, "-O1"))
		if b.Runs != most || !strings.Contains(got, fmt.Sprintf("ended after %d runs", most)) {
			t.Errorf("%d runs:\n%s", b.Runs, got)
		}
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	b := &Bisection{Command: tool.Command{Words: []string{"gcc"}, Program: tool.Program{Tool: tool.Find("gcc")}},
		Most:  1000,
		Doing: func(string) {},
		Ask:   func(context.Context, []string) (Answer, error) { return Answer{}, broken }}
	if _, err := b.Find(t.Context()); err != broken {
		t.Error(err)
	}
	b.Command.Tool = tool.Find("xmllint")
	if facts, err := b.Find(t.Context()); facts != nil || err != nil || b.Runs != 1 {
		t.Errorf("%v, %v after %d runs", facts, err, b.Runs)
	}
}

func TestVersions(t *testing.T) {
	gcc, other := tool.Find("gcc"), tool.Find("clang")
	asked := func(verdicts ...report.Verdict) (all []Compiler) {
		for i, v := range verdicts {
			c := report.Compiler{Name: fmt.Sprintf("gcc-%d", 20-i), Verdict: v}
			if c.Name == "gcc-17" {
				c.Without = []string{"-fnew"}
			}
			p := tool.Program{Tool: gcc, Version: fmt.Sprintf("gcc (Debian %d.1.0-2) %[1]d.1.0", 20-i)}
			all = append(all, Compiler{Compiler: c, Program: p})
		}
		c := report.Compiler{Name: "clang", Verdict: report.Accepts}
		return append(all, Compiler{Compiler: c, Program: tool.Program{Tool: other}})
	}
	own := tool.Command{Program: tool.Program{Tool: gcc}}
	for _, c := range []struct {
		asked []Compiler
		want  string
	}{
		{asked(report.HasBug, report.HasBug, report.Right, report.Accepts), "[{regression range " +
			"works in gcc-17 (17.1.0, without -fnew) and gcc-18 (18.1.0), fails in gcc-19 (19.1.0) and gcc-20 (20.1.0) false}]"},
		{asked(report.Accepts, report.HasBug), "[{versions fails in gcc-19 (19.1.0), works in gcc-20 (20.1.0) false}]"},
		{asked(report.Accepts, report.HasBug, report.Rejects, report.Hangs, report.FailsElse),
			"[{versions fails in another way in gcc-16 (16.1.0), does not end in gcc-17 (17.1.0, without -fnew), " +
				"is rejected by gcc-18 (18.1.0), fails in gcc-19 (19.1.0), works in gcc-20 (20.1.0) false}]"},
		{asked(report.HasBug), "[]"},
		{asked(report.HasBug, report.HasBug, report.HasBug),
			"[{versions fails in gcc-18 (18.1.0), gcc-19 (19.1.0) and gcc-20 (20.1.0) false}]"},
	} {
		if got := fmt.Sprint(Versions(own, c.asked)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
