package failure

import (
	"strings"
	"testing"

	"whittle/oracle"
)

func TestCallers(t *testing.T) {
	const llvm = "PLEASE submit a bug report to x\nStack dump:\n0.\tProgram arguments: clang-14 a.c\n" +
		" #0 0x00007fcf llvm::sys::PrintStackTrace(int) (/lib/libLLVM-14.so.1+0xea5291)\n" +
		" #1 0x00007fcf (/lib/libc.so.6+0x3c050)\n" +
		" #2 0x00007fcf clang::F(int) (/lib/libclang-cpp.so.14+0x1)\n" +
		" #3 0x00007fcf clang::F(int, int) (/lib/libclang-cpp.so.14+0x2)\n" +
		" #4 0x00007fcf (/lib/libclang-cpp.so.14+0x3)\n" +
		" #5 0x00007fcf clang::G(int) (/lib/libclang-cpp.so.14+0x4)\n"
	const asan = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2\n" +
		"    #0 0x1 in f /src/a.c:3\n\nfreed by thread T0 here:\n    #0 0x2 in g /src/a.c:4\n"
	const gcc = "a.c:3:5: internal compiler error: in purge, at cfg.cc:3347\n    3 | int f(int *a)\nx\n" +
		"0x1f4a2a7 internal_error(char const*, ...)\n\t../../gcc/diagnostic-global-context.cc:517\n" +
		"0x1377e20 purge\n\t../../gcc/cfg.cc:3347\n0x137a2f4 cleanup(int)\n\t../../gcc/cfg.cc:9\n" +
		"0x137a2f5 execute\n\t../../gcc/cse.cc:9\n0x137a2f6 main\n\t../../gcc/main.cc:9\nPlease submit\n"
	for _, c := range []struct{ output, want string }{
		{gcc, "internal compiler error: in purge, at cfg.cc, called in cleanup, called in execute"},
		{llvm, "crash, in clang::F, called in clang::G"},
		{llvm + " #6 0x00007fcf clang::H(int) (/lib/x.so+0x4)\n #7 0x00007fcf clang::I(int) (/lib/x.so+0x4)\n",
			"crash, in clang::F, called in clang::G, called in clang::H"},
		{llvm + "clang: error: x\n #6 0x00007fcf clang::H(int) (/lib/x.so+0x4)\n", "crash, in clang::F, called in clang::G"},
		{asan, "AddressSanitizer: heap-use-after-free, in f"},
		{"Traceback (most recent call last):\n  File \"t.py\", line 9, in main\n    run()\n  File \"t.py\", line 5, in run\n" +
			"    x()\n  File \"u.py\", line 2, in x\n    y\nKeyError: 'a'\n",
			"KeyError: 'a', in x, at u.py, called in run, at t.py, called in main, at t.py"},
		{"a.rb:2:in `block in half': odd number 7 (ArgumentError)\n\tfrom a.rb:2:in `half'\n\tfrom a.rb:6:in `run'\n" +
			"\tfrom a.rb:9:in `<main>'\n", "ArgumentError: odd number N, in half, at a.rb, called in run, at a.rb"},
		{"PHP Fatal error:  Uncaught E: x in /s/a.php:3\nStack trace:\n#0 /s/a.php(3): f()\n#1 [internal function]: A->g()\n" +
			"#2 /s/a.php(6): A->h()\n#3 {main}\n", "E: x, at a.php, in f, called in A->g, called in A->h"},
		{"lua: a.lua:3: x\nstack traceback:\n\t[C]: in function 'error'\n\ta.lua:3: in local 'f'\n" +
			"\ta.lua:4: in function <a.lua:4>\n\ta.lua:9: in method 'g'\n\ta.lua:11: in main chunk\n\t[C]: in ?\n",
			"x, at a.lua, in f, called in g"},
		{"Traceback (most recent call last):\n  File \"t.py\", line 5, in f\n    x()\nTypeError: 'x' is no y\n\n" +
			"During handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n" +
			"  File \"t.py\", line 9, in <module>\n    g()\n  File \"t.py\", line 8, in <lambda>\n    f()\n  File \"t.py\", line 7, in f\n    x\nKeyError: 'a'\n",
			"KeyError: 'a', in f, at t.py, after TypeError"},
	} {
		s, ok := Of(oracle.Run{ExitCode: 1, Output: []byte(c.output)})
		if got := s.Called(); !ok || got != c.want {
			t.Errorf("%s\nis %q, want %q", c.output, got, c.want)
		}
		for _, f := range s.Callers {
			if !f.Printed([]byte(c.output)) || f.Printed([]byte(strings.ReplaceAll(c.output, "run", "walk"))) == strings.Contains(f.Title, "run") {
				t.Errorf("%s has the pattern %s", f.Title, f.Like)
			}
		}
	}
}

// The reports of races differ between runs, also in their order. The most frequent pair of functions is the same.
func TestRaces(t *testing.T) {
	report := func(writes, reads string) string {
		return "WARNING: DATA RACE\nWrite at 0x01 by goroutine 7:\n  runtime.mapassign()\n      /g/map.go:1 +0x4\n  m.(*list[int])." +
			writes + "()\n      /w/a.go:7 +0x4\n  m.fill()\n      /w/a.go:9 +0x4\n\nPrevious read at 0x01 by goroutine 8:\n" +
			reads + "\nGoroutine 7 (running) created at:\n  m.main()\n      /w/a.go:8 +0x4\n==================\n"
	}
	size := "  m.size()\n      /w/a.go:8 +0x4\n  m.read()\n      /w/a.go:8 +0x4\n"
	first := report("grow", size) + report("add", size) + report("add", size)
	second := report("add", "  [failed to restore the stack]\n") + report("add", size)
	for _, output := range []string{first, second} {
		all := All(oracle.Run{ExitCode: 66, Output: []byte(output)})
		if got := all[0].Called(); got != "DATA RACE, in m.(*list).add, in m.size, called in m.fill, called in m.read" {
			t.Errorf("%s\nis %s", output, got)
		}
		if any := all[len(all)-2]; any.Title != "DATA RACE" || any.Weak() != "any data race" || all[0].Weak() != "" {
			t.Errorf("%s is weak as %q", any.Title, any.Weak())
		}
	}
}
