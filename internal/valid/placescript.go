package valid

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/internal/shell"
	"whittle/internal/tool"
)

// How to run the command.
type how int

const (
	unchanged     how = iota
	withSanitizer     // its programs report their crashes
	withDebugger      // its programs run in gdb
)

//go:embed script.sh
var begin string

//go:embed debugger.py
var debugger string

// A setting says how to call compilers and run the command.
type setting struct {
	how       how
	compilers []tool.Program
	added     func(p tool.Program) []string // additional arguments of a compiler
	undefined []*regexp.Regexp              // permitted reports of undefined behavior
	probe     bool                          // exit with 125 if the command calls no compiler
}

// script returns a shell script that runs its arguments as a command. A directory at the front of
// PATH has wrappers that add arguments to compilers. It prints the output and reports of crashes.
// Unchanged, it ends as the command does; otherwise with 0, or 1 after undefined behavior that is
// not permitted.
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
	case unchanged:
		b.WriteString("\"$@\"\ncode=$?\n")
	case withSanitizer:
		b.WriteString("o=detect_leaks=0:handle_abort=1:allocator_may_return_null=1:log_path=$d/report\n" +
			"ASAN_OPTIONS=$o UBSAN_OPTIONS=$o \"$@\" >\"$d/out\" 2>&1\n" +
			"cat \"$d/out\" \"$d\"/report.* >\"$d/all\" 2>/dev/null\ncat \"$d/all\"\ncode=0\n" + s.defined())
	case withDebugger:
		b.WriteString("cat >\"$d/debugger.py\" <<'END'\n" + debugger + "END\n" +
			"gdb -q -nx -batch -x \"$d/debugger.py\" --args \"$@\"\ncode=0\n")
	}
	if s.probe {
		b.WriteString("[ -e \"$d/used\" ] || code=125\n")
	}
	b.WriteString("rm -rf \"$d\"\nexit $code\n")
	return b.String()
}

func (s setting) defined() string {
	find := "grep 'runtime error: ' \"$d/all\""
	for _, like := range s.undefined {
		find += " | grep -v -E -e " + shell.Quote(like.String())
	}
	return "[ -z \"$(" + find + ")\" ] || code=1\n"
}

// A group has the compilers with the same additional arguments.
type group struct {
	added string
	paths []string
}

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

// command returns the words that run the script on a test, with compilers called by name.
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

func byName(word, path string) string {
	if !strings.Contains(word, path) {
		return word
	}
	whole := regexp.MustCompile(`(^|[^A-Za-z0-9_./+-])` + regexp.QuoteMeta(path) + `($|[^A-Za-z0-9_./+-])`)
	return whole.ReplaceAllString(word, "${1}"+filepath.Base(path)+"${2}")
}
