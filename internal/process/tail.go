package process

import (
	"bytes"
	"sync"
)

// A Tail keeps the last Limit bytes written to it. It is safe for concurrent use.
type Tail struct {
	Limit int
	mu    sync.Mutex
	buf   []byte
	all   int64 // bytes written
}

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	t.all += int64(n)
	p = p[max(0, n-t.Limit):]
	if len(t.buf)+len(p) > 2*t.Limit {
		t.buf = append(t.buf[:0], t.last()...)
	}
	t.buf = append(t.buf, p...)
	return n, nil
}

func (t *Tail) last() []byte { return t.buf[max(0, len(t.buf)-t.Limit):] }

// Cut reports whether the beginning was dropped.
func (t *Tail) Cut() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all > int64(t.Limit)
}

// Bytes returns a copy of the kept bytes.
func (t *Tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.last())
}
