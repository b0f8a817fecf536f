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
	} else if ok {
		ch.Edits = f.replaceEach(f.scopes(f.values(name, ch.Drop)), zero)
	}
	return ch, ok
}

// scopes returns a::b for b.
func (f *File) scopes(uses []int32) []int32 {
	for i, use := range uses {
		for p := f.parent(use); p > 0 && f.Child(p, "name") == use && f.Child(p, "scope") >= 0; p = f.parent(use) {
			use = p
		}
		uses[i] = use
	}
	return uses
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
