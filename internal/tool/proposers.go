package tool

import (
	"context"
	"slices"
	"strings"

	"whittle/internal/shell"
)

// Proposers returns shell commands that propose simpler files in a language. Their tool has the version of the test's
// tool, else it is the newest. words are those of the test's command and script.
func (m *Machine) Proposers(ctx context.Context, words []string, language string) (commands []string) {
	var found []Program
	for _, t := range Tools() {
		if t.Proposes != nil && slices.Contains(t.Reads, language) {
			found = append(found, t.programs()...)
		}
	}
	if len(found) == 0 {
		return nil
	}
	for i := range found {
		found[i].Version = m.version(ctx, found[i])
	}
	best := slices.MaxFunc(found, CompareVersions)
	tested, _ := m.Command(ctx, words)
	if at := slices.IndexFunc(found, func(p Program) bool { return p.Number() == tested.Number() }); at >= 0 {
		best = found[at]
	}
	for _, command := range best.Proposes {
		commands = append(commands, strings.ReplaceAll(command, "{program}", shell.Quote(best.Path)))
	}
	return commands
}
