package process

import (
	"bytes"
	"io"
)

// sequenceLimit bounds the length of escape sequences, in bytes. A longer one is text.
const sequenceLimit = 4 << 10

const escape = 0x1b

// A stripper removes escape sequences from pieces of text: colours (CSI) and links (OSC). Others
// have two characters.
type stripper struct {
	within byte // 0 in text, escape after it, '[' or ']' in a sequence
	length int  // of the sequence
	found  bool
}

func (s *stripper) strip(p []byte) []byte {
	if s.within == 0 && bytes.IndexByte(p, escape) < 0 {
		return p
	}
	text := p[:0]
	for _, c := range p {
		s.length++
		switch {
		case s.within == 0 && c != escape:
			text = append(text, c)
		case s.within == 0:
			s.within, s.length, s.found = escape, 1, true
		case c == '\n' || s.length > sequenceLimit:
			s.within = 0
			text = append(text, c)
		case s.within == escape && (c == '[' || c == ']'):
			s.within = c
		case s.within == escape && c == '(': // character set, as in ESC ( B
			s.within = '('
		case s.within == escape, s.within == '(':
			s.within = 0
		case s.within == '[' && c >= '@' && c <= '~', s.within == ']' && c == '\a':
			s.within = 0
		case s.within == ']' && c == escape: // the end, ESC \
			s.within = escape
		}
	}
	return text
}

type plainReader struct {
	from io.Reader
	stripper
}

func (r *plainReader) Read(p []byte) (int, error) {
	for {
		n, err := r.from.Read(p)
		if n = len(r.strip(p[:n])); n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// A Plain writes to another writer without the escape sequences of terminals.
type Plain struct {
	To io.Writer
	stripper
}

func (w *Plain) Write(p []byte) (int, error) {
	text := p
	if w.within != 0 || bytes.IndexByte(p, escape) >= 0 {
		text = w.strip(bytes.Clone(p))
	}
	if _, err := w.To.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Stripped reports whether there were escape sequences.
func (w *Plain) Stripped() bool { return w.found }
