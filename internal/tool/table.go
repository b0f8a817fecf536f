// Package toolchain knows compilers and other programs that read a language: which of
// them are on this machine, how each is asked whether a file is valid, and which
// arguments of a command are about the language. What it knows of them is a table,
// tools.txt.
package tool

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"whittle/internal/facts"
)

// Placeholders in the arguments of a [Tool].
const (
	File  = "{}"        // the file it is asked about
	Built = "{program}" // the program that it builds
)

// A Tool is a sort of programs that have the same arguments, as gcc of any version.
type Tool struct {
	Name     string
	Family   string     // of tools that come together, as gcc and g++
	Reads    []string   // languages as whittle calls them, the usual one first
	Checks   [][]string // arguments with which it says whether File is valid, by its exit code
	Ends     []string   // arguments with which it ends at the first error
	Bars     []string   // names of warnings that make undefined behaviour likely
	Builds   []string   // arguments with which it makes the program Built; nil if it makes none
	Parts    []string   // arguments with which it makes none all the same
	Sanitise [][]string // arguments with which such a program dies of what is undefined
	Starts   string     // a definition whose code runs when a program starts, with * for the code; "" if there is none
	Dies     string     // code that ends a program
	Traced   [][]string // arguments with which such a program reports where it crashes

	program    *regexp.Regexp // of its names
	command    *regexp.Regexp // of names that only a command may have; nil for none
	in         []string       // directories besides PATH
	version    []string       // nil if it does not say its version
	beside     string         // a program in the same directory that says the version instead; "" for none
	releaseIn  string         // the name of a project's file that says the release it needs; "" for none
	release    *regexp.Regexp // of the release in that file, which is the first group
	details    [][]string
	language   []string
	bar, allow string
	error      *regexp.Regexp
	warning    string
}

//go:embed tools.txt
var table string

// Tools returns all tools. Those that read the same stand in the order in which they are
// to be asked.
var Tools = sync.OnceValue(func() []*Tool { return facts.Must(read(table)) })

// Find returns the tool that a program is, by its path or name; nil if none is known.
func Find(program string) *Tool {
	name := program[strings.LastIndexByte(program, '/')+1:]
	for _, t := range Tools() {
		if t.program.MatchString(name) || t.command != nil && t.command.MatchString(name) {
			return t
		}
	}
	return nil
}

// InCommand returns the first tool in the words of a command, as gcc in "timeout 10 gcc -O2
// -c {}", whether it is on this machine or not, and its arguments; nil if none is known.
func InCommand(words []string) (t *Tool, arguments []string) {
	for i, word := range words {
		if t := Find(word); t != nil {
			return t, words[i+1:]
		}
	}
	return nil, nil
}

// Output returns the arguments with which the tool makes a program of this path, for a shell.
func (t *Tool) Output(program string) string {
	return strings.ReplaceAll(strings.Join(t.Builds, " "), Built, program)
}

// OnlyCompile returns a command of the tool that links no program; a command that would is
// made to stop before that. Arguments are those of the tool, at the end of the command.
func (t *Tool) OnlyCompile(command, arguments []string) []string {
	isPart := func(a string) bool { return slices.Contains(t.Parts, a) }
	if len(t.Parts) == 0 || slices.ContainsFunc(arguments, isPart) {
		return slices.Clone(command)
	}
	return slices.Insert(slices.Clone(command), len(command)-len(arguments), t.Parts[0])
}

// Bar returns the argument that makes an error of a warning.
func (t *Tool) Bar(warning string) string { return strings.ReplaceAll(t.bar, "*", warning) }

// Allow returns the argument that keeps a warning from being an error.
func (t *Tool) Allow(warning string) string { return strings.ReplaceAll(t.allow, "*", warning) }

