package main

import (
	"math"

	"whittle/algo"
	"whittle/oracle"
)

// held is an output that holds the best file of an earlier run already. It is
// not replaced by a longer one while that run is repeated from its journal.
type held struct {
	output
	size int    // of what is there
	next []byte // the best of this run, if that is longer
}

// hold finds out whether an output holds a file that the journal knows to be
// interesting.
func hold(out output, j *oracle.Journal) *held {
	h := &held{output: out, size: math.MaxInt}
	if !j.Resumed() {
		return h
	}
	file := out.takeUp()
	if outcome, known := j.Recall(file); known && outcome == algo.Interesting && file != nil {
		h.size = len(file)
	}
	return h
}

func (h *held) write(file []byte) error {
	if len(file) > h.size {
		h.next = file
		return nil
	}
	return h.replace(file)
}

// replace lets a file take the place of what is there, however long.
func (h *held) replace(file []byte) error {
	h.letGo()
	return h.output.write(file)
}

// letGo makes what is there no better than any other.
func (h *held) letGo() { h.next, h.size = nil, math.MaxInt }
