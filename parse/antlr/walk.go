package antlr

import (
	"fmt"
	"slices"

	"github.com/antlr4-go/antlr/v4"

	"whittle/parse/antlr/g4"
)

// events builds a tree from a walk.
type events interface {
	open(m mark)
	close()
	// leaf adds a token where the grammar expects m.symbol. Token n is EOF if n is the number of tokens.
	leaf(n int, kind int, m mark)
	// wrap makes the open rule the first child of a new node of the same rule, for left recursion.
	wrap()
	choose(m mark)
	// skipped adds a token that the grammar does not expect.
	skipped(n int)
}

// walk follows a network along the tokens of a file. Its explicit stack allows deep nesting.
type walk struct {
	*predictor
	net    *network
	follow *follow
	names  func(kind int) string
	text   func(n int) string
	out    events
	frames []frame
	open   int // groups and rules

	strict  bool // stop at the first error
	full    bool // predict with the whole stack (LL), not by SLL
	failed  bool
	tooDeep bool
	errors  []fault

	recovering bool
	lastError  int // where rules were abandoned last
	lastStates []int32
}

type frame struct {
	ret        int32 // after the rule
	invoking   int32
	precedence int32
	open       int // groups and rules outside
	context    antlr.ParserRuleContext
}

// maxDepth limits the open rules and groups. A deeper file would need too much memory and time.
const maxDepth = 200_000

func (w *walk) run(rule int) {
	w.stream.at = 0
	w.lastError = -1
	w.frames = append(w.frames[:0], frame{ret: -1, invoking: -1})
	w.rule(int32(rule), 0)
	for state := w.net.starts[rule]; state >= 0 && !w.failed; {
		if w.open > maxDepth {
			w.tooDeep, w.failed = true, true
			return
		}
		state = w.step(state)
	}
	if w.failed {
		return
	}
	if w.stream.at < len(w.stream.tokens) {
		w.report("%s is left over; the start rule ends before it", w.found())
		for w.stream.at < len(w.stream.tokens) {
			w.skip()
		}
	}
	w.end()
}

func (w *walk) rule(rule, field int32) {
	w.begin(mark{what: opens, name: w.net.names[rule], field: field, symbol: symbol(rule), list: none, rule: true})
}

func (w *walk) begin(m mark) {
	w.open++
	w.out.open(m)
}

func (w *walk) end() {
	w.open--
	w.out.close()
}

// step returns the next state, or -1 after the first rule.
func (w *walk) step(at int32) int32 {
	s := &w.net.states[at]
	if s.kind == antlr.ATNStateRuleStop {
		return w.leave()
	}
	e := &s.edges[0]
	if len(s.edges) > 1 {
		if !w.strict && !w.sync(at) {
			return w.recover(at)
		}
		w.precedence = int(w.top().precedence)
		alt := w.predict(int(s.decision), w.context())
		if alt == 0 {
			w.reportAt(w.stream.died, "%s fits none of the alternatives here", w.name(w.stream.died))
			return w.recover(at)
		}
		e = &s.edges[alt-1]
	}
	switch e.kind {
	case antlr.TransitionEPSILON:
		switch {
		case e.mark.what == opens:
			w.begin(e.mark)
		case e.mark.what == closes:
			w.end()
		case e.mark.what == chooses:
			w.out.choose(e.mark)
		case s.kind == antlr.ATNStateStarLoopEntry && s.precedence && w.net.states[e.target].kind != antlr.ATNStateLoopEnd:
			w.out.wrap()
		}
	case antlr.TransitionRULE:
		w.frames = append(w.frames, frame{ret: e.target, invoking: at, precedence: e.b, open: w.open})
		w.rule(w.net.states[e.a].rule, e.mark.field)
		return e.a
	case antlr.TransitionPRECEDENCE:
		if e.a < w.top().precedence {
			w.report("%s binds less tightly than the text before it", w.found())
			return w.recover(at)
		}
	default:
		if e.matches(w.stream.LA(1)) {
			w.recovering = false
			w.take(e)
		} else if w.strict || !w.recoverInline(at, e) {
			if w.strict {
				w.report("expected another token")
			}
			return w.recover(at)
		}
	}
	return e.target
}

func (w *walk) top() *frame { return &w.frames[len(w.frames)-1] }

func (w *walk) leave() int32 {
	f := w.top()
	if len(w.frames) == 1 {
		for w.open > 1 {
			w.end()
		}
		return -1
	}
	for w.open > f.open {
		w.end()
	}
	w.frames = w.frames[:len(w.frames)-1]
	return f.ret
}

func (w *walk) take(e *edge) {
	w.out.leaf(w.stream.at, w.stream.LA(1), e.mark)
	if w.stream.at < len(w.stream.tokens) {
		w.stream.at++
	}
}

func (e *edge) matches(kind int) bool {
	switch e.kind {
	case antlr.TransitionATOM:
		return int(e.a) == kind
	case antlr.TransitionSET:
		return inRanges(e.ranges, kind)
	case antlr.TransitionNOTSET:
		return kind != g4.EOF && !inRanges(e.ranges, kind)
	}
	return false
}

func inRanges(ranges []g4.Range, x int) bool {
	return slices.ContainsFunc(ranges, func(r g4.Range) bool { return r.From <= x && x <= r.To })
}

// context returns the library's form of the stack for full prediction.
func (w *walk) context() antlr.ParserRuleContext {
	if !w.full {
		return nil
	}
	i := len(w.frames) - 1
	for i >= 0 && w.frames[i].context == nil {
		i--
	}
	var parent antlr.ParserRuleContext
	if i >= 0 {
		parent = w.frames[i].context
	}
	for i++; i < len(w.frames); i++ {
		parent = antlr.NewBaseParserRuleContext(parent, int(w.frames[i].invoking))
		w.frames[i].context = parent
	}
	return parent
}

func (w *walk) found() string { return w.name(w.stream.at) }

func (w *walk) name(n int) string {
	if n >= len(w.stream.tokens) {
		return "the end of the file"
	}
	return w.text(n)
}

// report ignores errors while the walk recovers from an earlier one.
func (w *walk) report(format string, args ...any) { w.reportAt(w.stream.at, format, args...) }

func (w *walk) reportAt(n int, format string, args ...any) {
	if w.recovering {
		return
	}
	w.recovering = true
	if w.strict {
		w.failed = true
		return
	}
	offset := int32(-1)
	if n < len(w.stream.tokens) {
		offset = w.stream.tokens[n].start
	}
	w.errors = append(w.errors, fault{offset, fmt.Sprintf(format, args...)})
}

func (w *walk) skip() {
	w.out.skipped(w.stream.at)
	w.stream.at++
}
