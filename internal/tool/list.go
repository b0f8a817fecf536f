package tool

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/shell"
	"whittle/oracle"
	"whittle/parse"
	"whittle/parse/archive"
)

// Arguments is an archive of a command and its file, and the [parse.Language] of such archives. With a
// nil value a candidate is the file alone.
type Arguments struct {
	*archive.Set
	command *Reducible
	file    *archive.Set // of a single file; nil for several
}

// The paths of the added entries, unlike any path of a file.
const (
	fileName = "\x00file"
	name     = "\x00arguments"
)

// NewArguments returns the Arguments of a command and a file in a language, or of the set of several files.
func NewArguments(c *Reducible, file []byte, language parse.Language, set *archive.Set) *Arguments {
	l := &Arguments{command: c}
	if set == nil {
		set = archive.New([]archive.Entry{{Path: fileName, Mode: 0o644, Content: file, Language: language, Kept: true}})
		l.file = set
	}
	l.Set = set.With(archive.Entry{
		Path: name, Mode: fs.FileMode(0o644), Content: c.whole().line(), Language: c, Kept: true,
	})
	return l
}

// Heads returns the number of tokens of an archive outside of the file and the words.
func (l *Arguments) Heads() int {
	switch {
	case l == nil:
		return 0
	case l.file == nil:
		return 2 // of the archive and the line
	}
	return 3
}

// An Invocation is a decoded candidate: a file and a command.
type Invocation struct {
	File  []byte
	Added []string // words and variables that make the command faster
	Free  int      // number of remaining words that may be deleted

	command *Reducible
	words   map[int][]string // by unit
}

// Open decodes an archive. It reports whether the archive is complete and valid.
func (l *Arguments) Open(archive []byte) (Invocation, bool) {
	if l == nil {
		return Invocation{File: archive}, true
	}
	file, text, found := l.Cut(archive)
	if found && l.file != nil {
		entries, err := l.file.Entries(file)
		if found = err == nil && len(entries) == 1; found {
			file = entries[0].Content
		}
	}
	v, bad := l.command.read(text)
	v.File = file
	return v, found && bad == 0
}

// Close encodes an archive.
func (l *Arguments) Close(v Invocation) []byte {
	if l == nil {
		return v.File
	}
	file := v.File
	if l.file != nil {
		file = l.file.Gather(func(archive.Entry) ([]byte, bool) { return file, true })
	}
	return l.Join(file, v.line())
}

// Spec returns the spec of this invocation, given the spec of the whole command.
func (v Invocation) Spec(spec oracle.Spec) oracle.Spec {
	if v.command == nil {
		return spec
	}
	spec.Argv = v.argv(spec.Argv)
	spec.Env = Environment(spec.Env, v.variables())
	return spec
}

// Environment returns an environment with more variables, each once. nil means the environment of this process.
func Environment(env, more []string) []string {
	switch {
	case len(more) == 0:
		return env
	case env == nil:
		env = os.Environ()
	}
	return (&exec.Cmd{Env: slices.Concat(env, more)}).Environ()
}

// Words returns the words of the command with {} for the file. Added variables are set by env.
func (v Invocation) Words() []string {
	words := v.argv(v.command.words)
	if variables := v.variables(); len(variables) > 0 {
		return slices.Concat([]string{"env"}, variables, words)
	}
	return words
}

// Shell returns the command for a shell and the given file, [WithoutOutput]. A stem with a dot cannot be a name.
func (v Invocation) Shell(file string) string {
	stem, _, dotted := strings.Cut(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), ".")
	option, given := v.command.tool.Names, strings.Join(v.argv(v.command.words), " ")
	if dotted && option != "" && !strings.Contains(given, option) && strings.Contains(given, oracle.Placeholder) {
		v.Added = append(slices.Clip(v.Added), option+"="+stem)
	}
	variables := ""
	for _, a := range v.variables() {
		name, value, _ := strings.Cut(a, "=")
		variables += name + "=" + shell.Quote(value) + " "
	}
	var words []string
	for _, w := range WithoutOutput(v.argv(v.command.words)) {
		words = append(words, strings.ReplaceAll(w, oracle.Placeholder, file))
	}
	return variables + shell.Join(shell.Bare(words))
}

// argv returns the command with the words of whole, which may have other paths of the same files.
func (v Invocation) argv(whole []string) (words []string) {
	c := v.command
	for at, w := range whole {
		if at == c.end {
			words = append(words, v.options()...)
		}
		i := slices.IndexFunc(c.units, func(u unit) bool { return u.from <= at && at < u.to })
		if i >= 0 && v.words[i] == nil {
			continue
		}
		if i >= 0 && v.words[i][at-c.units[i].from] != c.words[at] {
			w = v.words[i][at-c.units[i].from]
		}
		if p := c.pipelines[at]; p != nil {
			w = p.Word(whole[at], v.words)
		}
		words = append(words, w)
	}
	if c.end == len(whole) {
		words = append(words, v.options()...)
	}
	return words
}

func (v Invocation) options() []string { return slices.DeleteFunc(slices.Clone(v.Added), isVariable) }

func (v Invocation) variables() []string {
	return slices.DeleteFunc(slices.Clone(v.Added), func(w string) bool { return !isVariable(w) })
}
