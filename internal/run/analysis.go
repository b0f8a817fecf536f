package run

import (
	"bytes"
	"time"

	"whittle/parse"
)

// A Analysis says how a file was read.
type Analysis struct {
	Same       bool // the untouched tree is the file, byte for byte
	Errors     int  // syntax errors
	Weight     int  // tokens
	Code       int  // tokens that are no comments
	Depth      int  // of the tree without comments
	Quantified int  // nodes that may be left out or repeated
	Elapsed    time.Duration
}

// Analyse reads a file.
func Analyse(l parse.Language, file []byte) (Analysis, error) {
	began := time.Now()
	tree, err := l.Parse(file)
	if err != nil {
		return Analysis{}, err
	}
	r := Analysis{Errors: tree.Errors, Elapsed: time.Since(began)}
	whole := parse.Whole(tree)
	r.Same = bytes.Equal(whole.Render(), file)
	r.Weight = whole.Weight()
	r.measure(tree)
	return r, nil
}

// measure looks at the nodes of a tree that are no comments.
func (r *Analysis) measure(t *parse.Tree) {
	depths := make([]int, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Parent >= 0 {
			depths[i] = depths[n.Parent] + 1
		}
		if n.Comment {
			continue
		}
		r.Depth = max(r.Depth, depths[i]+1)
		if t.IsLeaf(int32(i)) {
			r.Code += int(n.Last - n.First)
		}
		if n.Slot.Droppable() {
			r.Quantified++
		}
	}
}
