package plain

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whittle/algo/rounds"
	"whittle/parse"
	"whittle/pass"
)

// Names returns a pass that gives short names to names of several letters: a, b, c and so on by first use, or A, B,
// C for capitalised names, or 1, 2, 3 for numbers, but no words of the file or the grammar. It tests all names
// together, then fewer. Then it tests the names that are probably from outside, and strings that occur twice. At last,
// names such as testParser lose all after test, by which frameworks find their tests.
func Names() pass.Pass {
	search := func(t *parse.Tree, gate pass.Gate, plan pass.Plan) *pass.Step {
		r := newRenaming(t, plan.Facts)
		r.keepSafe(plan.Parse)
		likely, unlikely := r.groups()
		tests := slices.DeleteFunc(slices.Clone(r.names), func(name string) bool { return !testName.MatchString(name) })
		d := rounds.Driver[*parse.Candidate, none]{Plan: plan.Plan, Allows: gate.Allows}
		if first := r.tasks([][]string{likely, unlikely, tests}, nil); first != nil {
			return d.Only(parse.Whole(t), first)
		}
		return nil
	}
	return pass.Pass{Name: "names", When: pass.Last, Search: search}
}

var (
	testName  = regexp.MustCompile(`^([tT]est)[A-Z_0-9].`)
	nameKinds = []string{"names of tests to be short", "names from outside to be short", "names to be short"}
)

// tasks tests the names of the first group, in addition to others that are short already, and then the other groups.
func (r *renaming) tasks(groups [][]string, short []string) *nameTask {
	if len(groups) == 0 {
		return nil
	}
	names := slices.DeleteFunc(slices.Clone(groups[0]), func(name string) bool { return slices.Contains(short, name) })
	task := r.task(short, names, nameKinds[len(groups)-1], len(groups) == 1)
	if task == nil {
		return r.tasks(groups[1:], short)
	}
	task.Done = func(_ *parse.Candidate, kept []int, _ none) (*nameTask, none) {
		if kept == nil {
			return r.tasks(groups[1:], short), none{}
		}
		changed, _ := grouped(names, "")
		return r.tasks(groups[1:], slices.Concat(short, slices.Concat(parse.Others(changed, kept)...))), none{}
	}
	return task
}

type none = struct{}

type nameTask = rounds.Task[*parse.Candidate, none]

type renaming struct {
	symbols
	names    []string
	first    map[string]int // number of names before this one
	leaves   map[string][]int32
	words    map[string]bool // that cannot be new names
	named    map[string]bool // names that are not only in strings
	declared map[string]bool
}

func newRenaming(t *parse.Tree, facts pass.Facts) *renaming {
	r := &renaming{
		symbols: symbols{t, facts.Symbols, map[string]bool{}}, first: map[string]int{}, leaves: map[string][]int32{},
		words: map[string]bool{}, named: map[string]bool{}, declared: map[string]bool{},
	}
	for _, name := range t.Names {
		r.keep([]byte(name))
	}
	if t.NoSyntax {
		return r
	}
	contents := map[string]int{}
	fields := slices.ContainsFunc(t.Links, func(l parse.Link) bool { return l.Field != 0 })
	for n, text := range r.texts() {
		declared := isDeclared(t, n) || !fields
		for _, s := range r.symbols.names(n, text) {
			r.known[s.name], r.named[s.name] = true, true
			r.declared[s.name] = r.declared[s.name] || declared
		}
		if c, is := r.content(n, text); is {
			contents[c.name]++
			r.words[c.name], r.known[c.name] = true, r.known[c.name] || contents[c.name] > 1
		}
	}
	for n, text := range r.texts() {
		named := r.symbols.names(n, text) != nil
		for _, s := range r.uses(n, text) {
			if of := r.leaves[s.name]; len(of) == 0 || of[len(of)-1] != n {
				r.leaves[s.name] = append(of, n)
			}
			builtIn := strings.Contains(t.Kind(n), strings.ToLower(s.name)) || facts.IsBuiltIn(s.name)
			_, seen := r.first[s.name]
			if (named || contents[s.name] > 1) && !seen && (s.to-s.from > 1 || isDigit(s.name[0])) && !builtIn {
				r.first[s.name] = len(r.names)
				r.names = append(r.names, s.name)
			}
		}
	}
	return r
}

