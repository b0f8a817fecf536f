package failure

import (
	"path"
	"regexp"
	"strings"
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

// maskSaid is maskText without what stands in quotes, if words remain.
func maskSaid(matched string) (pattern, shown string) {
	rest := quoted.ReplaceAllString(matched, "")
	if len(strings.FieldsFunc(rest, func(r rune) bool { return r < 'A' || r > 'z' })) < 2 {
		return maskText(matched)
	}
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
		b.WriteString(".*")
		_, size := utf8.DecodeRuneInString(matched[at[0]:])
		_, last := utf8.DecodeLastRuneInString(matched[:at[1]])
		title.WriteString(matched[at[0]:at[0]+size] + "…" + matched[at[1]-last:at[1]])
		end = at[1]
	}
	keep(len(matched))
	return b.String(), title.String()
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
