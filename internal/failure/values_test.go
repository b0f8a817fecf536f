package failure

import (
	"testing"

	"whittle/oracle"
)

func TestCompares(t *testing.T) {
	for line, want := range map[string]bool{
		"expected 3, got 4":                                         true,
		"expected -3 but was NaN":                                   true,
		"got 4; want 3":                                             true,
		"only 4 of nut left, wanted 5":                              true,
		"size should be 3 but is 4":                                 true,
		"size is 4, should be 3":                                    true,
		"actual: [1] expected: [2]":                                 true,
		"sort (1 3 2) expected (1 2 3)":                             true,
		"norm 14 exceeds 10":                                        true,
		"3 != 4":                                                    true,
		"'a' differs from 'b'":                                      true,
		"no match of right hand side value [1]":                     true,
		"negative amount -5":                                        false,
		"RecursionError: maximum recursion depth exceeded":          false,
		"a.c:3:1: error: expected ‘;’ before ‘}’ token":             false,
		"error: expected ')', found 3":                              false,
		"'end' expected (to close 'if' at line 3)":                  false,
		"a.ts(3,5): error TS2554: Expected 2 arguments, but got 1.": false,
		"a.c:1:9: error: too few arguments to function call, expected 2, was 1": false,
		"not enough values to unpack (expected 3, got 2)":                       false,
		"wrong number of arguments (given 1, expected 2)":                       false,
	} {
		if compares(line) != want {
			t.Errorf("%s: %v", line, !want)
		}
	}
}

func TestMoving(t *testing.T) {
	for text, want := range map[string]string{
		"3) expected 1 min, got 62 s (0.01s)":                     "N) expected 1 min, got 62 s (Ns)",
		"2026-11-30 05:04:22 expected 2026-11-30, got 1970-01-01": "N N:N:N expected 2026-11-30, got 1970-01-01",
		"sort[812]: line 7: expected x[3], got x[4]":              "sort[N]: line N: expected x[3], got x[4]",
		"expected A, got A@1b6d3586 at 0x7ffd12":                  "expected A, got A@N at N",
		"expected /a/b, got /tmp/x1/b":                            "expected /a/b, got b",
	} {
		if _, shown := maskCompared(text); shown != want {
			t.Errorf("%s is %s, want %s", text, shown, want)
		}
	}
}

// A comparison is weak only without its values.
func TestComparisonsAreWeak(t *testing.T) {
	for _, output := range []string{
		"expected 3, got 4\n", "error: expected 3, got 4\n", "want a, got b at a.pl line 3.\n",
		"lua: a.lua:1: expected 3, got 4\n", "In procedure error:\nexpected 3, got 4\n",
	} {
		all := All(oracle.Run{ExitCode: 1, Output: []byte(output)})
		if all[0].Kind != WrongValue || all[0].Weak() != "" || all[0].Strong {
			t.Errorf("%q is %s, %q", output, text(all), all[0].Weak())
		}
		if all[1].Kind == WrongValue && all[1].Weak() == "" {
			t.Errorf("%q is also %s", output, text(all))
		}
	}
}
