package deps

import (
	"slices"

	"whittle/parse"
)

// stubbed returns a candidate with a stub in each body that it empties, and for the last statement of the functions in
// roots, if they return a value.
func (h *explorer) stubbed(base, c *parse.Candidate, roots []int32) *parse.Candidate {
	var edits []parse.Edit
	for i := range h.units {
		body := h.units[i].body
		if body < 0 || !c.Live(body) || !h.returns(h.tree.Nodes[body].Parent) {
			continue
		}
		items := h.content(base, body)
		if slices.Contains(roots, int32(i)) {
			items = slices.DeleteFunc(items, h.tree.IsLeaf) // separators
			if items = items[max(len(items)-1, 0):]; len(items) > 0 && c.Live(items[0]) {
				continue
			}
		} else if len(h.content(c, body)) > 0 {
			continue
		}
		if stub := h.plan.StubAt(h.tree, h.units[i].node); stub != "" && len(items) > 0 {
			edits = append(edits, h.tree.Replace(items, parse.Literal(" ", stub)))
		}
	}
	return c.Apply(edits...)
}

// returns reports whether a function returns a value.
func (h *explorer) returns(n int32) bool {
	for _, field := range []string{"type", "return_type", "result"} {
		if d := h.tree.Child(n, field); d >= 0 {
			return !h.tree.IsLeaf(d) || string(h.base.TextOf(d)) != "void"
		}
	}
	d := h.tree.Child(n, "declarator")
	return d >= 0 && h.tree.Child(d, "type") >= 0 // operator int()
}

// filled returns a candidate with a stub in each definition whose body is indented and gone.
func (h *explorer) filled(base, c *parse.Candidate) *parse.Candidate {
	var edits []parse.Edit
	for i := range h.units {
		n, body := h.units[i].node, h.units[i].body
		if !h.tree.IsIndented(int(h.tree.Nodes[n].First)) || !c.Live(n) || h.plan.StubAt(h.tree, n) == "" {
			continue
		}
		if part := h.onlyPart(n); part >= 0 && h.essence[part] {
			n = part
		}
		if body < 0 {
			body = h.tree.Child(n, "body")
		}
		if body < 0 || c.Live(body) || !base.Live(body) {
			continue
		}
		before := int32(-1)
		for _, d := range base.Children(h.tree.Nodes[body].Parent) {
			if d == body && before >= 0 && c.Live(before) {
				stub := parse.Literal(" ", h.plan.StubAt(h.tree, n))
				edits = append(edits, h.tree.Replace([]int32{before, body}, parse.Nodes(before), stub))
			}
			before = d
		}
	}
	return c.Apply(edits...)
}
