package script

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Extended returns an expression for grep -E in the C locale that matches the same lines as pattern.
// It fails for syntax that grep does not have.
func Extended(pattern *regexp.Regexp) (string, error) {
	source := strings.TrimPrefix(pattern.String(), "(?m)")
	var b strings.Builder
	for source != "" {
		n, text, err := element(source)
		if err != nil {
			return "", fmt.Errorf("grep -E has no equivalent for a part of %s: %w", pattern, err)
		}
		b.WriteString(text)
		if last := source[n-1]; n > 0 && strings.IndexByte("*+?}", last) >= 0 && strings.HasPrefix(source[n:], "?") {
			n++ // non-greedy: the same lines
		}
		source = source[n:]
	}
	return b.String(), nil
}

var (
	opening  = regexp.MustCompile(`^\((\?:|\?P?<[^>]*>)?`)
	repeated = regexp.MustCompile(`^\{[0-9]+(,[0-9]*)?\}`)
)

// element translates the first element of an expression, and returns its length.
func element(source string) (n int, text string, err error) {
	switch source[0] {
	case '\\':
		text, err = escaped(source[1], false)
		return 2, text, err
	case '[':
		return set(source)
	case '(':
		n = len(opening.FindString(source))
		if strings.HasPrefix(source[n:], "?") {
			return 0, "", fmt.Errorf("%.5s…", source)
		}
		return n, "(", nil
	case '{':
		if times := repeated.FindString(source); times != "" {
			return len(times), times, nil
		}
		return 1, `\{`, nil
	}
	return 1, source[:1], nil
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

func set(source string) (n int, text string, err error) {
	b := strings.Builder{}
	b.WriteByte('[')
	n = 1
	if strings.HasPrefix(source[n:], "^") {
		b.WriteByte('^')
		n++
	}
	for first := true; first || source[n] != ']'; first = false {
		switch c := source[n]; {
		case c == '\\':
			text, err := escaped(source[n+1], true)
			if err != nil {
				return 0, "", err
			}
			b.WriteString(text)
			n += 2
		case strings.HasPrefix(source[n:], "[:"):
			end := strings.Index(source[n:], ":]") + 2
			b.WriteString(source[n : n+end])
			n += end
		case c >= utf8.RuneSelf:
			return 0, "", fmt.Errorf("a set with characters of several bytes")
		default:
			b.WriteByte(c)
			n++
		}
	}
	b.WriteByte(']')
	return n + 1, b.String(), nil
}
