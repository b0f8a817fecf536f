package tool

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whittle/oracle"
	"whittle/parse"
)

// shorter returns the commands for each single deletion that keeps the syntax.
func shorter(t *testing.T, words []string) (commands []string) {
	t.Helper()
	l := NewArguments(NewReducible(words), []byte("int a;\n"), ofC, nil)
	tree, err := l.Parse(l.Archive())
	if err != nil || tree.Errors > 0 {
		t.Fatalf("%q: %v, %d errors", words, err, tree.Errors)
	}
	for n := tree.Root(tree.Parts[1]) + 1; n < int32(len(tree.Nodes)); n++ {
		if !tree.Nodes[n].Slot.Droppable() {
			continue
		}
		text := parse.Whole(tree).Drop(n).Render()
		if l.Errors(text) > 0 {
			t.Errorf("%q has errors without node %d", words, n)
		}
		v, _ := l.Open(text)
		commands = append(commands, strings.Join(v.Words()[1:], " "))
	}
	return commands
}

func TestPipelines(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  []string
	}{
		{[]string{"opt-16", "-passes=a,cgscc(devirt<4>(b,function<eager-inv>(c<x;y>))),gvn<>", "{}"}, []string{
			"{}",
			"-passes=cgscc(devirt<4>(b,function<eager-inv>(c<x;y>))),gvn {}",
			"-passes=a,devirt<4>(b,function<eager-inv>(c<x;y>)),gvn {}",
			"-passes=a,cgscc(b,function<eager-inv>(c<x;y>)),gvn {}",
			"-passes=a,cgscc(devirt(b,function<eager-inv>(c<x;y>))),gvn {}",
			"-passes=a,cgscc(devirt<4>(function<eager-inv>(c<x;y>))),gvn {}",
			"-passes=a,cgscc(devirt<4>(b,c<x;y>)),gvn {}",
			"-passes=a,cgscc(devirt<4>(b,function(c<x;y>))),gvn {}",
			"-passes=a,cgscc(devirt<4>(b,function<eager-inv>())),gvn {}",
			"-passes=a,cgscc(devirt<4>(b,function<eager-inv>(c<y>))),gvn {}",
			"-passes=a,cgscc(devirt<4>(b,function<eager-inv>(c<x>))),gvn {}",
			"-passes=a,cgscc(devirt<4>(b,function<eager-inv>(c<x;y>))) {}",
		}},
		{[]string{"opt", "--passes", "a,b", "-S", "{}"}, []string{"-S {}", "--passes b -S {}", "--passes a -S {}"}},
		{[]string{"mlir-opt-16", "{}", "--pass-pipeline=builtin.module(func.func(cse, canonicalize{ top-down=true n={1,2} }))"},
			[]string{
				"{}",
				"{} --pass-pipeline=func.func(cse,canonicalize{top-down=true n={1,2}})",
				"{} --pass-pipeline=builtin.module(cse,canonicalize{top-down=true n={1,2}})",
				"{} --pass-pipeline=builtin.module(func.func(canonicalize{top-down=true n={1,2}}))",
				"{} --pass-pipeline=builtin.module(func.func(cse))",
				"{} --pass-pipeline=builtin.module(func.func(cse,canonicalize{n={1,2}}))",
				"{} --pass-pipeline=builtin.module(func.func(cse,canonicalize{top-down=true}))",
				"{} --pass-pipeline=builtin.module(func.func(cse,canonicalize{top-down=true n=}))",
			}},
		{[]string{"yosys", "-q", "-p", "read_verilog -sv {}; proc;; opt -fast"}, []string{
			"-p read_verilog -sv {}; proc;; opt -fast", "-q -p read_verilog {}; proc; opt -fast",
			"-q -p read_verilog -sv {}; opt -fast", "-q -p read_verilog -sv {}; proc", "-q -p read_verilog -sv {}; proc; opt",
		}},
		{[]string{"opt", "-passes=a(b", "{}"}, []string{"{}"}},
		{[]string{"opt", "-passes=a)b", "{}"}, []string{"{}"}},
		{[]string{"opt", "-passes=a(b)c,d<e>f", "{}"}, []string{"{}", "-passes=d<e>f {}", "-passes=a(b)c {}"}},
	} {
		if got := shorter(t, c.words); !slices.Equal(got, c.want) {
			t.Errorf("%q:\n%s\nwant\n%s", c.words, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// A pipeline is unchanged without deletions. After deletions, the rest is in order, and it is read like that.
func TestRandomPipelines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		n := 0
		word := "-passes=" + randomPasses(r, 0, &n)
		words := []string{"opt-16", "-S", word, "{}"}
		for whole := true; ; whole = false {
			l := NewArguments(NewReducible(words), []byte("int a;\n"), ofC, nil)
			tree, err := l.Parse(l.Archive())
			if err != nil || tree.Errors > 0 {
				t.Fatalf("%q: %v, %d errors", words, err, tree.Errors)
			}
			v, ok := l.Open(parse.Whole(tree).Render())
			if got := v.Spec(oracle.Spec{Argv: words}).Argv; !ok || !slices.Equal(got, words) {
				t.Fatalf("%q is read as %q", words, got)
			}
			if !whole && v.Free > free(l.command) {
				t.Fatalf("%q has %d free words", words, v.Free)
			}
			var nodes []int32
			for n := tree.Root(tree.Parts[1]) + 2; n < int32(len(tree.Nodes)); n++ {
				if tree.Nodes[n].Slot.Droppable() {
					nodes = append(nodes, n)
				}
			}
			if len(nodes) == 0 {
				break
			}
			text := parse.Whole(tree).Drop(nodes[r.IntN(len(nodes))]).Render()
			left, ok := l.Open(text)
			if !ok || left.Free >= v.Free {
				t.Fatalf("%q without a part has %d of %d words, %q", words, left.Free, v.Free, text)
			}
			rest := left.Words()
			if !within(stageNames(rest), stageNames(words)) {
				t.Fatalf("%q becomes %q", words, rest)
			}
			words = rest
		}
	}
}

func stageNames(words []string) []string {
	return strings.FieldsFunc(strings.Join(words, " "), func(r rune) bool { return strings.ContainsRune(" =,;<>()", r) })
}

func randomPasses(r *rand.Rand, depth int, n *int) string {
	var passes []string
	for range 1 + r.IntN(4) {
		*n++
		pass := fmt.Sprintf("p%d", *n)
		if r.IntN(3) == 0 {
			var options []string
			for range r.IntN(3) {
				*n++
				options = append(options, fmt.Sprintf("o%d", *n))
			}
			pass += "<" + strings.Join(options, ";") + ">"
		}
		if r.IntN(3) == 0 && depth < 4 {
			pass += "(" + randomPasses(r, depth+1, n) + ")"
		}
		passes = append(passes, pass)
	}
	return strings.Join(passes, ",")
}

func TestExpand(t *testing.T) {
	const printed = "a,function(b,c<x>)\n"
	for _, c := range []struct{ command, printed, want string }{
		{"opt -passes=default<O2> {}", printed, "opt -passes=a,function(b,c<x>) {}"},
		{"opt -S --passes default<O2> {}", printed, "opt -S --passes a,function(b,c<x>) {}"},
		{"timeout 5 opt-16 -O2 {}", printed, "timeout 5 opt-16 -passes=a,function(b,c<x>) {}"},
		{"opt -passes=licm {}", "function(loop(licm<x>))", "opt -passes=licm {}"},
		{"opt -passes=default<O2> {}", "", "opt -passes=default<O2> {}"},
		{"opt -passes=default<O2> {}", "error: (", "opt -passes=default<O2> {}"},
		{"llc -O2 {}", printed, "llc -O2 {}"},
		{"gcc -O2 {}", printed, "gcc -O2 {}"},
	} {
		words := strings.Fields(c.command)
		at, word := Expand(words, func(command []string) []byte {
			if !slices.Equal(command[len(words):], []string{"-print-pipeline-passes", "-disable-output"}) {
				t.Errorf("%s: %q", c.command, command)
			}
			return []byte(c.printed)
		})
		if word != "" {
			words[at] = word
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.command, got, c.want)
		}
	}
}
