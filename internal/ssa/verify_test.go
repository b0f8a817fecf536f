package ssa_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"whittle/internal/ssa"
	"whittle/internal/testkit/cases"
)

// Each candidate of a valid module is valid. The modules have parts for every list, but "bodies", which are of MLIR.
func TestVerify(t *testing.T) {
	opt, err := exec.LookPath("opt-16")
	if err != nil {
		t.Skip("opt-16 is not installed")
	}
	l, facts := language(t, "llvm")
	file := filepath.Join(t.TempDir(), "a.ll")
	verify := func(text []byte) error {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(opt, "-passes=verify", "-disable-output", file).CombinedOutput(); err != nil {
			return fmt.Errorf("%s", out)
		}
		return nil
	}
	most := map[string]int{"bodies": 1}
	for i := range cases.Of(t, 40, 10) {
		seed := uint64(i)
		r := rand.New(rand.NewPCG(seed, 1))
		source := module(r, 2+r.IntN(7))
		if r.IntN(2) == 0 {
			source = numbered(source)
		}
		if err := verify([]byte(source)); err != nil {
			t.Fatalf("the generator is wrong: %v\n%s", err, source)
		}
		tree := read(t, l, []byte(source))
		for _, stage := range ssa.Stages() {
			share := r.Float64()
			c, parts := ssa.Without(l, facts, tree, stage, func(int) bool { return r.Float64() < share })
			most[stage] = max(most[stage], parts)
			if err := verify(c.Render()); err != nil {
				t.Fatalf("seed %d, %s: %v\n%s\nbefore:\n%s", seed, stage, err, c.Render(), source)
			}
		}
	}
	for _, stage := range ssa.Stages() {
		if most[stage] == 0 && !testing.Short() { // with -short there are only four modules
			t.Errorf("no module has %s", stage)
		}
	}
}

// module returns a valid module with functions of some blocks.
func module(r *rand.Rand, blocks int) string {
	var b strings.Builder
	b.WriteString("%pair = type { i32, ptr }\n$c = comdat any\n@g = internal global i32 7, align 4\n@h = constant ptr @g\n" +
		"@table = global [2 x ptr] [ptr @g, ptr @f0], comdat($c)\n@other = alias ptr, ptr @h\n")
	for f := range 1 + r.IntN(3) {
		fmt.Fprintf(&b, "define internal i32 @f%d(i32 %%a0, ptr %%a1) #0 personality ptr @h {\n", f)
		g := generator{Rand: r, out: &b, function: f}
		g.body(blocks)
		b.WriteString("}\n")
	}
	b.WriteString("declare void @extern(i32)\nattributes #0 = { nounwind }\n!named = !{!0}\n!0 = !{!1}\n!1 = !{i32 1}\n")
	return b.String()
}

type generator struct {
	*rand.Rand
	out      *strings.Builder
	function int
	next     int
	pad      bool // a block for exceptions is needed
}

func (g *generator) one(of []string) string { return of[g.IntN(len(of))] }

func (g *generator) body(n int) {
	to := make([][]int, n)
	from := make([][]int, n)
	for i := range to {
		for range []int{0, 1, 1, 2, 2, 3}[g.IntN(6)] {
			to[i] = append(to[i], 1+g.IntN(n-1))
		}
		for _, t := range to[i] {
			from[t] = append(from[t], i)
		}
	}
	own := make([][]string, n) // values, before the incoming ones are known
	for i := range own {
		for range 1 + g.IntN(4) {
			own[i] = append(own[i], fmt.Sprintf("%%x%d", g.next))
			g.next++
		}
	}
	for i := range n {
		fmt.Fprintf(g.out, "b%d:\n", i)
		known := []string{"%a0", "5"}
		if i > 0 {
			known = append(known, own[0]...)
		}
		if len(from[i]) > 0 && g.IntN(2) == 0 {
			value := map[int]string{}
			var incoming []string
			for _, p := range from[i] {
				if value[p] == "" {
					value[p] = g.one(append(append([]string{"%a0", "1"}, own[0]...), own[p]...))
				}
				incoming = append(incoming, fmt.Sprintf("[ %s, %%b%d ]", value[p], p))
			}
			name := fmt.Sprintf("%%p%d", i)
			fmt.Fprintf(g.out, "  %s = phi i32 %s\n", name, strings.Join(incoming, ", "))
			known = append(known, name)
		}
		for _, x := range own[i] {
			g.instruction(x, known)
			known = append(known, x)
		}
		g.last(to[i], known)
	}
	if g.pad {
		g.out.WriteString("pad:\n  %e = landingpad { ptr, i32 }\n          cleanup\n  resume { ptr, i32 } %e\n")
	}
}

