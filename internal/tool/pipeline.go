package tool

import (
	"slices"
	"strings"

	"whittle/internal/pipeline"
	"whittle/oracle"
)

// Pipelines of tools.
var (
	llvmPasses = &pipeline.Syntax{
		Option: "-passes", Levels: words("-O0 -O1 -O2 -O3 -Os -Oz"), Prints: words("-print-pipeline-passes -disable-output"),
		Within: ",", Lists: []pipeline.List{{Open: "<", Within: ";", Close: ">"}, inner},
	}
	mlirPasses = &pipeline.Syntax{
		Option: "-pass-pipeline", Within: ",", Lists: []pipeline.List{{Open: "{", Within: " ", Close: "}"}, inner},
	}
	inner       = pipeline.List{Open: "(", Within: ",", Close: ")", Passes: true}
	yosysPasses = &pipeline.Syntax{
		Option: "-p", Within: "; ", Lists: []pipeline.List{{Open: " ", Within: " "}},
	}
)

// stages appends a unit for each stage of a list below the unit parent, unless the stage has the file. Passes in a pass
// are beside it, as they may stay without it.
func (c *Reducible) stages(p *pipeline.Syntax, stages []*pipeline.Stage, parent int) {
	for _, s := range stages {
		own := parent
		if !strings.Contains(p.Text([]*pipeline.Stage{s}, p.Within, nil), oracle.Placeholder) {
			s.Unit, own = len(c.units), len(c.units)
			c.units = append(c.units, unit{from: -1, text: []string{s.Name}, parent: parent})
		}
		for i, inner := range s.Lists {
			if p.Lists[i].Passes {
				c.stages(p, inner, parent)
			} else {
				c.stages(p, inner, own)
			}
		}
	}
}

// Expand finds the name of several passes in a command, such as default<O2> or -O2. It asks the tool for them by print,
// which runs a command. The word with the passes replaces words[at]. passes is their number; 0 without a name.
func Expand(words []string, print func(command []string) []byte) (at int, word string, passes int) {
	c, i := open(words)
	p := c.tool.Pipeline
	if p == nil || p.Prints == nil {
		return 0, "", 0
	}
	for end := i; i < len(words); i = end {
		end = c.option(i)
		given, prefix, most := p.Read(words[i:end]), p.Option+"=", 0
		if given != nil {
			prefix, most = given.Prefix, given.Passes()
		} else if !slices.Contains(p.Levels, words[i]) {
			continue
		}
		text := strings.TrimSpace(string(print(slices.Concat(words, p.Prints))))
		printed := p.Read([]string{p.Option + "=" + text})
		if printed == nil || printed.Passes() <= most {
			break
		}
		return end - 1, prefix + text, printed.Passes()
	}
	return 0, "", 0
}