// Errors returns the names of the errors in what the tool has printed that can be taken
// back by [Tool.Allow], sorted.
func (t *Tool) Errors(output []byte) []string {
	if t.error == nil {
		return nil
	}
	var names []string
	for _, m := range t.error.FindAllSubmatch(output, -1) {
		names = append(names, string(m[1]))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Warning returns a regular expression of a line that has a warning of this name.
func (t *Tool) Warning(name string) *regexp.Regexp {
	return regexp.MustCompile(strings.Replace(t.warning, "*", regexp.QuoteMeta(name), 1))
}

// Language returns those of a command's arguments that say what the language is, each
// with the words that belong to it.
func (t *Tool) Language(arguments []string) [][]string {
	var of [][]string
	for i := 0; i < len(arguments); i++ {
		words, is := t.isLanguage(arguments[i:])
		if is {
			of = append(of, words)
			i += len(words) - 1
		}
	}
	return of
}

// isLanguage reports whether arguments begin with one that says what the language is, and
// returns its words.
func (t *Tool) isLanguage(arguments []string) ([]string, bool) {
	first := arguments[0]
	for _, known := range t.language {
		start, more := strings.CutSuffix(known, "+")
		if more && first == start {
			return arguments[:min(2, len(arguments))], len(arguments) > 1
		}
		start, begins := strings.CutSuffix(start, "*")
		if first == known || (more || begins) && strings.HasPrefix(first, start) {
			return arguments[:1], true
		}
	}
	return nil, false
}

// read reads the table.
func read(text string) ([]*Tool, error) {
	var tools []*Tool
	known := map[string]*Tool{}
	var t *Tool
	var said map[string]bool // of t, what it does not have from another
	err := facts.Read("tools.txt", text, func(name string) {
		t = &Tool{Name: name, Family: name, version: []string{"--version"}}
		tools, known[name], said = append(tools, t), t, map[string]bool{}
	}, func(field, value string) error {
		if field == "like" {
			if known[value] == nil {
				return fmt.Errorf("there is no %s above", value)
			}
			name := t.Name
			*t = *known[value]
			t.Name, t.command = name, nil
			return nil
		}
		err := t.set(field, value, !said[field])
		said[field] = true
		return err
	})
	return tools, err
}

// set sets a field; what may have several lines is added to, unless this is the first.
func (t *Tool) set(field, value string, first bool) (err error) {
	words := split(value)
	switch field {
	case "family":
		t.Family = value
	case "reads":
		t.Reads = words
	case "program":
		t.program, err = regexp.Compile(`^(?:` + value + `)$`)
	case "command":
		t.command, err = regexp.Compile(`^(?:` + value + `)$`)
	case "in":
		t.in = words
	case "version":
		if t.version = words; value == "none" {
			t.version = nil
		}
	case "details":
		t.details = add(t.details, first, words)
	case "beside":
		t.beside = value
	case "release":
		t.releaseIn, value, _ = strings.Cut(value, " ")
		t.release, err = regexp.Compile("(?m)" + value)
	case "check":
		t.Checks = add(t.Checks, first, words)
	case "ends":
		t.Ends = words
	case "language":
		t.language = add(t.language, first, words...)
	case "bars":
		t.Bars = add(t.Bars, first, words...)
	case "bar":
		t.bar = value
	case "allow":
		t.allow = value
	case "error":
		t.error, err = regexp.Compile(value)
	case "warning":
		t.warning = value
	case "builds":
		t.Builds = words
	case "parts":
		t.Parts = words
	case "sanitise":
		t.Sanitise = add(t.Sanitise, first, words)
	case "starts":
		t.Starts = value
	case "dies":
		t.Dies = value
	case "traced":
		t.Traced = add(t.Traced, first, words)
	default:
		err = fmt.Errorf("nobody knows %s", field)
	}
	return err
}

// add returns a list with more in it, or, the first time, only that.
func add[T any](list []T, first bool, more ...T) []T {
	if first {
		list = nil
	}
	return append(list, more...)
}

// split returns the words of a line, in which "\\ " is a blank.
func split(value string) []string {
	words := strings.Fields(strings.ReplaceAll(value, `\ `, "\x00"))
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "\x00", " ")
	}
	return words
}
