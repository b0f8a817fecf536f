package rewrite

import "whittle/parse"

// defaults replaces all uses or all calls of a name by a constant and deletes its definitions. A deletion would delete
// the uses, too; this keeps the code around them (DRReduce).
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
