package grammars

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"whittle/parse"
)

// rustRepairs derives the text that rustc requires in place of deleted code, such as an endless loop, which has any
// type, for the value of a block. Most deletions in a function would be errors otherwise.
func rustRepairs(t *parse.Tree) parse.Derivation {
	r := &rustReader{Tree: t, fields: map[string][]int32{}, arrays: map[string][]rustArray{}, numbers: map[string]int32{}}
	r.walk(0, rustPlace{})
	r.lengths()
	leads := leads(t, func(n int32) bool {
		return t.Is(n, "attribute_item") || t.Nodes[n].Comment && isRustDoc(r.text(n))
	})
	return func(c *parse.Candidate, first int32) []parse.Edit {
		e := &rustEdits{Candidate: c, first: first, edits: leads(c, first)}
		for i, text := range c.Edited() {
			if bytes.Contains(text, []byte("loop")) {
				e.loops = append(e.loops, int32(i))
			}
		}
		for _, site := range r.sites {
			site(e)
		}
		return e.edits
	}
}

func isRustDoc(comment string) bool {
	return strings.HasPrefix(comment, "///") || strings.HasPrefix(comment, "/**")
}

// rustEdits are the edits of a candidate. The numbers of nodes are those in the file.
type rustEdits struct {
	*parse.Candidate
	first int32
	loops []int32 // tokens that other edits replaced by loops
	edits []parse.Edit
}

func (e *rustEdits) live(n int32) bool { return e.Live(n + e.first) }

func (e *rustEdits) is(n int32, text string) bool {
	return e.live(n) && string(e.TextOf(n+e.first)) == text
}

func (e *rustEdits) count(nodes []int32) (live int) {
	for _, n := range nodes {
		if e.live(n) {
			live++
		}
	}
	return live
}

func (e *rustEdits) hasLoop(n int32) bool {
	node := e.Tree().Nodes[n+e.first]
	return slices.ContainsFunc(e.loops, func(i int32) bool { return node.First <= i && i < node.Last })
}

// put replaces a node by tokens.
func (e *rustEdits) put(n int32, tokens ...string) {
	with := make([]parse.Piece, len(tokens))
	for i, token := range tokens {
		gap := " "
		if token == "," || i > 0 && (tokens[i-1] == ".." || tokens[i-1] == "{" && token == "}") {
			gap = ""
		}
		with[i] = parse.Literal(gap, token)
	}
	e.edits = append(e.edits, e.Tree().Replace([]int32{n + e.first}, with...))
}

// A rustPlace says how the value of a node is used.
type rustPlace struct {
	valued   bool
	result   int32 // the node of the type that a function returns, or 0
	constant bool  // the compiler evaluates it, so it must not be an endless loop
}

// A rustReader finds sites, which edit a candidate if code that must be there is deleted.
type rustReader struct {
	*parse.Tree
	sites  []func(*rustEdits)
	fields map[string][]int32 // the names of the fields of each struct; of Self, those of all

	arrays  map[string][]rustArray // by length
	numbers map[string]int32       // values of constants
}

type rustArray struct{ length, value int32 }

func (r *rustReader) add(site func(e *rustEdits)) { r.sites = append(r.sites, site) }

func (r *rustReader) children(n int32) (nodes []int32) {
	for d := n + 1; d < r.Nodes[n].Next; d = r.Nodes[d].Next {
		if !r.Nodes[d].Comment {
			nodes = append(nodes, d)
		}
	}
	return nodes
}

func (r *rustReader) text(n int32) string {
	return string(r.Source[r.Tokens[r.Nodes[n].First].Start:r.Tokens[r.Nodes[n].Last-1].End])
}

