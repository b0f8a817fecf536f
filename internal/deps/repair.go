package deps

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"whittle/algo"
	"whittle/parse"
	"whittle/pass"
)

const (
	mostRepairs = 5 // in a row
	mostBases   = 5 // a class and its bases
	mostOfName  = 8 // units with a name, unless the reason also names their class
	fewTokens   = 500
	near        = 8 // tokens between a place and a missing token
)

// needs are dependencies that failures have shown. Unit -1 stands for the whole file.
type needs map[int32][]int32

func (n needs) with(unit int32, needed []int32) needs {
	n = maps.Clone(n)
	if n == nil {
		n = needs{}
	}
	all := slices.Concat(n[unit], needed)
	slices.Sort(all)
	n[unit] = slices.Compact(all)
	return n
}

// experience is learned from the reasons of failures.
type experience struct {
	needs   needs
	repairs pass.Repairs
}

// with adds the pinned items to a list.
func (at state) with(kept []int) []int {
	if len(at.pinned) == 0 {
		return kept
	}
	all := slices.Concat(kept, at.pinned)
	slices.Sort(all)
	return slices.Compact(all)
}

// repair asks the question again with the units that the reasons name, and their dependencies. Later candidates that
// keep the unit with the error keep these, too. So the answer is about the same items. tries are the earlier repairs of
// the question. If the last repair fails, the search continues with failed, without the dependencies.
func (s *search) repair(
	asked *algo.Step[[]int], at state, c *parse.Candidate, reasons []string, tries int,
	failed func(pass.Repairs) *pass.Step,
) *pass.Step {
	if tries == mostRepairs || !at.learned.repairs.Pay() {
		return nil
	}
	at = s.learn(at, asked.Candidate, c, reasons)
	kept := at.with(asked.Candidate)
	r := s.edit(kept, at.learned.needs)
	if r.Weight() <= c.Weight() || !s.gate.Allows(at.base, r) {
		return nil
	}
	about := &algo.Question{List: &algo.List{Kind: pass.RepairKind}, Left: at.left, Kept: kept}
	return &pass.Step{
		Candidate: r, Chance: asked.Chance, About: about,
		Next: func(o algo.Outcome) *pass.Step {
			at := at.after(kept, r, o)
			at.learned.repairs = at.learned.repairs.With(o)
			return s.step(asked.Next(o), at)
		},
		Repair: func(reasons []string) *pass.Step {
			at := at
			at.learned.repairs = at.learned.repairs.With(algo.Uninteresting)
			if again := s.repair(asked, at, r, reasons, tries+1, failed); again != nil {
				return again
			}
			return failed(at.learned.repairs)
		},
	}
}

// learn adds the missing definitions and items of a failure's reasons; if these are many, only those that need few
// others, since one error leads to others.
func (s *search) learn(at state, kept []int, c *parse.Candidate, reasons []string) state {
	v := newVictim(s.explorer, at.base, c, reasons)
	weight := func(at state) int { return s.edit(at.with(kept), at.learned.needs).Weight() }
	all, few, most := at, at, c.Weight()*3/2+fewTokens
	for _, v.last = range []bool{false, true} {
		for _, reason := range reasons {
			all = s.add(all, v, reason)
		}
		if n := weight(all); n > most {
			break
		} else if n > c.Weight() {
			return all
		}
	}
	for _, reason := range reasons {
		if more := s.add(few, v, reason); weight(more) <= most {
			few = more
		}
	}
	if weight(few) > c.Weight() {
		return few
	}
	return all
}

// add adds the missing definition or item of a reason.
func (s *search) add(at state, v *victim, reason string) state {
	place, list, _ := strings.Cut(reason, " ")
	names, token := strings.Fields(list), v.tokenAt(place)
	unit := s.unitAt(token)
	found := v.definitions(unit, names)
	if found == nil {
		gone := v.gone(unit, token, names)
		if u := s.unitAt(gone); u >= 0 && v.lacks(u) {
			found = []int32{u}
		} else if item := s.itemAt(gone); item >= 0 {
			at.pinned = at.with([]int{item})
		}
	}
	if found != nil {
		at.learned.needs = at.learned.needs.with(unit, found)
	}
	return at
}

// itemAt returns the item of a list of parts with a token, or -1.
func (s *search) itemAt(token int) int {
	return slices.IndexFunc(s.nodes, func(n int32) bool {
		return int(s.tree.Nodes[n].First) <= token && token < int(s.tree.Nodes[n].Last)
	})
}

// A victim is a candidate that lacks something of its base.
type victim struct {
	*explorer
	base, c *parse.Candidate
	firsts  map[string]int // the first tokens of names, or -1
	places  map[string]func(line, column int) int
	last    bool // also look for fields
}

func newVictim(h *explorer, base, c *parse.Candidate, reasons []string) *victim {
	v := &victim{explorer: h, base: base, c: c, firsts: map[string]int{}, places: map[string]func(line, column int) int{}}
	for _, reason := range reasons {
		for _, name := range strings.Fields(reason)[1:] {
			v.firsts[name] = -1
		}
	}
	for i := range v.tree.Tokens {
		if first, wanted := v.firsts[v.text(i)]; wanted && first < 0 && base.LiveToken(i) {
			v.firsts[v.text(i)] = i
		}
	}
	return v
}

func (v *victim) lacks(unit int32) bool {
	n := v.units[unit].node
	return v.base.Live(n) && !v.c.Live(n)
}

