package antlr

import (
	"github.com/antlr4-go/antlr/v4"

	"whittle/parse/antlr/g4"
)

// network is an augmented transition network (Parr, Harwell and Fisher, "Adaptive LL(*) Parsing", OOPSLA 2014, section
// 5). The library reads its own copy from serialise and hides the states.
type network struct {
	lexer     bool
	maxType   int
	states    []state
	starts    []int32
	names     []int32
	stops     []int32
	ruleTypes []int   // lexer: token type of each rule
	modes     []int32 // lexer: start state of each mode
	decisions []int32
	actions   []action
}

// state is a state of a network. States have the same numbers in the library's copy.
type state struct {
	kind       uint8 // antlr.ATNState…
	nonGreedy  bool
	precedence bool // rule start: the rule is left-recursive; star loop entry: the loop of such a rule
	rule       int32
	decision   int32 // -1 without a choice
	partner    int32 // of a loop end: the loop back; of a block start: the block end
	edges      []edge
}

type edge struct {
	kind   uint8 // antlr.Transition…
	target int32 // the next state; of a rule edge: the state after the rule
	a, b   int32 // symbol, or rule and precedence, or action
	ranges []g4.Range
	mark   mark
}

type mark struct {
	what   markKind
	name   int32
	field  int32  // label of a token or rule; of an alternative: label of its first element
	symbol symbol // of the opened group; of a token or rule: the expected symbol
	slot   uint8
	list   symbol
	rule   bool
	whole  bool
}

type markKind uint8

const (
	noMark markKind = iota
	opens
	closes
	chooses // a labelled alternative, or one whose first element has a label
)

type action struct{ kind, arg int }

func (n *network) add(kind int, rule int) int32 {
	n.states = append(n.states, state{kind: uint8(kind), rule: int32(rule), decision: -1, partner: -1})
	return int32(len(n.states) - 1)
}

func (n *network) connect(from int32, e edge) {
	n.states[from].edges = append(n.states[from].edges, e)
}

func (n *network) epsilon(from, to int32) {
	n.connect(from, edge{kind: antlr.TransitionEPSILON, target: to})
}

func (n *network) decide(s int32) {
	n.states[s].decision = int32(len(n.decisions))
	n.decisions = append(n.decisions, s)
}

// serialise returns the network in version 4 of the tool's format.
func (n *network) serialise() []int32 {
	const version = 4
	w := &writer{}
	w.put(version)
	if n.lexer {
		w.put(antlr.ATNTypeLexer)
	} else {
		w.put(antlr.ATNTypeParser)
	}
	w.put(n.maxType)
	w.put(len(n.states))
	for i := range n.states {
		s := &n.states[i]
		w.put(int(s.kind), int(s.rule))
		if s.partner >= 0 {
			w.put(int(s.partner))
		}
	}
	w.list(n.states, func(s *state) bool { return s.nonGreedy })
	w.list(n.states, func(s *state) bool { return s.precedence && s.kind == antlr.ATNStateRuleStart })
	w.put(len(n.starts))
	for i, s := range n.starts {
		w.put(int(s))
		if n.lexer {
			w.put(n.ruleTypes[i])
		}
	}
	w.put(len(n.modes))
	for _, m := range n.modes {
		w.put(int(m))
	}
	w.edges(n.states)
	w.put(len(n.decisions))
	for _, s := range n.decisions {
		w.put(int(s))
	}
	if n.lexer {
		w.put(len(n.actions))
		for _, a := range n.actions {
			w.put(a.kind, a.arg, 0)
		}
	}
	return w.data
}

type writer struct{ data []int32 }

func (w *writer) put(values ...int) {
	for _, v := range values {
		w.data = append(w.data, int32(v))
	}
}

func (w *writer) list(states []state, in func(*state) bool) {
	at := len(w.data)
	w.put(0)
	for i := range states {
		if in(&states[i]) {
			w.put(i)
			w.data[at]++
		}
	}
}

func (w *writer) edges(states []state) {
	var sets, edges writer
	setCount, count := 0, 0
	for i := range states {
		for k := range states[i].edges {
			e := &states[i].edges[k]
			count++
			edges.put(i, int(e.target), int(e.kind))
			switch {
			case e.kind == antlr.TransitionSET, e.kind == antlr.TransitionNOTSET:
				edges.put(setCount, 0, 0)
				sets.set(e.ranges)
				setCount++
			case e.kind == antlr.TransitionRULE:
				edges.put(int(e.a), int(states[e.a].rule), int(e.b))
			case e.kind == antlr.TransitionATOM && e.a == g4.EOF:
				edges.put(0, 0, 1)
			case e.kind == antlr.TransitionACTION:
				edges.put(int(states[i].rule), int(e.a), 0)
			default:
				edges.put(int(e.a), 0, 0)
			}
		}
	}
	w.put(setCount)
	w.data = append(w.data, sets.data...)
	w.put(count)
	w.data = append(w.data, edges.data...)
}

func (w *writer) set(ranges []g4.Range) {
	eof := 0
	if len(ranges) > 0 && ranges[0].From == g4.EOF {
		eof = 1
		if ranges[0].To == g4.EOF {
			ranges = ranges[1:]
		} else {
			ranges = append([]g4.Range{{From: 0, To: ranges[0].To}}, ranges[1:]...)
		}
	}
	w.put(len(ranges), eof)
	for _, r := range ranges {
		w.put(r.From, r.To)
	}
}
