package oracle

import (
	"bytes"
	"sync"
)

// A tail keeps the last limit bytes of what is written to it. It holds no more
// than twice that. It may be used from several goroutines at once.
type tail struct {
	limit int
	mu    sync.Mutex
	buf   []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	p = p[max(0, n-t.limit):]
	if len(t.buf)+len(p) > 2*t.limit {
		t.buf = append(t.buf[:0], t.last()...)
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

// last gives the end of what is in the buffer.
func (t *tail) last() []byte { return t.buf[max(0, len(t.buf)-t.limit):] }

// bytes returns a copy of what is kept.
func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.last())
}
