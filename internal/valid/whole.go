package valid

import (
	"context"
	"slices"
	"strings"

	"whittle/internal/tool"
)

// Groups of the checks that run the whole command.
const (
	newer = "newer version"
	older = "older version"
)

// Whole returns checks that run the whole command with another compiler: newer versions of the
// failing one, the nearest first, then older ones, then others. If the nearest accept the input,
// the bug is new, and the result must not show an older or more general one.
func Whole(ctx context.Context, m *tool.Machine, in Input) []Check {
	command, arguments, language := in.Program(ctx, m)
	if command.Tool == nil || in.Right {
		return nil
	}
	words := command.OnlyCompile(in.Command, arguments)
	at := len(in.Command) - len(arguments) - 1
	var before, after, others []Check
	for _, p := range m.Programs(ctx, language) {
		if p.Akin(command) || !p.Comparable(command, language) {
			continue
		}
		argv := slices.Clone(words)
		argv[at] = p.Path
		g := Check{Name: shortName(p, argv[at+1:]), Program: p, Argv: argv, Whole: true, Stdin: in.Spec.Stdin}
		switch {
		case p.Tool != command.Tool:
			g.Group, g.Last = p.Family, true
			others = append(others, g)
		case p.Older(command):
			g.Group = older
			before = append(before, g)
		default:
			g.Group = newer
			after = append(after, g)
		}
	}
	slices.Reverse(after) // the nearest is the oldest
	return slices.Concat(after, before, others)
}

func shortName(p tool.Program, arguments []string) string {
	const most = 60
	name := p.String()
	for i, w := range arguments {
		if w == tool.File {
			continue
		}
		if len(name)+1+len(w) > most && i < len(arguments)-1 {
			return name + " …"
		}
		name += " " + strings.ReplaceAll(w, "\n", " ")
	}
	return name
}

// dropUnknown removes arguments that the output calls unknown, and reports whether there were
// any.
func (g *Check) dropUnknown(output []byte) bool {
	if !g.Whole {
		return false
	}
	rest, unknown := tool.Without(g.Argv, output)
	g.Argv = rest
	return len(unknown) > 0
}
