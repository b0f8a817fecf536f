package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

var (
	isShell      = regexp.MustCompile(`^(sh|bash|dash|ksh|zsh)$`)
	scriptOption = regexp.MustCompile(`^-[a-z]*c$`)
	outputOption = regexp.MustCompile(`^(-o|--output|--out)$`)
)

// scriptAt returns the index of a script among the words of a command, as in sh -c 'cc -o a b.c && ./a <in', or -1.
func scriptAt(words []string) int {
	for i := 2; i < len(words); i++ {
		if scriptOption.MatchString(words[i-1]) && isShell.MatchString(filepath.Base(words[i-2])) {
			return i
		}
	}
	return -1
}

// In returns the command that runs words in a directory.
func In(dir string, words []string) []string {
	words = slices.Clone(words)
	at := scriptAt(words)
	if at < 0 {
		words, at = []string{"sh", "-c", Join(words)}, 2
	}
	words[at] = "cd " + Quote(dir) + " && " + words[at]
	return words
}

var changesTo = regexp.MustCompile(`^(cd|pushd|-C|--directory|--chdir|--cwd)$`)

// Elsewhere reports whether a command, or its script, changes to a directory where it does not find {}.
func Elsewhere(words []string) (changes bool) {
	EditScript(words, func(words, _ []string) []string {
		changes = changes || Elsewhere(words)
		return words
	})
	before := words[0]
	for _, w := range words[1:] {
		name, dir, joined := strings.Cut(w, "=")
		if !joined {
			name, dir = before, w
		}
		if before = w; changesTo.MatchString(name) {
			info, err := os.Stat(dir)
			isDir := err == nil && info.IsDir()
			changes = changes || isDir && filepath.IsAbs(dir) || strings.Contains(dir, "$")
		}
	}
	return changes && !strings.Contains(strings.Join(words, " "), "/{}") // a path of the user
}

// HasScript reports whether a command runs a script that is one of its words.
func HasScript(words []string) bool { return scriptAt(words) >= 0 }

// EditScript returns the words of a command with another script, if they have one: see [Edit]. edit also gets the files
// that the script writes, as far as redirections and options such as -o tell.
func EditScript(words []string, edit func(words, written []string) []string) []string {
	at := scriptAt(words)
	if at < 0 {
		return words
	}
	written := []string{"a.out"}
	Edit(words[at], func(words []string) []string {
		for i, w := range words[1:] {
			if strings.HasPrefix(words[0], ">") || outputOption.MatchString(words[i]) {
				written = append(written, filepath.Clean(w))
			}
		}
		return words
	})
	words = slices.Clone(words)
	words[at] = Edit(words[at], func(words []string) []string { return edit(words, written) })
	return words
}

// Edit returns a script with other words. edit gets the words of each simple command and, for a redirection, its
// operator and its target; it returns as many words. Words with expansions stay: they have the values of known
// variables, or their source text, as "$1". A script with syntax errors stays.
func Edit(script string, edit func(words []string) []string) string {
	file, err := syntax.NewParser().Parse(strings.NewReader(script), "")
	if err != nil {
		return script
	}
	var edited strings.Builder
	r := reader{script, map[string]string{}}
	end := 0 // of the text that is in edited
	replace := func(operator []string, list ...*syntax.Word) {
		words, plain := operator, make([]bool, len(list))
		for i, w := range list {
			word, _, ok := r.text(w)
			words, plain[i] = append(words, word), ok
		}
		for i, w := range edit(slices.Clone(words))[len(operator):] {
			from, to := int(list[i].Pos().Offset()), int(list[i].End().Offset())
			if plain[i] && w != words[len(operator)+i] && from >= end {
				edited.WriteString(script[end:from] + Join([]string{w}))
				end = to
			}
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				replace(nil, n.Args...)
			} else {
				r.assign(n.Assigns)
			}
		case *syntax.Redirect:
			switch n.Op {
			case syntax.RdrIn, syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob:
				replace([]string{n.Op.String()}, n.Word)
			}
		}
		return true
	})
	return edited.String() + script[end:]
}

// A reader knows the variables that a script has assigned so far.
type reader struct {
	script string
	values map[string]string
}

func (r *reader) config() *expand.Config {
	return &expand.Config{Env: expand.FuncEnviron(func(name string) string {
		if value, assigned := r.values[name]; assigned {
			return value
		}
		return os.Getenv(name)
	})}
}

// assign learns variables such as FLAGS=-O2, but not those with arguments or results of commands.
func (r *reader) assign(variables []*syntax.Assign) {
	for _, a := range variables {
		value, known := "", true
		if a.Value != nil {
			value, known, _ = r.text(a.Value)
		}
		if delete(r.values, a.Name.Value); known {
			r.values[a.Name.Value] = value
		}
	}
}

// text returns the word that a shell makes of w, with the known variables, or else its source. A word is plain if it
// has no expansions.
func (r *reader) text(w *syntax.Word) (word string, known, plain bool) {
	known, plain = true, true
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParamExp:
			_, assigned := r.values[n.Param.Value]
			_, inherited := os.LookupEnv(n.Param.Value)
			plain = false
			known = known && (assigned || inherited || n.Exp != nil && syntax.ValidName(n.Param.Value))
		case *syntax.CmdSubst, *syntax.ArithmExp, *syntax.ProcSubst, *syntax.ExtGlob:
			known, plain = false, false
		}
		return known
	})
	if known {
		if fields, err := expand.Fields(r.config(), w); err == nil && len(fields) == 1 {
			return fields[0], true, plain
		}
	}
	return r.script[w.Pos().Offset():w.End().Offset()], false, false
}
