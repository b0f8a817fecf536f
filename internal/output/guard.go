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

// A Guard protects the result of an earlier run while that is repeated, with or without a
// journal. Only better files replace it. Content of unknown origin is tested first.
type Guard struct {
	out     *Output
	journal *journal.Journal
	unknown []string // paths with content of unknown origin
	first   []byte   // at the start, if the journal knows it
	there   []byte   // expected content of the output
	best    []byte   // of the earlier run; nil after it was overtaken
	tokens  int      // of best; 0 if not counted
	strange bool
	next    *parse.Measure // of this run, before it is better than best
	doubt   []byte         // possible earlier result, not larger than the input
	holds   bool

	weigh func(file []byte) (tokens int)
}

// Guard looks up a claimed output in the journal, and records all writes there. In place, the
// error says that content or original belongs to another reduction. With fresh, no earlier run is
// continued. weigh counts the tokens of a file.
func (o *Output) Guard(j *journal.Journal, fresh bool, weigh func(file []byte) int) (*Guard, error) {
	o.puts = func(s digest) {
		j.Own(s.Bytes())
		if o.in.inPlace { // first, so the user's work never passes for whittle's
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
	case !known && (len(file) < len(o.in.Bytes) || nonSpace(file) <= nonSpace(o.in.Bytes)):
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

// goesOn returns an error if the files in place belong to another reduction.
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

// Judge tests content of unknown origin, for at most the given time if not 0. The journal does
// not get the outcome. Interesting content is protected as a possible earlier result, or in
// place, without its journal, moved aside.
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

// BackUp keeps the originals in place. It needs a synced journal.
func (g *Guard) BackUp() error {
	if p, onDisk := g.out.to.(*places); onDisk && g.out.in.inPlace {
		return p.backUp()
	}
	return nil
}

// Write replaces the content, unless the earlier run has a better file. Then the file must be the
// same, or better, new and shorter: files may become worse from step to step, and parse again to
// more tokens. End writes files that were held back.
func (g *Guard) Write(m parse.Measure) error {
	err := g.write(m)
	g.holds = err == nil
	return err
}

// Start writes the input, unless there is an earlier result.
func (g *Guard) Start(input []byte) (err error) {
	if g.best != nil && !bytes.Equal(input, g.best) {
		g.next = &parse.Measure{Tokens: g.weigh(input), File: input}
	} else {
		err = g.replace(parse.Measure{File: input})
	}
	g.holds = err == nil
	return err
}

func (g *Guard) write(m parse.Measure) error {
	if g.best != nil && !bytes.Equal(m.File, g.best) &&
		(len(m.File) >= len(g.best) || !m.Less(g.measure()) || g.journal.Earlier(m.File) ||
			g.strange && nonSpace(m.File) >= nonSpace(g.best)) { // layout passes may lengthen it
		g.next = &m
		return nil
	}
	return g.replace(m)
}

// nonSpace counts bytes that are not white space.
func nonSpace(file []byte) (n int) {
	for field := range bytes.FieldsSeq(file) {
		n += len(field)
	}
	return n
}

// measure returns the measure of the earlier best file.
func (g *Guard) measure() parse.Measure {
	if g.tokens == 0 {
		g.tokens = g.weigh(g.best)
	}
	return parse.Measure{Tokens: g.tokens, File: g.best}
}

// replace replaces the content. A better earlier file is moved aside.
func (g *Guard) replace(m parse.Measure) error {
	if g.best != nil && g.measure().Less(m) {
		g.out.to.disown()
	}
	g.LetGo()
	g.there = m.File
	return g.out.Write(m.File)
}

// End writes the file held back, unless a limit ended the run.
func (g *Guard) End(complete bool) error {
	if g.next == nil || !complete && !g.strange {
		return nil
	}
	return g.replace(*g.next)
}

// LetGo stops protecting the earlier result.
func (g *Guard) LetGo() { g.best, g.next, g.there = nil, nil, nil }

// Finish writes and syncs the best file; see [Output.Finish].
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

// Holds reports whether the output has the best file of all runs.
func (g *Guard) Holds() bool { return g.holds }

// Ahead reports whether the output has a better file of an earlier run.
func (g *Guard) Ahead() bool { return g.next != nil }

// Held reports whether the output had the file at the start.
func (g *Guard) Held(file []byte) bool { return g.first != nil && bytes.Equal(g.first, file) }
