// Package tool describes compilers and other programs that read a language, in one table. It finds
// installed programs, and reads the arguments of their commands.
//
// To add a compiler, add one entry to the list in [Tools]; all fields but Name, Reads and names are
// optional.
//
// [Arguments] reduces the arguments of the command under test together with its file. A candidate is
// an archive of the files and the remaining arguments.
package tool

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	File  = "{}"        // the file to check
	Built = "{program}" // the program to build
)

// A Tool describes programs that take the same arguments, such as gcc of any version.
type Tool struct {
	Name     string
	Family   string     // of tools installed together, such as gcc and g++; Name by default
	Reads    []string   // whittle's languages, the usual one first
	Checks   [][]string // alternative arguments that check File; the exit code tells
	Dialect  bool       // it reads a dialect: other files of the language are valid, too
	Ends     []string   // arguments that stop the tool at the first error
	Bars     []string   // warnings of likely undefined behavior
	Builds   []string   // arguments that build Built; nil if the tool cannot
	Parts    []string   // arguments that prevent building
	Sanitise [][]string // alternative arguments whose programs die of undefined behavior
	Starts   string     // a definition that runs the code * when a program starts; may be ""
	Dies     string     // code that ends a program
	Traced   [][]string // alternative arguments whose programs report where they crash
	Options  *Options   // nil if unknown
	Bisect   *Bisect    // how to find the culprit in the compiler; may be nil
	Lowers   *Lowering  // for tools that do a part of its work; may be nil
	Sites    []Site     // on Compiler Explorer, by language
	Proposes []string   // shell commands that read a file and write a simpler one; {program} is the path

	names     pattern  // whole names of the program
	cross     pattern  // further names, of cross compilers
	in        []string // glob patterns of directories to search after PATH
	version   string   // arguments; --version by default
	silent    bool     // the tool cannot print its version
	sibling   string   // program in the same directory that prints the version
	releaseIn string   // project file with the required release
	release   pattern  // the release in that file, as the first group
	details   []string // arguments that print how the tool was built; all are run
	// language lists the arguments that select the language: a whole word, "x*" for words that begin with x, and
	// "x+" for x with a value in the same or the next word.
	language   []string
	bar, allow string  // arguments that make the warning * an error, and that undo it
	error      pattern // an error that allow can undo; its name is the first group
	warning    string  // regular expression of a line with the warning *
}

// A Lowering says how a compiler writes LLVM IR.
type Lowering struct {
	Drops   []string   // arguments that select another output
	Emits   [][]string // arguments that select IR before and behind the optimiser
	Hands   string     // an option whose value is an argument of LLVM
	Version pattern    // in the details of the compiler, the version of LLVM; "" is that of the compiler
}

// A Bisect describes how a compiler can narrow down its own bugs.
type Bisect struct {
	Levels        []string // of optimization, the lowest first
	Limit         []string // arguments that run only the first N optional passes, all for -1, and list them
	Running       pattern  // a line with such a pass: number and name
	Stages        []Stage  // the first stage that has the bug is at fault; a stage without arguments ends the list
	Names         pattern  // a line with the crashing pass: kind and name
	Passes        []string // arguments that list the passes that run
	Optimizations []string // arguments that list the optimizations
	Optimizes     pattern  // a line of that list: the name behind -f
	Counters      []string // arguments that list the debug counters
	Counter       pattern  // a line of that list: the name
}

// A Stage of a compiler is at fault if the bug appears with the arguments.
type Stage struct {
	Name      string
	Arguments []string
}

// A pattern is a regular expression, compiled when it is first used.
type pattern string

var compiled sync.Map // from pattern to *regexp.Regexp

// Regexp returns the compiled pattern; nil for "".
func (p pattern) Regexp() *regexp.Regexp {
	if p == "" {
		return nil
	}
	r, ok := compiled.Load(p)
	if !ok {
		r, _ = compiled.LoadOrStore(p, regexp.MustCompile(string(p)))
	}
	return r.(*regexp.Regexp)
}

func (p pattern) isAll(text string) bool {
	return p != "" && pattern(`^(?:`+p+`)$`).Regexp().MatchString(text)
}

