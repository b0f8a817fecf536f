package account

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"whittle/internal/process"
	"whittle/internal/report"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// describe adds what a compiler prints about its build, and returns it, or adds its version.
func (q *inquiry) describe(ctx context.Context, c tool.Command) (printed string) {
	name := c.Words[c.At]
	details := c.Details(ctx)
	for _, d := range details {
		printed += d.Output + "\n"
		q.facts.Tools = append(q.facts.Tools, report.Run{
			Command: shell.Join([]string{name}) + " " + d.Arguments, Output: strings.Split(d.Output, "\n")})
	}
	if len(details) == 0 {
		q.facts.Machine = append(q.facts.Machine, report.Fact{Name: name, Text: c.Version})
	}
	return printed
}

// explore describes the compilers, and adds a link to Compiler Explorer: the command's compiler and its newest sources,
// for wrong code also the good command.
func (q *inquiry) explore(ctx context.Context, command tool.Command) {
	page := Page{Source: string(q.file)}
	printed := q.describe(ctx, command)
	if good, ok := q.machine.Command(ctx, q.right); ok {
		byGood := printed
		if !good.Same(command.Program) {
			byGood = q.describe(ctx, good)
		}
		q.panes(&page, good, byGood, false)
	}
	q.panes(&page, command, printed, true)
	if len(page.Panes) == 0 || q.Input.Set != nil || q.Spec.Stdin {
		return
	}
	var names []string
	for _, p := range page.Panes {
		names = append(names, p.Name)
	}
	q.facts.Explorer = report.Link{Text: strings.Join(names, ", "), URL: page.Link()}
	if q.facts.Explorer.URL == "" {
		q.facts.Notes = append(q.facts.Notes, "The file is too long for a link to Compiler Explorer.")
	}
}

// panes adds a command if Compiler Explorer has the compiler, and the newest sources with the same
// options.
func (q *inquiry) panes(page *Page, command tool.Command, details string, newest bool) {
	c, ok := command.Site(q.Input.ReadBy(), details)
	options, plain := withoutFile(command.Arguments())
	if !ok || !plain || page.Language != "" && page.Language != c.Language {
		return
	}
	page.Language = c.Language
	text := shell.Join(c.Options(options))
	add := func(id, version string) {
		if id == "" {
			return
		}
		name := strings.TrimSpace(command.Name + " " + version)
		if q.Test.Differs != nil && text != "" {
			name += " " + text
		}
		page.Panes = append(page.Panes, Pane{ID: id, Name: name, Options: text, Executes: q.Test.Differs != nil})
	}
	add(c.Version(command.Number()))
	if newest {
		add(c.Trunk, "trunk")
	}
}

// withoutFile removes the file from arguments; ok is false if it is part of another argument.
func withoutFile(arguments []string) (rest []string, ok bool) {
	rest = slices.DeleteFunc(slices.Clone(arguments), func(a string) bool { return a == oracle.Placeholder })
	return rest, !slices.ContainsFunc(rest, func(a string) bool { return strings.Contains(a, oracle.Placeholder) })
}

func system() []report.Fact {
	var parts []string
	release, _ := os.ReadFile("/etc/os-release")
	for line := range strings.Lines(string(release)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			parts = append(parts, strings.Trim(name, `"`))
		}
	}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		text := unix.ByteSliceToString
		parts = append(parts, text(u.Sysname[:])+" "+text(u.Release[:])+" "+text(u.Machine[:]))
	} else {
		parts = append(parts, runtime.GOOS+" "+runtime.GOARCH)
	}
	return []report.Fact{{Name: "system", Text: strings.Join(parts, ", ")}}
}

const (
	around     = 6
	mostOutput = 80 // lines; enough for the stack of a crash
)

// excerpt returns the lines that show the failure with their context, or the last lines, with relative paths.
func excerpt(output []byte, shown []string) []string {
	if len(output) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimRight(process.Relative(string(output)), "\n"), "\n")
	if len(lines) <= mostOutput {
		return lines
	}
	start := len(lines) - mostOutput
	if len(shown) > 0 {
		if at := slices.Index(lines, process.Relative(shown[0])); at >= 0 {
			start = max(at-around, 0)
		}
	}
	end := min(start+mostOutput, len(lines))
	cut := slices.Clone(lines[start:end])
	if start > 0 {
		cut = slices.Insert(cut, 0, "[…]")
	}
	if end < len(lines) {
		cut = append(cut, "[…]")
	}
	return cut
}
