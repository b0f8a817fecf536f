package process

import (
	"bytes"
	"io"
)

// sequenceLimit bounds the length of escape sequences, in bytes. A longer one is text.
const sequenceLimit = 4 << 10

const escape = 0x1b

// A Plain writes to another writer without the escape sequences of terminals: colours (CSI) and
// links (OSC). Others have two characters.
type Plain struct {
	To     io.Writer
	within byte // 0 in text, escape after it, '[' or ']' in a sequence
	length int  // of the sequence
	found  bool
}

func (w *Plain) strip(p []byte) []byte {
	text := p[:0]
	for _, c := range p {
		w.length++
		switch {
		case w.within == 0 && c != escape:
			text = append(text, c)
		case w.within == 0:
			w.within, w.length, w.found = escape, 1, true
		case c == '\n' || w.length > sequenceLimit:
			w.within = 0
			text = append(text, c)
		case w.within == escape && (c == '[' || c == ']'):
			w.within = c
		case w.within == escape && c == '(': // character set, as in ESC ( B
			w.within = '('
		case w.within == escape, w.within == '(':
			w.within = 0
		case w.within == '[' && c >= '@' && c <= '~', w.within == ']' && c == '\a':
			w.within = 0
		case w.within == ']' && c == escape: // the end, ESC \
			w.within = escape
		}
	}
	return text
}

func (w *Plain) Write(p []byte) (int, error) {
	text := p
	if w.within != 0 || bytes.IndexByte(p, escape) >= 0 {
		text = w.strip(bytes.Clone(p))
	}
	if len(text) == 0 {
		return len(p), nil
	}
	if _, err := w.To.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}
