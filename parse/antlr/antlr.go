// Package antlr parses languages by ANTLR 4 grammars that it reads at run time. The library github.com/antlr4-go/antlr
// does the lexing and the prediction, on networks of this package.
package antlr

import (
	"fmt"
	"math"
	"sync"
	"unicode/utf8"

	"github.com/antlr4-go/antlr/v4"

	"whittle/parse"
	"whittle/parse/antlr/g4"
)

// Language is a grammar that is ready to parse. It is safe for concurrent use, but parses are serialised.
type Language struct {
	grammar *g4.Grammar
	lexing  *network
	parsing *network
	follow  *follow
	start   int
	names   []string
	tokens  []int32 // names of token types

	mu      sync.Mutex // guards the fields below, which parses extend
	symbols *symbols
	scanner *scanner
	predict *predictor
	atns    [2]*antlr.ATN
	dfas    [2][]*antlr.DFA
	// beyondSLL is set once SLL prediction rejected a file without syntax errors: SLL is not tried again.
	beyondSLL bool
}

// New makes a Language of a grammar. start is the rule that matches a file, or "" for the result of [Start].
func New(g *g4.Grammar, start string) (*Language, error) {
	if len(g.Modes) == 0 || len(g.LexerRules) == 0 {
		return nil, fmt.Errorf("the grammar %s has no lexer rules; give the file of its lexer as well", g.Name)
	}
	if len(g.Rules) == 0 {
		return nil, fmt.Errorf("the grammar %s has no parser rules; give the file of its parser as well", g.Name)
	}
	if start == "" {
		start = Start(g)
	}
	l := &Language{grammar: g, start: -1}
	var names []string
	for i, r := range g.Rules {
		names = append(names, r.Name)
		if r.Name == start {
			l.start = i
		}
	}
	if l.start < 0 {
		return nil, fmt.Errorf("the grammar %s has no parser rule %q; it has %s", g.Name, start, g4.SomeOf(names, 12))
	}
	l.symbols = newSymbols(g)
	n := newNames()
	l.lexing, l.parsing = buildLexer(g), buildParser(g, l.symbols, n)
	l.tokens = n.ofTokens(g.Tokens)
	l.names = n.all
	if len(l.symbols.all) >= int(none) || len(g.Tokens) >= math.MaxUint16 {
		return nil, fmt.Errorf("the grammar %s is too large: %d rules and parts of rules, %d tokens",
			g.Name, len(l.symbols.all), len(g.Tokens))
	}
	l.follow = &follow{net: l.parsing, known: map[int32]tokenSet{}}
	for i, n := range []*network{l.lexing, l.parsing} {
		l.atns[i] = antlr.NewATNDeserializer(nil).Deserialize(n.serialise())
	}
	l.forget()
	return l, nil
}

// Start guesses the rule that matches a file: the first with EOF that no other rule uses, else the first with EOF, else
// the first.
func Start(g *g4.Grammar) string {
	used := make([]bool, len(g.Rules))
	ends := make([]bool, len(g.Rules))
	for i, r := range g.Rules {
		for e := range r.Body.All() {
			switch e := e.(type) {
			case *g4.RuleRef:
				used[e.Rule] = used[e.Rule] || e.Rule != i
			case *g4.TokenRef:
				ends[i] = ends[i] || e.Type == g4.EOF
			}
		}
	}
	found := 0
	for i := len(g.Rules) - 1; i >= 0; i-- {
		if ends[i] && (!used[i] || !ends[found] || used[found]) {
			found = i
		}
	}
	if len(g.Rules) == 0 {
		return ""
	}
	return g.Rules[found].Name
}

// forget empties the DFAs, the library's memory of earlier input.
func (l *Language) forget() {
	cache := antlr.NewPredictionContextCache()
	for i, atn := range l.atns {
		l.dfas[i] = make([]*antlr.DFA, len(atn.DecisionToState))
		for k, s := range atn.DecisionToState {
			l.dfas[i][k] = antlr.NewDFA(s, k)
		}
	}
	l.scanner = newScanner(l.atns[0], l.dfas[0], cache)
	l.predict = newPredictor(l.atns[1], l.dfas[1], cache)
}

