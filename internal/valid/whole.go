package valid

import (
	"context"
	"slices"
	"strings"

	"whittle/internal/tool"
)

// Groups of the guards that are asked by the whole command.
const (
	newer = "newer version"
	older = "older version"
)

// Whole returns the whole command with other programs in the place of its own, which
// breaks: the newer versions of the program and the older ones, the nearest first, and last
// programs of another sort. A bug that the nearest versions do not have is that of the
// input; one that they have is more general, and the input did not show it.
func Whole(ctx context.Context, m *tool.Machine, in Input) []Guard {
	command, arguments, language := in.Program(ctx, m)
	if command.Tool == nil || in.Right {
		return nil
	}
	words := command.OnlyCompile(in.Command, arguments)
	at := len(in.Command) - len(arguments) - 1
	var before, after, others []Guard
	for _, p := range m.Programs(ctx, language) {
		if p.Akin(command) || !p.Comparable(command, language) {
			continue
		}
		argv := slices.Clone(words)
		argv[at] = p.Path
		g := Guard{Name: short(p, argv[at+1:]), Program: p, Argv: argv, Whole: true, Stdin: in.Spec.Stdin}
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

// short names a program and its arguments in a line that is not too long.
func short(p tool.Program, arguments []string) string {
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

// leaveOut removes the arguments of a whole command of which the program says that it does
// not know them. It reports whether there were any.
func (g *Guard) leaveOut(output []byte) bool {
	if !g.Whole {
		return false
	}
	rest, unknown := tool.Without(g.Argv, output)
	g.Argv = rest
	return len(unknown) > 0
}
