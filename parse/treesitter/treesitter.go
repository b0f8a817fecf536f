// Package treesitter is the front end for github.com/smacker/go-tree-sitter. It derives the slots of
// nodes from the compiled parse tables.
package treesitter

// #include "guard.h"
import "C"

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	"whittle/parse"
)

// Language is a tree-sitter language. It is safe for concurrent use.
type Language struct {
	compiled func() compiled // both are computed on first use
	names    func() *names

	masks   []Mask
	masked  [256]bool // the first bytes of their words
	macros  bool      // macros in capitals are masked, too
	laidOut bool      // indentation may be significant
	derives func(t *parse.Tree) parse.Derivation

	name string // in the pool
	pool *Pool  // nil means to parse in this process
}

type compiled struct {
	c     *C.TSLanguage
	guard *C.whittle_language
	alone *sync.Mutex // held while parsing; nil for thread-safe grammars
}

// New returns a language of go-tree-sitter, got on first use. It is never freed.
func New(get func() *sitter.Language) *Language {
	load := sync.OnceValue(func() compiled {
		// go-tree-sitter hides the pointer to the tables, its only field.
		c := *(**C.TSLanguage)(unsafe.Pointer(get()))
		t := compiled{c: c, guard: C.whittle_guard(c)}
		if t.guard == nil {
			panic("treesitter: no memory, or a grammar of another version of tree-sitter")
		}
		if t.guard.shared {
			t.alone = new(sync.Mutex)
		}
		return t
	})
	return &Language{compiled: load, names: sync.OnceValue(func() *names { return namesOf(load().c) })}
}

// Parse fails for a file of more than 2 GiB, and with a *parse.Refusal.
func (l *Language) Parse(source []byte) (*parse.Tree, error) {
	if err := parse.CheckSize(source); err != nil {
		return nil, err
	}
	masked := l.mask(source)
	r, err := l.read(masked, wholeTree)
	if err != nil {
		return nil, err
	}
	defer r.free()
	t := build(l, source, masked, r)
	t.Errors = r.errors
	t.Indented = r.indented
	if l.derives != nil && len(t.Tokens) > 0 {
		t.Derive = l.derives(t)
	}
	return t, nil
}

// Errors counts ERROR and MISSING nodes.
func (l *Language) Errors(text []byte) int {
	if parse.CheckSize(text) != nil {
		return parse.Unreadable
	}
	r, err := l.read(l.mask(text), errorsOnly)
	if err != nil {
		return parse.Unreadable
	}
	return r.errors
}

type reading struct {
	errors   int
	indented bool // indentation is significant
	nodes    []C.whittle_node
	links    []C.whittle_link
	free     func()
}

type question byte

const (
	errorsOnly question = iota
	wholeTree
)

// read parses in the pool or in this process. The error is a *parse.Refusal.
func (l *Language) read(text []byte, q question) (reading, error) {
	if l.pool != nil {
		if r, err := l.pool.read(l, text, q); err != errNoChild {
			return r, err
		}
	}
	return l.readHere(text, q)
}

func (l *Language) readHere(text []byte, q question) (r reading, err error) {
	if alone := l.compiled().alone; alone != nil {
		alone.Lock()
		defer alone.Unlock()
	}
	defer giveBack(len(text))
	tree, err := l.parse(text)
	if err != nil {
		return r, err
	}
	defer C.ts_tree_delete(tree)
	if q == errorsOnly {
		return reading{errors: int(C.whittle_errors(tree))}, nil
	}
	var read C.whittle_read
	if !C.whittle_walk(tree, &read) {
		return r, refusal(C.whittle_no_memory, len(text))
	}
	return reading{
		errors:   int(read.errors),
		indented: l.laidOut && l.indented(tree, text),
		nodes:    unsafe.Slice(read.nodes, int(read.node_count)),
		links:    unsafe.Slice(read.links, int(read.link_count)),
		free: func() {
			C.free(unsafe.Pointer(read.nodes))
			C.free(unsafe.Pointer(read.links))
		},
	}, nil
}

// LaidOut returns the language as one with blocks that indentation may begin and end, such as Python. In other
// languages, indentation is never significant.
func (l *Language) LaidOut() *Language {
	laidOut := *l
	laidOut.laidOut = true
	return &laidOut
}

// Deriving returns the language with [parse.Tree.Derive] of its trees that are not empty.
func (l *Language) Deriving(of func(t *parse.Tree) parse.Derivation) *Language {
	deriving := *l
	deriving.derives = of
	return &deriving
}

// indented reports whether indentation is significant in a text: without it the tree changes.
func (l *Language) indented(tree *C.TSTree, source []byte) bool {
	flush := make([]byte, 0, len(source))
	for line := range bytes.Lines(source) {
		flush = append(flush, bytes.TrimLeft(line, " \t")...)
	}
	if len(flush) == len(source) {
		return false
	}
	other, err := l.parse(flush)
	if err != nil {
		return true
	}
	defer C.ts_tree_delete(other)
	return C.whittle_shape(tree) != C.whittle_shape(other)
}

// giveBack returns memory to the system. A tree takes thirty times the size of its text.
func giveBack(size int) {
	if size > 64<<10 {
		C.whittle_trim()
	}
}

func (l *Language) parse(text []byte) (*C.TSTree, error) {
	defer runtime.KeepAlive(text)
	var why C.whittle_refusal
	tree := C.whittle_parse(l.compiled().guard, chars(text), C.uint32_t(len(text)), &why)
	if tree == nil {
		return nil, refusal(why, len(text))
	}
	return tree, nil
}

// chars lends text to C for one call.
func chars(text []byte) *C.char {
	if len(text) == 0 {
		text = []byte{0}
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(text)))
}

func refusal(why C.whittle_refusal, size int) error {
	reason := fmt.Sprintf("there is no memory for the syntax tree of %d bytes", size)
	switch why {
	case C.whittle_too_much:
		reason = fmt.Sprintf("the parser did not finish within the limits for %d bytes", size)
	case C.whittle_too_deep:
		reason = "it is nested more deeply than the parser can remember"
	}
	return &parse.Refusal{Reason: reason}
}
