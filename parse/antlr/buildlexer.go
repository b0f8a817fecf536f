package antlr

import (
	"github.com/antlr4-go/antlr/v4"

	"whittle/parse/antlr/g4"
)

func buildLexer(g *g4.Grammar) *network {
	b := &builder{network: &network{lexer: true, maxType: len(g.Tokens)}, names: newNames()}
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

func (b *builder) commands(s int32, commands []g4.Command) int32 {
	for _, c := range commands {
		s = b.step(s, edge{kind: antlr.TransitionACTION, a: int32(len(b.actions))})
		b.actions = append(b.actions, action{libraryActions[c.Kind], c.Arg})
	}
	return s
}
