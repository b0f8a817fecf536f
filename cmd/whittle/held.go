package main

import (
	"bytes"

	"whittle/algo"
	"whittle/oracle"
)

// held is an output that holds the best file of an earlier run already. While
// that run is repeated from its journal it is not replaced.
type held struct {
	output
	journal *oracle.Journal
	best    []byte // of the earlier run; nil once it is overtaken, or if there is none
	next    []byte // the best of this run, before it has overtaken
}

// hold finds out whether an output holds a file that the journal knows to be
// interesting.
func hold(out output, j *oracle.Journal) *held {
	h := &held{output: out, journal: j}
	if !j.Resumed() {
		return h
	}
	file := out.takeUp()
	if outcome, known := j.Recall(file); known && outcome == algo.Interesting {
		h.best = file
	}
	return h
}

// write lets a file take the place of what is there if the earlier run has come
// no further: it is the same, or a shorter one that is new. Files may also grow
// from one to the next, so the length alone does not tell.
func (h *held) write(file []byte) error {
	if h.best != nil && !bytes.Equal(file, h.best) && (len(file) >= len(h.best) || h.journal.Earlier(file)) {
		h.next = file
		return nil
	}
	return h.replace(file)
}

// replace lets a file take the place of what is there, whatever that is.
func (h *held) replace(file []byte) error {
	h.letGo()
	return h.output.write(file)
}

// letGo makes what is there no better than any other.
func (h *held) letGo() { h.best, h.next = nil, nil }
