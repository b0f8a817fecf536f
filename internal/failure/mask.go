package failure

import (
	_ "embed"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// longest is how much of a message is looked at.
const longest = 300

// varies are the parts of a message that are other the next time: paths, addresses,
// hashes, numbers.
var varies = regexp.MustCompile(`(?:~|\.\.?)?/[^ '"‘’“”` + "`" + `():,;<>]+|` + // a path
	`0x[0-9a-fA-F]+|` + // an address
	`[0-9a-f]{8,}|` + // a hash
	`-?[0-9]+(?:\.[0-9]+)*`) // a number

// quoted is what stands in quotes.
var quoted = regexp.MustCompile(`'[^']*'|"[^"]*"|‘[^’]*’|“[^”]*”|` + "`[^`']*[`']")

// exactly keeps all.
func exactly(matched string) (pattern, shown string) { return quote(matched), matched }

// maskAny keeps nothing.
func maskAny(string) (pattern, shown string) { return ".+", "…" }

// common are the names that many files have.
var common = regexp.MustCompile(`^(?:mod\.rs|lib\.rs|main\.rs|__init__\.py|index\.[jt]s)$`)

// maskFile keeps the base name, and of a common one the directory.
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

// maskText keeps a message but for what varies.
func maskText(matched string) (pattern, shown string) {
	return masked(matched, varies, func(part string) (string, string) {
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
}

// maskPath keeps the base name of a path, and nothing of one right in a temporary directory.
func maskPath(name string) (pattern, shown string) {
	if dir := path.Dir(name); dir == "/tmp" || dir == "/var/tmp" {
		return "[^ ]*", "…"
	}
	base := path.Base(name)
	return "[^ ]*" + quote(base), base
}

// maskSaid is maskText that lets names in quotes vary, if words remain outside.
func maskSaid(matched string) (pattern, shown string) {
	rest := quoted.ReplaceAllString(matched, "")
	if len(strings.FieldsFunc(rest, func(r rune) bool { return r < 'A' || r > 'z' })) < 2 {
		return maskText(matched)
	}
	return maskNames(matched)
}

// maskNames is maskText that lets names in quotes vary.
func maskNames(matched string) (pattern, shown string) {
	var b, title strings.Builder
	end := 0
	keep := func(to int) {
		p, s := maskText(matched[end:to])
		b.WriteString(p)
		title.WriteString(s)
	}
	for _, at := range quoted.FindAllStringIndex(matched, -1) {
		if !startsWord(matched, at[0]) {
			continue // the apostrophe of a word
		}
		keep(at[0])
		p, s := maskQuoted(matched[at[0]:at[1]])
		b.WriteString(p)
		title.WriteString(s)
		end = at[1]
	}
	keep(len(matched))
	return b.String(), title.String()
}

//go:embed tokens.txt
var tokensText string

// tokens returns the keywords of languages. A message that quotes one is about that one.
var tokens = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, token := range strings.Fields(tokensText) {
		all[token] = true
	}
	return all
})

// named matches a text with a letter or a digit.
var named = regexp.MustCompile(`[A-Za-z0-9_]`)

// maskQuoted lets a name, type or number in quotes be any other. A token of the language,
// as ‘;’ or ‘else’, stays: it says which message this is.
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
	case ascii(inner): // a set may not have characters of several bytes
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

// ascii reports whether all characters of a text are printable ones of ASCII.
func ascii(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// masked replaces the parts of text that start a word by what with says of them.
func masked(text string, parts *regexp.Regexp, with mask) (pattern, shown string) {
	ended := ""
	if len(text) > longest {
		cut := longest
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text, ended = text[:cut], "…"
	}
	var b, title strings.Builder
	end := 0
	for _, at := range parts.FindAllStringIndex(text, -1) {
		if text[at[0]] == '-' && !startsWord(text, at[0]) {
			at[0]++ // a hyphen
		}
		if !startsWord(text, at[0]) {
			continue
		}
		p, s := with(text[at[0]:at[1]])
		b.WriteString(quote(text[end:at[0]]) + p)
		title.WriteString(text[end:at[0]] + s)
		end = at[1]
	}
	b.WriteString(quote(text[end:]))
	title.WriteString(text[end:] + ended)
	return b.String(), title.String()
}

// startsWord reports whether what begins at i is not within a word.
func startsWord(text string, i int) bool {
	if i == 0 {
		return true
	}
	c := text[i-1]
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_')
}
