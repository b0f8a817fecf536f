package rewrite

import (
	"slices"

	"whittle/parse"
)

// result removes the result of a function. return f(x) becomes f(x), other values disappear, and used calls become 0.
//
//	int f() { return g(); }                 void f() { g(); }
//	int h() { f(); return f(); }            int h() { f(); return 0; }
func (f *File) result(fn *function) (ch Change, ok bool) {
	for _, s := range fn.signatures {
		if s.lists[ofValues].node == 0 {
			return ch, false
		}
		e, typed := f.untyped(s)
		if !typed {
			continue
		}
		ch.Edits = append(ch.Edits, e)
		if s.Body >= 0 {
			ch.Edits = append(ch.Edits, f.returnless(s.Body)...)
		}
	}
	for _, c := range fn.calls {
		statement := f.statementOf(c.node)
		if statement < 0 {
			continue
		}
		if alone, result := f.isValueOf(c.node, statement); !alone || result {
			ch.Edits = append(ch.Edits, f.Replace([]int32{c.node}, parse.Literal("", "0")))
		}
	}
	ch.Edits = outermost(ch.Edits)
	// Otherwise one result is deleted, and plain deletion tries that.
	isVoid := len(ch.Edits) > 0 && len(ch.Edits[0].With) > 0
	return ch, isVoid || len(ch.Edits) > 1
}

func (f *File) untyped(s signature) (e parse.Edit, ok bool) {
	owner := s.Owner
	for _, field := range []string{"result", "return_type"} {
		if t := f.Child(owner, field); t >= 0 {
			from := f.Nodes[t].First
			if f.tokenText(from-1) == "->" {
				from--
			}
			return parse.Edit{From: from, To: f.Nodes[t].Last}, true
		}
	}
	if t := f.Child(owner, "type"); t >= 0 {
		e = f.Replace([]int32{t}, parse.Literal("", "void"))
		n := f.Child(owner, "declarator")
		for n >= 0 && f.parent(s.Leaf) != n && (f.Text(n) == "*" || f.Text(n) == "&") {
			if n = f.element(n); n >= 0 {
				e.To = f.Nodes[n].First // without *
			}
		}
		return e, f.source(t) != "void" || e.To > f.Nodes[t].Last
	}
	return e, false
}

func (f *File) returnless(body int32) (edits []parse.Edit) {
	if last := f.bodyOf(body); last.value >= 0 && last.value == last.last {
		if f.Child(last.value, "arguments") < 0 {
			edits = append(edits, f.Replace([]int32{last.value}))
		} else {
			edits = append(edits, f.Replace([]int32{last.value}, parse.Nodes(last.value), parse.Literal("", ";")))
		}
	}
	for n := body; n < f.Nodes[body].Next; n++ {
		if !f.IsLeaf(n) || f.source(n) != "return" {
			continue
		}
		children := f.InGrammar(f.Nodes[n].Parent)
		i := slices.Index(children, n)
		switch {
		case i < 0 || i+1 == len(children) || f.Text(children[i+1]) == ";":
		case f.Child(children[i+1], "arguments") >= 0:
			edits = append(edits, f.Replace([]int32{n}))
		default:
			edits = append(edits, f.Replace([]int32{children[i+1]}))
		}
	}
	return edits
}
