package archive

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"whittle/parse"
)

// Parse parses an archive of s. The children of the root and of directories are entries. The node of a
// file has the head and the tree of the file.
func (s *Set) Parse(source []byte) (*parse.Tree, error) {
	pieces, err := s.split(source)
	if err := cmp.Or(err, parse.CheckSize(source)); err != nil {
		return nil, err
	}
	trees := make([]*parse.Tree, len(pieces))
	nodes, tokens := 1+2*len(pieces), len(pieces)
	for i, p := range pieces {
		if l := s.entries[p.entry].Language; l != nil {
			if trees[i], err = l.Parse(source[p.content:p.end:p.end]); err != nil {
				return nil, fmt.Errorf("%s: %w", s.entries[p.entry].Path, err)
			}
			nodes, tokens = nodes+len(trees[i].Nodes), tokens+len(trees[i].Tokens)
		}
	}
	j := &joined{chains: parse.NewChains(), names: map[*string]int32{}, t: &parse.Tree{
		Source: source, Nodes: make([]parse.Node, 1, nodes), Tokens: make([]parse.Token, 0, tokens),
		Parts: make([]parse.Part, 0, len(pieces)), Names: slices.Clone(entryNames),
	}}
	j.t.Nodes[0].Parent, j.t.Nodes[0].Chain = -1, j.chain(archive)
	var dirs []int32 // the directories around the entry
	var paths []string
	for i, p := range pieces {
		e := &s.entries[p.entry]
		for len(dirs) > 0 && !strings.HasPrefix(e.Path, paths[len(dirs)-1]+"/") {
			j.close(dirs[len(dirs)-1])
			dirs, paths = dirs[:len(dirs)-1], paths[:len(dirs)-1]
		}
		parent := int32(0)
		if len(dirs) > 0 {
			parent = dirs[len(dirs)-1]
		}
		n := j.open(parent, p, e.Path, kindOf(e))
		if e.Mode.IsDir() {
			dirs, paths = append(dirs, n), append(paths, e.Path)
			continue
		}
		if trees[i] != nil {
			j.graft(n, trees[i], e.Language, int32(p.content))
		}
		j.close(n)
	}
	for ; len(dirs) > 0; dirs = dirs[:len(dirs)-1] {
		j.close(dirs[len(dirs)-1])
	}
	j.close(0)
	t := j.t
	for i, p := range pieces {
		n := t.Parts[i].Node
		if s.entries[p.entry].Kept {
			j.keep(n)
		}
		if s.entries[p.entry].Sealed {
			t.Nodes[n].Slot = parse.Required
			for root := t.Root(t.Parts[i]); root >= 0 && root < t.Nodes[n].Next; root++ {
				t.Nodes[root].Slot = parse.Required
			}
		}
	}
	t.Weights = j.weights()
	t.Links = j.chains.Links
	t.Mentions = s.mentions(t, pieces)
	t.Fits, t.Least, t.Fuse = j.fits, j.least, j.fuse
	if slices.ContainsFunc(j.files, func(f file) bool { return f.tree.Derive != nil }) {
		t.Derive = j.derive
	}
	return t, nil
}

// joined is a tree under construction. The trees of the files answer queries about their nodes.
type joined struct {
	t      *parse.Tree
	files  []file
	chains *parse.Chains
	names  map[*string]int32 // for each language, by its first name: the number of names before its names
}

const (
	archive int32 = iota + 1
	directory
	plainFile
	link
	head
)

var entryNames = []string{"", "archive", "directory", "file", "link", "head"}

func kindOf(e *Entry) int32 {
	switch {
	case e.Mode.IsDir():
		return directory
	case e.Mode&fs.ModeSymlink != 0:
		return link
	}
	return plainFile
}

func (j *joined) chain(kind int32) int32 { return j.chains.Add(parse.Link{Kind: kind}) }

// A file is the tree of a file and the offsets of its nodes and tokens in the archive's tree.
type file struct {
	tree        *parse.Tree
	node, token int32
}

func (j *joined) open(parent int32, p piece, path string, kind int32) int32 {
	t := j.t
	n, token := int32(len(t.Nodes)), int32(len(t.Tokens))
	t.Tokens = append(t.Tokens, parse.Token{Start: int32(p.start), End: int32(p.content)})
	t.Nodes = append(t.Nodes,
		parse.Node{First: token, Parent: parent, Chain: j.chain(kind), Slot: parse.Star},
		parse.Node{
			First: token, Last: token + 1, Next: n + 2, Parent: n, Chain: j.chain(head), Slot: parse.Required, Fixed: true,
		})
	t.Parts = append(t.Parts, parse.Part{Node: n, Path: path})
	return n
}

func (j *joined) close(n int32) {
	j.t.Nodes[n].Last, j.t.Nodes[n].Next = int32(len(j.t.Tokens)), int32(len(j.t.Nodes))
}

