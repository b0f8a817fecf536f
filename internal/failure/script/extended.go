package script

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// element matches a part of an expression: an escaped character, a set, the start of a group, flags, a repetition
// (a non-greedy one matches the same lines), or another character.
var element = regexp.MustCompile(`\\.|\[\^?\]?(?:\\.|\[:[a-z^]+:\]|[^]\\])*\]|` +
	`\((?:\?(?::|P?<[^>]*>|[a-zA-Z-]+[:)]))?|(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??|.`)

var character = regexp.MustCompile(`\\.|.`) // of a set

// Extended returns an expression for grep -E in the C locale that matches the same lines as pattern.
// It fails for syntax that grep does not have.
func Extended(pattern *regexp.Regexp) (string, error) {
	var b strings.Builder
	for _, e := range element.FindAllString(strings.TrimPrefix(pattern.String(), "(?m)"), -1) {
		text, err := translated(e)
		if err != nil {
			return "", fmt.Errorf("grep -E has no equivalent for a part of %s: %w", pattern, err)
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

func translated(e string) (string, error) {
	switch {
	case e[0] == '\\':
		return escaped(e[1], false)
	case e[0] == '[':
		return set(e)
	case e == "{":
		return `\{`, nil
	case e == "(?:", strings.HasPrefix(e, "(") && strings.HasSuffix(e, ">"):
		return "(", nil
	case strings.HasPrefix(e, "(?"):
		return "", errors.New(e)
	case len(e) > 1:
		return strings.TrimSuffix(e, "?"), nil
	}
	return e, nil
}

var classes = map[byte]string{'d': "0-9", 'w': "A-Za-z0-9_", 's': "[:space:]", 't': "\t"}

// escaped translates a backslash and c, in a set or outside.
func escaped(c byte, inSet bool) (string, error) {
	class, known := classes[c|0x20]
	switch {
	case inSet && known && c >= 'a':
		return class, nil
	case inSet && strings.IndexByte(`]-^`, c) >= 0:
		return "", fmt.Errorf(`\%c in a set`, c)
	case c == 't':
		return class, nil
	case known && c != 'T' && !inSet:
		if c < 'a' {
			class = "^" + class
		}
		return "[" + class + "]", nil
	case c == 'b' && !inSet, c == 'B' && !inSet:
		return `\` + string(c), nil // GNU and busybox have these
	case c >= utf8.RuneSelf, c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return "", fmt.Errorf(`\%c`, c)
	case !inSet && strings.IndexByte(`\.[*^$+?(){|`, c) >= 0:
		return `\` + string(c), nil
	}
	return string(c), nil
}

func set(e string) (string, error) {
	text := ""
	for _, m := range character.FindAllString(e, -1) {
		if m[0] >= utf8.RuneSelf {
			return "", errors.New("a set with characters of several bytes")
		}
		if m[0] == '\\' {
			var err error
			if m, err = escaped(m[1], true); err != nil {
				return "", err
			}
		}
		text += m
	}
	return text, nil
}
