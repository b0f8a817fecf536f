package diagnose

import (
	"bytes"
	"time"

	"whittle/parse"
)

// An Analysis describes how a file was parsed.
type Analysis struct {
	Same       bool // the unchanged tree renders to the bytes of the file
	Errors     int  // syntax errors
	Weight     int  // tokens
	Code       int  // tokens outside of comments
	Depth      int  // of the tree without comments
	Quantified int  // optional or repeated nodes
	Elapsed    time.Duration
}

// Analyse parses a file.
func Analyse(l parse.Language, file []byte) (Analysis, error) {
	began := time.Now()
	t, err := l.Parse(file)
	if err != nil {
		return Analysis{}, err
	}
	a := Analysis{Errors: t.Errors, Elapsed: time.Since(began)}
	whole := parse.Whole(t)
	a.Same = bytes.Equal(whole.Render(), file)
	a.Weight = whole.Weight()
	depths := make([]int, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Parent >= 0 {
			depths[i] = depths[n.Parent] + 1
		}
		if n.Comment {
			continue
		}
		a.Depth = max(a.Depth, depths[i]+1)
		if t.IsLeaf(int32(i)) {
			a.Code += int(n.Last - n.First)
		}
		if n.Slot.Droppable() {
			a.Quantified++
		}
	}
	return a, nil
}