// tokenAt returns the token at a place, or -1.
func (v *victim) tokenAt(place string) int {
	var line, column int
	file, where, _ := strings.Cut(place, ":")
	if n, _ := fmt.Sscanf(where, "%d:%d", &line, &column); n == 0 {
		return -1
	}
	if v.places[file] == nil {
		v.places[file] = v.c.Places(file)
	}
	return v.places[file](line, column)
}

// gone returns a missing token for the error at a place, or -1: the first token of a name in the function there, the
// first missing one in the class there, the first in the file, or if no name is defined, the last missing token near
// before the place. So it finds local variables, fields that use a type parameter, and definitions in code that the
// parser does not understand.
func (v *victim) gone(unit int32, place int, names []string) int {
	for _, name := range names {
		first := v.firsts[name]
		if unit >= 0 {
			node, local := v.tree.Nodes[v.units[unit].node], v.units[unit].body >= 0
			for i := int(node.First); i < int(node.Last); i++ {
				if v.base.LiveToken(i) && v.text(i) == name && (local || v.lacksToken(i)) {
					first = i
					break
				}
			}
		}
		if v.lacksToken(first) {
			return first
		}
	}
	if slices.ContainsFunc(names, v.isKept) {
		return -1
	}
	for i := place; i >= max(place-near, 0); i-- { // empty for -1
		if v.lacksToken(i) {
			return i
		}
	}
	return -1
}

// isKept reports whether a definition of a name is kept.
func (v *victim) isKept(name string) bool {
	id, known := v.ids[name]
	return known && slices.ContainsFunc(v.define[id], func(u int32) bool { return v.c.Live(v.units[u].node) })
}

func (v *victim) lacksToken(i int) bool { return i >= 0 && v.base.LiveToken(i) && !v.c.LiveToken(i) }

func (v *victim) text(i int) string {
	token := v.tree.Tokens[i]
	return string(v.tree.Source[token.Start:token.End])
}

// definitions returns missing units with one of the names: in a kept class that has one of the names or is around the
// error; else in such a base class; else in such a namespace; else any of the first name, if they are few; else the
// fields of the first name, unless the names include a kept member.
func (v *victim) definitions(at int32, names []string) []int32 {
	var around, found, nearby []int32
	for p := at; p >= 0; p = v.units[p].parent {
		around = append(around, p)
	}
	hasMember := false
	for _, u := range v.defining(names) {
		switch class, p, lacks := v.class[u], v.units[u].parent, v.lacks(u); {
		case class >= 0 && !lacks:
			hasMember = hasMember || v.isNamed(class, slices.DeleteFunc(slices.Clone(names), func(name string) bool {
				return v.isNamed(u, []string{name}) // a constructor
			}))
		case class >= 0:
			if v.c.Live(v.units[class].node) && (slices.Contains(around, class) || v.isNamed(class, names)) {
				found = append(found, u)
			}
		case p >= 0 && lacks && v.isNamed(p, names):
			nearby = append(nearby, u)
		}
	}
	if len(found) == 0 {
		found = v.inherited(names)
	}
	if len(found) == 0 {
		found = nearby
	}
	if len(found) > 0 || len(names) == 0 {
		return found
	}
	if all := v.missing(names[:1]); 0 < len(all) && len(all) <= mostOfName {
		return all
	}
	if v.last && !hasMember {
		return v.fields(names[0])
	}
	return nil
}

// inherited returns missing members with one of the names in a class that one of the names mentions, directly or
// indirectly, as a base class.
func (v *victim) inherited(names []string) (found []int32) {
	lost, seen := v.missing(names), map[int32]bool{}
	level := v.defining(names)
	for depth := 0; depth < mostBases && len(lost) > 0 && len(found) == 0; depth++ {
		var next []int32
		for _, u := range level {
			if seen[u] || v.isNamespace(v.units[u].node) || !v.c.Live(v.units[u].node) {
				continue
			}
			seen[u] = true
			for _, m := range v.units[u].mentions {
				next = append(next, v.define[m.name]...)
			}
			for _, d := range lost {
				if v.class[d] == u {
					found = append(found, d)
				}
			}
		}
		level = next
	}
	return found
}

// defining returns the units with one of the names that the base has, without whole namespaces.
func (v *victim) defining(names []string) (units []int32) {
	for _, name := range names {
		if id, known := v.ids[name]; known {
			for _, u := range v.define[id] {
				if v.base.Live(v.units[u].node) && (len(v.units[u].members) == 0 || !v.isNamespace(v.units[u].node)) {
					units = append(units, u)
				}
			}
		}
	}
	return units
}

func (v *victim) missing(names []string) []int32 {
	return slices.DeleteFunc(v.defining(names), func(u int32) bool { return !v.lacks(u) })
}

func (v *victim) isNamed(unit int32, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		id, known := v.ids[name]
		return known && slices.Contains(v.units[unit].names, id)
	})
}

// fields returns the missing members of a class that are no functions.
func (v *victim) fields(class string) (found []int32) {
	id, known := v.ids[class]
	if !known {
		return nil
	}
	for _, u := range v.define[id] {
		for _, m := range v.units[u].members {
			if v.class[m] == u && v.lacks(m) && !v.units[m].callable {
				found = append(found, m)
			}
		}
	}
	return found
}

// unitAt returns the innermost unit with a token, or -1.
func (h *explorer) unitAt(token int) int32 {
	nodes := h.tree.Nodes
	n := int32(sort.Search(len(nodes), func(n int) bool { return int(nodes[n].First) > token }) - 1)
	u := int32(sort.Search(len(h.units), func(u int) bool { return h.units[u].node > n }) - 1)
	for u >= 0 && nodes[h.units[u].node].Next <= n {
		u = h.units[u].parent
	}
	return u
}