// maxStates limits the DFA states that are kept between parses. A grammar with unbounded lookahead makes ever more.
const maxStates = 100_000

func (l *Language) tidy() {
	states := 0
	for _, dfas := range l.dfas {
		for _, d := range dfas {
			states += d.Len()
		}
	}
	if states > maxStates {
		l.forget()
	}
}

// Parse makes leaves that may be dropped of unexpected tokens and invalid text. It fails only for a file that is too
// large, or with a *parse.Refusal for one that is nested too deeply.
func (l *Language) Parse(source []byte) (*parse.Tree, error) {
	if err := parse.CheckSize(source); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.tidy()
	file := l.scanner.scan(source)
	var t *groups
	err := l.walk(source, file, func() events {
		n := len(file.tokens)
		t = &groups{symbols: l.symbols, chains: parse.NewChains(), nests: map[symbol]bool{}, names: l.tokens, tokens: n,
			all: make([]group, 0, 2*n+64)} // growing would take twice the memory
		return t
	})
	if err != nil {
		return nil, err
	}
	return l.tree(source, file, t), nil
}

var errTooDeep = &parse.Refusal{Reason: fmt.Sprintf("it is nested more than %d rules deep", maxDepth)}

// walk parses by SLL prediction, which is fast. If that finds an error, it parses again by full LL, which is exact
// (Parr, Harwell and Fisher, section 3.2), with error recovery. begin makes the events for each attempt.
func (l *Language) walk(source []byte, file *lexed, begin func() events) error {
	w := &walk{
		predictor: l.predict, net: l.parsing, follow: l.follow, names: l.tokenName,
		text: func(n int) string { return quote(source[file.tokens[n].start:file.tokens[n].end]) },
	}
	w.stream.tokens = file.tokens
	for _, full := range []bool{l.beyondSLL, true} {
		w.full, w.strict, w.failed, w.open, w.recovering = full, !full, false, 0, false
		mode := antlr.PredictionModeSLL
		if full {
			mode = antlr.PredictionModeLL
		}
		w.sim.SetPredictionMode(mode)
		w.out = begin()
		w.run(l.start)
		if !w.failed || w.tooDeep {
			break
		}
	}
	l.beyondSLL = l.beyondSLL || w.full && len(w.errors) == 0
	w.stream.tokens = nil
	file.errors = append(file.errors, w.errors...)
	if w.tooDeep {
		return errTooDeep
	}
	return nil
}

func (l *Language) Errors(text []byte) int {
	found, err := l.faults(text)
	if err != nil {
		return parse.Unreadable
	}
	return len(found)
}

func (l *Language) faults(text []byte) ([]fault, error) {
	if err := parse.CheckSize(text); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.tidy()
	file := l.scanner.scan(text)
	err := l.walk(text, file, func() events { return nothing{} })
	return file.errors, err
}

type nothing struct{}

func (nothing) open(mark)           {}
func (nothing) close()              {}
func (nothing) leaf(int, int, mark) {}
func (nothing) wrap()               {}
func (nothing) choose(mark)         {}
func (nothing) skipped(int)         {}

func (l *Language) tokenName(kind int) string {
	if kind == g4.EOF {
		return "the end of the file"
	}
	t := l.grammar.Tokens[kind-1]
	if t.Literal != "" {
		return quote([]byte(t.Literal))
	}
	return t.Name
}

func quote(text []byte) string {
	const limit = 30
	if utf8.RuneCount(text) > limit {
		return fmt.Sprintf("%q…", string([]rune(string(text[:min(len(text), 4*limit)]))[:limit]))
	}
	return fmt.Sprintf("%q", text)
}
