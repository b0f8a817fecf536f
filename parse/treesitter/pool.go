package treesitter

// #include "guard.h"
import "C"

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"

	"whittle/parse"
)

// A Pool parses in child processes that run [Serve]. If a child ends, another one gets the text. The text is refused if
// that one ends, too, or if a child exceeds its time limit. Killed children do not count, since a test or the system
// may kill any process.
type Pool struct {
	start func() (io.ReadWriteCloser, error)
	room  chan struct{} // one slot per busy child

	mu     sync.Mutex
	idle   []*child
	all    map[*child]bool
	closed bool
}

// NewPool returns a Pool of at most so many children. start returns the connection to a new child. Closing it ends the
// child and pending writes; its error says how a dead child had ended, as ErrTooLong and ErrKilled.
func NewPool(children int, start func() (io.ReadWriteCloser, error)) *Pool {
	return &Pool{start: start, room: make(chan struct{}, children), all: map[*child]bool{}}
}

// In returns the language parsed by the pool, under the given name.
func (l *Language) In(p *Pool, name string) *Language {
	isolated := *l
	isolated.pool, isolated.name = p, name
	return &isolated
}

// Close ends all children. Later parses are refused.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for c := range p.all {
		c.Close()
	}
}

// ErrTooLong means that SIGXCPU ended a child at its limit of processor time.
var ErrTooLong = errors.New("it takes too long")

// ErrKilled means that SIGKILL ended a child. No text causes that.
var ErrKilled = errors.New("it was killed")

// maxKills bounds the killed children for one text.
const maxKills = 16

var errNoChild = errors.New("no child")

// read parses text in a child. The error is a *parse.Refusal or errNoChild.
func (p *Pool) read(l *Language, text []byte, q question) (reading, error) {
	p.room <- struct{}{}
	defer func() { <-p.room }()
	var ended error
	for killed, broken := 0, 0; killed < maxKills && broken < 2; {
		c, err := p.take()
		if err != nil {
			return reading{}, err
		}
		r, refused, err := c.ask(l.name, text, q)
		if err == nil {
			p.give(c)
			return r, refused
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
	c := &child{conn, bufio.NewReader(conn), bufio.NewWriter(conn)}
	p.all[c] = true
	return c, nil
}

func (p *Pool) give(c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
}

// drop returns how a child ended that no longer answers.
func (p *Pool) drop(c *child) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errors.New("stopped")
	}
	delete(p.all, c)
	return c.Close()
}
