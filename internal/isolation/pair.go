package isolation

import (
	"context"

	"whittle"
	"whittle/internal/pair"
	"whittle/oracle"
)

// A Pair has two files reduced together.
type Pair struct {
	Good, Bad     []byte
	Before, After int
	Tested        int // pairs
}

// ReducePair reduces two files while only bad has the property, along the trees of bad and good in
// turn, until a fixpoint. o has the language and properties of one file, without input and journal.
// With an error it returns the pair so far.
func ReducePair(ctx context.Context, good, bad []byte, o whittle.Options) (Pair, error) {
	p := Pair{Good: good, Bad: bad}
	both := [2]*[]byte{&p.Good, &p.Bad}
	if o.Confirm == nil {
		o.Confirm = o.Property
	}
	properties := [2]oracle.Property{pair.Not(o.Property), o.Property}
	confirm := [2]oracle.Property{pair.Not(o.Confirm), o.Confirm}
	language, observe := o.Language, o.Observe
	o.KeepNames = true // so readers can compare with the originals
	for lead, turn := 1, 0; ; lead, turn = 1-lead, turn+1 {
		size := len(p.Good) + len(p.Bad)
		l, err := pair.New(*both[1-lead], *both[lead], language)
		if err != nil {
			return p, err
		}
		o.Input, o.Language = l.Text(), l
		o.Property, o.Confirm = l.Apart(properties[lead]), l.Apart(confirm[lead])
		length := len(*both[lead]) // without the marks of the pair
		o.Observe = func(e whittle.Event) error {
			switch e := e.(type) {
			case whittle.Improved:
				_, file, err := l.Split(e.File)
				length = len(file)
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
		*both[1-lead], *both[lead], _ = l.Split(r.File) // cannot fail on a pair
		if err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil || turn > 0 && len(p.Good)+len(p.Bad) >= size {
			return p, err
		}
	}
}
