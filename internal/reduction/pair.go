package reduction

import (
	"context"

	"whittle"
	"whittle/internal/pair"
	"whittle/oracle"
)

// A Pair is what two files have come to that were reduced together.
type Pair struct {
	Good, Bad     []byte
	Before, After int // tokens of Bad
	Tested        int // pairs
}

// ReducePair reduces two files while the property holds of bad and does not of good,
// along the tree of bad, then along that of good, and so on as long as they become
// shorter. The language and the properties of o are those of a single file; it has no
// input and no journal. With an error the result is what they came to.
func ReducePair(ctx context.Context, good, bad []byte, o whittle.Options) (Pair, error) {
	p := Pair{Good: good, Bad: bad}
	both := [2]*[]byte{&p.Good, &p.Bad}
	if o.Confirm == nil {
		o.Confirm = o.Property
	}
	properties := [2]oracle.Property{pair.Not(o.Property), o.Property}
	confirm := [2]oracle.Property{pair.Not(o.Confirm), o.Confirm}
	language, observe := o.Language, o.Observe
	o.KeepNames = true // a reader compares the two with what they were
	for lead, turn := 1, 0; ; lead, turn = 1-lead, turn+1 {
		size := len(p.Good) + len(p.Bad)
		l, err := pair.New(*both[1-lead], *both[lead], language)
		if err != nil {
			return p, err
		}
		o.Input, o.Language = l.Text(), l
		o.Property, o.Confirm = l.Apart(properties[lead]), l.Apart(confirm[lead])
		length := len(*both[lead]) // of the best, without its marks
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
		*both[1-lead], *both[lead], _ = l.Split(r.File) // which is a pair, as the input is
		if err == nil && ctx.Err() != nil {
			err = ctx.Err() // the time was over
		}
		if err != nil || turn > 0 && len(p.Good)+len(p.Bad) >= size {
			return p, err
		}
	}
}
