package arguments

import (
	"io/fs"
	"os"
	"slices"
	"strings"

	"whittle/internal/shell"
	"whittle/oracle"
	"whittle/parse"
	"whittle/parse/archive"
)

// A List is a command and the file it is about, in one archive, and the [parse.Language] of
// such archives.
type List struct {
	*archive.Set
	command *Command
	several bool         // files, which are an archive already
	files   *archive.Set // of these, or of the file
}

// fileName and name are the paths of what a List adds; nothing in a file reads like them.
const (
	fileName = "\x00file"
	name     = "\x00arguments"
)

// NewList returns the List of a command and a file of that language. Of several files set
// is the one of their archives.
func NewList(c *Command, file []byte, language parse.Language, set *archive.Set) *List {
	l := &List{command: c, several: set != nil, files: set}
	if set == nil {
		l.files = archive.New([]archive.Entry{{Path: fileName, Mode: 0o644, Content: file, Language: language, Kept: true}})
	}
	l.Set = l.files.With(archive.Entry{
		Path: name, Mode: fs.FileMode(0o644), Content: c.write(c.whole()), Language: c, Kept: true,
	})
	return l
}

// Heads returns how many tokens an archive has besides those of the file and the words.
func (l *List) Heads() int {
	if l.several {
		return 2 // of the archive, and of the line
	}
	return 3
}

// An Invocation is what a candidate says: a file, and how the command is called for it.
type Invocation struct {
	File  []byte
	Added []string // words, and variables, that make it faster
	Free  int      // words that are left of those that may go

	command *Command
	words   map[int][]string // of units
}

// Open returns what is in an archive. It reports whether all that there must be is there.
func (l *List) Open(archive []byte) (Invocation, bool) {
	file, text, found := l.Cut(archive)
	if found && !l.several {
		entries, err := l.files.Entries(file)
		if found = err == nil && len(entries) == 1; found {
			file = entries[0].Content
		}
	}
	left := l.command.read(text)
	v := Invocation{File: file, Added: left.added, command: l.command, words: left.words}
	for _, words := range left.words {
		v.Free += len(words)
	}
	return v, found && left.bad == 0
}

// Close returns the archive of what was opened.
func (l *List) Close(v Invocation) []byte {
	file := v.File
	if !l.several {
		file = l.files.Gather(func(archive.Entry) ([]byte, bool) { return file, true })
	}
	return l.Join(file, l.command.write(line{added: v.Added, words: v.words}))
}

// Spec returns the spec of the command as it is called, from that of the whole.
func (v Invocation) Spec(spec oracle.Spec) oracle.Spec {
	spec.Argv = v.argv(spec.Argv)
	for _, a := range v.Added {
		if isVariable(a) {
			if spec.Env == nil {
				spec.Env = os.Environ()
			}
			spec.Env = append(slices.Clip(spec.Env), a)
		}
	}
	return spec
}

// Words are those of the command as it is called, with {} for the file; the variables that
// make it faster are set by env.
func (v Invocation) Words() []string {
	words := v.argv(v.command.words)
	if variables := slices.DeleteFunc(slices.Clone(v.Added), isNoVariable); len(variables) > 0 {
		return slices.Concat([]string{"env"}, variables, words)
	}
	return words
}

func isNoVariable(word string) bool { return !isVariable(word) }

// Shell is the command as it is called for a file of that name, for a shell, without options
// that name an output file.
func (v Invocation) Shell(file string) string {
	variables := ""
	for _, a := range v.Added {
		if isVariable(a) {
			name, value, _ := strings.Cut(a, "=")
			variables += name + "=" + shell.Quote(value) + " "
		}
	}
	var words []string
	for _, w := range WithoutOutput(v.argv(v.command.words)) {
		words = append(words, strings.ReplaceAll(w, oracle.Placeholder, file))
	}
	return variables + shell.Join(words)
}

// argv returns the words of the call, of those of the whole.
func (v Invocation) argv(whole []string) (words []string) {
	before := 0
	add := func(to int) {
		words = append(words, whole[before:to]...)
		before = to
	}
	added := false
	for i, u := range v.command.units {
		if !added && u.from >= v.command.end {
			add(v.command.end)
			words, added = append(words, v.options()...), true
		}
		add(u.from)
		for k, w := range v.words[i] {
			if w == v.command.words[u.from+k] {
				w = whole[u.from+k] // which may be another path of the same
			}
			words = append(words, w)
		}
		before = u.to
	}
	if !added {
		add(v.command.end)
		words = append(words, v.options()...)
	}
	return append(words, whole[before:]...)
}

// options are the words that were added.
func (v Invocation) options() []string { return slices.DeleteFunc(slices.Clone(v.Added), isVariable) }
