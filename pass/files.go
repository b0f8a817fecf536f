package pass

import (
	"path"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/algo/rounds"
	"whittle/oracle"
	"whittle/parse"
)

// Unread deletes the files that the test of the input does not read. read selects the paths that it reads; an
// empty result means unknown.
//
// The first candidate keeps only these files and links. The second drops the mentions of the others. The third empties
// the other files, since a test may check that a file exists; [Empty] deletes them later. The last also keeps the text
// of files in the directory of a read file.
func Unread(read func(paths []string) map[string]bool) Pass {
	return Pass{Name: "files", When: First, Search: func(t *parse.Tree, gate Gate, plan Plan) *Step {
		paths := make([]string, len(t.Parts))
		for i, p := range t.Parts {
			paths[i] = p.Path
		}
		known := read(paths)
		if len(known) == 0 {
			return nil
		}
		f, base := newFiles(t, gate, plan), parse.Whole(t)
		f.divide(base, known)
		otherwise := func() *Step { return f.Search(base, [][]int32{f.unread}) }
		return f.first(base, otherwise, base.Drop(f.unread...), base.DropFiles(f.unread...), base.Drop(f.texts...),
			base.Drop(f.distant...))
	}}
}

// Files deletes whole files and directories with their mentions, before other passes edit their contents. First only
// the files stay that the failure names, as a.py:3, with files of other kinds. Then the others are empty, or their
// mentions go, too.
func Files() Pass {
	return Pass{Name: "files", When: First, Search: func(t *parse.Tree, gate Gate, plan Plan) *Step {
		if t.Parts == nil {
			return nil
		}
		base := parse.Whole(t)
		otherwise := func() *Step {
			f := newFiles(t, gate, plan)
			return f.Search(base, [][]int32{f.members(0)})
		}
		f, named := newFiles(t, gate, plan), named(t, plan.Clues)
		if len(named) == 0 {
			return otherwise()
		}
		f.divide(base, named)
		return f.first(base, otherwise, base.Drop(f.packages()...), base.Drop(f.texts...), base.DropFiles(f.unread...))
	}}
}

// packages returns the unread entries. The file that makes a directory a package of Python only becomes empty.
func (f *files) packages() (gone []int32) {
	for _, n := range f.unread {
		part := f.tree.Parts[f.tree.Around(n)]
		if text := f.tree.Root(part); text >= 0 && path.Base(part.Path) == "__init__.py" {
			n = text
		}
		gone = append(gone, n)
	}
	return gone
}

// named returns the files that reasons name, and the files of other kinds.
func named(t *parse.Tree, reasons []string) map[string]bool {
	files, kinds := map[string]bool{}, map[string]bool{}
	for _, reason := range reasons {
		place, _, _ := strings.Cut(strings.TrimLeft(reason, oracle.Clue+oracle.Place), " ")
		name, _, _ := strings.Cut(place, ":")
		for _, p := range t.Parts {
			if strings.HasSuffix("/"+p.Path, "/"+name) {
				files[p.Path], kinds[path.Ext(name)] = true, true
			}
		}
	}
	for _, p := range t.Parts {
		if len(files) > 0 && !kinds[path.Ext(p.Path)] && !t.IsDirectory(p.Node) {
			files[p.Path] = true
		}
	}
	return files
}

// Empty deletes empty files, with their mentions, and empty directories.
func Empty() Pass {
	return Pass{Name: "empty files", Search: func(t *parse.Tree, gate Gate, plan Plan) *Step {
		f, base := newFiles(t, gate, plan), parse.Whole(t)
		for _, p := range t.Parts {
			if n := p.Node; base.WeightOf(n) == 1 && t.Nodes[n].Slot.Droppable() && !t.Is(n, "link") {
				f.unread = append(f.unread, n)
			}
		}
		f.used = map[int32]bool{}
		for _, n := range f.unread {
			f.used[t.Nodes[n].Parent] = true
		}
		return f.Search(base, [][]int32{f.unread})
	}}
}

func newFiles(t *parse.Tree, gate Gate, plan Plan) *files {
	plan.Width = 1 // one list after the other
	f := &files{tree: t}
	f.Driver = rounds.Driver[*parse.Candidate, [][]int32]{Plan: plan.Plan, Allows: gate.Allows, Next: f.next}
	return f
}

type files struct {
	rounds.Driver[*parse.Candidate, [][]int32]
	tree *parse.Tree
	used map[int32]bool // read files and their directories; nil means unknown

	unread []int32 // the outermost unused entries, without links; or the empty ones
	// texts are the roots of all unused files; distant leaves out files in the directory of a read file. A file whose
	// language forbids an empty file is included as a whole.
	texts, distant []int32
}

