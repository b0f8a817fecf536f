package valid

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"whittle/internal/shell"
	"whittle/internal/tool"
)

// reported is the exit code of a program that a sanitizer ends, and of a failed build.
const reported = 86

// sanitized builds a program with a sanitizer and runs it. %[1]s is the build command, %[2]d is reported, and %[3]s is
// a condition on the exit code. Leaks are not undefined behavior.
const sanitized = `( %[1]s ) >/dev/null 2>&1 || exit %[2]d
export ASAN_OPTIONS=detect_leaks=0:exitcode=%[2]d UBSAN_OPTIONS=exitcode=%[2]d
./valid.program </dev/null >/dev/null 2>&1
code=$?; [ $code -ne %[2]d ] && %[3]s`

// endings are conditions on an exit code like the input's.
var endings = []string{"[ $code -eq 0 ]", "[ $code -ne 0 ] && [ $code -lt 128 ]"}

// Sanitized returns checks that the program, built with sanitizers, ends without a report. Checks of
// one family are consecutive, as [Finder.Accepted] expects.
func (f *Finder) Sanitized(ctx context.Context) (checks []Check) {
	command, language := f.Input.Program(ctx, f.Machine)
	for _, p := range f.programs(ctx, language) {
		for _, sanitise := range p.Sanitise {
			more := slices.Concat([]string{"-w"}, languageFor(p, command), sanitise)
			build := buildBy(p, more, "./valid.program")
			for _, way := range endings {
				g := Command(fmt.Sprintf(sanitized, build, reported, way))
				g.Name = strings.Join(append([]string{p.String()}, sanitise...), " ")
				g.Program, g.Group = p, p.Family
				checks = append(checks, g)
			}
		}
	}
	return checks
}

func buildBy(p tool.Program, arguments []string, program string) string {
	words := []string{shell.Quote(p.Path)}
	for _, w := range arguments {
		words = append(words, shell.Quote(w))
	}
	return strings.Join(append(words, tool.File, p.Output(program)), " ")
}

// probes returns the file with code that runs at the start: code that ends the program, and code
// without effect. If the test depends on the program's behavior, only the second is interesting.
// ok is false if no compiler has such code.
func (f *Finder) probes(ctx context.Context) (ends, runs []byte, ok bool) {
	_, language := f.Input.Program(ctx, f.Machine)
	for _, p := range f.Machine.Programs(ctx, language) {
		if p.Starts != "" {
			file := string(f.Input.File) + "\n"
			return []byte(file + strings.ReplaceAll(p.Starts, "*", p.Dies) + "\n"),
				[]byte(file + strings.ReplaceAll(p.Starts, "*", "") + "\n"), true
		}
	}
	return nil, nil, false
}
