package failure

import (
	"strings"
	"testing"

	"whittle/oracle"
)

// What a compiler says of most candidates is looked at after each test.
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
