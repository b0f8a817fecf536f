package valid

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/algo"
	"whittle/internal/chain"
	"whittle/internal/failure"
	"whittle/internal/shell"
	"whittle/internal/tool"
	"whittle/oracle"
)

// A CrashPlace is the place where a program crashes that a test builds, found with a sanitizer or a
// debugger. Candidates must crash there. The same run checks for new warnings of undefined behavior.
type CrashPlace struct {
	failure.Place           // without a Title if unknown
	By            string    // the sanitizer or debugger
	Warns         bool      // candidates may have no new warnings
	Allowed       []Allowed // warnings that the input has
	Stage         chain.Stage

	warning func(name string) *regexp.Regexp
}

// Place returns the place of the crash of the input, as Find does, and the warnings of a project; nil without either.
func (f *Finder) Place(ctx context.Context) (*CrashPlace, error) {
	if !f.Known() || !f.Input.Crash && !f.Input.Warns {
		return nil, nil
	}
	places := placeFinder{Finder: f, compilers: f.Machine.Compilers()}
	for _, w := range places.ways() {
		p, err := places.find(ctx, w)
		if p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

type placeFinder struct {
	*Finder
	compilers []tool.Program
	unused    bool // the command calls no compiler of these
}

// A way makes programs report where they crash.
type way struct {
	how how
	by  string
	row int // index in Traced of the sanitizer's arguments
}

type how int

const (
	unchanged     how = iota
	withSanitizer     // its programs report their crashes
	withDebugger      // its programs run in gdb
)

func (f *placeFinder) ways() (all []way) {
	if f.Input.Crash && len(f.compilers) > 0 {
		for i, row := range f.compilers[0].Traced {
			all = append(all, way{withSanitizer, row[len(row)-1], i})
		}
	}
	if _, err := exec.LookPath("gdb"); err == nil && f.Input.Crash && f.Input.Debug {
		gdb := way{how: withDebugger, by: "gdb"}
		all = append(all, gdb, gdb) // on a busy machine it sometimes loses a process
	}
	if f.Input.Warns && len(f.compilers) > 0 {
		all = append(all, way{how: unchanged})
	}
	return all
}

// added returns the additional arguments of a compiler, for a shell.
func (w way) added(p tool.Program, place *CrashPlace) string {
	var words []string
	switch w.how {
	case withSanitizer:
		words = append(slices.Clone(p.Traced[min(w.row, len(p.Traced)-1)]), "-Wno-error")
	case withDebugger:
		words = append(words, "-g")
	}
	if place.Warns {
		for _, b := range p.Bars {
			words = append(words, p.Bar(b))
		}
		for _, a := range place.Allowed {
			words = append(words, p.Allow(a.Name))
		}
	}
	return shell.Join(words)
}

// find returns the place that w shows twice, or nil.
func (f *placeFinder) find(ctx context.Context, w way) (*CrashPlace, error) {
	if f.unused && w.how != withDebugger {
		return nil, nil
	}
	p := &CrashPlace{By: w.by, Warns: f.Input.Warns && !f.unused}
	if p.Warns {
		p.warning = f.compilers[0].Warning
	}
	run, shown, err := f.show(ctx, w, p)
	if err != nil || !shown {
		return nil, err
	}
	for i, n := range run.Counts[len(run.Counts)-len(p.Allowed):] {
		p.Allowed[i].Most = n
	}
	p.Stage = chain.Stage{
		Name: p.name(), Command: f.command(w, p, false), Interesting: p.criteria(f.Input.Spec.Interesting, w.how),
		Refused: algo.Uninteresting, Timeout: max(leastTimeout, slack*run.Elapsed),
	}
	run, err = f.run(ctx, p.Stage.Command, p.Stage.Interesting)
	if err != nil || run.Outcome != algo.Interesting {
		return nil, err
	}
	return p, nil
}

// show allows the warnings that prevent the failure.
func (f *placeFinder) show(ctx context.Context, w way, p *CrashPlace) (run oracle.Run, shown bool, err error) {
	for {
		run, err = f.run(ctx, f.command(w, p, true), p.criteria(f.Input.Spec.Interesting, w.how))
		switch {
		case err != nil:
			return run, false, err
		case run.ExitCode == 125:
			f.unused = true
		case w.how == unchanged:
			shown = run.Outcome == algo.Interesting
		default:
			p.Place, shown = failure.PlaceOf(run)
		}
		if shown || f.unused && w.how != withDebugger || !p.allow(f.compilers, run.Output) {
			return run, shown, nil
		}
	}
}

func (p *CrashPlace) allow(compilers []tool.Program, output []byte) bool {
	before := len(p.Allowed)
	for _, c := range compilers {
		for _, name := range c.Errors(output) {
			if p.Warns && slices.Contains(c.Bars, name) && !allows(p.Allowed, name) {
				p.Allowed = append(p.Allowed, Allowed{Name: name})
			}
		}
	}
	return len(p.Allowed) > before
}

func (p *CrashPlace) criteria(test oracle.Criteria, how how) oracle.Criteria {
	c := p.Criteria
	if how == unchanged {
		c = test
	} else {
		c.ExitCodes = []int{0}
	}
	c.Lines = slices.Clone(c.Lines)
	for _, a := range p.Allowed {
		c.Lines = append(c.Lines, oracle.Line{Pattern: p.warning(a.Name), Most: a.Most})
	}
	return c
}

func (f *placeFinder) run(ctx context.Context, command func(test []string) []string, criteria oracle.Criteria,
) (oracle.Run, error) {
	spec := f.Input.Spec
	spec.Argv, spec.Interesting, spec.KeepOutput = command(spec.Argv), criteria, true
	spec.LimitTime(leastTimeout + slack*f.Input.Took)
	return f.Programs.Run(ctx, spec, f.Input.File)
}

func (p *CrashPlace) name() string {
	if p.Title == "" {
		return "no new warnings"
	}
	return "place by " + p.By
}

// Notes describes the conditions to the user.
func (p *CrashPlace) Notes() (notes []string) {
	if p == nil {
		return nil
	}
	if p.Title != "" {
		notes = append(notes, fmt.Sprintf(
			"keeping the place of the crash, found by %s: %s; --no-valid switches that off", p.By, p.Title))
	}
	if p.Warns {
		names := ""
		for _, a := range p.Allowed {
			names += " -W" + a.Name
		}
		if names != "" {
			names = " (except" + names + ")"
		}
		notes = append(notes, "keeping it free of new warnings of undefined behavior"+names+"; --no-valid switches that off")
	}
	return notes
}

//go:embed script.sh
var begin string

//go:embed sanitizer.sh
var sanitizer string

//go:embed debugger.py
var debugger string

// script runs its arguments as a command. A directory at the front of PATH has wrappers that add
// arguments to compilers. It prints the output and reports of crashes. Unchanged, it ends as the
// command does; otherwise with 0, or 1 after undefined behavior that is not permitted. A probe ends with 125 if the
// command calls no compiler.
func (f *placeFinder) script(w way, p *CrashPlace, isProbe bool) string {
	var b strings.Builder
	b.WriteString(begin)
	wrapped := map[string]string{} // compilers, by additional arguments
	for _, c := range f.compilers {
		wrapped[w.added(c, p)] += " " + shell.Quote(shell.Quote(c.Path))
	}
	for _, added := range slices.Sorted(maps.Keys(wrapped)) {
		b.WriteString("wrap " + shell.Quote(added) + wrapped[added] + "\n")
	}
	if len(f.compilers) > 0 {
		b.WriteString("chmod +x \"$d\"/bin/*\nPATH=$d/bin:$PATH\nexport PATH\n")
	}
	switch w.how {
	case unchanged:
		b.WriteString("\"$@\"\ncode=$?\n")
	case withSanitizer:
		b.WriteString(sanitizer)
		find := "grep 'runtime error: ' \"$d/all\""
		for _, like := range p.Undefined {
			find += " | grep -v -E -e " + shell.Quote(like.String())
		}
		b.WriteString("[ -z \"$(" + find + ")\" ] || code=1\n")
	case withDebugger:
		b.WriteString("cat >\"$d/debugger.py\" <<'END'\n" + debugger + "END\n" +
			"gdb -q -nx -batch -x \"$d/debugger.py\" --args \"$@\"\ncode=0\n")
	}
	if isProbe {
		b.WriteString("[ -e \"$d/used\" ] || code=125\n")
	}
	b.WriteString("rm -rf \"$d\"\nexit $code\n")
	return b.String()
}

func (f *placeFinder) command(w way, p *CrashPlace, isProbe bool) func(test []string) []string {
	script := f.script(w, p, isProbe)
	return func(test []string) []string {
		words := []string{"/bin/sh", "-c", script, "sh"}
		for _, w := range test {
			for _, c := range f.compilers {
				w = byName(w, c.Path)
			}
			words = append(words, w)
		}
		return words
	}
}

func byName(word, path string) string {
	if !strings.Contains(word, path) {
		return word
	}
	whole := regexp.MustCompile(`(^|[^A-Za-z0-9_./+-])` + regexp.QuoteMeta(path) + `($|[^A-Za-z0-9_./+-])`)
	return whole.ReplaceAllString(word, "${1}"+filepath.Base(path)+"${2}")
}
