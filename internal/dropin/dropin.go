// Package dropin lets whittle stand in for C-Vise and C-Reduce: called as cvise or creduce, by a link, it takes their
// command lines, and replaces files as they do.
package dropin

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whittle/internal/disk"
	"whittle/internal/printable"
	"whittle/internal/shell"
)

// Names are the names of links that select this mode.
var Names = []string{"cvise", "creduce"}

// Run runs the program, which reads os.Args. Called by one of Names, it first translates them. It returns
// the exit code.
func Run(program func() int) int {
	if !slices.Contains(Names, filepath.Base(os.Args[0])) {
		return program()
	}
	stderr := printable.NewWriter(os.Stderr)
	c, err := Parse(os.Args)
	if err == nil {
		err = c.Begin(stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return wrong
	}
	os.Args = append([]string{"whittle"}, c.Args...)
	code := program()
	if err := c.End(code == 0); err != nil {
		fmt.Fprintln(stderr, err)
		return failed
	}
	return code
}

// Exit codes, as of whittle.
const (
	wrong  = 2
	failed = 3
)

// An option of C-Vise or C-Reduce.
type option struct {
	name  string
	value bool                        // takes one
	to    func(value string) []string // arguments of whittle
	why   string                      // it has no effect
}

const (
	passes = "whittle has other passes"
	always = "whittle always does so"
	logs   = "-v of whittle reports each step"
)

func fixed(args ...string) func(string) []string { return func(string) []string { return args } }

var options = []option{
	{"--n", true, func(n string) []string { return []string{"--jobs", n} }, ""},
	{"--timeout", true, func(seconds string) []string { return []string{"--timeout", seconds + "s"} }, ""},
	{"--debug", false, fixed("--verbose"), ""},
	{"--verbose", false, fixed("--verbose"), ""},
	{"--version", false, fixed("--version"), ""},
	{"--help", false, fixed("--help"), ""},
	{"--tidy", false, nil, ""},
	{"--commands", true, nil, ""},
	{"--also-interesting", true, nil, "whittle keeps other failures of a command"},
	{"--clang-delta-std", true, nil, passes},
	{"--clang-delta-preserve-routine", true, nil, passes},
	{"--cpp", true, nil, "the input is reduced as it is; whittle --preprocess tries the preprocessed file"},
	{"--die-on-pass-bug", false, nil, passes},
	{"--fuzz", false, nil, passes},
	{"--list-passes", false, nil, passes},
	{"--log-file", true, nil, logs},
	{"--log-level", true, nil, logs},
	{"--max-improvement", true, nil, passes},
	{"--no-cache", false, nil, "a test with fixed outcomes needs none"},
	{"--no-default-passes", false, nil, passes},
	{"--no-give-up", false, nil, always},
	{"--no-timing", false, nil, logs},
	{"--not-c", false, nil, "whittle chooses the language by the name of the file"},
	{"--pass-group", true, nil, passes},
	{"--pass-group-file", true, nil, passes},
	{"--print-diff", false, nil, logs},
	{"--remove-pass", true, nil, passes},
	{"--renaming", false, nil, always},
	{"--sanitize", false, nil, always},
	{"--sanity-checks", false, nil, always},
	{"--save-temps", false, nil, "candidates are not kept"},
	{"--shaddap", false, nil, logs},
	{"--skip-after-n-transforms", true, nil, passes},
	{"--skip-initial-passes", false, nil, passes},
	{"--skip-interestingness-test-check", false, nil, "whittle tests the input once"},
	{"--skip-key-off", false, nil, "no key is read"},
	{"--sllooww", false, nil, always},
	{"--start-with-pass", true, nil, passes},
	{"--timestamp", false, nil, logs},
	{"--timing", false, nil, logs},
	{"--to-utf8", false, nil, "whittle reads any encoding"},
}

// short are their options of one letter.
var short = map[string]string{
	"-n": "--n", "-s": "--skip-interestingness-test-check", "-c": "--commands", "-h": "--help", "-v": "--verbose",
}

// A Call is a command line of C-Vise or C-Reduce.
type Call struct {
	Args    []string // of whittle
	Ignored []string // options without effect, and why

	files    []string
	tidy     bool
	commands string // instead of a test
	test     string
}

// Parse parses a command line, argv[0] included.
func Parse(argv []string) (*Call, error) {
	name := filepath.Base(argv[0])
	c := &Call{}
	var args, words []string
	for rest := argv[1:]; len(rest) > 0; {
		word := rest[0]
		rest = rest[1:]
		switch {
		case word == "--":
			words, rest = append(words, rest...), nil
			continue
		case !strings.HasPrefix(word, "-") || word == "-":
			words = append(words, word)
			continue
		}
		key, value, given := strings.Cut(word, "=")
		if long, ok := short[key]; ok {
			key = long
		} else if len(word) > 2 && short[word[:2]] == "--n" { // as in -n4
			key, value, given = "--n", word[2:], true
		}
		i := slices.IndexFunc(options, func(o option) bool { return o.name == key })
		if i < 0 {
			return nil, fmt.Errorf("%s: whittle, called as %[2]s, knows no option %[1]s of %[2]s", key, name)
		}
		o := options[i]
		if o.value && !given {
			if len(rest) == 0 {
				return nil, fmt.Errorf("%s: option %s needs a value", name, word)
			}
			value, rest = rest[0], rest[1:]
		}
		switch {
		case o.to != nil:
			args = append(args, o.to(value)...)
		case o.name == "--tidy":
			c.tidy = true
		case o.name == "--commands":
			c.commands = value
		default:
			c.Ignored = append(c.Ignored, o.name+" ("+o.why+")")
		}
	}
	return c, c.complete(name, args, words)
}

func (c *Call) complete(name string, args, words []string) error {
	if slices.Contains(args, "--help") || slices.Contains(args, "--version") {
		c.Args = append([]string{"reduce"}, args...)
		if slices.Contains(args, "--version") {
			c.Args = []string{"--version"}
		}
		return nil
	}
	if c.files = words; c.commands == "" && len(words) > 0 {
		c.test, c.files = words[0], words[1:]
	}
	if c.commands+c.test == "" || len(c.files) == 0 {
		return fmt.Errorf("no test or no file; usage: %s OPTIONS TEST FILES", name)
	}
	test := c.test
	if c.commands != "" || c.nested() {
		test = c.script()
	}
	// Like C-Vise, accept any test that accepts the input.
	c.Args = slices.Concat([]string{"reduce", "--in-place", "--force", "--plain", "--journal", c.journal()}, args,
		[]string{test}, c.files)
	return nil
}

// nested reports whether the test expects a single file in a directory, as for C-Vise. For whittle it has its base
// name.
func (c *Call) nested() bool {
	return len(c.files) == 1 && filepath.IsLocal(c.files[0]) && filepath.Dir(filepath.Clean(c.files[0])) != "."
}

// writeScript writes a test that puts the file where the commands or the other test expect it.
func (c *Call) writeScript() error {
	text := "#!/bin/bash\n"
	if c.nested() {
		file := filepath.Clean(c.files[0])
		text += shell.Join([]string{"mkdir", "-p", filepath.Dir(file)}) + " && " +
			shell.Join([]string{"cp", filepath.Base(file), file}) + " || exit 125\n"
	}
	text += c.commands + "\n"
	if c.test != "" {
		test, err := filepath.Abs(c.test)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(test)
		if err != nil {
			return err
		}
		text += fmt.Sprintf("exec %s # %x\n", shell.Quote(test), sha256.Sum256(content))
	}
	return os.WriteFile(c.script(), []byte(text), 0o755)
}

// script is removed at the end.
func (c *Call) script() string { return c.files[0] + ".whittle-test.sh" }

func (c *Call) journal() string { return c.files[0] + ".journal" }

// Begin prepares the files: an earlier FILE.orig is set aside, unless the run continues another. It prints to w what
// has no effect.
func (c *Call) Begin(w io.Writer) error {
	if len(c.Ignored) > 0 {
		fmt.Fprintf(w, "whittle: without effect: %s\n", strings.Join(c.Ignored, "; "))
	}
	if len(c.files) > 0 && (c.commands != "" || c.nested()) {
		if err := c.writeScript(); err != nil {
			return err
		}
	}
	if len(c.files) == 0 || disk.Exists(c.journal()) {
		return nil
	}
	for _, file := range c.files {
		if disk.Exists(original(file)) {
			if err := os.Rename(original(file), aside(file)); err != nil {
				return err
			}
		}
	}
	return nil
}

// End does what C-Vise does at the end: the first FILE.orig stays, or none with --tidy. After an interrupt the
// files stay as they are, for the same command to continue.
func (c *Call) End(done bool) error {
	for _, file := range c.files {
		earlier := disk.Exists(aside(file))
		switch {
		case earlier && (done || !disk.Exists(original(file))):
			if err := os.Rename(aside(file), original(file)); err != nil {
				return err
			}
		case done && c.tidy:
			os.Remove(original(file))
		}
	}
	if done && len(c.files) > 0 {
		os.Remove(c.journal())
		if c.commands != "" || c.nested() {
			os.Remove(c.script())
		}
	}
	return nil
}

func original(file string) string { return file + ".orig" }

func aside(file string) string { return file + ".orig.old" }
