package g4

import "slices"

func (b *builder) check() {
	for _, c := range []checker{{rules: b.Rules, ofParser: true}, {rules: b.LexerRules}} {
		c.empty, c.problems = emptyBlocks(c.rules), b.problems
		c.recursion()
		c.loops()
	}
}

type checker struct {
	rules    []*Rule
	ofParser bool
	empty    map[*Block]bool
	problems *Problems
}

func (c *checker) isEmpty(e Element) bool {
	switch e := e.(type) {
	case *Code:
		return true
	case *RuleRef:
		return c.empty[c.rules[e.Rule].Body]
	case *Block:
		return c.empty[e]
	case *Repeat:
		return e.Optional || c.empty[e.Body]
	}
	return false
}

func (c *checker) leftmost(elements []Element, visit func(Element)) {
	for _, e := range elements {
		visit(e)
		if inner := blockOf(e); inner != nil {
			for _, a := range inner.Alts {
				c.leftmost(a.Elements, visit)
			}
		}
		if !c.isEmpty(e) {
			return
		}
	}
}

func (c *checker) allEmpty(elements []Element) bool {
	return !slices.ContainsFunc(elements, func(e Element) bool { return !c.isEmpty(e) })
}

// leftRules returns the rules that a rule can begin with. A parser rule's alternatives that begin with the rule itself
// are operators.
func (c *checker) leftRules(i int) (left []int) {
	visit := func(e Element) {
		if r, ok := e.(*RuleRef); ok {
			left = append(left, r.Rule)
		}
	}
	rule := c.rules[i]
	var operators []*Alt
	emptyOperand := false
	for _, a := range rule.Body.Alts {
		if c.isOperator(i, a) {
			operators = append(operators, a)
			continue
		}
		c.leftmost(a.Elements, visit)
		emptyOperand = emptyOperand || c.allEmpty(a.Elements)
	}
	for _, a := range operators {
		if emptyOperand {
			c.leftmost(a.Elements[1:], visit)
		}
		if c.allEmpty(a.Elements[1:]) {
			c.problems.add(a.Pos, "rule %s: the rest of this alternative can be empty after %s, so the recursion never ends",
				rule.Name, rule.Name)
		}
	}
	if len(operators) == len(rule.Body.Alts) {
		c.problems.add(rule.Pos, "rule %s begins with itself in all alternatives", rule.Name)
	}
	return left
}

func (c *checker) isOperator(rule int, a *Alt) bool {
	if !c.ofParser || len(a.Elements) == 0 {
		return false
	}
	r, ok := a.Elements[0].(*RuleRef)
	return ok && r.Rule == rule
}

func (c *checker) recursion() {
	left := make([][]int, len(c.rules))
	for i := range c.rules {
		left[i] = c.leftRules(i)
	}
	for _, cycle := range cycles(left) {
		var names []string
		for _, i := range cycle {
			names = append(names, c.rules[i].Name)
		}
		at := c.rules[cycle[0]].Pos
		if len(names) == 1 {
			c.problems.add(at, "rule %s is left-recursive, but not as the first element of an alternative", names[0])
		} else {
			c.problems.add(at, "rules %s are mutually left-recursive", SomeOf(names, maxNames))
		}
	}
}

// loops reports loops that never end: over the empty string or over the end of the file.
func (c *checker) loops() {
	atEnd := make([]bool, len(c.rules)) // the rule can begin with the end of the file
	begins := func(b *Block) (eof bool) {
		c.leftmost([]Element{b}, func(e Element) {
			switch e := e.(type) {
			case *RuleRef:
				eof = eof || atEnd[e.Rule]
			case *TokenRef:
				eof = eof || e.Type == EOF
			}
		})
		return eof
	}
	propagate(c.rules, func(i int) bool {
		before := atEnd[i]
		atEnd[i] = before || begins(c.rules[i].Body)
		return atEnd[i] && !before
	})
	for _, r := range c.rules {
		for e := range r.Body.All() {
			switch loop, ok := e.(*Repeat); {
			case !ok || !loop.Many:
			case c.empty[loop.Body]:
				c.problems.add(loop.Pos, "rule %s has a loop whose body can be empty", r.Name)
			case begins(loop.Body):
				c.problems.add(loop.Pos, "rule %s has a loop whose body can begin with EOF", r.Name)
			}
		}
	}
}

func emptyBlocks(rules []*Rule) map[*Block]bool {
	c := checker{rules: rules, empty: map[*Block]bool{}}
	propagate(rules, func(i int) bool {
		body := rules[i].Body
		before := c.empty[body]
		c.markEmpty(body)
		return !before && c.empty[body]
	})
	return c.empty
}

func (c *checker) markEmpty(b *Block) {
	for _, a := range b.Alts {
		for _, e := range a.Elements {
			if inner := blockOf(e); inner != nil {
				c.markEmpty(inner)
			}
		}
		if c.allEmpty(a.Elements) {
			c.empty[b] = true
		}
	}
}

// propagate calls update for each rule, and again for the users of a rule after update returns true for it.
func propagate(rules []*Rule, update func(i int) bool) {
	users := make([][]int, len(rules))
	var pending []int
	for i, r := range rules {
		pending = append(pending, i)
		for e := range r.Body.All() {
			if ref, ok := e.(*RuleRef); ok {
				users[ref.Rule] = append(users[ref.Rule], i)
			}
		}
	}
	for len(pending) > 0 {
		i := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if update(i) {
			pending = append(pending, users[i]...)
		}
	}
}

// cycles finds strongly connected components with an edge, in ascending order, by Tarjan's algorithm.
func cycles(edges [][]int) (found [][]int) {
	order := make([]int, len(edges)) // 0: not seen
	low := make([]int, len(edges))
	open := make([]bool, len(edges))
	var pending []int
	seen := 0
	var visit func(node int)
	visit = func(node int) {
		seen++
		order[node], low[node], open[node] = seen, seen, true
		at := len(pending)
		pending = append(pending, node)
		for _, to := range edges[node] {
			if order[to] == 0 {
				visit(to)
				low[node] = min(low[node], low[to])
			} else if open[to] {
				low[node] = min(low[node], order[to])
			}
		}
		if low[node] != order[node] {
			return
		}
		set := slices.Sorted(slices.Values(pending[at:]))
		pending = pending[:at]
		for _, n := range set {
			open[n] = false
		}
		if len(set) > 1 || slices.Contains(edges[node], node) {
			found = append(found, set)
		}
	}
	for node := range edges {
		if order[node] == 0 {
			visit(node)
		}
	}
	slices.SortFunc(found, slices.Compare)
	return found
}