func (g *generator) instruction(x string, known []string) {
	switch g.IntN(5) {
	case 0:
		fmt.Fprintf(g.out, "  %s = load i32, ptr getelementptr (%%pair, ptr @g, i32 0, i32 0), align 4, !dbg_like !1\n", x)
	case 1:
		fmt.Fprintf(g.out, "  store i32 %s, ptr %%a1, align 4\n  %s = load i32, ptr @h\n", g.one(known), x)
	case 2:
		fmt.Fprintf(g.out, "  call void @extern(i32 %s)\n  %s = call i32 @f0(i32 noundef %s, ptr @g) #0\n", g.one(known), x, g.one(known))
	default:
		fmt.Fprintf(g.out, "  %s = add nsw i32 %s, %s\n", x, g.one(known), g.one(known))
	}
}

func (g *generator) last(to []int, known []string) {
	switch len(to) {
	case 0:
		fmt.Fprintf(g.out, "  ret i32 %s\n", g.one(known))
	case 1:
		if g.IntN(3) > 0 {
			fmt.Fprintf(g.out, "  br label %%b%d\n", to[0])
			break
		}
		g.pad = true
		fmt.Fprintf(g.out, "  %%i%d = invoke i32 @f0(i32 %s, ptr @g)\n          to label %%b%d unwind label %%pad\n", g.next,
			g.one(known), to[0])
		g.next++
	case 2:
		fmt.Fprintf(g.out, "  %%c%d = icmp slt i32 %s, 3\n  br i1 %%c%d, label %%b%d, label %%b%d\n", g.next, g.one(known), g.next,
			to[0], to[1])
		g.next++
	default:
		fmt.Fprintf(g.out, "  switch i32 %s, label %%b%d [\n    i32 1, label %%b%d\n    i32 2, label %%b%d\n  ]\n", g.one(known),
			to[0], to[1], to[2])
	}
}

var definition = regexp.MustCompile(`(?m)^define.*$|^\w+:|^  %\w+ =`)

// numbered returns a module with numbers as local names. The first blocks have no labels.
func numbered(source string) string {
	var out strings.Builder
	for function := range strings.SplitAfterSeq(source, "\n}\n") {
		head := strings.Index(function, "define")
		if head < 0 {
			out.WriteString(function)
			continue
		}
		out.WriteString(function[:head])
		function = function[head:]
		var names []string
		for _, d := range definition.FindAllString(function, -1) {
			if strings.HasPrefix(d, "define") {
				names = append(names, "a0", "a1")
			} else {
				names = append(names, strings.Trim(d, " %=:"))
			}
		}
		for i, name := range names {
			function = regexp.MustCompile(fmt.Sprintf(`%%%s\b`, name)).ReplaceAllString(function, fmt.Sprintf("%%%d", i))
			function = regexp.MustCompile(fmt.Sprintf(`(?m)^%s:`, name)).ReplaceAllString(function, fmt.Sprintf("%d:", i))
		}
		out.WriteString(strings.Replace(function, "\n2:\n", "\n", 1))
	}
	return out.String()
}
