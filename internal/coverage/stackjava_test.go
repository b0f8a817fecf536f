package coverage

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/internal/testkit/passtest"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// inJava ends with an exception of a class of the project.
const inJava = `
-- a/Reader.java --
package a;
public class Reader {
  Reader() { read(); }
  void read() { throw new Failed("no x", new Empty("e")); }
  public static class Node {
    void all() {
      java.util.List.of(1).forEach(x -> new Reader());
    }
    public String toString() { all(); return ""; }
  }
  static Node of() {
    return new Node() { public String toString() { return super.toString(); } };
  }
  public static void run() { run(of()); }
  static void run(Node n) { n.toString(); }
}
-- a/Failed.java --
package a;
import java.util.concurrent.CompletionException;
public class Failed extends Problem {
  Failed(String m, Throwable t) { super(m, t, 0); }
}
class Empty extends RuntimeException {
  Empty(String m) { super(m); }
}
class Problem extends CompletionException {
  Problem(String m, Throwable t, int n) { super(m, t); }
}
-- a/Other.java --
package a;
class Other {
  int[] large = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27};
}
-- b/Main.java --
package b;
class Main {
  public static void main(String[] words) { a.Reader.run(); }
}
`

// Programs of only the functions on the stack end with the same exception in functions of the same names.
func TestStackOfJava(t *testing.T) {
	if exec.Command("javac", "-version").Run() != nil {
		t.Skip("no javac")
	}
	var files []string
	for _, f := range txtar.Parse([]byte(inJava)).Files {
		files = append(files, f.Name, string(f.Data))
	}
	set, tree := passtest.Project(t, files...)
	fails := func(archive []byte) string {
		entries, err := set.Entries(archive)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		args := []string{"-d", filepath.Join(dir, "out")}
		for _, e := range entries {
			path := filepath.Join(dir, e.Path)
			if e.Mode.IsDir() {
				continue
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, e.Content, 0o644); err != nil {
				t.Fatal(err)
			}
			args = append(args, path)
		}
		if said, err := exec.Command("javac", args...).CombinedOutput(); err != nil {
			t.Fatalf("%s%s", said, archive)
		}
		said, _ := exec.Command("java", "-cp", filepath.Join(dir, "out"), "b.Main").CombinedOutput()
		return string(said)
	}
	names := func(output string) (all []string) {
		calls, made := javaTrace(output)
		all = append(all, made[len(made)-1].Text)
		for _, c := range calls {
			if strings.HasPrefix(c.function, "a.") || strings.HasPrefix(c.function, "b.") {
				all = append(all, c.function)
			}
		}
		return all
	}
	output := fails(tree.Source)
	_, raised := Record{Run: oracle.Run{Output: []byte(output)}}.Of(tree.Source, set.Starts(tree.Source))
	gate := pass.Gate{Fits: func(base, c *parse.Candidate) bool { return c.Weight() < base.Weight() }}
	plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 1}}
	step := pass.Stack(func([]byte) pass.Raised { return raised }).Search(tree, gate, plan)
	const inner = "a.Reader.read a.Reader.<init> a.Reader$Node.lambda$all$0"
	if got := names(fails(step.Candidate.Render())); got[0] != `new a.Failed("no x")` {
		t.Errorf("%s, without the cause:\n%s", got, step.Candidate.Render())
	}
	step = step.Next(algo.Uninteresting)
	for _, want := range []string{inner + " a.Reader$Node.all b.Main.main", inner +
		" a.Reader$Node.all a.Reader$Node.toString a.Reader$1.toString a.Reader.run b.Main.main"} {
		got := names(fails(step.Candidate.Render()))
		if w := `new a.Failed("no x", new a.Empty("e")) ` + want; strings.Join(got, " ") != w {
			t.Errorf("%s, want %s:\n%s", got, w, step.Candidate.Render())
		}
		step = step.Next(algo.Uninteresting).Next(algo.Uninteresting)
	}
}
