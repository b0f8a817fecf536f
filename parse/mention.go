package parse

import "slices"

// A Spelling says how files of a language name other files: by the text of the nodes of a kind. Kind is "*" for nodes
// of any kind, or has the field of a child, as in "mod_item.name". In "import_from_statement.module_name+name", the
// text of another child and a dot come before it.
type Spelling struct {
	Kind string
	// Around has kinds of nodes around it, from the inside to the outside, as in "inline_table/pair". The last one is
	// deleted with the file. "" means the node.
	Around string
	// Paths are the possible paths of the file. In them, $ is the text without quotes, % is the text with slashes in
	// place of dots, after one dot for this directory and two for the one above it, and ^ is the name of the file with
	// the node, without extension. A path is relative to a directory around that file, and after ./ only to its own.
	// */ stands for any directories, @/ for the directory of the package with whose name the text begins. A path .o:.c
	// is the text with another ending.
	Paths []string
	// Inside: the definitions of the file are also known in the file with the node, and the other way round. A node whose
	// parent has a body names no file.
	Inside bool
}

// A Mention is a text that names the file, directory or link Part, and the node that may be deleted with it.
type Mention struct {
	Node, Text int32
	Part       int  // index in Parts
	Inside     bool // see Spelling
}

// DropFiles returns c without the given files and directories, and without the nodes that mention only these.
func (c *Candidate) DropFiles(nodes ...int32) *Candidate {
	d := c.Drop(nodes...)
	t := c.tree
	var gone []int32
	for i, m := range t.Mentions {
		switch {
		case !d.Live(m.Node) || d.Live(t.Parts[m.Part].Node) || !c.Live(t.Parts[m.Part].Node):
		case len(gone) > 0 && m.Node < t.Nodes[gone[len(gone)-1]].Next: // in that node
		case !slices.ContainsFunc(t.mentionsIn(m.Node, i), func(o Mention) bool { return d.Live(t.Parts[o.Part].Node) }):
			gone = append(gone, m.Node)
		}
	}
	if len(gone) == 0 {
		return d
	}
	return d.Drop(c.whole(gone)...)
}

// mentionsIn returns the mentions from the i-th on in a node.
func (t *Tree) mentionsIn(n int32, i int) []Mention {
	end := i
	for end < len(t.Mentions) && t.Mentions[end].Node < t.Nodes[n].Next {
		end++
	}
	return t.Mentions[i:end]
}

// whole adds to all members of a list that needs one, or to all children in a field, the node around them that may be
// deleted.
func (c *Candidate) whole(nodes []int32) []int32 {
	t := c.tree
	for i := 0; i < len(nodes); i++ { // grows
		n := nodes[i]
		field := t.Field(n)
		if t.Nodes[n].Slot != Plus && field == "" ||
			slices.ContainsFunc(c.Children(t.Nodes[n].Parent), func(d int32) bool {
				alike := field == "" && t.Nodes[d].Slot.Droppable() || field != "" && t.Field(d) == field
				return alike && !slices.Contains(nodes, d)
			}) {
			continue
		}
		if around := t.Dropped(t.Nodes[n].Parent); around >= 0 && !slices.Contains(nodes, around) {
			nodes = append(nodes, around)
		}
	}
	return nodes
}

// Dropped returns n or the innermost node around it that may be deleted, in the same file; otherwise -1.
func (t *Tree) Dropped(n int32) int32 {
	for t.InFile(n) && !t.Nodes[n].Slot.Droppable() {
		n = t.Nodes[n].Parent
	}
	if !t.InFile(n) {
		return -1
	}
	return n
}
