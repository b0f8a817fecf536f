// Package treesitter is the front end over github.com/smacker/go-tree-sitter.
// It reads a whole syntax tree in one call into C, takes the facts about each
// node's slot from the language's compiled tables, and counts syntax errors.
package treesitter

// #include "guard.h"
import "C"

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"sync"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	"whittle/parse"
)

// Language is a tree-sitter language. It may be used by many goroutines.
type Language struct {
	c     *C.TSLanguage // its tables
	guard *C.whittle_language
	alone *sync.Mutex // held while it parses; nil if many may at once

	names func() *names // made when they are first asked for

	asides []Aside // that its grammar has no place for

	name string // in the pool
	pool *Pool  // that parses; nil is this process
}

// New makes a Language of one that go-tree-sitter bundles, for good.
func New(l *sitter.Language) *Language {
	// go-tree-sitter hides the pointer to the tables, the only field there is.
	tables := *(**C.TSLanguage)(unsafe.Pointer(l))
	guard := C.whittle_guard(tables)
	if guard == nil {
		panic("treesitter: no memory, or a grammar of another version of tree-sitter")
	}
	made := &Language{c: tables, guard: guard}
	made.names = sync.OnceValue(func() *names { return namesOf(tables) })
	if guard.shared {
		made.alone = new(sync.Mutex)
	}
	return made
}

// MaxSize is the size of the largest file, in bytes, that tree-sitter addresses.
const MaxSize = math.MaxInt32

// Parse reads source into a tree. It fails for a file of over MaxSize bytes, and
// with a *parse.Refusal.
func (l *Language) Parse(source []byte) (*parse.Tree, error) {
	if len(source) > MaxSize {
		return nil, fmt.Errorf("the file has %d bytes; at most %d can be parsed", len(source), MaxSize)
	}
	veiled := l.veil(source)
	r, err := l.read(veiled, wholeTree)
	if err != nil {
		return nil, err
	}
	defer r.free()
	t := build(l, source, veiled, r)
	t.Errors = r.errors
	t.Indented = r.indented
	return t, nil
}

// Errors counts ERROR and MISSING nodes.
func (l *Language) Errors(text []byte) int {
	if len(text) > MaxSize {
		return parse.Unreadable
	}
	r, err := l.read(l.veil(text), errorsOnly)
	if err != nil {
		return parse.Unreadable
	}
	return r.errors
}

// A reading is what C has found out about a text.
type reading struct {
	errors   int
	indented bool             // the indentation means something
	nodes    []C.whittle_node // of a whole tree
	links    []C.whittle_link // of the nodes
	free     func()           // lets go of both
}

// What is to be found out.
type question byte

const (
	errorsOnly question = iota
	wholeTree
)

// read asks the pool, or this process. The error is a *parse.Refusal.
func (l *Language) read(text []byte, q question) (reading, error) {
	if l.pool != nil {
		if r, err := l.pool.read(l, text, q); err != errNoChild {
			return r, err
		}
	}
	return l.readHere(text, q)
}

func (l *Language) readHere(text []byte, q question) (r reading, err error) {
	if l.alone != nil {
		l.alone.Lock()
		defer l.alone.Unlock()
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
		indented: l.indented(tree, text),
		nodes:    unsafe.Slice(read.nodes, int(read.node_count)),
		links:    unsafe.Slice(read.links, int(read.link_count)),
		free: func() {
			C.free(unsafe.Pointer(read.nodes))
			C.free(unsafe.Pointer(read.links))
		},
	}, nil
}

// indented reports whether the indentation of source means something: without it
// the tree is another.
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

// giveBack returns the memory of a parse, if it was much: a tree of tree-sitter's
// has thirty times the size of its text.
func giveBack(size int) {
	if size > 64<<10 {
		C.whittle_trim()
	}
}

// parse makes a tree, which is to be deleted.
func (l *Language) parse(text []byte) (*C.TSTree, error) {
	defer runtime.KeepAlive(text)
	var why C.whittle_refusal
	tree := C.whittle_parse(l.guard, chars(text), C.uint32_t(len(text)), &why)
	if tree == nil {
		return nil, refusal(why, len(text))
	}
	return tree, nil
}

// chars lends the bytes of text to C for the time of one call.
func chars(text []byte) *C.char {
	if len(text) == 0 {
		text = []byte{0}
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(text)))
}

// refusal says why a text of some size was not parsed.
func refusal(why C.whittle_refusal, size int) error {
	switch why {
	case C.whittle_too_much:
		reason := fmt.Sprintf("the parser does not come to an end within what %d bytes should take", size)
		return &parse.Refusal{Reason: reason}
	case C.whittle_too_deep:
		return &parse.Refusal{Reason: "it is nested more deeply than the parser can remember"}
	}
	return &parse.Refusal{Reason: fmt.Sprintf("there is no memory for the syntax tree of %d bytes", size)}
}
