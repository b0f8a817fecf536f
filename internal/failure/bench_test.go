package failure

import (
	"strings"
	"testing"

	"whittle/oracle"
)

// The output of most tests is examined, so this must be fast.
func BenchmarkOf(b *testing.B) {
	for _, c := range []struct {
		name  string
		times int
	}{{"one error", 1}, {"300 errors", 300}} {
		const printed = "small.c:12:3: error: ‘x’ undeclared (first use in this function)\n   12 |   x = 3;\n      |   ^\n"
		run := oracle.Run{ExitCode: 1, Output: []byte(strings.Repeat(printed, c.times))}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				Of(run)
			}
		})
	}
}
