package failure

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

//go:embed known.txt
var knownText string

// A table is what is known of tools.
type table struct {
	crashes  []rule
	messages []pattern
	places   []pattern
	stacks   map[string]*stack
}

// A rule is a sort of failure: the line that shows it, and what stands beside it.
type rule struct {
	kind   Kind
	weak   bool // a wrong input of the tool shows it, too
	line   pattern
	beside []beside
	stack  *stack
	where  string // the frames are: below, directly, above, often, callers
}

// beside is another line that belongs to a failure: one that must be there ("+"), one that
// may ("?"), the one behind it ("next").
type beside struct {
	pattern
	where string
}

// known returns the table of known.txt.
var known = sync.OnceValue(func() *table {
	t, err := read(knownText)
	if err != nil {
		panic(err) // known.txt is ours
	}
	return t
})

// read reads a table.
func read(text string) (*table, error) {
	t := &table{stacks: map[string]*stack{}}
	var section, name string
	for n, line := range strings.Split(text, "\n") {
		words := strings.TrimLeft(line, "\t")
		var err error
		switch depth := len(line) - len(words); {
		case words == "" || words[0] == '#':
		case depth == 0:
			switch section, name, _ = strings.Cut(words, " "); section {
			case "stack":
				t.stacks[name] = &stack{}
			case "kind", "weak", "messages", "place":
			default:
				err = fmt.Errorf("there is no section %q", section)
			}
		case section == "stack":
			err = t.stacks[name].add(words)
		case section == "messages":
			var p pattern
			p, err = compile(words)
			t.messages = append(t.messages, p)
		case section == "place":
			var p pattern
			p, err = compile(words)
			t.places = append(t.places, p)
		case (section == "kind" || section == "weak") && depth == 1:
			r := rule{kind: Kind(name), weak: section == "weak"}
			r.line, err = compile(words)
			t.crashes = append(t.crashes, r)
		case depth > 1 && len(t.crashes) > 0:
			err = t.crashes[len(t.crashes)-1].add(t, words)
		default:
			err = fmt.Errorf("%q belongs to no line above", words)
		}
		if err != nil {
			return nil, fmt.Errorf("known.txt:%d: %w", n+1, err)
		}
	}
	return t, nil
}

// add adds what stands beside the line of a rule.
func (r *rule) add(t *table, words string) error {
	verb, rest, _ := strings.Cut(words, " ")
	switch verb {
	case "+", "?", "next":
		p, err := compile(rest)
		r.beside = append(r.beside, beside{p, verb})
		return err
	case "below", "directly", "above", "often", "callers":
		r.where = verb
		if r.stack = t.stacks[rest]; r.stack == nil {
			return fmt.Errorf("there is no stack %q", rest)
		}
		return nil
	}
	return fmt.Errorf("%q is none of +, ?, next, below, directly, above, often and callers", verb)
}

// add adds a frame, or what is skipped.
func (s *stack) add(words string) error {
	verb, rest, _ := strings.Cut(words, " ")
	switch verb {
	case "frame":
		p, err := compile(rest)
		s.frames = append(s.frames, p)
		return err
	case "else":
		p, err := compile(rest)
		s.nameless = append(s.nameless, p)
		return err
	case "skip":
		r, err := regexp.Compile(rest)
		s.skip = append(s.skip, r)
		return err
	case "behind":
		var err error
		s.behind, err = regexp.Compile(rest)
		return err
	}
	return fmt.Errorf("%q is none of frame, else, skip and behind", verb)
}
