package rules_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"whittle/grammars"
	"whittle/rewrite/rules"
)

func TestMistakes(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"", ""},
		{"# nothing but a comment\n\n", ""},
		{"f($X) => $X\n", ""},
		{"f($X)\n", "r:1:1: expected a rule PATTERN => ALTERNATIVE"},
		{"  #why\n", "r:1:3: expected a rule PATTERN => ALTERNATIVE"},
		{"=> 1\n", "r:1:1: there is no pattern before =>"},
		{"a => b => c\n", `r:1:8: a second =>; write \=> for an arrow of the language`},
		{"a \\=> b => c\n", ""},
		{"$X => 1\n", "r:1:1: $X alone matches everything"},
		{"$$$X => 1\n", "r:1:1: $$$X alone matches everything"},
		{"f($X) => $Y\n", "r:1:10: the pattern does not contain $Y"},
		{"f($X) => 1 | é $Y\n", "r:1:16: the pattern does not contain $Y"},
		{"f($X) => $$$X\n", "r:1:10: the pattern has $X, not $$$X"},
		{"f($$$X, $X) => 1\n", "r:1:9: $X is one node here and several nodes elsewhere"},
		{"f($_) => $_\n", "r:1:10: $_ has no value"},
		{"f($X) => f($X)\n", "r:1:10: this is equal to the pattern or to an earlier alternative"},
		{"f($X) => 1 | 1\n", "r:1:14: this is equal to the pattern or to an earlier alternative"},
		{"f($X) => 1\n\nf($X) => 2\n", "r:3:1: line 1 has the same pattern"},
		{"@place f()\n", "r:1:1: @place needs exactly one $$$"},
		{"@hole t int\n", "r:1:1: @hole needs a name of capital letters"},
		{"@hole T1 int\n", "r:1:1: @hole needs a name of capital letters"},
		{"@hole T\n", "r:1:1: @hole needs a name of capital letters"},
		{"@probe block\n", "r:1:13: @probe needs a kind of block and a statement"},
		{"@include nothing\n", `r:1:10: there are no rules for "nothing"`},
		{"@include round\n", "round.rules:1:10: the rules of round include themselves"},
		{"@Override $X => $X\n", ""},
		{"a\x00b => c\n", "r:1:1: the file is not UTF-8 text"},
		{"\xff => c\n", "r:1:1: the file is not UTF-8 text"},
		{"f($X)\n$Y => 1\n", "r:1:1: expected a rule PATTERN => ALTERNATIVE, a comment after a # and a space, " +
			"@place, @hole, @include or @anycase\nr:2:1: $Y alone matches everything; add more to the pattern"},
	} {
		_, err := rules.Read("r", []byte(x.text), func(name string) ([]byte, bool) {
			return []byte("@include round\n"), name == "round"
		})
		checkError(t, x.text, err, x.want)
	}
}

func checkError(t *testing.T, text string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if !strings.HasPrefix(got, want) || want == "" && got != "" {
		t.Errorf("%q: %q, want %q", text, got, want)
	}
}

// No place accepts these patterns and alternatives.
func TestUnreadable(t *testing.T) {
	l, _ := grammars.Find("c")
	for _, x := range []struct{ text, want string }{
		{"@place void f(void) { $$$ }\nif ($C $S => $S\n",
			`r:2:1: if ($C $S, as in "if (x x", has a syntax error in every @place, of 1`},
		{"@place void f(void) { $$$ }\nif ($C) $S; => while $C $S;\n",
			`r:2:16: while $C $S;, as in "while x x;", has a syntax error in every @place that takes the pattern, of 1`},
		{"if ($C) $S; => $S;\n", ""},
		{"x = $X => $X\n", `r:1:1: x = $X, as in "x = x", has a syntax error as a whole file`},
		{"int a$X; => int a;\n", `r:1:1: int a$X;, as in "int ax;", has a syntax error`},
	} {
		set, err := rules.Read("r", []byte(x.text), grammars.Rules)
		if err == nil {
			err = set.Check(l)
		}
		checkError(t, x.text, err, x.want)
	}
}

func TestManyRules(t *testing.T) {
	const many = 10_000
	var text strings.Builder
	text.WriteString("@place void f(void) { $$$ }\n@place void f(void) { x = $$$; }\n")
	for i := range many {
		fmt.Fprintf(&text, "f%d($X, $$$Y) => $X\n", i)
	}
	began := time.Now()
	set, err := rules.Read("r", []byte(text.String()), grammars.Rules)
	if err != nil || len(set.Rules) != many {
		t.Fatal(len(set.Rules), err)
	}
	read := time.Since(began)
	l, _ := grammars.Find("c")
	tree, err := l.Parse([]byte("void g(void) { f9999(1, 2, 3); " + strings.Repeat("h(1); ", 1000) + "}"))
	if err != nil {
		t.Fatal(err)
	}
	find := set.In(l)
	n := 0
	for i := range many {
		n += len(find.Matches(i, tree))
	}
	t.Logf("%v to read, %v with matching", read, time.Since(began))
	if n != 1 {
		t.Errorf("%d matches, want 1", n)
	}
	if read > 5*time.Second || time.Since(began) > time.Minute {
		t.Errorf("%v to read, %v with matching", read, time.Since(began))
	}
}

func TestManyMistakes(t *testing.T) {
	_, err := rules.Read("r", []byte(strings.Repeat("nothing\n", 1000)), grammars.Rules)
	var all rules.Mistakes
	if !errors.As(err, &all) || len(all) != 1000 || !strings.HasSuffix(err.Error(), "\nand 980 more mistakes") {
		t.Errorf("%v", err)
	}
}
