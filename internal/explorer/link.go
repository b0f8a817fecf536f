// Package explorer makes links to Compiler Explorer (https://godbolt.org) that have a file, and
// the compilers to run on it, in the fragment of their URL. So nothing is sent to anybody
// before somebody opens the link.
//
// The fragment is a layout of the page as the page itself writes it: in rison, a notation of
// JSON for URLs, with one letter for each frequent key and value. shared/url-serialization.ts
// and docs/API.md of Compiler Explorer's sources describe it.
package explorer

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Home is the beginning of all links.
const Home = "https://godbolt.org/#"

// MostLink is the most bytes that a link has. Some browsers and trackers cut longer ones.
const MostLink = 8000

// A Page is a source file with compilers that run on it.
type Page struct {
	Language string // as Compiler Explorer calls it
	Source   string
	Panes    []Pane
}

// A Pane is one compiler.
type Pane struct {
	ID       string // of the compiler
	Name     string // for a person
	Options  string
	Executes bool // the program is run, and its output shown
}

// Link returns the link to a page; "" if the page cannot be one: its source is too long, or
// not a text that the format can hold.
func (p Page) Link() string {
	if len(p.Source) > MostLink || !utf8.ValidString(p.Source) || strings.HasPrefix(p.Source, escape) {
		return ""
	}
	panes := array{component("codeEditor", object{{"id", 1}, {"lang", short(p.Language)}, {"source", short(p.Source)}})}
	for i, pane := range p.Panes {
		state := object{{"compiler", pane.ID}, {"id", i + 1}, {"lang", short(p.Language)},
			{"options", short(pane.Options)}, {"source", 1}}
		if pane.Executes {
			panes = append(panes, component("executor", state))
			continue
		}
		output := object{{"compiler", i + 1}, {"editor", 1}}
		panes = append(panes, group(column, array{component("compiler", state), component("output", output)}))
	}
	state := object{{content, array{group(row, panes)}}, {"version", 4}}
	link := Home + quote(strings.TrimSuffix(strings.TrimPrefix(rison(state), "("), ")"))
	if len(link) > MostLink {
		return ""
	}
	return link
}

// Keys and values of a layout, with the letters that stand for them.
const (
	content        = "g"
	componentName  = "h"
	componentState = "i"
	kind           = "l"
	row            = "2"
	column         = "3"
	aComponent     = "5"
)

func group(of string, members array) object {
	return object{{content, members}, {kind, of}}
}

func component(name string, state object) object {
	return object{{componentName, name}, {componentState, state}, {kind, aComponent}}
}

// escape stands before a text of one character, which would be taken for a letter as above.
const escape = "___"

func short(text string) string {
	if utf8.RuneCountInString(text) == 1 {
		return escape + text
	}
	return text
}

// object and array are JSON values.
type (
	object []member
	array  []any
	member struct {
		key   string
		value any
	}
)

// rison returns a value in that notation, not yet quoted for a URL.
func rison(value any) string {
	switch v := value.(type) {
	case array:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = rison(v[i])
		}
		return "!(" + strings.Join(parts, ",") + ")"
	case object:
		parts := make([]string, len(v))
		for i, m := range slices.Clone(v) {
			parts[i] = m.key + ":" + rison(m.value)
		}
		return "(" + strings.Join(parts, ",") + ")"
	case string:
		return "'" + strings.NewReplacer("'", "!'", "!", "!!").Replace(v) + "'"
	}
	return fmt.Sprint(value)
}

// quote returns a text as a part of a URL that also Markdown leaves alone.
func quote(text string) string {
	return strings.NewReplacer("%28", "(", "%29", ")", "%21", "!", "%27", "'", "%3A", ":", "%2C", ",", "%2F", "/",
		"%3B", ";", "%40", "@", "%24", "$", "%3D", "=").Replace(url.QueryEscape(text))
}
