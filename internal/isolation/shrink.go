package isolation

import (
	"context"
	"errors"

	"whittle"
	"whittle/algo"
	"whittle/isolate"
	"whittle/oracle"
)

// Shrink reduces the two files together while the test distinguishes them. The result gets them
// even with an error.
func (r *Run) Shrink(ctx context.Context, found *isolate.Result, observe whittle.Observer,
) (Shrunk, error) {
	property, confirm := r.Journal.Cached(r.newer(r.Ask)), r.newer(r.Once().Ask) // many pairs share files
	if r.Chain.Flaky() != nil {
		property, confirm = r.newer(r.Ask), r.newer(r.confirm)
	}
	p, err := reducePair(ctx, found.Good, found.Bad, whittle.Options{
		Language: r.Pair.Input.Language.Language, Jobs: r.Jobs, Observe: observe,
		Property: property, Confirm: confirm,
	})
	if p.Before > 0 {
		found.Good, found.Bad = p.Good, p.Bad
	}
	found.Complete = found.Complete && err == nil
	if errors.Is(err, whittle.ErrUninteresting) {
		err = &isolate.FlakyError{Before: algo.Interesting, Now: algo.Uninteresting}
	}
	return p, err
}

// A Shrunk is two files reduced together.
type Shrunk struct {
	Good, Bad     []byte
	Before, After int
	Tested        int // pairs
}

// reducePair reduces two files while only bad has the property, along the trees of bad and good in
// turn, until a fixpoint. o has the language and both properties of one file, without input and journal.
// With an error it returns the pair so far.
func reducePair(ctx context.Context, good, bad []byte, o whittle.Options) (Shrunk, error) {
	p := Shrunk{Good: good, Bad: bad}
	both := [2]*[]byte{&p.Good, &p.Bad}
	properties := [2]oracle.Property{not(o.Property), o.Property}
	confirm := [2]oracle.Property{not(o.Confirm), o.Confirm}
	language, observe := o.Language, o.Observe
	o.KeepNames = true // so readers can compare with the originals
	for lead, turn := 1, 0; ; lead, turn = 1-lead, turn+1 {
		size := len(p.Good) + len(p.Bad)
		l, err := newPair(*both[1-lead], *both[lead], language)
		if err != nil {
			return p, err
		}
		o.Input, o.Language = l.text, l
		o.Property, o.Confirm = l.Apart(properties[lead]), l.Apart(confirm[lead])
		length := len(*both[lead]) // without the marks of the pair
		o.Observe = func(e whittle.Event) error {
			switch e := e.(type) {
			case whittle.Improved:
				v, err := l.split(e.File)
				length = len(v.bad)
				return err
			case whittle.Decision:
				e.BestBytes = length
				return observe(e)
			}
			return nil
		}
		r, err := whittle.Reduce(ctx, o)
		if turn == 0 {
			p.Before = r.TokensAtAll
		}
		if lead == 1 {
			p.After = r.Tokens
		}
		p.Tested += r.Tests
		v, _ := l.split(r.File) // cannot fail on a pair
		*both[1-lead], *both[lead] = v.good, v.bad
		if err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil || turn > 0 && len(p.Good)+len(p.Bad) >= size {
			return p, err
		}
	}
}
