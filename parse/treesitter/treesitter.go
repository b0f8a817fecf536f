// Package treesitter is the front end over github.com/smacker/go-tree-sitter.
// It reads a whole syntax tree in one call into C, takes the facts about each
// node's slot from the language's compiled tables, and counts syntax errors.
package treesitter

// #include "runtime.h"
import "C"

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	"whittle/parse"
)

// Language is a tree-sitter language. It may be used by many goroutines.
type Language struct{ c *C.TSLanguage }

// New makes a Language of one that go-tree-sitter bundles.
func New(l *sitter.Language) *Language {
	// go-tree-sitter hides the pointer to the tables, the only field there is.
	return &Language{*(**C.TSLanguage)(unsafe.Pointer(l))}
}

// MaxSize is the size of the largest file, in bytes, that tree-sitter addresses.
const MaxSize = math.MaxInt32

// Parse reads source into a tree. It fails only for a file of over MaxSize
// bytes, or without memory.
func (l *Language) Parse(source []byte) (*parse.Tree, error) {
	if len(source) > MaxSize {
		return nil, fmt.Errorf("the file has %d bytes; at most %d can be parsed", len(source), MaxSize)
	}
	defer giveBack(len(source))
	p := newParser(l)
	defer p.close()
	tree := p.parse(source)
	if tree == nil {
		return nil, fmt.Errorf("tree-sitter could not parse %d bytes", len(source))
	}
	defer C.ts_tree_delete(tree)
	var count, errors C.uint32_t
	nodes := C.whittle_walk(tree, &count, &errors)
	if nodes == nil {
		return nil, fmt.Errorf("no memory for the syntax tree of %d bytes", len(source))
	}
	defer C.free(unsafe.Pointer(nodes))
	t := build(l, source, unsafe.Slice(nodes, int(count)), errors > 0)
	t.Errors = int(errors)
	t.Indented = p.indented(tree, source)
	return t, nil
}

// Errors counts ERROR and MISSING nodes.
func (l *Language) Errors(text []byte) int {
	defer giveBack(len(text))
	p := newParser(l)
	defer p.close()
	tree := p.parse(text)
	defer C.ts_tree_delete(tree)
	return int(C.whittle_errors(tree))
}

// indented tells whether the indentation of source means something: without it
// the tree is another.
func (p parser) indented(tree *C.TSTree, source []byte) bool {
	flush := make([]byte, 0, len(source))
	for line := range bytes.Lines(source) {
		flush = append(flush, bytes.TrimLeft(line, " \t")...)
	}
	if len(flush) == len(source) {
		return false
	}
	other := p.parse(flush)
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

// parser owns a TSParser.
type parser struct{ c *C.TSParser }

func newParser(l *Language) parser {
	p := parser{C.ts_parser_new()}
	C.ts_parser_set_language(p.c, l.c)
	return p
}

func (p parser) close() { C.ts_parser_delete(p.c) }

func (p parser) parse(source []byte) *C.TSTree {
	defer runtime.KeepAlive(source)
	return C.ts_parser_parse_string(p.c, nil, chars(source), C.uint32_t(len(source)))
}

// chars gives the bytes of text to C for the time of one call.
func chars(text []byte) *C.char {
	if len(text) == 0 {
		text = []byte{0}
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(text)))
}
