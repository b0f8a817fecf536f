package pass

import (
	"slices"

	"whittle/parse"
)

// Facts are facts about a language, from its rules file.
type Facts struct {
	// Stub is a body for emptied functions that return a value, in indented languages for all functions. It may be empty.
	Stub  string
	Probe parse.Probe
	// Value is an expression that fits most types. It may be empty.
	Value string
	// Symbols are kinds of leaves that are one name each, whatever its characters. The value has the quotes around a
	// name, which are not a part of it, or is empty.
	Symbols map[string]string
	// Alike are words of the same kind, such as built-in types, the simplest first.
	Alike [][]string
}

// StubAt returns the stub for a node: in a project, the stub of its file.
func (f Facts) StubAt(t *parse.Tree, n int32) string {
	if t.Parts == nil {
		return f.Stub
	}
	return t.Parts[t.Around(n)].Stub
}

// ProbeAt returns the probe for a node: in a project, the probe of its file.
func (f Facts) ProbeAt(t *parse.Tree, n int32) parse.Probe {
	if t.Parts == nil {
		return f.Probe
	}
	return t.Parts[t.Around(n)].Probe
}

// IsBuiltIn reports whether a word is in Alike.
func (f Facts) IsBuiltIn(word string) bool {
	return slices.ContainsFunc(f.Alike, func(words []string) bool { return slices.Contains(words, word) })
}

// Simplest returns the simplest word of the kind of a word: often the word itself.
func (f Facts) Simplest(word string) string {
	for _, words := range f.Alike {
		if slices.Contains(words, word) {
			return words[0]
		}
	}
	return word
}
