package diagnose

import (
	"regexp"
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
