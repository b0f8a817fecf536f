package failure

import (
	"regexp"
	"strings"
	"testing"

	"whittle/oracle"
)

func TestUnplaced(t *testing.T) {
	const python = "Traceback (most recent call last):\n  File \"/src/work/small.py\", line 9, in total\n    return a * b\n"
	for output, weak := range map[string]bool{
		python + "KeyError: 'x'\n": false,
		strings.ReplaceAll(python, "total", "<module>") + "KeyError: 'x'\n":                          true,
		strings.NewReplacer("small", "ast", "total", "<module>").Replace(python) + "KeyError: 'x'\n": false,
		"TypeError: x\n    at new Table (/src/small.js:1:2)\n":                                       false,
		"TypeError: x\n    at Object.<anonymous> (/src/small.js:1:2)\n":                              true,
		"small.rb:3:in `<main>': x y (TypeError)\n":                                                  true,
		"small.rb:3:in `f': x y (TypeError)\n":                                                       false,
		"lua: small.lua:3: x\nstack traceback:\n\tsmall.lua:3: in main chunk\n":                      true,
		"lua: small.lua:3: x\nstack traceback:\n\tsmall.lua:3: in local 'f'\n":                       false,
		"not an even number at small.pl line 3.\n":                                                   true,
		"not an even number at a.pl line 3.\n":                                                       false,
		"not an even number at small.pl line 3.\n\tmain::f(1) called at small.pl line 4\n":           false,
		"thread 'main' panicked at small.rs:3:5:\nindex out of bounds\n":                             true,
		"tool: the text of the input is not good\n":                                                  true,
		"tool: the text is not good\n":                                                               false,
		"small.c:3:5: error: the text of the input\n":                                                false,
	} {
		all := All(oracle.Run{ExitCode: 1, Output: []byte(output)})
		input := []byte("print('the text of the input')")
		Unplaced(all, input, regexp.MustCompile(`(^|[ /"])small\.`).MatchString)
		if len(all) == 0 || all[0].weak == "any code that fails with this message" != weak {
			t.Errorf("%s\nis weak: %v\n%s", output, !weak, text(all))
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
