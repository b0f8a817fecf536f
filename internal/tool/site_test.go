package tool

import (
	"slices"
	"testing"
)

// The identifiers are from https://godbolt.org/api/compilers.
func TestSite(t *testing.T) {
	const here = "Target: x86_64-linux-gnu"
	for _, c := range []struct{ tool, language, details, version, id, nearest string }{
		{"gcc", "c", here, "12.2.0", "cg122", "12.2"},
		{"gcc", "cpp", here, "12.2.0", "g122", "12.2"},
		{"g++", "cpp", here, "6.1.0", "g6", "6.1"},
		{"g++", "c", here, "5.4.0", "g540", "5.4"},
		{"gcc", "c", here, "12.9.1", "cg125", "12.5"},
		{"gcc", "c", here, "99.1.0", "", ""},
		{"gcc", "c", here, "", "", ""},
		{"clang", "c", "x\nTarget: x86_64-pc-linux-gnu\n", "14.0.6", "cclang1400", "14.0.0"},
		{"clang++", "cpp", here, "16.0.0", "clang1600", "16.0.0"},
		{"clang", "cpp", here, "17.0.0", "clang1701", "17.0.1"},
		{"rustc", "rust", "host: x86_64-unknown-linux-gnu", "1.63.0", "r1630", "1.63.0"},
		{"rustc", "rust", "host: x86_64-unknown-linux-gnu", "1.45.1", "r1450", "1.45.0"},
		{"llc", "llvm", "", "16.0.6", "llc1600", "16.0.0"},
		{"sdcc", "c", "", "4.2.0", "sdcc420", "4.2.0"},
	} {
		found, ok := Find(c.tool).Site(c.language, c.details)
		if id, nearest := found.Version(c.version); !ok || id != c.id || nearest != c.nearest {
			t.Errorf("%s %s: %s, %s, %v", c.tool, c.version, id, nearest, ok)
		}
	}
	for _, c := range [][3]string{{"gcc", "c", "Target: aarch64-linux-gnu"}, {"gcc", "go", here}, {"python", "python", ""}} {
		if _, ok := Find(c[0]).Site(c[1], c[2]); ok {
			t.Errorf("%s is found", c)
		}
	}
	gcc, _ := Find("gcc").Site("c", here)
	if got := gcc.Options([]string{"-O2", "-c", "-w"}); !slices.Equal(got, []string{"-O2", "-w"}) {
		t.Errorf("the options are %q", got)
	}
}
