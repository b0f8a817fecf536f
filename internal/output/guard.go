package output

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"whittle/algo"
	"whittle/internal/journal"
	"whittle/oracle"
	"whittle/parse"
)

// A Guard stands before the output of a run that repeats an earlier one, from a
// journal or anew. The best file of the earlier run is not replaced until this run
// has come further; what is in the output and is not known to be ours is tested
// before it is decided what becomes of it.
type Guard struct {
	out     *Output
	journal *journal.Journal
	unknown []string       // paths in the output of what is not known to be ours
	first   []byte         // what was there at the start, if it was known
	there   []byte         // what is to be there now
	best    []byte         // of the earlier run; nil once it is overtaken, or if there is none
	tokens  int            // of best, once that was asked for
	strange bool           // best is of another reduction, or somebody has made it
	next    *parse.Measure // the best of this run, before it has overtaken
	doubt   []byte         // what is there and may be the best of an earlier run: it is no more than the input
	holds   bool           // the output has the best file

	weigh func(file []byte) (tokens int)
}

// Guard finds out what a claimed output holds, as far as the journal knows that, and
// from then on tells the journal what is put there. In place the error says that what
// is there, or the original that was kept, is of another reduction; with fresh an
// earlier run is not gone on with. weigh returns the number of tokens of a file.
func (o *Output) Guard(j *journal.Journal, fresh bool, weigh func(file []byte) int) (*Guard, error) {
	o.puts = func(s digest) {
		j.Own(s.Bytes())
		if o.in.inPlace { // on the disk first, so that nobody's work can be taken for ours, nor ours for another's
			j.Sync()
		}
	}
	g := &Guard{out: o, journal: j, weigh: weigh}
	file := o.to.takeUp()
	outcome, known := j.Outcome(file)
	interesting := known && outcome == algo.Interesting
	switch {
	case file == nil || bytes.Equal(file, o.in.Bytes):
	case interesting:
		g.first, g.best, g.there = file, file, file
	case !known && (len(file) < len(o.in.Bytes) || dark(file) <= dark(o.in.Bytes)):
		g.doubt = file
	}
	if p, onDisk := o.to.(*places); onDisk {
		var err error
		if g.unknown, err = p.recognise(j, file, interesting); err != nil {
			return nil, err
		}
	}
	return g, g.goesOn(fresh)
}

// goesOn finds out whether what an earlier run left in place is of this reduction, as
// far as the journal can tell.
func (g *Guard) goesOn(fresh bool) error {
	in, j := g.out.in, g.journal
	if len(in.kept) == 0 {
		return nil
	}
	path, original := in.kept[0], BackUpPath(in.kept[0])
	switch {
	case j.Foreign() != "" && !j.Damaged():
		return fmt.Errorf("%s exists already and may be the only copy of an earlier input, and the journal %s is of %s; "+
			"to go on, call whittle as before; to reduce %s as it is now, move %[1]s away",
			original, j.Path(), j.Foreign(), path)
	case j.Resumed() && !j.Damaged() && !fresh && len(g.unknown) > 0:
		return changed(g.unknown[0])
	}
	return nil
}

// Judge decides what becomes of what is in the output and is not known to be ours: it
// is tested, for the given time at most if that is not 0. The outcome is no part of
// the reduction, nor of its journal. If it is interesting it may be the result of an
// earlier run, and is held. In place it is no more than kept: the journal that would
// have known it is lost.
func (g *Guard) Judge(ctx context.Context, test oracle.Property, most time.Duration) error {
	if err := g.judge(ctx, test, most); err != nil {
		return err
	}
	switch p, _ := g.out.to.(*places); {
	case !g.out.in.inPlace || len(g.unknown) == 0:
		return nil
	case g.best == nil:
		return changed(g.unknown[0])
	default:
		g.LetGo()
		return p.clear()
	}
}

func (g *Guard) judge(ctx context.Context, test oracle.Property, most time.Duration) error {
	if g.doubt == nil {
		return nil
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if most > 0 {
		limited, cancel = context.WithTimeout(ctx, most)
	}
	defer cancel()
	outcome, err := test(limited, g.doubt)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		outcome, err = algo.Unresolved, nil
	}
	if outcome == algo.Interesting && err == nil {
		g.best, g.there, g.strange = g.doubt, g.doubt, true
	}
	g.doubt = nil
	return err
}

// BackUp keeps the input if it is to be replaced, in one step. The journal must be
// on the disk.
func (g *Guard) BackUp() error {
	if p, onDisk := g.out.to.(*places); onDisk && g.out.in.inPlace {
		return p.backUp()
	}
	return nil
}

// Write lets a file take the place of what is there if the earlier run has come
// no further: it is the same, or a better one that is new, and shorter. Files may
// also become worse from one to the next, and what there is may weigh more as it is
// read than it did on the way, so the measure alone does not say. What is held back so
// comes at the end.
func (g *Guard) Write(m parse.Measure) error {
	err := g.write(m)
	g.holds = err == nil
	return err
}

func (g *Guard) write(m parse.Measure) error {
	if g.best != nil && !bytes.Equal(m.File, g.best) &&
		(len(m.File) >= len(g.best) || !m.Less(g.measure()) || g.journal.Earlier(m.File) ||
			g.strange && dark(m.File) >= dark(g.best)) { // whose layout came last, and may have made it longer
		g.next = &m
		return nil
	}
	return g.replace(m)
}

// dark counts the bytes that are not white space.
func dark(file []byte) (n int) {
	for field := range bytes.FieldsSeq(file) {
		n += len(field)
	}
	return n
}

// measure returns the measure of the best file of the earlier run.
func (g *Guard) measure() parse.Measure {
	if g.tokens == 0 {
		g.tokens = g.weigh(g.best)
	}
	return parse.Measure{Tokens: g.tokens, File: g.best}
}

// replace lets a file take the place of what is there, whatever that is. A best
// file that was better is kept.
func (g *Guard) replace(m parse.Measure) error {
	if g.best != nil && g.measure().Less(m) {
		g.out.to.disown()
	}
	g.LetGo()
	g.there = m.File
	return g.out.Write(m.File)
}

// End is the end that a reduction was to come to: its best file takes the place of
// what is there, which stays only if a limit was reached on the way to it.
func (g *Guard) End(complete bool) error {
	if g.next == nil || !complete && !g.strange {
		return nil
	}
	return g.replace(*g.next)
}

// LetGo makes what is there no better than any other.
func (g *Guard) LetGo() { g.best, g.next, g.there = nil, nil, nil }

// Finish sees to it that what is to be there is, and stays. Once ctx is done it does
// not wait long for others, once hurry is done it does not wait at all.
func (g *Guard) Finish(ctx, hurry context.Context) error {
	if !g.holds {
		return nil
	}
	err := error(nil)
	if g.there != nil {
		err = g.out.Write(g.there)
	}
	if err == nil {
		err = g.out.Finish(ctx, hurry)
	}
	g.holds = err == nil
	return err
}

// Holds reports whether the output has the best file, of this run or an earlier one.
func (g *Guard) Holds() bool { return g.holds }

// Ahead reports whether an earlier run has come further, and the output has its best
// file.
func (g *Guard) Ahead() bool { return g.next != nil }

// Held reports whether the output had the file already when the run began.
func (g *Guard) Held(file []byte) bool { return g.first != nil && bytes.Equal(g.first, file) }