func (f *files) divide(base *parse.Candidate, read map[string]bool) {
	t := f.tree
	f.used = map[int32]bool{0: true}
	beside := map[int32]bool{}
	empty := map[int32]bool{} // whether a file may be empty, by the chain of its root, which identifies the language
	for _, p := range t.Parts {
		if read[p.Path] {
			beside[t.Nodes[p.Node].Parent] = true
			for n := p.Node; !f.used[n]; n = t.Nodes[n].Parent {
				f.used[n] = true
			}
		}
	}
	for _, p := range t.Parts {
		n, parent := p.Node, t.Nodes[p.Node].Parent
		if f.used[n] || !t.Nodes[n].Slot.Droppable() {
			continue
		}
		if f.used[parent] && !t.Is(n, "link") {
			f.unread = append(f.unread, n)
		}
		if text := t.Root(p); text >= 0 {
			chain := t.Nodes[text].Chain
			fits, known := empty[chain]
			if !known {
				fits = f.Allows(base, base.Drop(text))
				empty[chain] = fits
			}
			if !fits {
				text = n
			}
			f.texts = append(f.texts, text)
			if !beside[parent] {
				f.distant = append(f.distant, text)
			}
		}
	}
}

// first asks for some candidates until one is interesting, and then searches the list of unread files. After the last
// one, it continues with otherwise.
func (f *files) first(base *parse.Candidate, otherwise func() *Step, some ...*parse.Candidate) *Step {
	if len(some) == 0 {
		return otherwise()
	}
	c, others := some[0], some[1:]
	for len(others) > 0 && others[0].Weight() == c.Weight() { // no mentions
		others = others[1:]
	}
	if !f.Allows(base, c) {
		return f.first(base, otherwise, others...)
	}
	return &Step{Candidate: c, Chance: mostly, Next: func(o algo.Outcome) *Step {
		switch {
		case o == algo.Interesting && len(others) < 2: // c empties files
			return f.Search(c, nil)
		case o == algo.Interesting:
			return f.Search(c, [][]int32{f.unread})
		}
		return f.first(base, otherwise, others...)
	}}
}

// members returns the members of a directory, without unused ones if the directory is used. It replaces a single member
// by the members of that.
func (f *files) members(dir int32) (members []int32) {
	t := f.tree
	for _, p := range t.Parts {
		if n := p.Node; t.Nodes[n].Parent == dir && t.Nodes[n].Slot.Droppable() && (f.used[n] || !f.used[dir]) {
			members = append(members, n)
		}
	}
	if len(members) == 1 {
		return f.members(members[0])
	}
	return members
}

// roughly is the factor for the minimum expected gain of questions about unread files.
const roughly = 5

type filesTask = rounds.Task[*parse.Candidate, [][]int32]

// next searches the first list, then the members of its directories.
func (f *files) next(base *parse.Candidate, lists [][]int32) (*filesTask, [][]int32) {
	if len(lists) == 0 {
		return nil, nil
	}
	var items []int32
	var weights []int
	listed := 0
	for _, n := range lists[0] {
		if w := base.WeightOf(n); w > 0 {
			items, weights, listed = append(items, n), append(weights, w), listed+w
		}
	}
	if len(items) == 0 {
		return f.next(base, lists[1:])
	}
	list := algo.List{Weights: weights, Whole: base.Weight(), Kind: "files"}
	if n := items[0]; f.used != nil && !f.used[n] {
		list.Kind = "files that are not read"
		if f.used[f.tree.Nodes[n].Parent] { // the files may be empty, and weigh little
			list.Whole = roughly * listed
		}
	}
	prints := parse.NewFingerprints(base)
	list.Known = func(i int) (own, around uint64) { // as in later searches of children
		own = prints.Siblings(items[i]) ^ prints.Counts(items[i])
		return own, own ^ prints.Contexts(items[i])
	}
	return &filesTask{
		List: list,
		Edit: func(base *parse.Candidate, kept []int) *parse.Candidate {
			return base.DropFiles(parse.Others(items, kept)...)
		},
		Done: func(base *parse.Candidate, _ []int, lists [][]int32) (*filesTask, [][]int32) {
			for _, n := range items {
				if base.Live(n) && f.tree.IsDirectory(n) {
					lists = append(slices.Clip(lists), f.members(n))
				}
			}
			return nil, lists
		},
	}, lists[1:]
}