func (r *renaming) keep(text []byte) {
	for _, word := range parse.Words(text) {
		r.words[word] = true
	}
}

// texts returns the leaves that may have names. The words of all leaves are no new names.
func (r *renaming) texts() iter.Seq2[int32, string] {
	return func(yield func(int32, string) bool) {
		all := parse.Whole(r.tree)
		for n := range int32(len(r.tree.Nodes)) {
			node := &r.tree.Nodes[n]
			if !r.tree.IsLeaf(n) || node.First == node.Last {
				continue
			}
			text := string(all.TextOf(n))
			r.keep([]byte(text))
			masked := r.tree.Kind(n) != "" && r.tree.Kind(n) != text // as A::* in int A::*p
			if (node.Named || masked) && !isHead(r.tree, n) && !yield(n, text) {
				return
			}
		}
	}
}

// groups returns the names of the file, first names that occur twice, and names that come from outside or belong to the
// language, with strings.
func (r *renaming) groups() (likely, unlikely []string) {
	for _, name := range r.names {
		if r.declared[name] || r.named[name] && len(r.leaves[name]) > 1 {
			likely = append(likely, name)
		} else {
			unlikely = append(unlikely, name)
		}
	}
	slices.SortStableFunc(likely, func(a, b string) int {
		return cmp.Compare(min(2, len(r.leaves[b])), min(2, len(r.leaves[a])))
	})
	return likely, unlikely
}

// task tests names in addition to others that are short already. areTests means that a prefix stays.
func (r *renaming) task(short, names []string, kind string, areTests bool) *nameTask {
	if len(names) == 0 {
		return nil
	}
	groups, list := grouped(names, kind)
	return &nameTask{List: list, Edit: func(base *parse.Candidate, kept []int) *parse.Candidate {
		changed := slices.Concat(parse.Others(groups, kept)...)
		if areTests {
			return r.rename(base, slices.Concat(short, changed), changed)
		}
		return r.rename(base, slices.Concat(short, changed), nil)
	}}
}

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
		tree, err := read(r.rename(base, some(of), nil).Render())
		return err == nil && parse.Alike(r.tree, tree, func(n int32, sameKind bool) bool {
			text := string(base.TextOf(n))
			whole, is := r.whole(n, text)
			return sameKind || r.declared[text] || is && r.declared[whole.name]
		})
	}))
}

// rename gives short names. Those of tests keep their prefix.
func (r *renaming) rename(base *parse.Candidate, names, tests []string) *parse.Candidate {
	names = slices.Clone(names)
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(r.first[a], r.first[b]) })
	short := map[string]string{}
	next := map[string]int{}
	var leaves []int32
	taken := func(text string) bool {
		return r.words[text] || isDigit(text[0]) && r.leaves[text] != nil && !slices.Contains(names, text)
	}
	for _, name := range names {
		begin, prefix := alphabet(name), ""
		if slices.Contains(tests, name) {
			begin, prefix = 'A', testName.FindStringSubmatch(name)[1]
		}
		key := prefix + string(begin)
		for short[name] == "" || taken(short[name]) {
			short[name] = prefix + letter(begin, next[key])
			next[key]++
		}
		leaves = append(leaves, r.leaves[name]...)
	}
	slices.Sort(leaves)
	all := parse.Whole(r.tree)
	var edits []parse.Edit
	for _, n := range slices.Compact(leaves) {
		text := string(all.TextOf(n))
		edits = append(edits, r.tree.Replace([]int32{n}, parse.Literal("", replaceSpans(text, r.uses(n, text), short))))
	}
	return base.Apply(edits...)
}

func replaceSpans(text string, spans []span, other map[string]string) string {
	for _, s := range slices.Backward(spans) {
		if o, ok := other[s.name]; ok {
			text = text[:s.from] + o + text[s.to:]
		}
	}
	return text
}

// alphabet returns the first of the new names for names like this one.
func alphabet(name string) byte {
	switch c := strings.TrimLeft(name, "_$"); {
	case c != "" && c[0] >= 'A' && c[0] <= 'Z':
		return 'A'
	case c != "" && isDigit(c[0]):
		return '0'
	}
	return 'a'
}

func letter(begin byte, i int) string {
	if begin == '0' {
		return strconv.Itoa(i + 1)
	}
	text := string(begin + byte(i%26))
	if i >= 26 {
		return letter(begin, i/26-1) + text
	}
	return text
}
