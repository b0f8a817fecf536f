package report

import (
	"fmt"
	"strings"
	"time"
)

func crash() Facts {
	c := &Course{Tests: 312, Elapsed: 14200 * time.Millisecond}
	tokens := 2031
	for i := range 40 {
		c.Steps = append(c.Steps, Step{Pass: "coupled", Tests: 8 * i, After: time.Duration(i) * 350 * time.Millisecond,
			Tokens: tokens})
		tokens = max(31, tokens*86/100)
	}
	for i, diff := range []string{
		"",
		"@@ -1,4 +1,3 @@\n void f(void) {\n-\tint unused = 1 < 2;\n \tg();\n }\n",
		"@@ -1,3 +1,3 @@\n void f(void) {\n-\tg(a + 1);\n+\tg(1);\n }\n",
	} {
		c.Last = append(c.Last, Change{Step: Step{Pass: "words", Tests: 290 + i, Tokens: 35 - 2*i}, Before: 37 - 2*i, Diff: diff})
	}
	return Facts{
		Input: []string{"small.c"}, Before: Size{2031, 7430}, After: Size{31, 98},
		Given: "gcc-12 -w -O2 -g -fno-strict-aliasing -c small.c",
		Kind:  "internal compiler error", Title: "internal compiler error: in purge_dead_edges, at cfgrtl.cc",
		Runs: []Run{{"gcc-12 -O2 -c small.c", []string{
			"during RTL pass: expand", "small.c: In function ‘f’:",
			"small.c:2:3: internal compiler error: in purge_dead_edges, at cfgrtl.cc:3347",
			" #8 0x00007fa32f0c3b98 clang::CodeGen::CodeGenFunction::EmitBuiltinExpr(clang::GlobalDecl, unsigned int, " +
				"clang::CallExpr const*, clang::CodeGen::ReturnValueSlot) (/lib/x86_64-linux-gnu/libclang-cpp.so.14+0x18c3b98)",
		}}},
		Files:  []File{{Name: "small.c", Language: "c", Text: "int a[];\nvoid f(void) {\n\tif (a[0] < 1 && \"x\")\n\t\tg();\n}\n"}},
		Guards: []string{"valid by clang-14", "no new warnings that make undefined behaviour likely"},
		Compilers: []Compiler{
			{"gcc-12", "12.2.0", "gcc-12 -O2 -c small.c", nil, HasBug, ""},
			{"gcc-13", "13.1.0", "gcc-13 -O2 -c small.c", nil, FailsElse, "internal compiler error: in f, at g.cc"},
			{"clang-14", "14.0.6", "clang-14 -c small.c", []string{"-O2"}, Accepts, ""},
			{"tcc", "0.9.27", "tcc -c small.c", nil, Rejects, "small.c:1: error: ';' expected | got '`'"},
			{"gcc-99", "", "", nil, CannotRun, "there is no gcc-99"},
		},
		Where: []Fact{{"first bad pass", "expand", true}, {"lowest failing level", "-O1", true},
			{"regression range", "works in gcc-11 (11.3.0), fails in gcc-12 (12.2.0)", false}},
		Others:   []Other{{"internal compiler error: Segmentation fault", "small.other/segmentation-fault.c", Size{40, 120}}},
		Machine:  []Fact{{"system", "Debian GNU/Linux 12, x86_64", false}, {"gcc-12", "gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0", false}},
		Explorer: Link{"gcc 12.2, gcc trunk", "https://godbolt.org/#g:!((g:!((h:codeEditor,i:(source:'%23x')))),version:4"},
		Tools:    []Run{{"gcc-12 -v", []string{"Using built-in specs.", "Target: x86_64-linux-gnu", "gcc version 12.2.0 (Debian 12.2.0-14+deb12u1)"}}},
		Course:   c, Again: "whittle small.c -- gcc-12 -w -O2 -g -fno-strict-aliasing -c '{}'", Whittle: "v0.9.0",
	}
}

func hostile() Facts {
	const script = "<script>alert(1)</script></style></pre>`*_|@all \x00\x1b[31mred\x1b[0m \u202e \xff\xfe '\"&"
	many := strings.Repeat(script, 2000)
	f := Facts{
		Explorer: Link{many, "javascript:" + script},
		Input:    []string{many}, Before: Size{1 << 40, 1 << 50}, After: Size{0, 0}, Early: many, Given: many,
		Runs: []Run{{many + "x", []string{many, script, strings.Repeat("<\n", 1<<20)}}, {many, []string{many}}},
		Kind: many, Title: many,
		Files: []File{
			{Name: script, Text: strings.Repeat("\"<&>'+", 10<<20/6)}, {Name: many, Text: strings.Repeat("```\n", 5000)},
		}, Loop: many, Again: many, Whittle: many,
		Course: &Course{Tests: 1 << 40, Elapsed: 1 << 60},
	}
	for i := range 5000 {
		f.Tools = append(f.Tools, Run{many, []string{many}})
		f.Files = append(f.Files, File{Name: fmt.Sprint(script, i), Text: script})
		f.Guards = append(f.Guards, many)
		f.Compilers = append(f.Compilers, Compiler{script, many, many, []string{many, many}, Verdict(i % 7), many})
		f.Where = append(f.Where, Fact{many, many, i%2 == 0})
		f.Others = append(f.Others, Other{many, many, Size{i, i}})
		f.Machine = append(f.Machine, Fact{many, many, i%2 == 0})
		f.Notes = append(f.Notes, many)
		f.Course.Steps = append(f.Course.Steps, Step{many, i << 20, time.Duration(i) << 40, 1 << 40 / (i + 1)})
		f.Course.Last = append(f.Course.Last, Change{Step{many, i, 0, i}, i, strings.Repeat("+<\n", 1000), false})
	}
	return f
}
