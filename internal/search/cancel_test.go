package search

import (
	"testing"

	"whittle/algo"
)

func TestCancelOne(t *testing.T) {
	question := func(next func(algo.Outcome) *algo.Step[int]) *algo.Step[int] {
		return &algo.Step[int]{Next: next}
	}
	leaf := question(func(algo.Outcome) *algo.Step[int] { return nil })
	for range 20 { // map order is random
		w := newWindow[int](&Runner{}, nil, nil)
		root := newNode(question(func(algo.Outcome) *algo.Step[int] { return leaf }), nil, 0, 1000)
		fork := newNode(&algo.Step[int]{Fork: []func() *algo.Step[int]{
			func() *algo.Step[int] { return leaf },
			func() *algo.Step[int] { return leaf },
			func() *algo.Step[int] { return leaf },
		}}, nil, 0, 1000)
		nodes := map[string]*node[int]{
			"head": root, "if not": root.child(algo.Uninteresting), "if so": root.child(algo.Interesting),
			"part 0": fork.part(0), "part 1": fork.part(1), "part 2": fork.part(2),
		}
		run := func(names ...string) {
			clear(w.running)
			for i, name := range names {
				n := nodes[name]
				n.answer = &answer[int]{number: i, cancel: func() {}, nodes: []*node[int]{n}}
				w.running[n.answer] = true
			}
		}
		cancelled := func() (names []string) {
			for name, n := range nodes {
				if n.answer != nil && n.answer.cancelled {
					names = append(names, name)
				}
			}
			return names
		}
		check := func(want string) {
			t.Helper()
			w.cancelOne()
			w.cancelOne() // a worker is about to be free
			if got := cancelled(); len(got) != 1 || got[0] != want {
				t.Errorf("%q are cancelled, want %q", got, want)
			}
			for _, n := range nodes {
				n.answer = nil
			}
		}
		run("if so", "part 0", "part 1", "if not")
		check("if so")
		run("part 1", "part 0", "part 2")
		check("part 2")
		run("part 0", "if not", "part 2")
		check("if not")
		root.answer = &answer[int]{done: true, outcome: algo.Interesting}
		nodes["head"] = fork // root is answered
		run("if not", "if so", "part 1")
		check("if not")
	}
}
