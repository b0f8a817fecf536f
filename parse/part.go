package parse

import "sort"

// A Part is a file, directory or link in a tree of several files. The first child of its node is a leaf, the head. A
// file's second child is its root; a directory's other children are parts.
type Part struct {
	Node     int32
	Path     string
	Indented bool     // as [Tree.Indented]
	Names    []string // as [Tree.Names], of the language of the file; nil for data
	Stub     string   // see pass.Facts
	Probe    Probe
}

// A Probe has the facts of a language about code that runs. Its code says that a block runs, once: it writes
// "whittle $" or, since tests hide output, makes a directory of this name. $ is the number of the block.
type Probe struct {
	Statements map[string]string // at the start of a block, by its kind
	Global     string            // a declaration at the end of the file, per block; may be empty
	First      string            // the kind of a statement that must be before the probe in its block
	Types      []string          // kinds of optional nodes that do not run
}

// Root returns the root of the file p, or -1 if p is empty or not a file.
func (t *Tree) Root(p Part) int32 {
	if n := p.Node + 2; n < t.Nodes[p.Node].Next && !t.IsPart(n) {
		return n
	}
	return -1
}

// Around returns the index of the innermost part around n, or -1.
func (t *Tree) Around(n int32) int {
	return sort.Search(len(t.Parts), func(i int) bool { return t.Parts[i].Node > n }) - 1
}

// InFile reports whether n is below the root of a file.
func (t *Tree) InFile(n int32) bool {
	if t.Parts == nil {
		return n > 0
	}
	if i := t.Around(n); i >= 0 {
		root := t.Root(t.Parts[i])
		return root >= 0 && n > root
	}
	return false
}

// IsPart reports whether n is a file, directory or link.
func (t *Tree) IsPart(n int32) bool {
	i := sort.Search(len(t.Parts), func(i int) bool { return t.Parts[i].Node >= n })
	return i < len(t.Parts) && t.Parts[i].Node == n
}

// IsDirectory reports whether n is a directory that contains parts.
func (t *Tree) IsDirectory(n int32) bool {
	return t.Parts != nil && n+2 < t.Nodes[n].Next && t.IsPart(n) && t.IsPart(n+2)
}

func (t *Tree) IsRoot(n int32) bool {
	return n == 0 || t.Parts != nil && n-2 == t.Nodes[n].Parent && t.IsPart(n-2) && !t.IsPart(n)
}

func (t *Tree) partTokens(i int) (head, end int) {
	end = len(t.Tokens)
	if i+1 < len(t.Parts) {
		end = int(t.Nodes[t.Parts[i+1].Node].First)
	}
	return int(t.Nodes[t.Parts[i].Node].First), end
}

func (t *Tree) partOf(i int) int {
	return sort.Search(len(t.Parts), func(k int) bool { return int(t.Nodes[t.Parts[k].Node].First) > i }) - 1
}

func (t *Tree) fileStart(i int) int {
	if p := t.partOf(i); p >= 0 {
		return int(t.Nodes[t.Parts[p].Node].First) + 1
	}
	return 0
}

// IsIndented reports whether indentation is significant at token i.
func (t *Tree) IsIndented(i int) bool {
	if p := t.partOf(i); p >= 0 {
		return t.Parts[p].Indented
	}
	return t.Indented
}
