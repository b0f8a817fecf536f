package deps

import (
	"slices"
	"strings"
)

// definite returns the change of a: T to a!: T for a field of TypeScript.
func (s *slice) definite(n int32) loosening {
	name := s.tree.Child(n, "name")
	isField := name >= 0 && s.tree.IsLeaf(name) && s.tree.Is(n, "public_field_definition")
	if !isField || s.tree.Child(n, "type") < 0 || s.tree.Child(n, "value") >= 0 {
		return loosening{}
	}
	return loosening{node: name, words: s.text(name) + " !", certain: true}
}

// unconstrained returns the changes that remove constraints of C++ from the roots and the definitions around them. A
// concept of the library may need most of it.
func (s *slice) unconstrained() (changes []loosening) {
	for _, u := range s.roots {
		for ; u >= 0; u = s.units[u].parent {
			first := s.units[u].node
			for n := first; n < s.tree.Nodes[first].Next && s.tree.Field(n) != "body"; n++ {
				constraint, of := s.tree.Child(n, "constraint"), s.tree.Child(n, "type")
				switch {
				case s.tree.Is(s.tree.Nodes[n].Parent, "template_parameter_list") && s.isConcept(of):
					changes = append(changes, loosening{node: of, words: "typename"})
				case constraint >= 0 && s.tree.Field(n) == "type": // C auto
					changes = append(changes, loosening{node: constraint})
				case constraint >= 0:
					changes = append(changes, loosening{node: n})
				}
			}
		}
	}
	return changes
}

// isConcept reports whether the type of a template parameter mentions a concept.
func (s *slice) isConcept(n int32) bool {
	for _, name := range s.mentionedIn(max(n, 0), nil) {
		if n >= 0 && slices.ContainsFunc(s.define[name], func(u int32) bool {
			return s.tree.Is(max(s.units[u].node, s.onlyPart(s.units[u].node)), "concept_definition")
		}) {
			return true
		}
	}
	return false
}

// uninstantiated returns declarations of C++ such as extern template class A<int>. They only save a compiler's work.
func (h *explorer) uninstantiated() (nodes []int32) {
	for i := range h.units {
		if n := h.units[i].node; h.tree.Is(n, "template_instantiation") && strings.HasPrefix(h.text(n), "extern") {
			nodes = append(nodes, n)
		}
	}
	return nodes
}
