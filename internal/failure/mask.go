package failure

import (
	_ "embed"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

const longest = 300

// varies matches what differs between runs.
var varies = regexp.MustCompile(`(?:~|\.\.?)?/[^ '"‘’“”` + "`" + `():,;<>]+|` + // a path
	`0x[0-9a-fA-F]+|` + // an address
	`[0-9a-f]{8,}|` + // a hash
	`-?[0-9]+(?:\.[0-9]+)*`) // a number

var quoted = regexp.MustCompile(`'[^']*'|"[^"]*"|‘[^’]*’|“[^”]*”|` + "`[^`']*[`']")

func exactly(matched string) (pattern, shown string) { return quote(matched), matched }

func maskAny(string) (pattern, shown string) { return ".+", "…" }

var common = regexp.MustCompile(`^(?:mod\.rs|lib\.rs|main\.rs|__init__\.py|index\.[jt]s)$`)

// maskFile keeps the base name, and the directory of common names.
func maskFile(matched string) (pattern, shown string) {
	dir, name := path.Split(matched)
	if dir == "" {
		return quote(name), name
	}
	if parent := path.Base(dir); common.MatchString(name) && parent != "/" {
		name = parent + "/" + name
		if !strings.Contains(strings.TrimSuffix(dir, "/"), "/") {
			return quote(name), name
		}
	}
	return ".*/" + quote(name), name
}

// maskText masks the parts that vary.
func maskText(matched string) (pattern, shown string) {
	ended := ""
	if len(matched) > longest {
		cut := longest
		for !utf8.RuneStart(matched[cut]) {
			cut--
		}
		matched, ended = matched[:cut], "…"
	}
	pattern, shown = masked(matched, varies, exactly, func(part string) (string, string) {
		switch {
		case strings.Contains(part, "/"):
			return maskPath(part)
		case strings.HasPrefix(part, "0x"):
			return "0x[0-9a-fA-F]+", "N"
		case strings.Trim(part, "-0123456789.") == "":
			return "-?[0-9.]+", "N"
		}
		return "[0-9a-f]+", "N"
	})
	return pattern, shown + ended
}

// maskPath keeps the base name, except directly in a temporary directory.
func maskPath(name string) (pattern, shown string) {
	if dir := path.Dir(name); dir == "/tmp" || dir == "/var/tmp" {
		return "[^ ]*", "…"
	}
	base := path.Base(name)
	return "[^ ]*" + quote(base), base
}

// maskSaid is maskText that masks quoted names, too, if enough words remain outside of quotes.
func maskSaid(matched string) (pattern, shown string) {
	if len(words(quoted.ReplaceAllString(matched, ""))) < 2 {
		return maskText(matched)
	}
	return masked(matched, quoted, maskText, maskQuoted)
}

//go:embed tokens.txt
var tokensText string

// tokens are keywords of languages. A quoted one identifies the message.
var tokens = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, token := range strings.Fields(tokensText) {
		all[token] = true
	}
	return all
})

var named = regexp.MustCompile(`[A-Za-z0-9_]`)

// maskQuoted masks a quoted name, type or number, but not tokens such as ‘;’ or ‘else’.
func maskQuoted(text string) (pattern, shown string) {
	_, size := utf8.DecodeRuneInString(text)
	_, last := utf8.DecodeLastRuneInString(text)
	open, inner, end := text[:size], text[size:len(text)-last], text[len(text)-last:]
	if tokens()[inner] {
		return exactly(text)
	}
	other := ".*"
	switch {
	case open == "`":
		other = "[^`']*"
	case size == 1:
		other = "[^" + open + "]*"
	case ascii(inner): // a set cannot have multi-byte characters
		other = "[ -~]*"
	}
	switch {
	case named.MatchString(inner):
		return open + other + named.String() + other + end, open + "…" + end
	case ascii(inner):
		return exactly(text)
	}
	return open + other + end, open + "…" + end // a name in another alphabet
}

func ascii(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

func masked(text string, parts *regexp.Regexp, between, part mask) (pattern, shown string) {
	var b, title strings.Builder
	add := func(with mask, text string) {
		p, s := with(text)
		b.WriteString(p)
		title.WriteString(s)
	}
	end := 0
	for _, at := range parts.FindAllStringIndex(text, -1) {
		if text[at[0]] == '-' && !startsWord(text, at[0]) {
			at[0]++ // a hyphen
		}
		if startsWord(text, at[0]) { // otherwise it may be the apostrophe of a word
			add(between, text[end:at[0]])
			add(part, text[at[0]:at[1]])
			end = at[1]
		}
	}
	add(between, text[end:])
	return b.String(), title.String()
}

func startsWord(text string, i int) bool {
	if i == 0 {
		return true
	}
	c := text[i-1]
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_')
}