// Tools returns all tools. Tools that read the same language are in order of preference.
var Tools = sync.OnceValue(func() []*Tool {
	tools := slices.Concat(cCompilers(), compilers(), interpreters(), otherPrograms())
	for _, t := range tools {
		if t.Family == "" {
			t.Family = t.Name
		}
		if t.version == "" {
			t.version = "--version"
		}
	}
	return tools
})

func words(list string) []string { return strings.Fields(list) }

func alternatives(lists ...string) (all [][]string) {
	for _, l := range lists {
		all = append(all, words(l))
	}
	return all
}

func like(t *Tool, change func(t *Tool)) *Tool {
	c := *t
	change(&c)
	return &c
}

// Find returns the tool of a program, given by path or name; nil if it is unknown.
func Find(program string) *Tool {
	name := program[strings.LastIndexByte(program, '/')+1:]
	for _, t := range Tools() {
		if t.names.isAll(name) || t.cross.isAll(name) {
			return t
		}
	}
	return nil
}

// InCommand returns the first tool in a command, and its arguments. The program need not be installed.
func InCommand(words []string) (t *Tool, arguments []string) {
	for i, word := range words {
		if t := Find(word); t != nil {
			return t, words[i+1:]
		}
	}
	return nil, nil
}

// Output returns the arguments that build the program at a path, for a shell.
func (t *Tool) Output(program string) string {
	return strings.ReplaceAll(strings.Join(t.Builds, " "), Built, program)
}

func (t *Tool) isPart(argument string) bool { return slices.Contains(t.Parts, argument) }

// Links reports whether the tool builds a program with these arguments.
func (t *Tool) Links(arguments []string) bool {
	return t.Builds != nil && !slices.ContainsFunc(arguments, t.isPart)
}

// Bar returns the argument that makes a warning an error.
func (t *Tool) Bar(warning string) string { return strings.ReplaceAll(t.bar, "*", warning) }

// Allow returns the argument that undoes [Tool.Bar].
func (t *Tool) Allow(warning string) string { return strings.ReplaceAll(t.allow, "*", warning) }

// Errors returns the sorted names of the errors that [Tool.Allow] can undo.
func (t *Tool) Errors(output []byte) []string {
	if t.error == "" {
		return nil
	}
	var names []string
	for _, m := range t.error.Regexp().FindAllSubmatch(output, -1) {
		names = append(names, string(m[1]))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Warning returns an expression for lines with the named warning.
func (t *Tool) Warning(name string) *regexp.Regexp {
	return regexp.MustCompile(strings.Replace(t.warning, "*", regexp.QuoteMeta(name), 1))
}

// Language returns the arguments of a command that select the language, each with its value.
func (t *Tool) Language(arguments []string) (selected [][]string) {
	for i := 0; i < len(arguments); i++ {
		if words := t.languageOption(arguments[i:]); words != nil {
			selected = append(selected, words)
			i += len(words) - 1
		}
	}
	return selected
}

func (t *Tool) languageOption(arguments []string) []string {
	first := arguments[0]
	for _, option := range t.language {
		start, takesValue := strings.CutSuffix(option, "+")
		if takesValue && first == start {
			if len(arguments) < 2 {
				return nil
			}
			return arguments[:2]
		}
		start, isPrefix := strings.CutSuffix(start, "*")
		if first == option || (takesValue || isPrefix) && strings.HasPrefix(first, start) {
			return arguments[:1]
		}
	}
	return nil
}

// Formatter returns a command that formats its standard input: the newest version of the first
// installed formatter, or nil.
func Formatter(language, name string) []string {
	for _, f := range formatters {
		if !slices.Contains(words(f.languages), language) {
			continue
		}
		if found := (&Tool{names: f.program}).programs(); len(found) > 0 {
			newest := slices.MaxFunc(found, CompareVersions).Path
			command := append([]string{newest}, words(f.arguments)...)
			for i := range command {
				command[i] = strings.ReplaceAll(command[i], "{name}", name)
			}
			return command
		}
	}
	return nil
}
