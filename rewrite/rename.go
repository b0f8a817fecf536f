package rewrite

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Rename is a pass that gives names of more than a letter short ones, all uses of a name
// at once: a, b, c and so on by where they first stand, A, B, C for those that begin with
// a capital, unlike any word of the file or the grammar. It asks about all of them, then
// about less: what the file takes from elsewhere has to keep its name.
func Rename() pass.Pass {
	search := func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		r := newRenaming(t)
		r.sift(plan.Parse)
		names, list := bundled(r.names, "names to be short")
		d := rounds.Driver[*parse.Candidate, none]{Plan: plan.Plan, Allows: gate.Allows}
		return d.Only(parse.Whole(t), &rounds.Task[*parse.Candidate, none]{
			List: list,
			Edit: func(base *parse.Candidate, kept []int) *parse.Candidate {
				return r.rename(base, slices.Concat(parse.Others(names, kept)...))
			},
		})
	}
	return pass.Pass{Name: "names", When: pass.Last, Search: search}
}

// none is what waits to become a task where nothing does.
type none = struct{}

// A renaming is what names of a tree may become.
type renaming struct {
	tree  *parse.Tree
	names []string           // those that may be others
	first map[string]int     // of each name: how many there are before it
	uses  map[string][]int32 // leaves with words that are names
	words map[string]bool    // that new names are unlike
	// declared has the names that stand where a grammar has a field for one.
	declared map[string]bool
}

func newRenaming(t *parse.Tree) *renaming {
	r := &renaming{tree: t, first: map[string]int{}, uses: map[string][]int32{}, words: map[string]bool{},
		declared: map[string]bool{}}
	for _, name := range t.Names {
		for _, word := range parse.Words([]byte(name)) {
			r.words[word] = true
		}
	}
	fields := slices.ContainsFunc(t.Links, func(l parse.Link) bool { return l.Field != 0 })
	all := parse.Whole(t)
	for n := range int32(len(t.Nodes)) {
		if t.NoSyntax || !t.IsLeaf(n) || t.Nodes[n].First == t.Nodes[n].Last {
			continue
		}
		text := all.TextOf(n)
		isName := r.isName(n, text)
		for _, word := range parse.Words(text) {
			r.words[word] = true
			if isHead(t, n) || !t.Nodes[n].Named {
				continue
			}
			if leaves := r.uses[word]; len(leaves) == 0 || leaves[len(leaves)-1] != n {
				r.uses[word] = append(leaves, n)
			}
			if isName && (isDeclared(t, n) || !fields) {
				r.declared[word] = true
			}
			ofKind := strings.Contains(t.Kind(n), strings.ToLower(word))
			if _, known := r.first[word]; isName && !known && len(word) > 1 && !ofKind {
				r.first[word] = len(r.names)
				r.names = append(r.names, word)
			}
		}
	}
	// What stands only once and is not declared is from elsewhere, or of the language.
	r.names = slices.DeleteFunc(r.names, func(name string) bool { return len(r.uses[name]) == 1 && !r.declared[name] })
	slices.SortStableFunc(r.names, func(a, b string) int {
		return cmp.Compare(min(2, len(r.uses[b])), min(2, len(r.uses[a])))
	})
	return r
}

// isDeclared reports whether n stands where a grammar has a field for the name of
// something, or of a function: in C one without a type looks like a call.
func isDeclared(t *parse.Tree, n int32) bool {
	for _, field := range t.Kinds(n) {
		switch field {
		case "name", "declarator", "pattern", "label", "function":
			return true
		}
	}
	return false
}

// isHead reports whether n names a file of several.
func isHead(t *parse.Tree, n int32) bool {
	first := t.Nodes[n].First
	return slices.ContainsFunc(t.Parts, func(p parse.Part) bool { return t.Nodes[p.Node].First == first })
}

// isName reports whether a leaf is a name, or several as in a:b and a.b: not a comment, and not
// what stands in quotes.
func (r *renaming) isName(n int32, text []byte) bool {
	if t := r.tree; !t.Nodes[n].Named || t.Nodes[n].Comment || inQuotes(t, n) {
		return false
	}
	return len(text) > 0 && (text[0] < '0' || text[0] > '9') && !bytes.ContainsFunc(text, func(c rune) bool {
		return c < 0x80 && !strings.ContainsRune(":.-@_$%", c) &&
			(c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
}

// inQuotes reports whether quotes that are tokens stand around a leaf, or around all that
// its parent has.
func inQuotes(t *parse.Tree, n int32) bool {
	around := func(first, last int32) bool {
		return first >= 0 && int(last) < len(t.Tokens) &&
			isQuote(t.Source[t.Tokens[first].End-1]) && isQuote(t.Source[t.Tokens[last].Start])
	}
	i, p := t.Nodes[n].First, t.Nodes[t.Nodes[n].Parent]
	return around(i-1, i+1) || p.First < i && i < p.Last-1 && around(p.First, p.Last-1)
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// sift leaves the names in place of which any word is read the same: not those of types
// that a language has itself, say, unless the file declares them.
func (r *renaming) sift(read func([]byte) (*parse.Tree, error)) {
	base := parse.Whole(r.tree)
	some := func(of []int) (names []string) {
		for _, i := range of {
			names = append(names, r.names[i])
		}
		return names
	}
	r.names = some(parse.Sift(len(r.names), parse.Reads(r.tree), func(of []int) bool {
		tree, err := read(r.rename(base, some(of)).Render())
		return err == nil && parse.Alike(r.tree, tree, func(n int32, sameKind bool) bool {
			return sameKind || r.declared[string(base.TextOf(n))]
		})
	}))
}

// rename gives some names short ones.
func (r *renaming) rename(base *parse.Candidate, names []string) *parse.Candidate {
	names = slices.Clone(names)
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(r.first[a], r.first[b]) })
	short := map[string]string{}
	next := map[byte]int{}
	var leaves []int32
	for _, name := range names {
		begin := byte('a')
		if c := strings.TrimLeft(name, "_$"); c != "" && c[0] >= 'A' && c[0] <= 'Z' {
			begin = 'A'
		}
		for short[name] == "" || r.words[short[name]] {
			short[name] = letter(begin, next[begin])
			next[begin]++
		}
		leaves = append(leaves, r.uses[name]...)
	}
	slices.Sort(leaves)
	all := parse.Whole(r.tree)
	var edits []parse.Edit
	for _, n := range slices.Compact(leaves) {
		text := string(all.TextOf(n))
		edits = append(edits, r.tree.Replace([]int32{n}, parse.Literal("", replaceWords(text, short))))
	}
	return base.Apply(edits...)
}

// letter returns the i-th of a, b, …, z, aa, ab, and so on.
func letter(begin byte, i int) string {
	text := string(begin + byte(i%26))
	if i >= 26 {
		return letter(begin, i/26-1) + text
	}
	return text
}

// replaceWords returns a text with other words in it.
func replaceWords(text string, other map[string]string) string {
	var b strings.Builder
	for len(text) > 0 {
		n := parse.WordLen(text)
		word := text[:max(n, 1)]
		if o, ok := other[word]; ok {
			b.WriteString(o)
		} else {
			b.WriteString(word)
		}
		text = text[len(word):]
	}
	return b.String()
}
