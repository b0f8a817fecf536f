package valid

import (
	"context"
	"fmt"
	"strings"

	"whittle/internal/shell"
	"whittle/internal/tool"
)

// reported is the exit code with which a sanitizer ends a program; a build that fails has
// it, too.
const reported = 86

// sanitized builds a program with a sanitizer and runs it. %[1]s builds it, %[2]d is
// reported, and %[3]s is a condition of the exit code. Leaks are no undefined behaviour.
const sanitized = `( %[1]s ) >/dev/null 2>&1 || exit %[2]d
export ASAN_OPTIONS=detect_leaks=0:exitcode=%[2]d UBSAN_OPTIONS=exitcode=%[2]d
./guard.program </dev/null >/dev/null 2>&1
code=$?; [ $code -ne %[2]d ] && %[3]s`

// ways are the conditions of the exit code of a program that ends as the input's does:
// with 0, or with another code, but by no signal.
var ways = []string{"[ $code -eq 0 ]", "[ $code -ne 0 ] && [ $code -lt 128 ]"}

// Sanitized returns guards for a test whose outcome depends on what the program in the file
// does: built with the sanitizers of a compiler, the program must still end without a
// report. Those of one family come together, as [Find] expects.
func Sanitized(ctx context.Context, m *tool.Machine, in Input) []Guard {
	command, arguments, language := in.Program(ctx, m)
	var guards []Guard
	for _, p := range m.Programs(ctx, language) {
		for _, sanitise := range p.Sanitise {
			words := []string{shell.Quote(p.Path), "-w"}
			for _, w := range append(LanguageFor(p, command, arguments), sanitise...) {
				words = append(words, shell.Quote(w))
			}
			words = append(words, tool.File, p.Output("./guard.program"))
			for _, way := range ways {
				g := Command(fmt.Sprintf(sanitized, strings.Join(words, " "), reported, way))
				g.Name = strings.Join(append([]string{p.String()}, sanitise...), " ")
				g.Program, g.Group = p, p.Family
				guards = append(guards, g)
			}
		}
	}
	return guards
}

// Probes returns the file with code that runs when its program starts: code that ends the
// program, and code that does nothing. A test whose outcome depends on what the program
// does finds only the second interesting. ok is false if no compiler of the language has
// such code.
func (in Input) Probes(ctx context.Context, m *tool.Machine) (ends, goesOn []byte, ok bool) {
	_, _, language := in.Program(ctx, m)
	for _, p := range m.Programs(ctx, language) {
		if p.Starts != "" {
			file := string(in.File) + "\n"
			return []byte(file + strings.ReplaceAll(p.Starts, "*", p.Dies) + "\n"),
				[]byte(file + strings.ReplaceAll(p.Starts, "*", "") + "\n"), true
		}
	}
	return nil, nil, false
}
