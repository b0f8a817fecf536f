package output

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"whittle/algo"
	"whittle/internal/journal"
	"whittle/oracle"
	"whittle/parse"
	"whittle/parse/archive"
)

// A Guard protects the result of an earlier run, with or without a journal: only better files replace
// it. Content of unknown origin is tested first.
type Guard struct {
	out     *Output
	journal *journal.Journal
	unknown []string       // paths with content of unknown origin
	first   []byte         // at the start, if the journal knows it
	there   []byte         // expected content of the output
	best    []byte         // of the earlier run; nil after it was overtaken
	tokens  int            // of best; 0 if not counted
	strange bool           // best was of unknown origin
	next    *parse.Measure // of this run, before it is better than best
	doubt   []byte         // possible earlier result, not larger than the input
	holds   bool

	weigh func(file []byte) (tokens int)
}

// Guard looks up a claimed output in the journal, and records all writes there. In place, content or
// original of another reduction is an error. With fresh, no earlier run is continued. weigh counts
// the tokens of a file.
func (o *Output) Guard(j *journal.Journal, fresh bool, weigh func(file []byte) int) (*Guard, error) {
	g := &Guard{out: o, journal: j, weigh: weigh}
	file := o.takeUp()
	outcome, known := j.Outcome(file)
	interesting := known && outcome == algo.Interesting
	switch {
	case file == nil || bytes.Equal(file, o.in.Bytes):
	case interesting:
		g.first, g.best, g.there = file, file, file
	case !known && (len(file) < len(o.in.Bytes) || nonSpace(file) <= nonSpace(o.in.Bytes)):
		g.doubt = file
	}
	for _, p := range o.places {
		p.puts = func(s digest) {
			j.Own(s.hash[:])
			if o.in.inPlace { // first, so the user's work never passes for whittle's
				j.Sync()
			}
		}
	}
	return g, cmp.Or(g.recognise(file, interesting), g.goesOn(fresh))
}

func (o *Output) limit() int64 { return 2*int64(len(o.in.Bytes)) + 1<<20 }

func (o *Output) takeUp() []byte {
	return o.in.gather(func(e archive.Entry) (content []byte, there bool) {
		for _, p := range o.places {
			name := p.below(e)
			if name == "" {
				continue
			}
			path := filepath.Join(p.path, filepath.FromSlash(name))
			info, err := os.Lstat(path)
			if err == nil && info.Mode().IsRegular() {
				content, err = readAtMost(path, o.limit())
			}
			return content, err == nil && info.Mode().Type() == e.Mode.Type()
		}
		return nil, false
	})
}

// recognise marks content as whittle's if it is the input in place, in the journal, or the
// interesting file.
func (g *Guard) recognise(file []byte, interesting bool) error {
	in := g.out.in
	input, err := in.entries(in.Bytes)
	if err != nil {
		return err
	}
	var versions [][]archive.Entry
	if in.inPlace {
		versions = append(versions, input)
	}
	if interesting {
		entries, err := in.entries(file)
		if err != nil {
			return err
		}
		versions = append(versions, entries)
	}
	for _, p := range g.out.places {
		if in.inPlace && !p.kept { // the input was read from it
			p.ours = p.sum(input)
			continue
		}
		if p.kept {
			p.model = BackUpPath(p.path)
		}
		there := p.present(g.out.limit())
		isVersion := func(entries []archive.Entry) bool { return there == p.sum(entries) }
		if g.journal.Owns(there.hash[:]) || slices.ContainsFunc(versions, isVersion) {
			p.ours = there
		} else if there != (digest{}) {
			g.unknown = append(g.unknown, p.path)
		}
	}
	return nil
}

// goesOn returns an error if the files in place belong to another reduction.
func (g *Guard) goesOn(fresh bool) error {
	in, j := g.out.in, g.journal
	if len(in.kept) == 0 {
		return nil
	}
	path, original := in.kept[0], BackUpPath(in.kept[0])
	switch {
	case j.Foreign != "" && !j.Damaged():
		return fmt.Errorf("%s exists already and may be the only copy of an earlier input, and the journal %s is of %s; "+
			"to go on, call whittle as before; to reduce %s as it is now, move %[1]s away",
			original, j.Path, j.Foreign, path)
	case j.Resumed && !j.Damaged() && !fresh && len(g.unknown) > 0:
		return changed(g.unknown[0])
	}
	return nil
}

// Judge tests content of unknown origin, for at most the given time if not 0, without the journal.
// Interesting content is protected as an earlier result; in place the first write moves it aside.
func (g *Guard) Judge(ctx context.Context, test oracle.Property, most time.Duration) error {
	if g.doubt != nil {
		limited, cancel := context.WithTimeout(ctx, cmp.Or(most, math.MaxInt64))
		defer cancel()
		outcome, err := test(limited, g.doubt)
		if tooSlow := limited.Err() != nil && ctx.Err() == nil; err != nil && !tooSlow {
			return err
		}
		if outcome == algo.Interesting && err == nil {
			g.best, g.there, g.strange = g.doubt, g.doubt, true
		}
	}
	if g.out.in.inPlace && len(g.unknown) > 0 {
		if g.best == nil {
			return changed(g.unknown[0])
		}
		g.LetGo()
	}
	return nil
}

// Write replaces the content, unless the earlier run has a better file. Then the file must be the
// same, or better, new and shorter: files may become worse from step to step, and parse again to
// more tokens. Others are held back until End.
func (g *Guard) Write(m parse.Measure) error {
	if g.best != nil && !bytes.Equal(m.File, g.best) &&
		(len(m.File) >= len(g.best) || !m.Less(g.measure()) || g.journal.Earlier(m.File) ||
			g.strange && nonSpace(m.File) >= nonSpace(g.best)) { // layout passes may lengthen it
		g.next = &m
		return nil
	}
	return g.replace(m)
}

// Start writes the input, unless there is an earlier result.
func (g *Guard) Start(input []byte) error {
	if g.best != nil && !bytes.Equal(input, g.best) {
		g.next, g.holds = &parse.Measure{Tokens: g.weigh(input), File: input}, true
		return nil
	}
	return g.replace(parse.Measure{File: input})
}

func nonSpace(file []byte) (n int) {
	for field := range bytes.FieldsSeq(file) {
		n += len(field)
	}
	return n
}

func (g *Guard) measure() parse.Measure {
	if g.tokens == 0 {
		g.tokens = g.weigh(g.best)
	}
	return parse.Measure{Tokens: g.tokens, File: g.best}
}

// replace replaces the content. A better earlier file is moved aside.
func (g *Guard) replace(m parse.Measure) error {
	if g.best != nil && g.measure().Less(m) {
		for _, p := range g.out.places {
			p.ours = digest{}
		}
	}
	g.LetGo()
	g.there = m.File
	err := g.out.Write(m.File)
	g.holds = err == nil
	return err
}

// End writes the file held back, unless a limit ended the run.
func (g *Guard) End(complete bool) error {
	if g.next == nil || !complete {
		return nil
	}
	return g.replace(*g.next)
}

// LetGo stops protecting the earlier result.
func (g *Guard) LetGo() { g.best, g.next, g.there = nil, nil, nil }

// Finish writes and syncs the best file; see [Output.Finish].
func (g *Guard) Finish(ctx context.Context) error {
	if !g.holds {
		return nil
	}
	err := error(nil)
	if g.there != nil {
		err = g.out.Write(g.there)
	}
	if err == nil {
		err = g.out.Finish(ctx)
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
