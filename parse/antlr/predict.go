package antlr

import "github.com/antlr4-go/antlr/v4"

// predictor chooses alternatives by the library's adaptive LL(*) prediction (Parr, Harwell and Fisher, OOPSLA 2014).
type predictor struct {
	*antlr.BaseParser // for methods that the library never calls
	sim               *antlr.ParserATNSimulator
	stream            *stream
	precedence        int
}

func newPredictor(atn *antlr.ATN, dfas []*antlr.DFA, cache *antlr.PredictionContextCache) *predictor {
	p := &predictor{BaseParser: antlr.NewBaseParser(nil), stream: &stream{}}
	p.RemoveErrorListeners()
	p.sim = antlr.NewParserATNSimulator(p, atn, dfas, cache)
	return p
}

func (p *predictor) GetPrecedence() int { return p.precedence }

func (p *predictor) Precpred(_ antlr.RuleContext, precedence int) bool {
	return precedence >= p.precedence
}

func (p *predictor) predict(decision int, context antlr.ParserRuleContext) int {
	alt := p.sim.AdaptivePredict(p.BaseParser, p.stream, decision, context)
	return max(alt, 0)
}

type stream struct {
	antlr.TokenStream // for methods that the library never calls
	tokens            []token
	at                int
	died              int // the token at which the last failed prediction stopped
}

func (s *stream) Consume() { s.at++ }

func (s *stream) LA(offset int) int {
	i := s.at + offset - 1
	if i < 0 || i >= len(s.tokens) {
		return antlr.TokenEOF
	}
	return int(s.tokens[i].kind)
}

func (s *stream) Mark() int   { return 0 }
func (s *stream) Release(int) {}
func (s *stream) Index() int  { return s.at }
func (s *stream) Seek(i int)  { s.at = i }
func (s *stream) Size() int   { return len(s.tokens) + 1 }

func (s *stream) LT(int) antlr.Token {
	s.died = s.at
	return someToken
}

// someToken stands for any token: the library uses tokens only in its errors.
var someToken = antlr.NewCommonToken(
	&antlr.TokenSourceCharStreamPair{}, antlr.TokenEOF, antlr.TokenDefaultChannel, 0, 0,
)

func (s *stream) Get(int) antlr.Token { return someToken }
