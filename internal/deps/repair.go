package deps

import (
	"cmp"
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
)

// needs are dependencies of units that failures have shown.
type needs map[int32][]int32

const (
	always   = -1 // the whole file needs these
	unwanted = -2 // these units go
)

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

// without returns the dependencies of all units but on one.
func (n needs) without(unit int32) needs {
	fewer := needs{}
	for u, needed := range n {
		fewer[u] = slices.DeleteFunc(slices.Clone(needed), func(m int32) bool { return u != unwanted && m == unit })
	}
	return fewer
}

// have reports whether anything needs a unit.
func (n needs) have(unit int32) bool {
	for u, needed := range n {
		if u != unwanted && slices.Contains(needed, unit) {
			return true
		}
	}
	return false
}

// experience is learned from the reasons of failures.
type experience struct {
	needs     needs
	repairs   pass.Repairs
	returning bool            // emptied functions that are constexpr need a return statement
	shown     map[string]bool // errors of interesting candidates, by key
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
	if tries == cmp.Or(s.most, mostRepairs) || s.most == 0 && !at.learned.repairs.Pay() {
		return nil
	}
	at = s.learn(at, asked.Candidate, c, reasons)
	kept := at.with(asked.Candidate)
	r := s.edit(kept, at.learned.needs)
	if r.Weight() <= c.Weight() || !s.gate.Allows(at.base, r) {
		return nil
	}
	about := &algo.Question{List: &algo.List{Kind: pass.RepairKind}, Left: at.left, Kept: kept}
	count := pass.Repairs.With
	if s.most > 0 {
		about.List, count = &s.list, func(r pass.Repairs, _ algo.Outcome) pass.Repairs { return r }
	}
	return &pass.Step{
		Candidate: r, Chance: asked.Chance, About: about,
		Next: func(o algo.Outcome) *pass.Step {
			at := at.after(kept, r, o)
			at.learned.repairs = count(at.learned.repairs, o)
			return s.step(asked.Next(o), at)
		},
		Repair: func(reasons []string) *pass.Step {
			at := at
			at.learned.repairs = count(at.learned.repairs, algo.Uninteresting)
			if again := s.repair(asked, at, r, reasons, tries+1, failed); again != nil {
				return again
			}
			return failed(at.learned.repairs)
		},
	}
}

// learn adds the missing definitions and items of a failure's reasons. If these are many, it adds only definitions that
// need few others, since one error leads to more.
func (s *search) learn(at state, kept []int, c *parse.Candidate, reasons []string) state {
	v := newVictim(s.explorer, at.base, c)
	weight := func(at state) int { return s.edit(at.with(kept), at.learned.needs).Weight() }
	all, few, most := at, at, c.Weight()*3/2+fewTokens
	reasons = at.learned.others(v, reasons)
	for _, reason := range reasons {
		all, _ = s.add(all, v, reason)
	}
	if weight(all) <= most {
		return all
	}
	for _, reason := range reasons {
		if more, _ := s.add(few, v, reason); weight(more) <= most {
			few = more
		}
	}
	if weight(few) > c.Weight() {
		return few
	}
	return all
}

// add adds the missing definitions and items of a reason. It reports whether there are any.
func (s *search) add(at state, v *victim, reason string) (_ state, found bool) {
	place, list, _ := strings.Cut(reason, " ")
	token := v.tokenAt(place)
	names, unit := strings.Fields(list), s.unitAt(token)
	if len(names) == 0 {
		names = v.unknown(token)
	}
	units := v.operatorAt(token, names)
	if len(units) == 0 {
		units = v.definitions(unit, names)
	}
	if len(units) == 0 && !v.onlyMembers {
		for _, gone := range v.gone(unit, names) {
			if u := s.unitAt(gone); u >= 0 && v.lacks(u) {
				units = append(units, u)
			} else if item := s.itemAt(gone); item >= 0 {
				at.pinned, found = at.with([]int{item}), true
			}
		}
	}
	if s.most > 0 && unit >= 0 && len(units) == 0 && !found { // as if another trait has a method of the same name
		units = slices.DeleteFunc(s.mentioned(unit), func(d int32) bool { return !v.lacks(d) })
	}
	if len(units) > 0 {
		at.learned.needs, found = at.learned.needs.with(unit, units), true
	}
	return at, found
}

// itemAt returns the item of a list of parts with a token, or -1.
func (s *search) itemAt(token int) int {
	return slices.IndexFunc(s.nodes, func(n int32) bool { return s.has(n, token) })
}

// unitAt returns the innermost unit with a token, also in the attributes after it, or -1.
func (h *explorer) unitAt(token int) int32 {
	nodes := h.tree.Nodes
	n := int32(sort.Search(len(nodes), func(n int) bool { return int(nodes[n].First) > token }) - 1)
	u := int32(sort.Search(len(h.units), func(u int) bool { return h.units[u].node > n }) - 1)
	for u >= 0 && nodes[h.units[u].node].Next <= n {
		if slices.ContainsFunc(h.leads[h.units[u].node], func(lead int32) bool { return h.has(lead, token) }) {
			return u
		}
		u = h.units[u].parent
	}
	return u
}
