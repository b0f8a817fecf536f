package tool_test

import (
	"slices"
	"strings"
	"testing"

	"whittle/internal/tool"
)

func TestWithout(t *testing.T) {
	for _, c := range []struct{ command, output, rest, gone string }{
		{"gcc -O2 -ffoo -mbar {}", "gcc: error: unrecognized command-line option ‘-ffoo’\n" +
			"gcc: error: unrecognized command-line option ‘-mbar’; did you mean ‘-mmar’?\n", "gcc -O2 {}", "-ffoo, -mbar"},
		{"clang -fsanitize=x -O2 {}", "clang: error: unsupported argument 'x' to option '-fsanitize='", "clang -O2 {}", "-fsanitize=x"},
		{"clang -std=c++99 {}", "error: invalid value 'c++99' in '-std=c++99'", "clang {}", "-std=c++99"},
		{"clang -march=bdver9 {}", "error: unknown target CPU 'bdver9'", "clang {}", "-march=bdver9"},
		{"gcc -march=bogus {}", "cc1: error: bad value ‘bogus’ for ‘-march=’ switch", "gcc {}", "-march=bogus"},
		{"gcc -mllvm -x {}", "gcc-12: error: unrecognized command-line option ‘-mllvm’", "gcc {}", "-mllvm -x"},
		{"gcc --param foo=3 {}", "gcc-12: error: unrecognized command-line option ‘--param=foo=3’", "gcc {}", "--param foo=3"},
		{"rustc --bogus {}", "error: Unrecognized option: 'bogus'", "rustc {}", "--bogus"},
		{"gcc -fsanitize=bogus {}", "gcc-12: error: unrecognized argument to ‘-fsanitize=’ option: ‘bogus’", "gcc {}", "-fsanitize=bogus"},
		{"gcc -c {}", "a.c:1:1: error: unknown type name 'c'", "gcc -c {}", ""},
		{"gcc -c x {}", "unrecognized command-line option ‘-x’", "gcc -c x {}", ""},
		{"gcc", "", "gcc", ""},
	} {
		rest, gone := tool.Without(strings.Fields(c.command), []byte(c.output))
		if !slices.Equal(rest, strings.Fields(c.rest)) || strings.Join(gone, ", ") != c.gone {
			t.Errorf("%s: %q without %q", c.command, rest, gone)
		}
	}
}
