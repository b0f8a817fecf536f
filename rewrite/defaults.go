package rewrite

import "whittle/parse"

// defaults replaces all uses or all calls of a name by a constant and deletes its definitions. The code around the uses
// stays (DRReduce).
//
//	int a = f(b); return a + 1;        return 0 + 1;
func (f *File) defaults(name *Name) (Change, bool) {
	zero := parse.Literal("", "0")
	ch, ok := f.replaceName(name, zero)
	if calls := f.callsBy(f.outside(name.Uses, ch.Drop)); len(calls) > 0 {
		ch.Edits = f.replaceEach(calls, zero)
	}
	return ch, ok
}

// callsBy returns the calls of names, or nil if one is not called.
func (f *File) callsBy(names []int32) (calls []int32) {
	for _, use := range names {
		call := f.parent(use)
		if f.Child(call, "function") != use {
			return nil
		}
		calls = append(calls, call)
	}
	return calls
}
