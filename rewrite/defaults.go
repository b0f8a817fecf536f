package rewrite

import "whittle/parse"

// defaults puts a constant in the place of all uses of a name, or of all calls of it, and
// takes its definitions away. A deletion takes the uses away with the definition; this
// keeps what is around them (DRReduce).
//
//	int a = f(b); return a + 1;        return 0 + 1;
func defaults(f *File) (changes []Change) {
	for _, name := range f.Names() {
		zero := parse.Literal("", "0")
		ch, ok := f.replaceName(name, zero)
		if calls, called := f.replaceCalls(name, ch.Drop, zero); called {
			ch = calls
		}
		if ok {
			changes = append(changes, ch)
		}
	}
	return changes
}

// replaceCalls returns the change that puts a piece in the place of all calls of a name
// and drops nodes, which have all other uses of it.
func (f *File) replaceCalls(name *Name, drop []int32, with parse.Piece) (ch Change, ok bool) {
	ch.Drop = drop
	for _, use := range name.Uses {
		if f.inAny(use, drop) {
			continue
		}
		call := f.parent(use)
		if f.Child(call, "function") != use {
			return ch, false
		}
		ch.Edits = append(ch.Edits, f.Replace([]int32{call}, with))
	}
	return ch, len(ch.Edits) > 0
}
