package antlr

import (
	"slices"
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"whittle/parse/antlr/g4"
)

// Error recovery follows generated parsers ("The Definitive ANTLR 4 Reference", chapter 9), to damage as little of the
// tree as possible. A strict walk does not recover.

// sync skips a token before a choice if it is not allowed, in a loop as many as necessary. It returns false if that
// does not help.
func (w *walk) sync(at int32) bool {
	if w.recovering {
		return true
	}
	next := w.follow.of(at)
	kind := w.stream.LA(1)
	if next.has(kind) || next.end {
		return true
	}
	switch w.net.states[at].kind {
	case antlr.ATNStateBlockStart, antlr.ATNStateStarBlockStart, antlr.ATNStatePlusBlockStart, antlr.ATNStateStarLoopEntry:
		if w.dropOne(at) {
			return true
		}
		w.report("%s is not expected; expected %s", w.found(), w.list(w.expected(at)))
		return false
	case antlr.ATNStatePlusLoopBack, antlr.ATNStateStarLoopBack:
		w.report("%s is not expected; expected %s", w.found(), w.list(w.expected(at)))
		until := w.expected(at)
		until.add(w.resync())
		w.skipUntil(until)
	}
	return true
}

// dropOne needs the token after the next one to be expected.
func (w *walk) dropOne(at int32) bool {
	if w.stream.at >= len(w.stream.tokens) || !w.expected(at).has(w.stream.LA(2)) {
		return false
	}
	w.report("%s is superfluous; expected %s", w.found(), w.list(w.expected(at)))
	w.skip()
	w.recovering = false
	return true
}

// recoverInline skips a superfluous token before e, or assumes that its token is missing.
func (w *walk) recoverInline(at int32, e *edge) bool {
	if w.dropOne(at) {
		if e.matches(w.stream.LA(1)) {
			w.take(e)
			return true
		}
		return false
	}
	if w.expected(e.target).has(w.stream.LA(1)) {
		w.report("%s is missing before %s", w.list(w.expected(at)), w.found())
		return true
	}
	w.report("%s is not expected; expected %s", w.found(), w.list(w.expected(at)))
	return false
}

// recover abandons the current rule and skips to a token with which an enclosing rule can continue.
func (w *walk) recover(at int32) int32 {
	if w.strict {
		w.failed = true
		return at
	}
	if w.lastError != w.stream.at {
		w.lastError, w.lastStates = w.stream.at, w.lastStates[:0]
	} else if slices.Contains(w.lastStates, at) && w.stream.at < len(w.stream.tokens) {
		w.skip() // second failure in this state and position: make progress
	}
	w.lastStates = append(w.lastStates, at)
	w.skipUntil(w.resync())
	return w.leave()
}

// resync returns the tokens that can follow the open rules.
func (w *walk) resync() tokenSet {
	var set tokenSet
	for i := len(w.frames) - 1; i > 0 && i >= len(w.frames)-maxOuter; i-- {
		set.add(w.follow.of(w.frames[i].ret))
	}
	return set
}

const maxOuter = 1000

func (w *walk) skipUntil(set tokenSet) {
	for w.stream.at < len(w.stream.tokens) && !set.has(w.stream.LA(1)) {
		w.skip()
	}
}

func (w *walk) expected(at int32) tokenSet {
	var set tokenSet
	set.add(w.follow.of(at))
	for i := len(w.frames) - 1; set.end && i >= 0 && i >= len(w.frames)-maxOuter; i-- {
		set.end = false
		if i == 0 {
			set.put(g4.EOF)
			break
		}
		set.add(w.follow.of(w.frames[i].ret))
	}
	return set
}

func (w *walk) list(set tokenSet) string {
	const limit = 8
	var names []string
	for kind := 1; kind <= w.net.maxType; kind++ {
		if set.has(kind) {
			names = append(names, w.names(kind))
		}
	}
	if set.has(g4.EOF) {
		names = append(names, w.names(g4.EOF))
	}
	if len(names) > limit {
		names = append(slices.Clone(names[:limit]), "…")
	}
	return strings.Join(names, " ")
}

type bits []uint64

func (b *bits) put(i int) {
	for len(*b) <= i/64 {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

func (b bits) has(i int) bool { return i/64 < len(b) && b[i/64]>>(i%64)&1 != 0 }

type tokenSet struct {
	bits bits
	end  bool // the end of the rule
}

func (s *tokenSet) put(kind int) { s.bits.put(kind + 1) }

func (s tokenSet) has(kind int) bool { return s.bits.has(kind + 1) }

// add reports whether the set changed.
func (s *tokenSet) add(o tokenSet) bool {
	changed := o.end && !s.end
	s.end = s.end || o.end
	for len(s.bits) < len(o.bits) {
		s.bits = append(s.bits, 0)
	}
	for i, b := range o.bits {
		changed = changed || b&^s.bits[i] != 0
		s.bits[i] |= b
	}
	return changed
}

// follow computes the tokens that are allowed in a state, within its rule.
type follow struct {
	net   *network
	rules []tokenSet
	known map[int32]tokenSet
}

func (f *follow) of(at int32) tokenSet {
	if f.rules == nil {
		f.rules = make([]tokenSet, len(f.net.starts))
		for changed := true; changed; {
			changed = false
			for i, s := range f.net.starts {
				changed = f.rules[i].add(f.find(s)) || changed
			}
		}
	}
	set, ok := f.known[at]
	if !ok {
		set = f.find(at)
		f.known[at] = set
	}
	return set
}

func (f *follow) find(at int32) tokenSet {
	var set tokenSet
	seen := map[int32]bool{}
	work := []int32{at}
	for i := 0; i < len(work); i++ {
		at := work[i]
		if seen[at] {
			continue
		}
		seen[at] = true
		s := &f.net.states[at]
		if s.kind == antlr.ATNStateRuleStop {
			set.end = true
			continue
		}
		for i := range s.edges {
			e := &s.edges[i]
			switch e.kind {
			case antlr.TransitionEPSILON, antlr.TransitionPRECEDENCE:
				work = append(work, e.target)
			case antlr.TransitionRULE:
				begins := f.rules[f.net.states[e.a].rule]
				if begins.end {
					work = append(work, e.target)
				}
				set.add(tokenSet{bits: begins.bits})
			case antlr.TransitionATOM:
				set.put(int(e.a))
			default:
				for kind := g4.EOF; kind <= f.net.maxType; kind++ {
					if e.matches(kind) {
						set.put(kind)
					}
				}
			}
		}
	}
	return set
}
