// Package remoteflags parses the flags of tests that run on a cluster.
package remoteflags

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"whittle/internal/remote"
	"whittle/internal/run"
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

// Flags has the values of the flags. Target, Instance, Check, TLS and Jobs need no parsing.
type Flags struct {
	remote.Options
	Properties, Texts, Variables []string // NAME=VALUE: of workers, of headers, for the test
	HeaderFile                   string
	Uploads                      []string
	CacheUse, Loss               string // of Caches and Losses
}

// none overrides the environment variable.
const none = "none"

// Values of --remote-lost.
const (
	lostStop  = "stop"
	lostLocal = "local"
)

var caches = map[string]remote.Cache{
	"read-write": remote.CacheShared, "write": remote.CacheRefresh, "none": remote.CacheOff,
}

// Caches and Losses return the valid values of --remote-cache and --remote-lost, the default first.
func Caches() []string { return []string{"read-write", "write", "none"} }
func Losses() []string { return []string{lostStop, lostLocal} }

// Config returns the configuration of the cluster, or nil without one. given lists the flags on the
// command line, without dashes.
func (f *Flags) Config(given []string) (*run.Remote, error) {
	var file settings
	var err error
	if f.Target != none {
		if file, err = f.readFile(); err != nil {
			return nil, err
		}
	}
	if f.Target == "" && slices.Contains(given, "remote") {
		return nil, errors.New("--remote is empty; give the address of a cluster, as grpcs://build.example.com, or none")
	}
	r := &run.Remote{Options: f.Options, GoesOn: f.Loss == lostLocal}
	r.Target = cmp.Or(f.Target, file.executor)
	if r.Target == none || r.Target == "" {
		return nil, f.unused(given)
	}
	r.Instance, r.Cache, r.Headers = cmp.Or(f.Instance, file.instance), caches[f.CacheUse], f.readHeaders
	r.TLS = remote.TLS{CA: cmp.Or(f.TLS.CA, file.tls.CA), Cert: cmp.Or(f.TLS.Cert, file.tls.Cert),
		Key: cmp.Or(f.TLS.Key, file.tls.Key)}
	r.Platform = map[string]string{}
	for _, p := range slices.Concat(file.platform, f.Properties) {
		name, value, found := strings.Cut(p, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("--remote-platform %s: NAME=VALUE is needed, as OSFamily=linux", p)
		}
		r.Platform[name] = value
	}
	if _, err := r.Headers(); err != nil {
		return nil, err
	}
	for _, v := range f.Variables {
		name, _, found := strings.Cut(v, "=")
		if value, is := os.LookupEnv(name); !found && is {
			v += "=" + value
		} else if !found || name == "" {
			return nil, fmt.Errorf("--remote-env %s: there is no such variable here; give NAME=VALUE", v)
		}
		r.Env = append(r.Env, v)
	}
	for _, path := range f.Uploads {
		absolute, err := filepath.Abs(path)
		if _, missing := os.Stat(path); cmp.Or(missing, err) != nil {
			return nil, fmt.Errorf("--remote-input: %w", cmp.Or(missing, err))
		}
		r.Files = append(r.Files, absolute)
	}
	return r, nil
}

// readFile returns the settings of the file with the headers. The error hides values.
func (f *Flags) readFile() (file settings, err error) {
	if f.HeaderFile != "" {
		if file, err = readSettings(f.HeaderFile); err != nil {
			err = fmt.Errorf("--remote-header-file: %w", err)
		}
	}
	return file, err
}

// readHeaders reads the headers again, as the file may have changed. The error hides values.
func (f *Flags) readHeaders() ([]remote.Header, error) {
	file, err := f.readFile()
	for _, text := range f.Texts {
		h, wrong := parseHeader(text)
		if wrong != nil {
			err = cmp.Or(err, fmt.Errorf("--remote-header: %w", wrong))
		}
		file.headers = append(file.headers, h)
	}
	return file.headers, err
}

// unused returns an error for flags of a cluster without one.
func (f *Flags) unused(given []string) error {
	i := slices.IndexFunc(given, func(name string) bool { return strings.HasPrefix(name, "remote-") })
	if f.Target == none || i < 0 {
		return nil
	}
	return errors.New("--" + given[i] + " needs --remote, the address of a cluster, as grpcs://build.example.com")
}

// WithoutSecrets removes the values of headers from a command line.
func WithoutSecrets(args []string) []string {
	const flag, hidden = "--remote-header", "HIDDEN"
	shown := slices.Clone(args)
	for i, arg := range args {
		value, joined := strings.CutPrefix(arg, flag+"=")
		if !joined && (i == 0 || args[i-1] != flag) {
			continue
		}
		shown[i] = value[:max(0, strings.IndexAny(value, "=:"))] + "=" + hidden
		if joined {
			shown[i] = flag + "=" + shown[i]
		}
	}
	return shown
}
