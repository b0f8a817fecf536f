package treesitter

// #include "guard.h"
import "C"

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"whittle/parse"
)

// A Pool parses in child processes: a parser that crashes, hangs or takes all
// memory costs the text it was given, and nothing else. Each child runs Serve.
//
// A child that ends is replaced, and its text given to another one; only where
// that ends as well, or a child has reached its limit of time, the text is to
// blame. One that is killed, as a test or the system may do to any process, says
// nothing of its text.
type Pool struct {
	start func() (io.ReadWriteCloser, error)
	room  chan struct{} // one for each child at work

	mu     sync.Mutex
	idle   []*child
	all    map[*child]bool
	closed bool
}

// NewPool makes a Pool of at most so many children. start returns the connection
// to a new one. Closing a connection ends its child and what is being written to
// it; the error of Close says how a child ended that had done so by itself, or is
// ErrTooLong or ErrKilled.
func NewPool(children int, start func() (io.ReadWriteCloser, error)) *Pool {
	return &Pool{start: start, room: make(chan struct{}, children), all: map[*child]bool{}}
}

// In returns the language as the children of a pool parse it, which know it by
// the name.
func (l *Language) In(p *Pool, name string) *Language {
	isolated := *l
	isolated.pool, isolated.name = p, name
	return &isolated
}

// Close ends all children. What is asked from then on is refused.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for c := range p.all {
		c.Close()
	}
}

// ErrTooLong says that a child has reached its limit of processor time: it was
// ended by SIGXCPU.
var ErrTooLong = errors.New("it takes too long")

// ErrKilled says that a child was ended by SIGKILL, which no text does.
var ErrKilled = errors.New("it was killed")

// kills is how many children a text may lose to SIGKILL.
const kills = 16

// errNoChild says that no child can be started.
var errNoChild = errors.New("no child")

// read has a child read a text. The error is a *parse.Refusal or errNoChild.
func (p *Pool) read(l *Language, text []byte, q question) (reading, error) {
	p.room <- struct{}{}
	defer func() { <-p.room }()
	var ended error
	for killed, broken := 0, 0; killed < kills && broken < 2; {
		c, err := p.take()
		if err != nil {
			return reading{}, err
		}
		answer, err := c.ask(l.name, text, q)
		if err == nil {
			p.give(c)
			return answer.reading()
		}
		switch ended = p.drop(c); {
		case errors.Is(ended, ErrTooLong):
			return reading{}, refusal(C.whittle_too_much, len(text))
		case errors.Is(ended, ErrKilled):
			killed++
		default:
			broken++
		}
	}
	return reading{}, &parse.Refusal{Reason: fmt.Sprintf("it ends the parser (%v)", ended)}
}

// take returns a child that has nothing to do.
func (p *Pool) take() (*child, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, &parse.Refusal{Reason: "no more files are read"}
	}
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c, nil
	}
	conn, err := p.start()
	if err != nil {
		return nil, errNoChild
	}
	c := newChild(conn)
	p.all[c] = true
	return c, nil
}

func (p *Pool) give(c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
}

// drop lets go of a child that does not answer any more, and returns how it ended.
func (p *Pool) drop(c *child) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errors.New("stopped")
	}
	delete(p.all, c)
	return c.Close()
}
