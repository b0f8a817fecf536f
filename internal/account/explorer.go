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
	language := rison(p.Language)
	panes := component("codeEditor", "id:1,lang:"+language+",source:"+rison(p.Source))
	for i, pane := range p.Panes {
		state := fmt.Sprintf("compiler:'%s',id:%d,lang:%s,options:%s,source:1", pane.ID, i+1, language, rison(pane.Options))
		if pane.Executes {
			panes += "," + component("executor", state)
			continue
		}
		output := component("output", fmt.Sprintf("compiler:%d,editor:1", i+1))
		panes += "," + group(layoutColumn, component("compiler", state)+","+output)
	}
	link := explorerHome + quoteURL(layoutContent+":!("+group(layoutRow, panes)+"),version:4")
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

func group(of, members string) string {
	return fmt.Sprintf("(%s:!(%s),%s:'%s')", layoutContent, members, layoutKind, of)
}

func component(name, state string) string {
	return fmt.Sprintf("(%s:%s,%s:(%s),%s:'%s')", layoutName, rison(name), layoutState, state, layoutKind, layoutComponent)
}

// escape marks a text of one character, which would otherwise be read as such a letter.
const escape = "___"

func rison(text string) string {
	if utf8.RuneCountInString(text) == 1 {
		text = escape + text
	}
	return "'" + strings.NewReplacer("'", "!'", "!", "!!").Replace(text) + "'"
}

// quoteURL leaves what needs no escapes in Markdown.
func quoteURL(text string) string {
	return strings.NewReplacer("%28", "(", "%29", ")", "%21", "!", "%27", "'", "%3A", ":", "%2C", ",", "%2F", "/",
		"%3B", ";", "%40", "@", "%24", "$", "%3D", "=").Replace(url.QueryEscape(text))
}
