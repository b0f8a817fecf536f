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
// become its siblings, since they may stay without it.
func (c *Reducible) stages(p *pipeline.Syntax, stages []*pipeline.Stage, parent int) {
	for _, s := range stages {
		own := parent
		if !strings.Contains(p.Text([]*pipeline.Stage{s}, p.Within, nil), oracle.Placeholder) {
			s.Unit, own = len(c.units), len(c.units)
			c.units = append(c.units, unit{text: []string{s.Name}, parent: parent})
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
// which runs a command. The word with the passes replaces words[at]; it is "" without a name.
func Expand(words []string, print func(command []string) []byte) (at int, word string) {
	c, i := open(words)
	p := c.tool.Pipeline
	for end := i; p != nil && i < len(words); i = end {
		end = c.option(i)
		given := p.Read(words[i:end])
		named := func(level string) bool {
			return words[i] == level || given != nil && strings.Contains(words[end-1], "<"+level[1:]+">")
		}
		if !slices.ContainsFunc(p.Levels, named) {
			continue
		}
		prefix := p.Option + "="
		if given != nil {
			prefix = given.Prefix
		}
		text := strings.TrimSpace(string(print(slices.Concat(words, p.Prints))))
		if printed := p.Read([]string{p.Option + "=" + text}); printed == nil || printed.Stages == nil {
			break
		}
		return end - 1, prefix + text
	}
	return 0, ""
}
