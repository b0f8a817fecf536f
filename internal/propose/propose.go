// Package propose asks programs for candidates. A program gets the best file. Its proposals are tested like candidates
// of other passes, when these are at their end.
package propose

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"whittle/algo"
	"whittle/internal/journal"
	"whittle/internal/process"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// JSON begins a command that speaks the protocol of Shrink Ray's external reducers, see [lines]. Other commands are
// filters.
const JSON = "json:"

// Config is the request of the user.
type Config struct {
	Commands []string
	Share    float64 // of all other tests, for proposals without a success
}

// Options are the circumstances of a run.
type Options struct {
	Config
	Name    string // of the file
	Work    string // directory for files
	Reaper  *process.Reaper
	Launch  process.Launch
	Timeout time.Duration // of an answer; 0 means a minute
	Journal *journal.Journal
	// Within changes the file in a candidate.
	Within func(candidate []byte, change func(file []byte) ([]byte, error)) ([]byte, error)
	Warn   func(string)
	// Edited returns the output if others have changed it, or nil; Output is its path.
	Edited func() []byte
	Output string
}

// Passes returns a pass for the edited output, and a pass for each command. Until it succeeds, the pass of a command
// asks at most its part of a share of all tests, but at least one.
func Passes(ctx context.Context, o Options) []pass.Pass {
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	passes := []pass.Pass{edits(o)}
	for _, command := range o.Commands {
		p := &proposer{Options: o, ctx: ctx}
		p.command, p.lines = strings.CutPrefix(command, JSON)
		p.kind = "propose " + command
		p.key = oracle.KeyOf([]byte(p.kind + programs(p.command)))
		passes = append(passes, pass.Pass{Name: p.kind, When: pass.Fixpoint, Late: true, Search: p.search})
	}
	return passes
}

// programs returns the contents of the files that a command names, as a script of the user.
func programs(command string) (contents string) {
	for word := range strings.FieldsSeq(command) {
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			text, _ := os.ReadFile(word)
			contents += "\n" + string(text)
		}
	}
	return contents
}

// A proposer is a command.
type proposer struct {
	Options
	ctx     context.Context
	command string
	lines   bool
	kind    string     // of its questions
	key     oracle.Key // of the command
	won     int        // proposals that removed tokens
	failed  bool       // it is not started again
	warned  bool
}

// A search asks a program for proposals about the best file, until it has none left or they do not pay.
type search struct {
	*proposer
	plan   pass.Plan
	source source // nil until an answer is not in the journal
}

// A source has the proposals about one file.
type source interface {
	// next returns the next proposal. outcome tells whether an earlier one is interesting. The error is io.EOF after the
	// last.
	next(outcome func(proposal []byte) bool) ([]byte, error)
	stop()
}

// A state is reached by proposals about one file and their outcomes.
type state struct {
	file        []byte     // that the program gets
	key         oracle.Key // of the state in the journal
	base        *parse.Candidate
	interesting map[oracle.Key]bool // the proposals so far
	better      bool                // one of them was interesting
}

func (p *proposer) search(t *parse.Tree, _ pass.Gate, plan pass.Plan) *pass.Step {
	s := &search{proposer: p, plan: plan}
	return s.next(s.begin(parse.Whole(t)))
}

func (s *search) begin(base *parse.Candidate) state {
	s.end()
	st := state{base: base, interesting: map[oracle.Key]bool{}}
	s.Within(base.Render(), func(file []byte) ([]byte, error) {
		st.file = file
		return file, nil
	})
	st.key = keyOf(s.key[:], st.file)
	return st
}

func (s *search) end() {
	if s.source != nil {
		s.source.stop()
		s.source = nil
	}
}

func keyOf(parts ...[]byte) oracle.Key { return oracle.KeyOf(fmt.Appendf(nil, "%q", parts)) }

// Share is the usual one of a Config.
const Share = 0.05

// payoff is the number of further tests for a proposal that removed tokens. One that saves only bytes earns none: the
// last passes shorten names and literals anyway.
const payoff = 20

// pays reports whether another test of a proposal is worth it.
func (s *search) pays() bool {
	asked, _, all := s.plan.Spent(s.kind)
	part := s.Share / (1 + s.Share) / float64(len(s.Commands))
	return asked == 0 || float64(asked+1) <= part*float64(all)+payoff*float64(s.won)
}

