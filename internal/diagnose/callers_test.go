package diagnose

import (
	"regexp"
	"strings"
	"testing"

	"whittle/internal/failure"
	"whittle/oracle"
)

func TestAddCallers(t *testing.T) {
	frame := func(title, name string) failure.Frame {
		return failure.Frame{Title: title, Shown: "#1 " + name, Like: regexp.MustCompile("^#1 " + name + "$")}
	}
	callers := []failure.Frame{frame("in tool::Emit", "Emit"), frame("in walk, at w.cc", "walk")}
	for _, c := range []struct {
		again   string
		frames  int
		want    string
		dropped bool
	}{
		{"#1 Emit\n#1 walk\n", 0, "x, called in tool::Emit, called in walk, at w.cc", false},
		{"#1 Emit\n#1 other\n", 0, "x, called in tool::Emit", true},
		{"#1 Emit\n#1 walk\n", 2, "x, called in tool::Emit", false},
		{"#1 Emit\n#1 walk\n", 1, "x", false},
	} {
		f := Failure{Signature: failure.Signature{Title: "x", Callers: callers}}
		test := &Test{Frames: c.frames}
		test.addCallers(&f, oracle.Run{Output: []byte(c.again)})
		if f.Called() != c.want || len(f.Criteria.Lines) != len(f.Callers) || (f.Dropped != "") != c.dropped {
			t.Errorf("%+v: %q, %+v", c, f.Called(), f)
		}
	}
}

// A suggestion is about another line than the criterion and earlier ones, has words, and is not about many lines.
func TestSuggestions(t *testing.T) {
	output := "E  assert 1 == 2\nE  AssertionError: 5\nerror: |-\n" + strings.Repeat("error: no\n", 4) + "error: odd thing\n"
	of := func(kind failure.Kind, title, shown, pattern string) failure.Signature {
		line := oracle.Line{Pattern: regexp.MustCompile(pattern), Least: 1}
		criteria := oracle.Criteria{Lines: []oracle.Line{line}}
		return failure.Signature{Kind: kind, Title: title, Shown: []string{shown}, Criteria: criteria}
	}
	assert := of(failure.WrongValue, "assert 1 == 2, in f", "E  assert 1 == 2", "^E +assert 1 == 2")
	assert.Shown = append(assert.Shown, "a.py:1: in f")
	f := Failure{Signature: assert, Run: oracle.Run{Output: []byte(output)}, Others: []failure.Signature{
		of(failure.WrongValue, "assert N == N", "E  assert 1 == 2", "^E +assert -?[0-9]+ == -?[0-9]+"),
		of("exception", "AssertionError: 5", "E  AssertionError: 5", "^E +AssertionError: 5$"),
		of("exception", "AssertionError: N", "E  AssertionError: 5", "^E +AssertionError: [0-9]+"),
		of(failure.Message, "error: |-", "error: |-", `error: \|-`),
		of(failure.Message, "error: no", "error: no", "error: no"),
		of(failure.Message, "error: odd thing", "error: odd thing", "error: odd thing"),
	}}
	lines := (&Test{}).Describe(f)
	want := "if that is not your bug, give --interesting-output '^E +AssertionError: 5$', " +
		"or --interesting-output 'error: odd thing'"
	if got := lines[len(lines)-1].Text; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
