package failure

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"whittle/internal/failure/script"
)

func TestMasks(t *testing.T) {
	for _, c := range []struct {
		mask                    mask
		matched, pattern, shown string
	}{
		{maskText, "index 5 out of bounds for length -3", "index -?[0-9.]+ out of bounds for length -?[0-9.]+",
			"index N out of bounds for length N"},
		{maskText, "at 0x00007ffd12, 1.5 s, x86_64 utf8", "at 0x[0-9a-fA-F]+, -?[0-9.]+ s, x86_64 utf8", "at N, N s, x86_64 utf8"},
		{maskText, "Foo@1b6d3586 of 9f2c11aa03", `Foo@[0-9a-f]+ of [0-9a-f]+`, "Foo@N of N"},
		{maskText, "Foo@10203040", `Foo@-?[0-9.]+`, "Foo@N"},
		{maskText, "<MCOperand Expr:(.LBB12_4)>", `<MCOperand Expr:\(\.L[A-Z]*[0-9_]+\)>`, "<MCOperand Expr:(.L…)>"},
		{maskText, "AtomicLoadAdd<(load store (s16) on %ir.a.1)> t0", `AtomicLoadAdd<\(load store \(s16\) on %ir\.[-A-Za-z0-9_.$]+\)> t0`,
			"AtomicLoadAdd<(load store (s16) on %ir.…)> t0"},
		{maskText, "cannot read /tmp/cc12ab.o", "cannot read [^ ]*", "cannot read …"},
		{maskText, "log: /w/test-1/.tmp/blk_ni6.log", "log: [^ ]*", "log: …"},
		{maskText, "cannot read ../src/a.c: (x+1)*[2]", `cannot read [^ ]*a\.c: \(x\+-?[0-9.]+\)\*\[-?[0-9.]+]`, "cannot read a.c: (x+N)*[N]"},
		{maskText, "either and/or neither", "either and/or neither", "either and/or neither"},
		{maskText, "well-known thing-3", "well-known thing--?[0-9.]+", "well-known thing-N"},
		{maskSaid, "‘x’ undeclared (first use in this function)",
			`‘[ -~]*[A-Za-z0-9_][ -~]*’ undeclared \(first use in this function\)`,
			"‘…’ undeclared (first use in this function)"},
		{maskSaid, "unknown type name 'foo_t'; did you mean 'int'?", `unknown type name '[^']*[A-Za-z0-9_][^']*'; did you mean 'int'\?`,
			"unknown type name '…'; did you mean 'int'?"},
		{maskSaid, `incompatible type "list[str]"; expected "Foo[int]"`, `incompatible type "list\[str]"; expected "[^"]*[A-Za-z0-9_][^"]*"`,
			`incompatible type "list[str]"; expected "…"`},
		{maskSaid, "out of bounds for type 'int [3]'", `out of bounds for type 'int \[-?[0-9.]+]'`, "out of bounds for type 'int [N]'"},
		{maskSaid, "no match for ‘operator<’ (operand", `no match for ‘operator<’ \(operand`, "no match for ‘operator<’ (operand"},
		{maskSaid, "call to deleted function 'bool A::operator<(A)'", `call to deleted function '[^']*operator<([^-+*/%^&|~!=<>][^']*)?'`,
			"call to deleted function '…operator<…'"},
		{maskSaid, "can't find what isn't there", "can't find what isn't there", "can't find what isn't there"},
		{maskSaid, "'all there is'", "'all there is'", "'all there is'"},
		{maskSaid, "no `name' here or there", "no `[^`']*[A-Za-z0-9_][^`']*' here or there", "no `…' here or there"},
		{maskSaid, "expected ‘)’ before ‘;’ token", "expected ‘\\)’ before ‘;’ token", "expected ‘)’ before ‘;’ token"},
		{maskSaid, "‘else’ without a previous ‘if’", "‘else’ without a previous ‘if’", "‘else’ without a previous ‘if’"},
		{maskSaid, "a name of “größe” here", "a name of “.*[A-Za-z0-9_].*” here", "a name of “…” here"},
		{maskSaid, "a name of “名” here", "a name of “.*” here", "a name of “…” here"},
		{maskFile, "a.c", `a\.c`, "a.c"},
		{maskFile, "/build/gcc/a.c", `.*/a\.c`, "a.c"},
		{maskFile, "compiler/region_infer/mod.rs", `.*/region_infer/mod\.rs`, "region_infer/mod.rs"},
		{maskFile, "src/main.rs", `src/main\.rs`, "src/main.rs"},
		{maskFunction, "f", "f", "f"},
		{maskFunction, "f(int, char const*)", `f\(.*`, "f"},
		{maskFunction, "a::b<int, c<d>>::e(f<g>) const", `a::b<.*>::e\(.*`, "a::b<…>::e"},
		{maskFunction, "void llvm::walk<llvm::Value>(llvm::Value*)", `(.* )?llvm::walk<.*`, "llvm::walk"},
		{maskFunction, "(anonymous namespace)::A::run(llvm::Function&)", `\(anonymous namespace\)::A::run\(.*`,
			"(anonymous namespace)::A::run"},
		{maskFunction, "A::operator()(int) const", `A::operator\(\)\(.*`, "A::operator()"},
		{maskFunction, "bool A::operator<(A const&) const", `(.* )?A::operator<\(.*`, "A::operator<"},
		{maskFunction, "A::operator->() const", `A::operator->\(.*`, "A::operator->"},
		{maskFunction, "core::fmt::write::hafcd92e27b23e937", `core::fmt::write([^A-Za-z0-9_].*)?`, "core::fmt::write"},
		{maskFunction, "fold.constprop.0.isra.3", `fold([^A-Za-z0-9_].*)?`, "fold"},
		{maskFunction, "_ZN5clang4Sema3FooEv", "_ZN5clang4Sema3Foo.*", "clang::Sema::Foo"},
		{maskFunction, "_ZNK12_GLOBAL__N_15Lower3runEi", "_ZNK12_GLOBAL__N_15Lower3run.*", "(anonymous namespace)::Lower::run"},
		{maskFunction, "_ZL5lowerP4tree", "_ZL5lower.*", "lower"},
		{maskFunction, "_Znwm", "_Znwm", "_Znwm"},
		{maskText, "#<BOOK {1002041803}> of {10020FFB03}", `#<BOOK \{-?[0-9.]+}> of \{[0-9A-F]+}`, "#<BOOK {N}> of {N}"},
		{maskText, "2026/11/30 08:45 x", `[0-9/-]+ -?[0-9.]+:-?[0-9.]+ x`, "N N:N x"},
		{maskSymbol, "main.main.func1.2", `main\.main\.func[0-9.]+`, "main.main.funcN"},
		{maskSymbol, "a.lambda$run$12", `a\.lambda\$run\$[0-9.]+`, "a.lambda$run$N"},
	} {
		pattern, shown := c.mask(c.matched)
		if pattern != c.pattern || shown != c.shown {
			t.Errorf("%s is %s, shown as %s; want %s and %s", c.matched, pattern, shown, c.pattern, c.shown)
		}
		if whole, err := regexp.Compile("^(" + pattern + ")$"); err != nil || !whole.MatchString(c.matched) {
			t.Errorf("%s does not match %s (%v)", pattern, c.matched, err)
		}
	}
	long := strings.Repeat("é", longest)
	if pattern, shown := maskText(long); len(pattern) > longest+2 || shown+".*" != strings.Replace(pattern, ".*", "….*", 1) {
		t.Errorf("a long message is %d bytes, shown as %s", len(pattern), shown)
	}
}

