package pass

import (
	"slices"
	"strings"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/parse"
)

// A Mark says whether a byte of a file belongs to code that ran.
type Mark = byte

const (
	NoCode Mark = iota // or unknown
	Ran
	NotRan
)

// ProbedKind is the kind of a question about all blocks that do not run by their probes.
const (
	ProbedKind = "idle blocks"
	idleKind   = "idle code"
)

// Idle deletes statements that the test of the file does not run, functions whose body does not run, statements that
// are only a string, and all types of a language that does not need them. ran returns the marks of the bytes of a file;
// nil means unknown. Other blocks that do not run by their probes become stubs. tell may be nil.
func Idle(ran func(file []byte) []Mark, tell Tell) Pass {
	return Pass{Name: "idle code", When: First, Search: func(t *parse.Tree, gate Gate, plan Plan) *Step {
		s := &idle{tree: t, facts: plan.Facts}
		plan.Width = 1 // one list after the other
		s.Driver = rounds.Driver[*parse.Candidate, [][]int32]{Plan: plan.Plan, Allows: gate.Allows, Next: s.next}
		marks := ran(t.Source)
		idle := s.notRun(marks)
		if tell != nil {
			idle = append(idle, s.unreached(tell, marks)...)
			slices.Sort(idle)
		}
		s.runs = len(idle) > 0
		return s.first(parse.Whole(t), [][]int32{idle, s.functions(idle), s.strings(), s.types()}, nil)
	}}
}

type idle struct {
	rounds.Driver[*parse.Candidate, [][]int32]
	tree  *parse.Tree
	facts Facts
	runs  bool // the test runs the file, and does not only read it
}

// notRun returns the outermost nodes with code that did not run.
func (s *idle) notRun(marks []Mark) (nodes []int32) {
	t := s.tree
	if len(marks) != len(t.Source) {
		return nil
	}
	var count [NotRan + 1][]int32 // of the tokens before each token
	for m := range count {
		count[m] = make([]int32, len(t.Tokens)+1)
		for i, token := range t.Tokens {
			count[m][i+1] = count[m][i]
			if token.Start < token.End && marks[token.Start] == Mark(m) {
				count[m][i+1]++
			}
		}
	}
	in := func(n int32, m Mark) bool { return count[m][t.Nodes[n].Last] > count[m][t.Nodes[n].First] }
	return s.outermost(func(n int32) bool { return in(n, NotRan) && !in(n, Ran) })
}

// functions returns the outermost functions with only idle code in their bodies, if no other code has their name. So an
// implementation stays with its interface. Functions with a stub in brackets are left to package deps: compilers report
// all errors at once.
func (s *idle) functions(idle []int32) (nodes []int32) {
	t, gone := s.tree, make([]bool, len(s.tree.Tokens))
	cover := func(n int32, is bool) {
		for i := t.Nodes[n].First; i < t.Nodes[n].Last; i++ {
			gone[i] = is
		}
	}
	for _, n := range idle {
		cover(n, true)
	}
	end := int32(0)
	for n := range int32(len(t.Nodes)) {
		body := t.Child(n, "body")
		if n < end || body < 0 {
			continue
		}
		of, left := t.Dropped(n), t.Nodes[body].Last-t.Nodes[body].First
		if of < 0 || !endsWith(t, of, functions) || s.facts.StubAt(t, of) != "" && !t.IsIndented(int(t.Nodes[body].First)) {
			continue
		}
		for i := t.Nodes[body].First; i < t.Nodes[body].Last; i++ {
			if gone[i] {
				left--
			}
		}
		if left <= 2 && left < t.Nodes[body].Last-t.Nodes[body].First { // two brackets
			nodes, end = append(nodes, of), t.Nodes[of].Next
			cover(of, true)
		}
	}
	for kept := -1; kept != len(nodes); { // a function that stays may have the name of another
		kept = len(nodes)
		mentioned := map[string]bool{}
		for i := range t.Tokens {
			if !gone[i] {
				mentioned[wordAt(t, int32(i))] = true
			}
		}
		nodes = slices.DeleteFunc(nodes, func(n int32) bool {
			name := s.nameOf(n)
			stays := name == "" || mentioned[name]
			if stays {
				cover(n, false)
			}
			return stays
		})
	}
	return nodes
}

