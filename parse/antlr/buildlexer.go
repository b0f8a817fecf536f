package antlr

import (
	"github.com/antlr4-go/antlr/v4"

	"whittle/parse/antlr/g4"
)

type lexerBuilder struct{ *network }

func buildLexer(g *g4.Grammar) *network {
	b := lexerBuilder{&network{lexer: true, maxType: len(g.Tokens)}}
	for range g.Modes { // the library expects their decisions first
		m := b.add(antlr.ATNStateTokenStart, -1)
		b.decide(m)
		b.modes = append(b.modes, m)
	}
	b.rules(g.LexerRules)
	for i, mode := range g.Modes {
		for _, r := range mode.Rules {
			b.epsilon(b.modes[i], b.starts[r])
		}
	}
	for i, r := range g.LexerRules {
		b.ruleTypes = append(b.ruleTypes, r.Type)
		s := b.next(b.starts[i], mark{})
		start, end := b.blockStart(antlr.ATNStateBlockStart, i)
		b.epsilon(s, start)
		for k, alt := range r.Body.Alts {
			s := b.sequence(b.next(start, mark{}), alt.Elements)
			if k < len(r.Commands) {
				s = b.commands(s, r.Commands[k])
			}
			b.epsilon(s, end)
		}
		b.decideIf(start)
		b.epsilon(end, b.stops[i])
	}
	return b.network
}

var libraryActions = map[g4.CommandKind]int{
	g4.Skip: antlr.LexerActionTypeSkip, g4.More: antlr.LexerActionTypeMore, g4.Type: antlr.LexerActionTypeType,
	g4.Channel: antlr.LexerActionTypeChannel, g4.SetMode: antlr.LexerActionTypeMode,
	g4.PushMode: antlr.LexerActionTypePushMode, g4.PopMode: antlr.LexerActionTypePopMode,
}

func (b lexerBuilder) commands(s int32, commands []g4.Command) int32 {
	for _, c := range commands {
		s = b.step(s, edge{kind: antlr.TransitionACTION, a: int32(len(b.actions))})
		b.actions = append(b.actions, action{libraryActions[c.Kind], c.Arg})
	}
	return s
}

func (b lexerBuilder) sequence(s int32, elements []g4.Element) int32 {
	for _, e := range elements {
		s = b.element(s, e)
	}
	return s
}

func (b lexerBuilder) element(s int32, e g4.Element) int32 {
	switch e := e.(type) {
	case *g4.RuleRef:
		return b.step(s, edge{kind: antlr.TransitionRULE, a: b.starts[e.Rule]})
	case *g4.TokenRef:
		return b.step(s, edge{kind: antlr.TransitionATOM, a: int32(e.Type)})
	case *g4.Any:
		return b.step(s, edge{kind: antlr.TransitionWILDCARD})
	case *g4.Set:
		switch {
		case e.Not:
			return b.step(s, edge{kind: antlr.TransitionNOTSET, ranges: e.Ranges})
		case len(e.Ranges) == 1 && e.Ranges[0].From == e.Ranges[0].To:
			return b.step(s, edge{kind: antlr.TransitionATOM, a: int32(e.Ranges[0].From)})
		}
		return b.step(s, edge{kind: antlr.TransitionSET, ranges: e.Ranges})
	case *g4.Block:
		if len(e.Alts) == 1 {
			return b.sequence(s, e.Alts[0].Elements)
		}
		start, end := b.blockStart(antlr.ATNStateBlockStart, int(b.states[s].rule))
		b.epsilon(s, start)
		b.alternatives(start, end, e)
		b.decideIf(start)
		return b.next(end, mark{})
	case *g4.Repeat:
		body := func(start, end int32) { b.alternatives(start, end, e.Body) }
		if e.Many {
			return b.loop(s, e, body)
		}
		return b.optional(s, e, body)
	}
	return s
}

func (b lexerBuilder) alternatives(start, end int32, e *g4.Block) {
	for _, a := range e.Alts {
		b.epsilon(b.sequence(b.next(start, mark{}), a.Elements), end)
	}
}