var changes = []struct {
	what *regexp.Regexp
	to   func(r *rand.Rand, was string) string
}{
	{regexp.MustCompile(`[ =\[(]0x[0-9a-f]{6,}`), func(r *rand.Rand, was string) string {
		return was[:1] + fmt.Sprintf("0x%0*x", len(was)-3, r.Int64N(1<<20))
	}},
	{regexp.MustCompile(`(?m)[a-zA-Z]:[0-9]+\b`), func(r *rand.Rand, was string) string {
		return was[:2] + fmt.Sprint(r.IntN(9000))
	}},
	{regexp.MustCompile(`\bline [0-9]+`), func(r *rand.Rand, _ string) string { return fmt.Sprint("line ", r.IntN(9000)) }},
	{regexp.MustCompile(`==[0-9]+==`), func(r *rand.Rand, _ string) string { return fmt.Sprintf("==%d==", r.IntN(9000)) }},
	{regexp.MustCompile(`\bp?[pt]id=[0-9]+`), func(r *rand.Rand, was string) string {
		return was[:strings.IndexByte(was, '=')+1] + fmt.Sprint(r.IntN(9000))
	}},
	{regexp.MustCompile(`/src/work\b`), func(r *rand.Rand, _ string) string {
		return fmt.Sprintf("/tmp/test-%d/x", r.IntN(9000))
	}},
	{regexp.MustCompile(`\bu?sr/lib\b`), func(r *rand.Rand, _ string) string { return fmt.Sprintf("opt/%d", r.IntN(9)) }},
}

func TestVaries(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, recorded := range recordings(t) {
		want := All(recorded.run)
		if len(want) == 0 {
			t.Errorf("%s has no signature", recorded.name)
			continue
		}
		for range 3 {
			run := recorded.run
			output := string(run.Output)
			for _, c := range changes {
				output = c.what.ReplaceAllStringFunc(output, func(was string) string { return c.to(r, was) })
			}
			run.Output = []byte(output)
			got := All(run)
			if len(got) == 0 || got[0].Title != want[0].Title {
				t.Errorf("%s is then\n%s", recorded.name, text(got))
				break
			}
			if !holds(want[0], run) || !holds(got[0], recorded.run) {
				t.Errorf("%s: the criteria of one do not hold for the other: %s, %s", recorded.name,
					want[0].Criteria, got[0].Criteria)
				break
			}
		}
	}
}

// Signatures of any output hold for it, and are valid for grep.
func TestGarbled(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	bits := []string{"\x00", "\xff", "\x1b[1m", "é", "(", "[", "{", "\\", "*", "'", "\r", "\t", "\n", "$", "|", "0x", ": "}
	for _, recorded := range recordings(t) {
		for range 6 {
			run := recorded.run
			output := run.Output
			if len(output) > 3000 {
				output = output[:3000]
			}
			output = bytes.Clone(output)
			for range 1 + r.IntN(12) {
				at := r.IntN(len(output) + 1)
				end := min(len(output), at+r.IntN(4))
				output = slices.Concat(output[:at], []byte(bits[r.IntN(len(bits))]), output[end:])
			}
			run.Output = output
			for _, s := range All(run) {
				if !holds(s, run) {
					t.Fatalf("%s: %s is not there itself: %s\n%s", recorded.name, s.Title, s.Criteria, output)
				}
				for _, line := range s.Criteria.Lines {
					if _, err := script.Extended(line.Pattern); err != nil {
						t.Fatalf("%s: %v", recorded.name, err)
					}
				}
				if !utf8.ValidString(s.Title) || strings.Contains(s.Title, "\n") {
					t.Fatalf("%s: the title is %q", recorded.name, s.Title)
				}
			}
		}
	}
}
