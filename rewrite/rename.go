package rewrite

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Rename returns a pass that gives short names to names of several letters: a, b, c and so on by first use, or A, B,
// C for capitalised names, but no words of the file or the grammar. It tests all names together, then fewer, since
// names from outside the file have to stay.
func Rename() pass.Pass {
	search := func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		r := newRenaming(t)
		r.keepSafe(plan.Parse)
		names, list := grouped(r.names, "names to be short")
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

type none = struct{}

type renaming struct {
	tree     *parse.Tree
	names    []string
	first    map[string]int // number of names before this one
	uses     map[string][]int32
	words    map[string]bool // that cannot be new names
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
		named := isName(t, n, text)
		for _, word := range parse.Words(text) {
			r.words[word] = true
			if isHead(t, n) || !t.Nodes[n].Named {
				continue
			}
			if leaves := r.uses[word]; len(leaves) == 0 || leaves[len(leaves)-1] != n {
				r.uses[word] = append(leaves, n)
			}
			if named && (isDeclared(t, n) || !fields) {
				r.declared[word] = true
			}
			ofKind := strings.Contains(t.Kind(n), strings.ToLower(word))
			if _, seen := r.first[word]; named && !seen && len(word) > 1 && !ofKind {
				r.first[word] = len(r.names)
				r.names = append(r.names, word)
			}
		}
	}
	// A single use without a declaration comes from outside or belongs to the language.
	r.names = slices.DeleteFunc(r.names, func(name string) bool { return len(r.uses[name]) == 1 && !r.declared[name] })
	slices.SortStableFunc(r.names, func(a, b string) int {
		return cmp.Compare(min(2, len(r.uses[b])), min(2, len(r.uses[a])))
	})
	return r
}

// isDeclared includes functions, since C's functions without a type are parsed as calls.
func isDeclared(t *parse.Tree, n int32) bool {
	for _, field := range t.Kinds(n) {
		switch field {
		case "name", "declarator", "pattern", "label", "function":
			return true
		}
	}
	return false
}

func isHead(t *parse.Tree, n int32) bool {
	first := t.Nodes[n].First
	return slices.ContainsFunc(t.Parts, func(p parse.Part) bool { return t.Nodes[p.Node].First == first })
}

// isName excludes comments and quoted texts. A leaf may have several names, as a:b and a.b.
func isName(t *parse.Tree, n int32, text []byte) bool {
	if !t.Nodes[n].Named || t.Nodes[n].Comment || inQuotes(t, n) {
		return false
	}
	return len(text) > 0 && (text[0] < '0' || text[0] > '9') && !bytes.ContainsFunc(text, func(c rune) bool {
		return c < 0x80 && !strings.ContainsRune(":.-@_$%", c) &&
			(c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
}

// inQuotes reports whether there are quotes around a leaf or its siblings.
func inQuotes(t *parse.Tree, n int32) bool {
	around := func(first, last int32) bool {
		return first >= 0 && int(last) < len(t.Tokens) &&
			isQuote(t.Source[t.Tokens[first].End-1]) && isQuote(t.Source[t.Tokens[last].Start])
	}
	i, p := t.Nodes[n].First, t.Nodes[t.Nodes[n].Parent]
	return around(i-1, i+1) || p.First < i && i < p.Last-1 && around(p.First, p.Last-1)
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// keepSafe keeps the names whose renaming does not change the parse: not built-in types, unless the file declares them.
func (r *renaming) keepSafe(read func([]byte) (*parse.Tree, error)) {
	base := parse.Whole(r.tree)
	some := func(of []int) (names []string) {
		for _, i := range of {
			names = append(names, r.names[i])
		}
		return names
	}
	r.names = some(r.tree.Sift(len(r.names), func(of []int) bool {
		tree, err := read(r.rename(base, some(of)).Render())
		return err == nil && parse.Alike(r.tree, tree, func(n int32, sameKind bool) bool {
			return sameKind || r.declared[string(base.TextOf(n))]
		})
	}))
}

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

func letter(begin byte, i int) string {
	text := string(begin + byte(i%26))
	if i >= 26 {
		return letter(begin, i/26-1) + text
	}
	return text
}

// anyWord matches the words of [parse.Words].
var anyWord = regexp.MustCompile(`(?:[\w$]|[^\x00-\x7f])+`)

func replaceWords(text string, other map[string]string) string {
	return anyWord.ReplaceAllStringFunc(text, func(word string) string {
		if o, ok := other[word]; ok {
			return o
		}
		return word
	})
}