func (s *search) next(st state) *pass.Step {
	for s.pays() {
		file := s.answer(st)
		switch c := s.candidate(st.base, file); {
		case c != nil:
			return s.ask(st, file, c)
		case len(file) == 0 && st.better:
			st = s.begin(st.base)
			continue
		}
		break
	}
	s.end()
	return nil
}

func (s *search) ask(st state, file []byte, c *parse.Candidate) *pass.Step {
	asked, accepted, _ := s.plan.Spent(s.kind)
	chance := float64(accepted+1) / float64(asked+payoff)
	return &pass.Step{
		Candidate: c, Late: true, About: about(s.kind, st.base, c), Chance: chance,
		Next: func(o algo.Outcome) *pass.Step {
			next := st
			next.key = keyOf(st.key[:], file, []byte(o.String()))
			next.interesting[oracle.KeyOf(file)] = o == algo.Interesting
			if o != algo.Interesting {
				return s.next(next)
			}
			if c.Weight() < st.base.Weight() {
				s.won++
			}
			if next.base, next.better = c, true; !s.lines { // other proposals are about a larger file
				next = s.begin(c)
			}
			return s.next(next)
		},
	}
}

func about(kind string, base, c *parse.Candidate) *algo.Question {
	key := oracle.KeyOf(c.Render())
	known := uint64(key[0])<<8 | uint64(key[1])
	return &algo.Question{
		List: &algo.List{Mode: algo.Choices, Weights: []int{base.Weight() - c.Weight()}, Whole: base.Weight(), Kind: kind,
			Kinds: []string{kind}, Known: func(int) (own, around uint64) { return known, known }},
		Left: []int{0}, Kept: []int{0},
	}
}

// answer returns the proposal that follows a state, from the journal or from the program; nil if there is none.
func (s *search) answer(st state) []byte {
	if file, known := s.Journal.Noted(st.key); known {
		return file
	}
	var file []byte
	if !s.failed {
		var err error
		if file, err = s.ofProgram(st); err != nil && err != io.EOF && s.ctx.Err() == nil {
			s.refuse(err)
		}
	}
	if s.ctx.Err() == nil {
		s.Journal.Note(st.key, file)
	}
	return file
}

// mostUseless bounds the proposals without a test between two with one.
const mostUseless = 1000

// ofProgram returns the program's first proposal that is not known and may be better than the base.
func (s *search) ofProgram(st state) ([]byte, error) {
	if s.source == nil {
		var err error
		if s.source, err = s.start(st.file); err != nil {
			return nil, err
		}
	}
	for range mostUseless + len(st.interesting) {
		file, err := s.source.next(func(proposal []byte) bool { return st.interesting[oracle.KeyOf(proposal)] })
		if err != nil {
			return nil, err
		}
		if _, known := st.interesting[oracle.KeyOf(file)]; !known && s.candidate(st.base, file) != nil {
			return file, nil
		}
	}
	s.failed = true
	return nil, fmt.Errorf("none of %d proposals can be used: each has syntax errors, or is not smaller than the file",
		mostUseless)
}

// candidate returns nil if a proposal deserves no test.
func (s *search) candidate(base *parse.Candidate, file []byte) *parse.Candidate {
	return candidate(base, file, s.plan, s.Within)
}

func candidate(base *parse.Candidate, file []byte, plan pass.Plan,
	within func([]byte, func([]byte) ([]byte, error)) ([]byte, error)) *parse.Candidate {
	if len(bytes.TrimSpace(file)) == 0 {
		return nil
	}
	whole, err := within(base.Render(), func([]byte) ([]byte, error) { return file, nil })
	if err != nil {
		return nil
	}
	tree, err := plan.Parse(whole)
	if err != nil || tree.Errors > base.Tree().Errors {
		return nil
	}
	if c := parse.Whole(tree); c.Measure().Less(base.Measure()) {
		return c
	}
	return nil
}

// refuse tells once that the program failed.
func (s *search) refuse(err error) {
	if s.failed = s.failed || errors.Is(err, errSilent); !s.warned {
		s.Warn(fmt.Sprintf("%s, which proposes smaller files: %v; the reduction goes on without it", s.command, err))
		s.warned = true
	}
}

// limit bounds the output about a file.
func limit(file []byte) int64 { return min(2*int64(len(file))+1<<20, math.MaxInt32) }