func (r *rustReader) walk(n int32, at rustPlace) {
	below, kind := r.children(n), ""
	for kind = range r.Kinds(n) { // the innermost
	}
	r.macros(n, below)
	inner := rustPlace{constant: at.constant}
	switch kind {
	case "function_item":
		body, result := r.Child(n, "body"), r.Child(n, "return_type")
		if body >= 0 && result >= 0 && !r.Is(result, "abstract_type") {
			r.walk(body, rustPlace{valued: true, result: result})
			below = slices.DeleteFunc(below, func(d int32) bool { return d == body })
		}
	case "const_item", "static_item":
		r.constant(n)
		inner.constant = true
	case "array_type", "enum_variant":
		inner.constant = true
	case "block":
		r.block(n, below, at)
		return
	case "if_expression":
		r.branches(n, at)
		inner = at
	case "match_expression":
		r.arms(n)
		inner = at
	case "match_block", "match_arm", "else_clause", "unsafe_block", "async_block":
		inner = at
	case "expression_statement":
		if len(below) == 1 { // without a semicolon
			inner = at
		}
	case "struct_item":
		r.declare(n)
	case "struct_expression":
		r.fill(n, at)
		inner.valued = true
	case "let_declaration":
		r.constant(n)
		inner.valued = true
	case "while_expression", "for_expression", "loop_expression":
	default:
		inner.valued = true
	}
	for _, d := range below {
		r.walk(d, inner)
	}
}

// macros: a semicolon after a macro goes with it, unless it may be an empty statement.
func (r *rustReader) macros(n int32, below []int32) {
	for i, d := range below {
		statements := r.Is(n, "block") || r.Is(n, "expression_statement") && r.Is(r.Nodes[n].Parent, "block")
		if !statements && r.Is(d, "macro_invocation") && i+1 < len(below) && r.text(below[i+1]) == ";" {
			r.add(func(e *rustEdits) {
				if !e.live(d) && e.live(below[i+1]) {
					e.put(below[i+1])
				}
			})
		}
	}
}

// block adds a block with a value. Instead of a value, a function may end by a statement such as return.
func (r *rustReader) block(n int32, below []int32, at rustPlace) {
	for i, d := range below {
		inner := rustPlace{constant: at.constant}
		switch {
		case i+2 != len(below): // before the last
			inner.valued = !r.Is(d, "expression_statement")
		case at.valued && r.text(below[0]) == "{":
			inner = at
			isStatement := r.Is(d, "let_declaration") || strings.HasSuffix(r.text(d), ";")
			if !at.constant && (at.result > 0 || !isStatement) && !r.isStub(d) {
				r.add(func(e *rustEdits) {
					isWhole := e.is(below[0], "{") && e.is(below[i+1], "}") && (at.result == 0 || e.live(at.result))
					if !e.live(d) && isWhole && !e.hasLoop(n) {
						e.put(d, "loop", "{", "}")
					}
				})
			}
		}
		r.walk(d, inner)
	}
}

// isStub reports whether n is an endless loop, or an arm with one. The test may not need it.
func (r *rustReader) isStub(n int32) bool {
	if r.Nodes[n].Last-r.Nodes[n].First > 6 {
		return false
	}
	text := strings.Join(strings.Fields(r.text(n)), "")
	return text == "loop{}" || text == "else{loop{}}" || strings.TrimSuffix(text, ",") == "_=>loop{}"
}

// branches adds a condition with a value.
func (r *rustReader) branches(n int32, at rustPlace) {
	other := r.Child(n, "alternative")
	if other < 0 || !at.valued || at.constant || r.isStub(other) {
		return
	}
	r.add(func(e *rustEdits) {
		if !e.live(other) && e.is(n+1, "if") && (at.result == 0 || e.live(at.result)) && !e.hasLoop(n) {
			e.put(other, "else", "{", "loop", "{", "}", "}")
		}
	})
}

// arms adds the cases of a match, which must be complete.
func (r *rustReader) arms(n int32) {
	body := r.Child(n, "body")
	if body < 0 {
		return
	}
	end := r.Nodes[body].Next - 1
	arms := slices.DeleteFunc(r.children(body), func(d int32) bool { return !r.Is(d, "match_arm") })
	r.add(func(e *rustEdits) {
		gone := func(d int32) bool { return !e.live(d) && !r.isStub(d) }
		catches := func(d int32) bool { return e.live(d) && r.catches(d) }
		if !e.is(n+1, "match") || !e.is(end, "}") || !slices.ContainsFunc(arms, gone) || slices.ContainsFunc(arms, catches) {
			return
		}
		add := []string{"_", "=>", "loop", "{", "}", "}"}
		for _, d := range slices.Backward(arms) {
			if e.live(d) {
				if value := r.Child(d, "value"); !e.is(r.Nodes[d].Next-1, ",") && !(value >= 0 && r.Is(value, "block")) {
					add = append([]string{","}, add...)
				}
				break
			}
		}
		e.put(end, add...)
	})
}

