package treesitter

// #include "guard.h"
import "C"

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unsafe"

	"whittle/parse"
)

// The protocol: a request is a head, the name of the language and the text. An answer is a head, and the nodes and
// links as they are in memory, or the reason for a refusal.

type requestHead struct {
	Question   question
	Name, Text uint32 // lengths
}

type answerHead struct {
	Refused, Indented bool
	Errors            uint32
	Nodes, Links      uint32 // number of each
	Reason            uint32 // length
}

type child struct {
	io.Closer
	in  *bufio.Reader
	out *bufio.Writer
}

// ask parses a text, or returns why the child refused it. After an error, the child must be closed.
func (c *child) ask(name string, text []byte, q question) (r reading, refused, err error) {
	sent := make(chan error, 1)
	go func() { // blocked while the child does not read, until the connection is closed
		sent <- send(c.out, requestHead{q, uint32(len(name)), uint32(len(text))}, []byte(name), text)
	}()
	var a answerHead
	if err := binary.Read(c.in, binary.NativeEndian, &a); err != nil {
		return r, nil, err
	}
	if err := <-sent; err != nil {
		return r, nil, err
	}
	r = reading{errors: int(a.Errors), indented: a.Indented, free: func() {},
		nodes: make([]C.whittle_node, a.Nodes), links: make([]C.whittle_link, a.Links)}
	reason := make([]byte, a.Reason)
	for _, part := range [][]byte{bytesOf(r.nodes), bytesOf(r.links), reason} {
		if _, err := io.ReadFull(c.in, part); err != nil {
			return r, nil, err
		}
	}
	if a.Refused {
		refused = &parse.Refusal{Reason: string(reason)}
	}
	return r, refused, nil
}

func bytesOf[T C.whittle_node | C.whittle_link](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(*new(T))))
}

func send(w *bufio.Writer, head any, parts ...[]byte) error {
	if err := binary.Write(w, binary.NativeEndian, head); err != nil {
		return err
	}
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return w.Flush()
}

// Serve answers the requests of a Pool until in ends. Each parse has limits of processor time and memory; exceeding one
// ends this process.
func Serve(in io.Reader, out io.Writer, find func(name string) *Language) error {
	C.whittle_die_plainly()
	r, w := bufio.NewReader(in), bufio.NewWriter(out)
	for {
		var head requestHead
		if err := binary.Read(r, binary.NativeEndian, &head); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		request := make([]byte, head.Name+head.Text)
		if _, err := io.ReadFull(r, request); err != nil {
			return err
		}
		name, text := string(request[:head.Name]), request[head.Name:]
		limit(len(text))
		if err := reply(w, find(name), text, head.Question); err != nil {
			return err
		}
	}
}

func reply(w *bufio.Writer, l *Language, text []byte, q question) error {
	read, err := l.readHere(text, q)
	if err != nil {
		return send(w, answerHead{Refused: true, Reason: uint32(len(err.Error()))}, []byte(err.Error()))
	}
	head := answerHead{
		Indented: read.indented, Errors: uint32(read.errors), Nodes: uint32(len(read.nodes)), Links: uint32(len(read.links)),
	}
	err = send(w, head, bytesOf(read.nodes), bytesOf(read.links))
	if read.free != nil {
		read.free()
	}
	return err
}
