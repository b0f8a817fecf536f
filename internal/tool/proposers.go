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
	proposes := func(t *Tool) bool { return t.Proposes != nil && slices.Contains(t.Reads, language) }
	if !slices.ContainsFunc(Tools(), proposes) {
		return nil // no program is asked for its version
	}
	all := slices.DeleteFunc(m.Programs(ctx, language), func(p Program) bool { return !proposes(p.Tool) })
	tested, _ := m.Command(ctx, words)
	at := slices.IndexFunc(all, func(p Program) bool { return p.Number() == tested.Number() })
	if len(all) == 0 {
		return nil
	}
	best := all[max(at, 0)] // the first is the newest
	for _, command := range best.Proposes {
		commands = append(commands, strings.ReplaceAll(command, "{program}", shell.Quote(best.Path)))
	}
	return commands
}