// strings returns the statements that are only a string, such as the documentation of a function in Python.
func (s *idle) strings() []int32 {
	return s.outermost(func(n int32) bool { return s.tree.Is(n, "expression_statement") && s.tree.Is(n, "string") })
}

// types returns the outermost optional nodes that do not run, such as types of TypeScript.
func (s *idle) types() (nodes []int32) {
	t := s.tree
	for n := int32(0); n < int32(len(t.Nodes)); n++ {
		isType := func(kind string) bool { return t.Is(n, kind) }
		if t.InFile(n) && t.Nodes[n].Slot.Droppable() && slices.ContainsFunc(s.facts.ProbeAt(t, n).Types, isType) {
			nodes = append(nodes, n)
			n = t.Nodes[n].Next - 1
		}
	}
	return nodes
}

// outermost returns the outermost statements that are chosen, and chosen blocks that have a stub.
func (s *idle) outermost(chosen func(n int32) bool) (nodes []int32) {
	t := s.tree
	for n := int32(0); n < int32(len(t.Nodes)); n++ {
		isStatement := func() bool {
			return endsWith(t, n, statements) || n > 0 && slices.ContainsFunc(bodies, func(kind string) bool {
				return t.Is(n, kind) || t.Is(t.Nodes[n].Parent, kind)
			})
		}
		deletable := t.InFile(n) && (t.Nodes[n].Slot.Droppable() && isStatement() || s.stubOf(n) != "")
		if deletable && chosen(n) {
			nodes = append(nodes, n)
			n = t.Nodes[n].Next - 1
		}
	}
	return nodes
}

// endsWith reports whether the last word of a kind of n is one of these.
func endsWith(t *parse.Tree, n int32, words []string) bool {
	for kind := range t.Kinds(n) {
		if slices.Contains(words, kind[strings.LastIndexByte(kind, '_')+1:]) {
			return true
		}
	}
	return false
}

// functions are the last words of kinds of functions, and of kinds around them.
var functions = strings.Fields("definition declaration method")

// statements are the last words of kinds of statements and of their branches. In Ruby, all children of bodies are
// statements.
var (
	statements = strings.Fields("statement declaration definition clause")
	bodies     = strings.Fields("program body_statement block_body then else elsif rescue ensure begin")
)

// stubOf returns the text that replaces a block of an indented language or with a probe, or "".
func (s *idle) stubOf(n int32) string {
	switch t := s.tree; {
	case t.Is(n, "block") && t.IsIndented(int(t.Nodes[n].First)):
		return s.facts.StubAt(t, n)
	case s.statement(n) != "" && s.facts.StubAt(t, n) == "":
		return "{}"
	case s.statement(n) != "":
		return "{ " + s.facts.StubAt(t, n) + " }"
	}
	return ""
}

// first asks for the file without all nodes of each list, and then searches the lists that failed.
func (s *idle) first(base *parse.Candidate, lists, failed [][]int32) *Step {
	if len(lists) == 0 {
		return s.Search(base, failed)
	}
	nodes, others := s.left(base, lists[0]), lists[1:]
	c := s.without(base, nodes)
	if !s.Allows(base, c) {
		return s.first(base, others, failed)
	}
	return s.ask(base, c, nodes, repairs, func(best *parse.Candidate, left []int32) *Step {
		if isTypes := len(others) == 0; len(left) > 0 && !isTypes { // types go together or not at all
			failed = append(slices.Clip(failed), left)
		}
		return s.first(best, others, failed)
	})
}

