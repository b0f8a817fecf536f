// Package remoteflags parses the flags of tests that run on a cluster.
package remoteflags

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	"whittle/internal/remote"
)

type settings struct {
	headers            []remote.Header
	platform           []string // NAME=VALUE
	executor, instance string
	tls                remote.TLS
}

// readSettings reads the options of remote execution in a .bazelrc, or headers, one per line.
// Errors hide values, which are secrets.
func readSettings(path string) (settings, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return settings{}, fmt.Errorf("cannot read the headers for the cluster: %w", err)
	}
	var s settings
	text := strings.ReplaceAll(strings.ReplaceAll(string(content), "\r\n", "\n"), "\\\n", " ")
	for i, line := range strings.Split(text, "\n") {
		if err := s.read(strings.TrimSpace(line)); err != nil {
			return settings{}, fmt.Errorf("%s: line %d: %w", path, i+1, err)
		}
	}
	return s, nil
}

// commands of Bazel apply to remote execution.
var commands = []string{"common", "always", "build", "test", "run"}

func (s *settings) read(line string) error {
	words := strings.Fields(line)
	if len(words) == 0 || line[0] == '#' {
		return nil
	}
	command, _, _ := strings.Cut(words[0], ":") // build:remote is a configuration
	switch hasOption := len(words) > 1 && strings.HasPrefix(strings.TrimLeft(words[1], `"'`), "-"); {
	case slices.Contains(commands, command) && hasOption:
		words, err := split(line)
		if err != nil {
			return err
		}
		return s.options(words[1:])
	case hasOption, words[0] == "import", words[0] == "try-import":
		return nil // another command
	}
	h, err := parseHeader(line)
	if err == nil {
		s.headers = append(s.headers, h)
	}
	return err
}

// parseHeader parses NAME=VALUE or NAME: VALUE. Its error hides the value.
func parseHeader(text string) (remote.Header, error) {
	i := strings.IndexAny(text, "=:")
	if i <= 0 {
		return remote.Header{}, errors.New("a header is NAME=VALUE or NAME: VALUE, or an option of Bazel as in: " +
			"build --remote_header=NAME=VALUE")
	}
	h := remote.Header{Name: strings.TrimSpace(text[:i]), Value: strings.TrimSpace(text[i+1:])}
	for _, c := range h.Name {
		if c > '~' || !strings.ContainsRune("-_.", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return h, errors.New("the name of a header has letters, digits, -, _ and . only; write NAME=VALUE")
		}
	}
	if strings.ContainsFunc(h.Value, func(c rune) bool { return c < ' ' || c > '~' }) {
		return h, fmt.Errorf("the header %s has a value with characters that cannot be sent", h.Name)
	}
	return h, nil
}

func (s *settings) options(words []string) error {
	for i, word := range words {
		name, value, found := strings.Cut(word, "=")
		if !found && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			value = words[i+1]
		}
		switch name {
		case "--remote_header", "--remote_exec_header", "--remote_cache_header":
			h, err := parseHeader(value)
			if err != nil {
				return err
			}
			if !slices.Contains(s.headers, h) {
				s.headers = append(s.headers, h)
			}
		case "--remote_default_exec_properties":
			s.platform = append(s.platform, value)
		case "--remote_executor":
			s.executor = value
		case "--remote_instance_name":
			s.instance = value
		case "--tls_certificate":
			s.tls.CA = value
		case "--tls_client_certificate":
			s.tls.Cert = value
		case "--tls_client_key":
			s.tls.Key = value
		}
	}
	return nil
}

// split handles quotes, backslashes and comments as Bazel does.
func split(line string) (words []string, err error) {
	var word strings.Builder
	var quote rune
	inWord, escaped := false, false
	for _, c := range line {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\':
			escaped, inWord = true, true
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteRune(c)
			}
		case c == '"' || c == '\'':
			quote, inWord = c, true
		case c == '#' && !inWord:
			return words, nil
		case c == ' ' || c == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quotation mark has no end")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
