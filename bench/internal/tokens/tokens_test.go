package tokens

import "testing"

func TestCount(t *testing.T) {
	for text, want := range map[string]int{
		"":                         0,
		"int a[] = {0x1f, 1.5e3};": 11,
		`f("a \" b", 'c')`:         6,
		"a->b++ <<= c::d...":       9,
		`"no end`:                  3,
		"\xff\xfe\x00(":            4,
		"größe = 1":                3,
		"<a b='1 2'>text</a>":      11,
	} {
		if got := Count([]byte(text)); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}
