package place

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/internal/shell"
	"whittle/internal/tool"
)

// How a command is run to find the place of its crash.
type how int

const (
	plainly   how = iota // as it is
	sanitised            // its programs report their crashes
	debugged             // below gdb
)

//go:embed script.sh
var begin string

//go:embed debugger.py
var debugger string

// A setting is how compilers are called, and the command is run.
type setting struct {
	how       how
	compilers []tool.Program
	added     func(p tool.Program) []string // arguments that a compiler gets as well
	undefined []*regexp.Regexp              // what else a program may do that is undefined
	probe     bool                          // exit with 125 if the command calls no compiler
}

// script runs its arguments, a command, with a directory in front of PATH in which each
// compiler has the arguments that are added. It prints what the command prints, and the
// reports of crashes. Run plainly it ends as the command does; else with 0 or, if something
// was undefined that may not be, with 1.
func (s setting) script() string {
	var b strings.Builder
	b.WriteString(begin)
	for _, group := range s.groups() {
		b.WriteString("wrap " + shell.Quote(group.added))
		for _, p := range group.paths {
			b.WriteString(" " + shell.Quote(shell.Quote(p)))
		}
		b.WriteByte('\n')
	}
	if len(s.compilers) > 0 {
		b.WriteString("chmod +x \"$d\"/bin/*\nPATH=$d/bin:$PATH\nexport PATH\n")
	}
	switch s.how {
	case plainly:
		b.WriteString("\"$@\"\ncode=$?\n")
	case sanitised:
		b.WriteString("o=detect_leaks=0:handle_abort=1:allocator_may_return_null=1:log_path=$d/report\n" +
			"ASAN_OPTIONS=$o UBSAN_OPTIONS=$o \"$@\" >\"$d/out\" 2>&1\n" +
			"cat \"$d/out\" \"$d\"/report.* >\"$d/all\" 2>/dev/null\ncat \"$d/all\"\ncode=0\n" + s.defined())
	case debugged:
		b.WriteString("cat >\"$d/debugger.py\" <<'END'\n" + debugger + "END\n" +
			"gdb -q -nx -batch -x \"$d/debugger.py\" --args \"$@\"\ncode=0\n")
	}
	if s.probe {
		b.WriteString("[ -e \"$d/used\" ] || code=125\n")
	}
	b.WriteString("rm -rf \"$d\"\nexit $code\n")
	return b.String()
}

// defined are lines of the script that look for what else is undefined.
func (s setting) defined() string {
	find := "grep 'runtime error: ' \"$d/all\""
	for _, like := range s.undefined {
		find += " | grep -v -E -e " + shell.Quote(like.String())
	}
	return "[ -z \"$(" + find + ")\" ] || code=1\n"
}

// A group is compilers with the same arguments.
type group struct {
	added string
	paths []string
}

// groups returns the compilers by what is added to their arguments.
func (s setting) groups() (all []group) {
	for _, p := range s.compilers {
		added := shell.Join(s.added(p))
		i := slices.IndexFunc(all, func(g group) bool { return g.added == added })
		if i < 0 {
			i = len(all)
			all = append(all, group{added: added})
		}
		all[i].paths = append(all[i].paths, p.Path)
	}
	return all
}

// command returns the words that run the script on the command of a test. A compiler that
// it calls by its path is called by its name.
func (s setting) command(test []string) []string {
	words := []string{"/bin/sh", "-c", s.script(), "sh"}
	for _, w := range test {
		for _, p := range s.compilers {
			w = byName(w, p.Path)
		}
		words = append(words, w)
	}
	return words
}

// byName returns a word with the name of a program for each of its absolute path.
func byName(word, path string) string {
	if !strings.Contains(word, path) {
		return word
	}
	whole := regexp.MustCompile(`(^|[^A-Za-z0-9_./+-])` + regexp.QuoteMeta(path) + `($|[^A-Za-z0-9_./+-])`)
	return whole.ReplaceAllString(word, "${1}"+filepath.Base(path)+"${2}")
}
