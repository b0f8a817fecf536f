package process

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPlain(t *testing.T) {
	for _, c := range []struct{ printed, want string }{
		{"plain\ntext\n", "plain\ntext\n"},
		{"a.c: \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kexpected\n", "a.c: error: expected\n"},
		{"\x1b]8;;https://example.com\x1b\\link\x1b]8;;\a and text", "link and text"},
		{"\x1b(B\x1b[mtext\x1b=", "text"},
		{"\x1b]8;; without an end\ntext", "\ntext"},
		{"\x1b[" + strings.Repeat("1", 2*sequenceLimit) + "text", strings.Repeat("1", sequenceLimit+2) + "text"},
		{"\xff\x00é", "\xff\x00é"},
	} {
		for name, piece := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "halves": iotest.HalfReader,
		} {
			var b bytes.Buffer
			w := &Plain{To: &b}
			_, err := io.Copy(w, piece(strings.NewReader(c.printed)))
			if b.String() != c.want || err != nil || w.found != strings.Contains(c.printed, "\x1b") {
				t.Errorf("%s: %q is written as %q, %v", name, c.printed, b.String(), err)
			}
		}
	}
}
