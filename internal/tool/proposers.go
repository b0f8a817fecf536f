package tool

import (
	"context"
	"os"
	"slices"
	"strings"

	"whittle/internal/shell"
)

// Proposers returns shell commands that propose simpler files in a language. Their tool has the version of the test's
// tool, else it is the newest. The words of the test are a command, or the path of a script.
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
	tested, _ := m.Command(ctx, slices.Concat(words, wordsOf(words[0])))
	if at := slices.IndexFunc(found, func(p Program) bool { return p.Number() == tested.Number() }); at >= 0 {
		best = found[at]
	}
	for _, command := range best.Proposes {
		commands = append(commands, strings.ReplaceAll(command, "{program}", shell.Quote(best.Path)))
	}
	return commands
}

// longestScript bounds the bytes of a script that is read for its tools.
const longestScript = 64 << 10

// wordsOf returns the words of a script; nil for other files.
func wordsOf(script string) []string {
	info, err := os.Stat(script)
	if err != nil || !info.Mode().IsRegular() || info.Size() > longestScript {
		return nil
	}
	text, _ := os.ReadFile(script)
	if !strings.HasPrefix(string(text), "#!") {
		return nil
	}
	return strings.Fields(string(text))
}
