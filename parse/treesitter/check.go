package treesitter

// #include "runtime.h"
import "C"

import (
	"bytes"
	"runtime"
	"sort"
	"unsafe"

	"whittle/parse"
)

// keptBases is the number of parsed bases a checker keeps: the best so far, and
// those of a run that looks ahead.
const keptBases = 3

// checker counts syntax errors by incremental parsing: what a candidate shares
// with its base is not parsed again. A base itself is always parsed in full, so
// that counts depend on the two texts only and not on how a run got there.
type checker struct {
	parser parser
	bases  []*base // the last used first
}

// base is a parsed text.
type base struct {
	text  *parse.Text
	tree  *C.TSTree
	lines []int // where each line begins
}

// Checker gives a judge of candidates. Close it.
func (l *Language) Checker() parse.Checker { return &checker{parser: newParser(l)} }

// Close frees the parser and the trees.
func (c *checker) Close() {
	for _, b := range c.bases {
		C.ts_tree_delete(b.tree)
	}
	c.parser.close()
	c.bases = nil
}

// Errors counts the ERROR and MISSING nodes of text.
func (c *checker) Errors(from, text *parse.Text) int {
	base := c.base(from)
	spans, at := parse.Edits(base.text, text)
	edits := make([]C.TSInputEdit, len(spans))
	for i, e := range spans {
		edits[len(edits)-1-i] = base.edit(e, text.Bytes[at[i]:at[i]+e.New]) // last first
	}
	tree := C.whittle_reparse(c.parser.c, base.tree, unsafe.SliceData(edits), C.uint32_t(len(edits)), chars(text.Bytes), C.uint32_t(len(text.Bytes)))
	runtime.KeepAlive(text)
	defer C.ts_tree_delete(tree)
	return int(C.whittle_errors(tree))
}

// base gives text with its tree.
func (c *checker) base(text *parse.Text) *base {
	for i, b := range c.bases {
		if b.text == text {
			copy(c.bases[1:i+1], c.bases[:i])
			c.bases[0] = b
			return b
		}
	}
	if len(c.bases) == keptBases {
		C.ts_tree_delete(c.bases[keptBases-1].tree)
		c.bases = c.bases[:keptBases-1]
	}
	b := &base{text: text, tree: c.parser.parse(text.Bytes), lines: []int{0}}
	for i := 0; ; {
		k := bytes.IndexByte(text.Bytes[i:], '\n')
		if k < 0 {
			break
		}
		i += k + 1
		b.lines = append(b.lines, i)
	}
	c.bases = append([]*base{b}, c.bases...)
	return b
}

// edit puts e into tree-sitter's terms; inserted is its new text.
func (b *base) edit(e parse.Edit, inserted []byte) C.TSInputEdit {
	start := b.point(e.Start)
	end := start
	if rows := bytes.Count(inserted, []byte{'\n'}); rows > 0 {
		end.row += C.uint32_t(rows)
		end.column = C.uint32_t(len(inserted) - 1 - bytes.LastIndexByte(inserted, '\n'))
	} else {
		end.column += C.uint32_t(len(inserted))
	}
	return C.TSInputEdit{
		start_byte: C.uint32_t(e.Start), old_end_byte: C.uint32_t(e.OldEnd), new_end_byte: C.uint32_t(e.Start + e.New),
		start_point: start, old_end_point: b.point(e.OldEnd), new_end_point: end,
	}
}

// point gives row and column of a byte.
func (b *base) point(offset int) C.TSPoint {
	row := sort.SearchInts(b.lines, offset+1) - 1
	return C.TSPoint{row: C.uint32_t(row), column: C.uint32_t(offset - b.lines[row])}
}
