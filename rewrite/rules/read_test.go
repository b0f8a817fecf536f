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

// Each mistake of a file has its place, and all are found at once.
func TestMistakes(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"", ""},
		{"# nothing but a comment\n\n", ""},
		{"f($X) => $X\n", ""},
		{"f($X)\n", "r:1:1: a rule is PATTERN => ALTERNATIVE"},
		{"  #why\n", "r:1:3: a rule is PATTERN => ALTERNATIVE"},
		{"=> 1\n", "r:1:1: a pattern is needed left of =>"},
		{"a => b => c\n", `r:1:8: a second =>; the language's own is written \=>`},
		{"a \\=> b => c\n", ""},
		{"$X => 1\n", "r:1:1: $X alone matches everything"},
		{"$$$X => 1\n", "r:1:1: $$$X alone matches everything"},
		{"f($X) => $Y\n", "r:1:10: the pattern has no $Y"},
		{"f($X) => 1 | é $Y\n", "r:1:16: the pattern has no $Y"},
		{"f($X) => $$$X\n", "r:1:10: the pattern has $X, not $$$X"},
		{"f($$$X, $X) => 1\n", "r:1:9: $X is one node here, and any number elsewhere"},
		{"f($_) => $_\n", "r:1:10: $_ is anything"},
		{"f($X) => f($X)\n", "r:1:10: this is the same as what stands left of it"},
		{"f($X) => 1 | 1\n", "r:1:14: this is the same as what stands left of it"},
		{"f($X) => 1\n\nf($X) => 2\n", "r:3:1: line 1 has this pattern already"},
		{"@place f()\n", "r:1:1: @place needs one $$$"},
		{"@hole t int\n", "r:1:1: @hole needs a name of capital letters"},
		{"@hole T1 int\n", "r:1:1: @hole needs a name of capital letters"},
		{"@hole T\n", "r:1:1: @hole needs a name of capital letters"},
		{"@include nothing\n", `r:1:10: there are no rules of "nothing"`},
		{"@include round\n", "round.rules:1:10: the rules of round include themselves"},
		{"@Override $X => $X\n", ""},
		{"a\x00b => c\n", "r:1:1: this is no text"},
		{"\xff => c\n", "r:1:1: this is no text"},
		{"f($X)\n$Y => 1\n", "r:1:1: a rule is PATTERN => ALTERNATIVE; a comment begins with a # and a space; " +
			"else a line is @place, @hole, @include or @anycase\nr:2:1: $Y alone matches everything; a pattern needs more"},
	} {
		_, err := rules.Read("r", []byte(x.text), func(name string) ([]byte, bool) {
			return []byte("@include round\n"), name == "round"
		})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, x.want) || x.want == "" && got != "" {
			t.Errorf("%q: %q, want %q", x.text, got, x.want)
		}
	}
}

// A pattern or an alternative that no place takes is a mistake, too.
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
		got := ""
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, x.want) || x.want == "" && got != "" {
			t.Errorf("%q: %q, want %q", x.text, got, x.want)
		}
	}
}

// Many rules are read, and looked for, in a moment.
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
	t.Logf("%v to read, %v with looking for them", read, time.Since(began))
	if n != 1 {
		t.Errorf("%d matches, want 1", n)
	}
	if read > 5*time.Second || time.Since(began) > time.Minute {
		t.Errorf("%v to read, %v with looking for them", read, time.Since(began))
	}
}

// Of many mistakes the first are told.
func TestManyMistakes(t *testing.T) {
	_, err := rules.Read("r", []byte(strings.Repeat("nothing\n", 1000)), grammars.Rules)
	var all rules.Mistakes
	if !errors.As(err, &all) || len(all) != 1000 || !strings.HasSuffix(err.Error(), "\nand 980 more mistakes") {
		t.Errorf("%v", err)
	}
}
