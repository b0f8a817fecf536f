package tool

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whittle/internal/pipeline"
)

// Options describes the command-line options of a family of programs.
type Options struct {
	Programs   []string   // names without a version or a prefix: x86_64-linux-gnu-gcc-12 is gcc
	Takes      []string   // options with a value in the next word
	Keep       []string   // options that select the work or the output, never removed
	Output     []string   // options with an output file
	OutDir     []string   // options with an output directory
	Careful    []string   // options that prevent harm or work, also kept; * matches anything
	Path       []string   // options with a path, in the same or the next word
	Include    []string   // options with a directory of files to include
	Preprocess [][]string // alternative words, instead of Keep, that resolve includes
	Printing   []string   // options that change the form of messages, for other programs
	Resolved   []string   // options, also with a value in the same word, without effect on the output of Preprocess
	Names      string     // option for a name that otherwise is the stem of the file
	Program    []string   // options followed by the program to run, or that hold it
	Operands   int        // words before the program, without options and NAME=VALUE
	Runs       Runs
	Faster     []string         // words that may make a test faster; each is tried
	Variable   []string         // environment variables that may do so
	Weaker     [][]string       // chains of options: a later one may replace an earlier one
	Pipeline   *pipeline.Syntax // nil without one
	Known      bool             // the program is in the table
}

// Runs says how a program runs another that follows among its arguments.
type Runs int

// Kinds of [Runs].
const (
	RunsNone    Runs = iota
	RunsCommand      // a program with its own arguments, as env does
	RunsScript       // a script with its own arguments, as python does
	RunsAll          // anything, as a shell does
)

// anyOptions are the options of programs that are not in the table.
var anyOptions = Options{
	Takes:  words("-o --output --out-dir --outdir --outfile"),
	Keep:   words("-o --output --out-dir --outdir --outfile"),
	Output: words("-o --output --outfile"),
	OutDir: words("--out-dir --outdir"),
	Careful: words("-n -t --no-* --dry-run --dryrun --dry_run --just-print --recon --simulate --noop --pretend " +
		"--preview --what-if --check* --test* --syntax* --validate* --verify* --lint* --configtest --*-only --noEmit"),
	Path: words("-I -L -isystem -include @"),
}

// OptionsOf returns the options of a program, given by path or name.
func OptionsOf(program string) Options {
	for _, t := range Tools() {
		if t.Options != nil && t.Options.isOf(program) {
			o := *t.Options
			o.Takes, o.Keep = slices.Concat(o.Takes, anyOptions.Takes), slices.Concat(o.Keep, anyOptions.Keep)
			o.Output, o.OutDir = slices.Concat(o.Output, anyOptions.Output), slices.Concat(o.OutDir, anyOptions.OutDir)
			o.Known = true
			return o
		}
	}
	return anyOptions
}

var versionSuffix = regexp.MustCompile(`(?:\.exe)?(?:-?[0-9][0-9.]*)?$`)

func (o *Options) isOf(program string) bool {
	name := versionSuffix.ReplaceAllString(filepath.Base(program), "")
	for {
		if slices.Contains(o.Programs, name) {
			return true
		}
		_, rest, found := strings.Cut(name, "-")
		if !found || o.Runs != RunsNone {
			return false
		}
		name = rest
	}
}

// isCareful reports whether a command without the option may do harm, also to a user who repeats it.
func (o *Options) isCareful(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return slices.ContainsFunc(o.Careful, func(pattern string) bool {
		ok, _ := filepath.Match(pattern, name)
		return ok
	})
}

// Keeps reports whether an option must stay.
func (o *Options) Keeps(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return slices.Contains(o.Keep, name)
}

// pairs are options that always have a value in the next word.
var pairs = []string{"-mllvm", "-Xclang", "-Xpreprocessor", "-Xassembler", "-Xlinker", "--param"}

// Without removes the options that the output calls unknown. It returns the rest, and the removed
// options as written.
func Without(command []string, output []byte) (rest, removed []string) {
	named := map[string]bool{}
	for _, p := range unknown {
		for _, m := range p.Regexp().FindAllSubmatch(output, -1) {
			named[strings.TrimLeft(string(m[1]), "-")] = true
		}
	}
	for i := 0; i < len(command); i++ {
		option := command[i:][:1]
		if slices.Contains(pairs, command[i]) && i+1 < len(command) {
			option = command[i:][:2]
		}
		if i > 0 && isNamed(named, option) {
			removed = append(removed, strings.Join(option, " "))
		} else {
			rest = append(rest, option...)
		}
		i += len(option) - 1
	}
	return rest, removed
}

// isNamed reports whether an option is named as a whole, without its value, or by its value.
func isNamed(named map[string]bool, option []string) bool {
	if !strings.HasPrefix(option[0], "-") {
		return false
	}
	spellings := option
	if len(option) > 1 {
		spellings = append(option[:len(option):len(option)], strings.Join(option, "="))
	}
	return slices.ContainsFunc(spellings, func(word string) bool {
		word = strings.TrimLeft(word, "-")
		name, value, _ := strings.Cut(word, "=")
		return word != "" && named[word] || named[name] || named[name+"="] || value != "" && named[value]
	})
}