// ask asks for base without nodes, which is c. If stubs have errors, it asks again without these stubs, a few times.
func (s *idle) ask(
	base, c *parse.Candidate, nodes []int32, tries int, then func(best *parse.Candidate, failed []int32) *Step,
) *Step {
	kind := idleKind
	if s.statement(nodes[0]) != "" {
		kind = ProbedKind
	}
	about := &algo.Question{List: &algo.List{Kind: kind}}
	return &Step{Candidate: c, Chance: mostly, About: about, Next: func(o algo.Outcome) *Step {
		if o == algo.Interesting {
			return then(c, nil)
		}
		return then(base, nodes)
	}, Repair: func(reasons []string) *Step {
		wrong := s.wrong(nodes, c, reasons)
		s.addNamed(wrong, nodes, reasons)
		right := slices.DeleteFunc(slices.Clone(nodes), func(n int32) bool { return wrong[n] })
		if r := s.without(base, right); tries > 0 && len(wrong) > 0 && s.Allows(base, r) {
			return s.ask(base, r, right, tries-1, then)
		}
		return nil
	}}
}

// addNamed adds the functions whose names are in reasons.
func (s *idle) addNamed(wrong map[int32]bool, nodes []int32, reasons []string) {
	named := map[string]bool{}
	for _, reason := range reasons {
		_, names, _ := strings.Cut(reason, " ")
		for name := range strings.FieldsSeq(names) {
			named[name] = true
		}
	}
	for _, n := range nodes {
		if endsWith(s.tree, n, functions) && named[s.nameOf(n)] {
			wrong[n] = true
		}
	}
}

// nameOf returns the name of a function, or "".
func (s *idle) nameOf(n int32) string {
	t := s.tree
	for end := t.Nodes[n].Next; n < end && t.Child(n, "body") < 0; {
		n++ // a function in an export or with decorators
	}
	if name := t.Child(n, "name"); name >= 0 {
		return wordAt(t, t.Nodes[name].First)
	}
	return ""
}

// left returns the nodes that are not empty in base, without those with a stub. A function with a stub in it is left.
func (s *idle) left(base *parse.Candidate, nodes []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(nodes), func(n int32) bool {
		touched := !base.Untouched(s.tree.Nodes[n].First, s.tree.Nodes[n].Last)
		return base.WeightOf(n) == 0 || touched && !endsWith(s.tree, n, functions)
	})
}

// next returns the search of the first list. A test that runs the file often needs few of its strings, so that list has
// a lower threshold.
func (s *idle) next(base *parse.Candidate, lists [][]int32) (*rounds.Task[*parse.Candidate, [][]int32], [][]int32) {
	if len(lists) == 0 {
		return nil, nil
	}
	nodes := s.left(base, lists[0])
	if len(nodes) == 0 {
		return s.next(base, lists[1:])
	}
	weights, listed := make([]int, len(nodes)), 0
	for i, n := range nodes {
		weights[i] = base.WeightOf(n)
		listed += weights[i]
	}
	list := algo.List{Weights: weights, Whole: base.Weight(), Kind: idleKind}
	if s.runs {
		list.Whole = roughly * listed
	}
	return &rounds.Task[*parse.Candidate, [][]int32]{
		List: list,
		Edit: func(base *parse.Candidate, kept []int) *parse.Candidate {
			return s.without(base, parse.Others(nodes, kept))
		},
	}, lists[1:]
}

// without returns base without nodes, and with a stub in place of a block that must not be empty.
func (s *idle) without(base *parse.Candidate, nodes []int32) *parse.Candidate {
	var edits []parse.Edit
	var dropped []int32
	for _, n := range nodes {
		if stub := s.stubOf(n); stub != "" {
			edits = append(edits, s.tree.Replace([]int32{n}, parse.Literal(" ", stub)))
		} else {
			dropped = append(dropped, n)
		}
	}
	return base.Apply(edits...).Drop(dropped...)
}
