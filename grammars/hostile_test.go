package grammars_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"whittle/grammars"
)

var shapes = map[string]func(n int) string{
	"round brackets":  func(n int) string { return strings.Repeat("(", n) + "a" + strings.Repeat(")", n) },
	"square brackets": func(n int) string { return strings.Repeat("[", n) + "a" + strings.Repeat("]", n) },
	"blocks":          func(n int) string { return strings.Repeat("{", n) + "a" + strings.Repeat("}", n) },
	"open brackets":   func(n int) string { return strings.Repeat("(", n) },
	"unary operators": func(n int) string { return strings.Repeat("- ", n) + "a" },
	"a chain":         func(n int) string { return "a" + strings.Repeat("+a", n) },
	"equal lines":     func(n int) string { return strings.Repeat("int x = 1;\n", n/4) },
	"words":           func(n int) string { return strings.Repeat("a ", n) },
	"arguments":       func(n int) string { return "f(" + strings.Repeat("a, ", n) + "a)" },
	"elements":        func(n int) string { return strings.Repeat("<a>", n) + "x" + strings.Repeat("</a>", n) },
	"attributes":      func(n int) string { return strings.Repeat("__attribute__((a)) ", n/4) },
}

// Parsing takes linear time, or refuses the text.
func TestHostileShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const n = 3000
	for _, l := range grammars.All() {
		for name, shape := range shapes {
			text := []byte(shape(n))
			limit := 200*time.Millisecond + time.Duration(len(text))*30*time.Microsecond
			took := limit + 1
			for try := 0; try < 3 && took > limit; try++ { // other processes slow it down
				began := processorTime()
				l.Parse(text) // may be refused
				took = min(took, processorTime()-began)
			}
			if took > limit {
				t.Errorf("%s: %d %s, %d bytes, take more than %v", l.Name, n, name, len(text), limit)
			}
		}
	}
}

func processorTime() time.Duration {
	var use syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &use)
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
