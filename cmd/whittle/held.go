package main

import (
	"bytes"
	"context"
	"time"

	"whittle/algo"
	"whittle/oracle"
	"whittle/search/journal"
)

// held is an output that holds the best file of an earlier run already. It is not
// replaced until this run has come further.
type held struct {
	output
	journal *journal.Journal
	first   []byte // what was there at the start, if it was known
	there   []byte // what is to be there now
	best    []byte // of the earlier run; nil once it is overtaken, or if there is none
	strange bool   // best is of another reduction, or somebody has made it
	next    []byte // the best of this run, before it has overtaken
	doubt   []byte // what is there and may be the best of an earlier run: it is smaller than the input
}

// hold finds out what an output holds.
func hold(out output, j *journal.Journal, input []byte) *held {
	h := &held{output: out, journal: j}
	file := out.takeUp()
	switch outcome, known := j.Outcome(file); {
	case file == nil || bytes.Equal(file, input):
	case known && outcome == algo.Interesting:
		h.first, h.best, h.there = file, file, file
	case !known && len(file) < len(input):
		h.doubt = file
	}
	return h
}

// judge tests what is there if nothing is known of it, for the given time at most,
// if that is not 0. The outcome is no part of the reduction, nor of its journal.
func (h *held) judge(ctx context.Context, test oracle.Property, most time.Duration) error {
	if h.doubt == nil {
		return nil
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if most > 0 {
		limited, cancel = context.WithTimeout(ctx, most)
	}
	defer cancel()
	outcome, err := test(limited, h.doubt)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		outcome, err = algo.Unresolved, nil
	}
	if outcome == algo.Interesting && err == nil {
		h.best, h.there, h.strange = h.doubt, h.doubt, true
	}
	h.doubt = nil
	return err
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

// replace lets a file take the place of what is there, whatever that is. A best
// file that was better is kept.
func (h *held) replace(file []byte) error {
	if h.best != nil && len(h.best) < len(file) {
		h.disown()
	}
	h.letGo()
	h.there = file
	return h.output.write(file)
}

// end is the end that a reduction was to come to: its best file takes the place of
// what is there, which stays only if a limit was reached on the way to it.
func (h *held) end(complete bool) error {
	if h.next == nil || !complete && !h.strange {
		return nil
	}
	return h.replace(h.next)
}

// letGo makes what is there no better than any other.
func (h *held) letGo() { h.best, h.next, h.there = nil, nil, nil }

// finish sees to it that what is to be there is.
func (h *held) finish(ctx, hurry context.Context) error {
	if h.there != nil {
		if err := h.output.write(h.there); err != nil {
			return err
		}
	}
	return h.output.finish(ctx, hurry)
}
