package process

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"
)

func TestTail(t *testing.T) {
	var text []byte
	for i := range 100 {
		text = append(text, byte('a'+i%26))
	}
	for n := range len(text) {
		want := text[max(0, n-10):n]
		for _, r := range []io.Reader{
			bytes.NewReader(text[:n]),
			iotest.OneByteReader(bytes.NewReader(text[:n])),
			iotest.DataErrReader(bytes.NewReader(text[:n])),
			iotest.HalfReader(bytes.NewReader(text[:n])),
		} {
			kept := Tail{Limit: 10}
			io.Copy(&kept, r)
			if got := kept.Bytes(); !bytes.Equal(got, want) {
				t.Fatalf("of %d bytes %q, want %q", n, got, want)
			}
		}
	}
}
