package tool

import (
	"slices"
	"strings"

	"whittle/internal/pipeline"
	"whittle/oracle"
)

// A Reducible is a command with arguments, some of which may be deleted.
type Reducible struct {
	words     []string
	units     []unit
	pipelines map[int]*pipeline.Argument // by the index of the word
	tool      Options
	end       int // where words may be added
}

// A unit is a run of words that are deleted together, such as -mllvm and its value, or a stage of a pipeline. Units
// follow their parent, and are deleted with it.
type unit struct {
	from, to int // in the words; equal for a stage
	text     []string
	parent   int // -1 without one
}

// NewReducible returns a command with [oracle.Placeholder] for the file.
func NewReducible(words []string) *Reducible {
	c, i := open(words)
	c.end, c.pipelines = i, map[int]*pipeline.Argument{}
	for i < len(words) {
		from := i
		i = c.option(from)
		list := c.tool.Pipeline.Read(words[from:i])
		text := words[from:i]
		if list != nil {
			c.pipelines[i-1] = list
			text = append(slices.Clone(words[from:i-1]), list.Prefix)
		}
		head := len(c.units)
		option := isOption(words[from])
		if endsOptions(words[from:i]) || c.tool.Keeps(words[from]) || c.tool.isCareful(words[from]) {
			head = -1
		} else {
			c.units = append(c.units, unit{from: from, to: i, text: text, parent: -1})
			for ; option && !c.tool.Known && i < len(words) && !isOption(words[i]) && !endsOptions(words[i:i+1]); i++ {
				c.units = append(c.units, unit{from: i, to: i + 1, text: words[i : i+1], parent: head})
			}
		}
		if option {
			c.end = i
		}
		if list != nil {
			c.stages(list.Syntax, list.Stages, head)
		}
	}
	return c
}

// open returns a command without units, and the index of its first argument.
func open(words []string) (*Reducible, int) {
	c := &Reducible{words: words}
	return c, c.own(c.program())
}

// program sets c.tool to the program whose arguments are reduced, and returns the index of its first
// argument. Other programs, such as timeout, may start it.
func (c *Reducible) program() int {
	for at := 0; ; {
		c.tool = OptionsOf(c.words[at])
		i, operands, named := at+1, c.tool.Operands, false
		if c.tool.Runs == RunsNone {
			return i
		}
		for i < len(c.words) && !named && (isOption(c.words[i]) || operands > 0 || isVariable(c.words[i])) {
			if !isOption(c.words[i]) && !isVariable(c.words[i]) {
				operands--
			}
			named = slices.Contains(c.tool.Program, c.words[i])
			i = c.option(i)
		}
		switch {
		case c.tool.Runs == RunsAll || i >= len(c.words) || endsOptions(c.words[i:i+1]):
			return len(c.words)
		case named:
			c.tool = OptionsOf("")
			return i
		}
		if at = i; c.tool.Runs == RunsScript {
			c.tool = OptionsOf(c.words[at])
			return at + 1
		}
	}
}

// own returns the end of the subcommands that begin at word i, such as tool compile of go. A
// subcommand may have options of its own.
func (c *Reducible) own(i int) int {
	for ; i < len(c.words) && !isOption(c.words[i]) && !endsOptions(c.words[i:i+1]); i++ {
		if t := OptionsOf(c.words[i]); t.Known && t.Runs == RunsNone {
			c.tool = t
		}
	}
	return i
}

// option returns the end of an option. The file belongs to an option such as -f, which may only go for a default name.
func (c *Reducible) option(i int) int {
	reads := i+1 < len(c.words) && c.words[i+1] == oracle.Placeholder &&
		pattern(`-f|--(?:file|makefile|config|manifest-path|project)`).isAll(c.words[i])
	if reads || slices.Contains(c.tool.Takes, c.words[i]) {
		return min(i+2, len(c.words))
	}
	return i + 1
}

func isOption(word string) bool {
	return len(word) > 1 && (word[0] == '-' || word[0] == '+')
}

func isVariable(word string) bool { return strings.IndexByte(word, '=') > 0 && !isOption(word) }

func endsOptions(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.Contains(word, oracle.Placeholder) || word == "-" || word == "--"
	})
}