// catches reports whether an arm matches anything.
func (r *rustReader) catches(arm int32) bool {
	p := r.Child(arm, "pattern")
	return p >= 0 && (r.text(p) == "_" || r.IsLeaf(p) && r.Is(p, "identifier") && r.text(p)[0] >= 'a')
}

// constant adds the array in a declaration, or its number, which may be the length of an array.
func (r *rustReader) constant(n int32) {
	name, kind, value := r.Child(n, "name"), r.Child(n, "type"), r.Child(n, "value")
	if name >= 0 && value >= 0 && r.Is(value, "integer_literal") {
		r.numbers[r.text(name)] = value
	}
	for kind >= 0 && value >= 0 && r.Is(kind, "reference_type") && r.Is(value, "reference_expression") {
		kind, value = r.Child(kind, "type"), r.Child(value, "value")
	}
	if kind < 0 || value < 0 || !r.Is(kind, "array_type") || !r.Is(value, "array_expression") {
		return
	}
	if length := r.Child(kind, "length"); length >= 0 {
		r.arrays[r.text(length)] = append(r.arrays[r.text(length)], rustArray{length, value})
	}
}

// lengths adds the arrays whose types have the number of their elements, or a constant for one array.
func (r *rustReader) lengths() {
	for _, text := range slices.Sorted(maps.Keys(r.arrays)) {
		number, named := r.numbers[text]
		for _, a := range r.arrays[text] {
			length := a.length
			if named {
				length = number
			}
			elements := slices.DeleteFunc(r.children(a.value), func(d int32) bool {
				return r.Nodes[d].Fixed || r.Is(d, "attribute_item")
			})
			all := strconv.Itoa(len(elements))
			if r.text(length) != all || named && len(r.arrays[text]) > 1 {
				continue
			}
			r.add(func(e *rustEdits) {
				if live := e.count(elements); live < len(elements) && e.is(length, all) && e.is(a.value+1, "[") {
					e.put(length, strconv.Itoa(live))
				}
			})
		}
	}
}

func (r *rustReader) declare(n int32) {
	name, body := r.Child(n, "name"), r.Child(n, "body")
	if name < 0 || body < 0 {
		return
	}
	for d := body; d < r.Nodes[body].Next; d++ {
		if field := r.Child(d, "name"); r.Is(d, "field_declaration") && field >= 0 {
			r.fields[r.text(name)] = append(r.fields[r.text(name)], field)
			r.fields["Self"] = append(r.fields["Self"], field)
		}
	}
}

// fill adds an expression with all fields of a struct.
func (r *rustReader) fill(n int32, at rustPlace) {
	name, body := r.Child(n, "name"), r.Child(n, "body")
	if name < 0 || body < 0 || at.constant {
		return
	}
	var values []int32
	for _, d := range r.children(body) {
		if r.Is(d, "base_field_initializer") {
			return
		}
		if r.Is(d, "field_initializer") || r.Is(d, "shorthand_field_initializer") {
			values = append(values, d)
		}
	}
	end := r.Nodes[body].Next - 1
	r.add(func(e *rustEdits) {
		lacks := func(d int32) bool { return !e.live(d) && r.declares(e, r.text(name), d) }
		if !e.live(name) || !e.is(end, "}") || !slices.ContainsFunc(values, lacks) {
			return
		}
		add := []string{"..", "loop", "{", "}", "}"}
		for d := end - 1; d > body; d-- {
			if r.IsLeaf(d) && e.live(d) {
				if r.text(d) != "," && r.text(d) != "{" {
					add = append([]string{","}, add...)
				}
				break
			}
		}
		e.put(end, add...)
	})
}

// declares reports whether a candidate declares the field that a value initializes.
func (r *rustReader) declares(e *rustEdits, structure string, value int32) bool {
	name := value
	if !r.IsLeaf(value) {
		name++
	}
	return slices.ContainsFunc(r.fields[structure], func(f int32) bool { return r.text(f) == r.text(name) && e.live(f) })
}
