package pass

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whittle/algo"
	"whittle/oracle"
	"whittle/parse"
)

// Tell runs the test of a file once more. The run has the output, also in files that the test leaves, and the reasons.
type Tell func(file []byte) oracle.Run

const (
	leastBlock = 8 // weight of a block that is worth a stub
	repairs    = 5 // in a row
	probings   = 4 // runs with probes; each has no probes where the one before it had errors
)

var (
	probed    = regexp.MustCompile(`whittle ([0-9]+)`)
	probeName = regexp.MustCompile(`whittle([0-9]+)`)
)

// unreached returns the outermost blocks that do not run, by probes. Errors at probes are normal, as in a function that
// the compiler evaluates; such blocks count as run. After the first run, a file with errors loses all probes.
func (s *idle) unreached(tell Tell, marks []Mark) (nodes []int32) {
	whole, blocks := parse.Whole(s.tree), s.blocks(marks)
	for try := range probings {
		if len(blocks) == 0 {
			return nil
		}
		c := s.withProbes(blocks)
		run := tell(c.Render())
		wrong, ran := map[int32]bool{}, map[int]bool{}
		if run.Outcome != algo.Interesting {
			wrong = s.wrong(blocks, c, run.Reasons)
			if try > 0 && s.tree.Parts != nil {
				s.addFiles(wrong, blocks)
			}
		}
		for _, m := range probed.FindAllSubmatch(run.Output, -1) {
			n, _ := strconv.Atoi(string(m[1]))
			ran[n] = true
		}
		if len(ran) > 0 && (len(wrong) == 0 || try == probings-1) {
			end := int32(0)
			for i, n := range blocks {
				if !ran[i] && n >= end && whole.WeightOf(n) >= leastBlock {
					nodes, end = append(nodes, n), s.tree.Nodes[n].Next
				}
			}
			return nodes
		}
		if len(wrong) == 0 {
			return nil
		}
		blocks = slices.DeleteFunc(blocks, func(n int32) bool { return wrong[n] })
	}
	return nil
}

// wrong returns the blocks that have errors: with the number of their probe, else the last one in the function around
// each place.
func (s *idle) wrong(blocks []int32, c *parse.Candidate, reasons []string) map[int32]bool {
	named, placed, find := map[int32]bool{}, map[int32]bool{}, c.Finder()
	for _, reason := range reasons {
		if strings.HasPrefix(reason, oracle.Clue) {
			continue
		}
		for _, m := range probeName.FindAllStringSubmatch(reason, -1) {
			if i, _ := strconv.Atoi(m[1]); i < len(blocks) {
				named[blocks[i]] = true
			}
		}
		place, _, _ := strings.Cut(reason, " ")
		token := int32(find(place))
		for _, n := range slices.Backward(blocks) {
			around := s.tree.Nodes[s.tree.Nodes[n].Parent]
			if s.statement(n) != "" && around.First <= token && token < around.Last {
				placed[n] = true
				break
			}
		}
	}
	if len(named) > 0 {
		return named
	}
	return placed
}

// addFiles adds the other blocks in the files of the wrong ones.
func (s *idle) addFiles(wrong map[int32]bool, blocks []int32) {
	files := map[int]bool{}
	for n := range wrong {
		files[s.tree.Around(n)] = true
	}
	for _, n := range blocks {
		if files[s.tree.Around(n)] {
			wrong[n] = true
		}
	}
}

// blocks returns the blocks that begin with a brace and have a probe, but no marks. The body of a switch begins with a
// label.
func (s *idle) blocks(marks []Mark) (blocks []int32) {
	t, whole := s.tree, parse.Whole(s.tree)
	for n := range int32(len(t.Nodes)) {
		if !t.InFile(n) || t.IsLeaf(n) || !t.IsLeaf(n+1) || strings.HasPrefix(t.Kind(t.Nodes[n].Parent), "switch") {
			continue
		}
		start := t.Tokens[t.Nodes[n].First].Start
		marked := len(marks) == len(t.Source) && marks[start] != NoCode
		if !marked && s.statement(n) != "" && string(whole.TextOf(n+1)) == "{" && !misread(t, n) {
			blocks = append(blocks, n)
		}
	}
	return blocks
}

// misread reports whether a block is something else. Behind unknown macros, the grammar of C++ takes namespaces and
// classes for functions, and lists in calls for blocks.
func misread(t *parse.Tree, n int32) bool {
	opens := func(from, to int32) bool {
		return slices.ContainsFunc(t.Tokens[max(from, 0):to], func(k parse.Token) bool { return t.Source[k.Start] == '(' })
	}
	before, parent := t.Nodes[n].First, t.Nodes[n].Parent
	d := t.Child(parent, "declarator")
	return opens(before-1, before) ||
		t.Is(parent, "function_definition") && d >= 0 && !opens(t.Nodes[d].First, t.Nodes[d].Last)
}

// statement returns the probe of a block, or "".
func (s *idle) statement(n int32) string {
	for kind, statement := range s.facts.ProbeAt(s.tree, n).Statements {
		if s.tree.Is(n, kind) {
			return statement
		}
	}
	return ""
}

// withProbes returns the file with a probe in each block. Lines keep their numbers.
func (s *idle) withProbes(blocks []int32) *parse.Candidate {
	t := s.tree
	var edits []parse.Edit
	globals := map[int32]string{} // by the last leaf of a file
	for i, n := range blocks {
		number, before := strconv.Itoa(i), n+1
		statement := strings.ReplaceAll(s.statement(n), "$", number)
		child := n + 2
		for child < t.Nodes[n].Next && t.Nodes[child].Comment {
			child = t.Nodes[child].Next
		}
		if first := s.facts.ProbeAt(t, n).First; first != "" && t.Is(child, first) {
			before = t.Nodes[child].Next - 1
		}
		edits = append(edits, t.Replace([]int32{before}, parse.Nodes(before), parse.Literal(" ", statement)))
		if global := s.facts.ProbeAt(t, n).Global; global != "" {
			root := int32(0)
			if t.Parts != nil {
				root = t.Root(t.Parts[t.Around(n)])
			}
			globals[t.Nodes[root].Next-1] += "\n" + strings.ReplaceAll(global, "$", number)
		}
	}
	for leaf, text := range globals {
		edits = append(edits, t.Replace([]int32{leaf}, parse.Nodes(leaf), parse.Literal("\n", text[1:])))
	}
	return parse.Whole(t).Apply(edits...)
}
