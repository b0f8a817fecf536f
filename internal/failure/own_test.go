package failure

import (
	"strings"
	"testing"

	"whittle/oracle"
)

func TestOwnFrames(t *testing.T) {
	const overflow = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x1\n" +
		"WRITE of size 4 at 0x602000000014 thread T0\n" +
		"    #0 0x55 in eval /src/work/small.c:7:3\n    #1 0x56 in main /src/work/small.c:20:3\n"
	const segv = "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000\n" +
		"==7==The signal is caused by a READ memory access.\n==7==Hint: address points to the zero page.\n" +
		"    #0 0x55 in eval /src/work/small.c:7:3\n"
	const python = "Traceback (most recent call last):\n  File \"/src/work/small.py\", line 9, in total\n    return a * b\n"
	for _, c := range []struct{ output, title string }{
		{overflow, "AddressSanitizer: heap-buffer-overflow, WRITE"},
		{strings.ReplaceAll(overflow, "small.c", "fold.cc"), "AddressSanitizer: heap-buffer-overflow, in eval"},
		{segv, "AddressSanitizer: SEGV, in eval, READ, null pointer"},
		{python + "TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'\n",
			"TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'"},
		{python + "KeyError: 'x'\n", "KeyError: 'x', in total, at small.py"},
		{strings.ReplaceAll(python, "small.py", "ast.py") + "ValueError: no such thing\n", "ValueError: no such thing, in total, at ast.py"},
		{"Exception in thread \"main\" java.lang.NullPointerException\n\tat Small.total(small.java:3)\n",
			"java.lang.NullPointerException, in Small.total"},
	} {
		run := oracle.Run{ExitCode: 1, Output: []byte(c.output)}
		all := OwnFrames(All(run), run, func(line string) bool { return strings.Contains(line, "small.") })
		if len(all) == 0 || all[0].Title != c.title || !all[0].Criteria.Hold(run) {
			t.Errorf("%s\nis %swant %s", c.output, text(all), c.title)
		}
	}
}

func TestPrinted(t *testing.T) {
	for output, want := range map[string]string{
		"a\nsum = -6\n":                             `output "sum = -6"`,
		"s.sh: line 31: f_1: not found\n3\n":        `output "s.sh: line N: f_1: not found"`,
		"s.sh: 31: f_1: not found\n1\n2\n3\n4\n5\n": `output "s.sh: N: f_1: not found"`,
		"Odd in s.sh:12:5, 3 times\n":               `output "Odd in s.sh:N, 3 times"`,
		"bash: line 31: 7 is odd\n":                 `output "bash: line N: 7 is odd"`,
		"total:3\n":                                 `output "total:3"`,
		"Runtime error (func=f, adr=103): Divide\n": `output "Runtime error (func=f, adr=N): Divide"`,
		"s.sh: line 1: garbage\n3\n":                `output "3"`,
		"unsat\n":                                   `output "unsat"`,
	} {
		run := oracle.Run{Output: []byte(output)}
		garbage := oracle.Run{Output: []byte("s.sh: line 2: garbage\n")}
		all := Printed(run, run, []oracle.Run{garbage}, nil, `s\.sh`)
		if len(all) == 0 || all[0].Title != want || !all[0].Criteria.Hold(run) {
			t.Errorf("%q is %s, want %s", output, text(all), want)
		} else if weak := all[0].Weak() != ""; weak != (output == "unsat\n") {
			t.Errorf("%q is weak: %v", output, weak)
		}
	}
}

func TestPassed(t *testing.T) {
	for output, want := range map[string]string{
		"......\nOK (6 tests, 8 assertions)\n":               "OK (6 tests, 8 assertions)",
		"=== 1 passed, 2 warnings in 0.05s ===\n":            "1 passed, 2 warnings in 0.05s",
		"Ran 3 tests in 0.001s\n\nOK\n":                      "Ran 3 tests in 0.001s",
		"test result: ok. 2 passed; 0 failed; 0 ignored\n":   "test result: ok. 2 passed; 0 failed; 0 ignored",
		"ok  \texample.org/a\t0.003s\n":                      "ok  \texample.org/a\t0.003s",
		"Tests:       3 passed, 3 total\n":                   "Tests:       3 passed, 3 total",
		"100% tests passed, 0 tests failed out of 4\n":       "100% tests passed, 0 tests failed out of 4",
		"  3 passing (5ms)\n":                                "3 passing (5ms)",
		"10 examples, 0 failures\n":                          "10 examples, 0 failures",
		"[INFO] BUILD SUCCESS\n":                             "[INFO] BUILD SUCCESS",
		"ok  \texample.org/a\t0.003s\nFAIL\texample.org/b\n": "",
		"=== 1 failed, 2 passed in 0.05s ===\n":              "",
		"  3 passing (5ms)\n  1 failing\n":                   "",
		"10 examples, 2 failures\n":                          "",
		"sum = 3\n":                                          "",
	} {
		if got := Passed(oracle.Run{Output: []byte(output)}); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}
