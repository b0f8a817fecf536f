package printable

import (
	"strings"
	"testing"
)

func TestWriter(t *testing.T) {
	var b strings.Builder
	text := "a\tb\r\n\x1b[2Jc\xff\u202ed\n"
	if n, err := NewWriter(&b).Write([]byte(text)); n != len(text) || err != nil {
		t.Errorf("%d of %d, %v", n, len(text), err)
	}
	if want := "a\tb\n\uFFFD[2Jc\uFFFD\uFFFDd\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