// keep makes an entry required.
func (j *joined) keep(n int32) {
	t := j.t
	t.Nodes[n].Slot = parse.Required
	for _, other := range t.Parts {
		if other.Node != n {
			t.Needs = append(t.Needs, parse.Need{Token: t.Nodes[other.Node].First, Any: []int32{t.Nodes[n].First}})
		}
	}
}

// graft adds the tree of a file below its entry. Without its root, the file is empty.
func (j *joined) graft(entry int32, tree *parse.Tree, l parse.Language, start int32) {
	t := j.t
	node, token := int32(len(t.Nodes)), int32(len(t.Tokens))
	for _, k := range tree.Tokens {
		t.Tokens = append(t.Tokens, parse.Token{Start: k.Start + start, End: k.End + start})
	}
	chains := j.chainsOf(tree)
	for _, n := range tree.Nodes {
		n.Chain = chains[n.Chain]
		n.First, n.Last, n.Next, n.Parent = n.First+token, n.Last+token, n.Next+node, n.Parent+node
		t.Nodes = append(t.Nodes, n)
	}
	t.Nodes[node].Parent, t.Nodes[node].Slot = entry, parse.Optional
	for _, need := range tree.Needs {
		shifted := parse.Need{Token: need.Token + token}
		for _, k := range need.Any {
			shifted.Any = append(shifted.Any, k+token)
		}
		t.Needs = append(t.Needs, shifted)
	}
	t.Errors += tree.Errors
	last := &t.Parts[len(t.Parts)-1]
	last.Indented, last.Names = tree.Indented, tree.Names
	if s, ok := l.(Speller); ok {
		if last.Stub, last.Probe = s.Stub(), s.Probe(); s.IsData() {
			last.Names = nil
		}
	}
	j.files = append(j.files, file{tree, node, token})
}

// chainsOf returns the new chain of each chain of a tree.
func (j *joined) chainsOf(tree *parse.Tree) []int32 {
	if len(tree.Links) == 0 {
		return make([]int32, 1)
	}
	before, known := j.names[&tree.Names[0]]
	if !known {
		before = int32(len(j.t.Names)) - 1 // Names[0] is "" in both
		j.t.Names = append(j.t.Names, tree.Names[1:]...)
		j.names[&tree.Names[0]] = before
	}
	name := func(i int32) int32 {
		if i == 0 {
			return 0
		}
		return before + i
	}
	chains := make([]int32, len(tree.Links))
	for i, l := range tree.Links { // Below is always added first
		chains[i] = j.chains.Add(parse.Link{Kind: name(l.Kind), Field: name(l.Field), Below: chains[l.Below]})
	}
	return chains
}

func (j *joined) weights() []int32 {
	if !slices.ContainsFunc(j.files, func(f file) bool { return f.tree.Weights != nil }) {
		return nil
	}
	weights := make([]int32, len(j.t.Tokens))
	for i := range weights {
		weights[i] = 1
	}
	for _, f := range j.files {
		copy(weights[f.token:], f.tree.Weights)
	}
	return weights
}

func (j *joined) below(n int32) (file, bool) {
	i := sort.Search(len(j.files), func(i int) bool { return j.files[i].node >= n }) - 1
	if i < 0 || n >= j.files[i].node+int32(len(j.files[i].tree.Nodes)) {
		return file{}, false
	}
	return j.files[i], true
}

// fits asks the tree of the file. Nodes of different files cannot replace each other.
func (j *joined) fits(n int32, run []int32) bool {
	f, ok := j.below(n)
	if !ok {
		return false
	}
	own := make([]int32, len(run))
	for i, d := range run {
		if other, ok := j.below(d); !ok || other.tree != f.tree {
			return false
		}
		own[i] = d - f.node
	}
	return f.tree.Replaceable(n-f.node, own...)
}

func (j *joined) least(n int32) []byte {
	f, ok := j.below(n)
	if !ok || f.tree.Least == nil {
		return nil
	}
	return f.tree.Least(n - f.node)
}

func (j *joined) fuse(i int, a, b []byte) bool {
	k := sort.Search(len(j.files), func(k int) bool { return int(j.files[k].token) > i }) - 1
	if k < 0 || j.files[k].tree.Fuse == nil {
		return parse.Fuse(a, b)
	}
	if i -= int(j.files[k].token); i >= len(j.files[k].tree.Tokens) { // the end of the file
		return parse.Fuse(a, b)
	}
	return j.files[k].tree.Fuse(i, a, b)
}

func (j *joined) derive(c *parse.Candidate, first int32) (edits []parse.Edit) {
	for _, f := range j.files {
		if f.tree.Derive != nil && c.Live(first+f.node) {
			edits = append(edits, f.tree.Derive(c, first+f.node)...)
		}
	}
	return edits
}
