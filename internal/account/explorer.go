package account

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Links to Compiler Explorer (https://godbolt.org) hold the file and the compilers in the fragment,
// so data is sent only when a link is opened.
//
// The fragment is a layout in the site's own format: rison, a notation of JSON for URLs, with letters
// for frequent keys and values. See shared/url-serialization.ts and docs/API.md of Compiler Explorer.

const explorerHome = "https://godbolt.org/#"

// mostLink is in bytes. Some browsers and issue trackers truncate longer ones.
const mostLink = 8000

// A Page shows a source file and compilers in Compiler Explorer.
type Page struct {
	Language string // in Compiler Explorer's words
	Source   string
	Panes    []Pane
}

// A Pane shows one compiler.
type Pane struct {
	ID       string // of the compiler, as in [tool.Site]
	Name     string // for the text of the link
	Options  string
	Executes bool // the program runs, and its output is shown
}

// Link returns the link to a page; "" if the source is too long or cannot be represented.
func (p Page) Link() string {
	if len(p.Source) > mostLink || !utf8.ValidString(p.Source) || strings.HasPrefix(p.Source, escape) {
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
		panes = append(panes, group(layoutColumn, array{component("compiler", state), component("output", output)}))
	}
	state := object{{layoutContent, array{group(layoutRow, panes)}}, {"version", 4}}
	link := explorerHome + quoteURL(strings.TrimSuffix(strings.TrimPrefix(rison(state), "("), ")"))
	if len(link) > mostLink {
		return ""
	}
	return link
}

// The letters for keys and values of a layout.
const (
	layoutContent   = "g"
	layoutName      = "h"
	layoutState     = "i"
	layoutKind      = "l"
	layoutRow       = "2"
	layoutColumn    = "3"
	layoutComponent = "5"
)

func group(of string, members array) object {
	return object{{layoutContent, members}, {layoutKind, of}}
}

func component(name string, state object) object {
	return object{{layoutName, name}, {layoutState, state}, {layoutKind, layoutComponent}}
}

// escape marks a text of one character, which would otherwise be read as such a letter.
const escape = "___"

func short(text string) string {
	if utf8.RuneCountInString(text) == 1 {
		return escape + text
	}
	return text
}

type (
	object []member
	array  []any
	member struct {
		key   string
		value any
	}
)

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
		for i, m := range v {
			parts[i] = m.key + ":" + rison(m.value)
		}
		return "(" + strings.Join(parts, ",") + ")"
	case string:
		return "'" + strings.NewReplacer("'", "!'", "!", "!!").Replace(v) + "'"
	}
	return fmt.Sprint(value)
}

// quoteURL leaves what needs no escapes in Markdown.
func quoteURL(text string) string {
	return strings.NewReplacer("%28", "(", "%29", ")", "%21", "!", "%27", "'", "%3A", ":", "%2C", ",", "%2F", "/",
		"%3B", ";", "%40", "@", "%24", "$", "%3D", "=").Replace(url.QueryEscape(text))
}
