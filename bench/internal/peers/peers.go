// Package peers runs whittle and other reducers on the same cases. Each is called as its
// documentation recommends. A script around the test counts its runs.
package peers

import (
	"cmp"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A Peer is a reducer and its command line, with these placeholders:
//
//	{file}       name of the candidate in the current directory; {ext} is its extension
//	{test}       the test
//	{jobs}       number of parallel tests
//	{output}     path of the result, in the directory {outdir}; by default the candidate's file
//	{dir}        the directory of the run, where the test counts its calls
//	{language}   language of the file
//	{not-c}      an option for languages other than C and C++
//	{jar}        Perses
//	{grammars}   the ANTLR grammar of the language; {start} is its start rule
//	{antlr}      options for ANTLR
type Peer struct {
	Name    string
	Call    string
	Install string

	path      bool     // the test gets the path of the candidate as its argument; otherwise it runs in its directory
	languages []string // supported languages; nil means all
	switches  []string // of Perses, to enable
}

// All returns the peers. whittle is the first.
func All() []Peer {
	const perses = "java -jar {jar} --test-script {test} --input-file {file} --output-dir {outdir} --threads {jobs}"
	const persesInstall = "a release of uw-pluverse/perses, by --perses JAR; needs Java"
	return []Peer{
		{Name: "whittle",
			Call:    "whittle reduce --quiet --no-journal --allow-write {dir} --jobs {jobs} --output {output} {test} {file}",
			Install: "make build"},
		{Name: "cvise", Call: "cvise {not-c} --n {jobs} {test} {file}", Install: "apt-get install cvise"},
		{Name: "creduce", Call: "creduce {not-c} --n {jobs} {test} {file}", Install: "apt-get install creduce"},
		{Name: "perses", Call: perses, Install: persesInstall},
		{Name: "perses-trec", Call: perses, Install: persesInstall, switches: []string{"trec"}},
		{Name: "perses-vulcan-trec", Call: perses, Install: persesInstall, switches: []string{"vulcan", "trec"}},
		{Name: "shrinkray", Call: "shrinkray --ui basic --input-type basename --parallelism {jobs} {test} {file}",
			Install: "pip install shrinkray"},
		{Name: "treereduce",
			Call: "treereduce-{language} --quiet --source {file} --jobs {jobs} --output {output} -- {test} @@{ext}",
			path: true, Install: "cargo install treereduce-c, and one for each language"},
		{Name: "picireny",
			Call: "picireny -i {file} --test {test} --out {outdir} --parallel --jobs {jobs} {antlr} " +
				"--grammar {grammars} --start {start}",
			path: true, Install: "pip install picireny, antlerinator-install, grammars by --grammars DIR"},
		{Name: "llvm-reduce-16", Call: "llvm-reduce-16 -j {jobs} --test={test} -o {output} {file}",
			path: true, languages: []string{"llvm"}, Install: "apt-get install llvm-16"},
		{Name: "llvm-reduce-19", Call: "llvm-reduce-19 -j {jobs} --test={test} -o {output} {file}",
			path: true, languages: []string{"llvm"}, Install: "apt-get install llvm-19"},
		{Name: "ddsmt", Call: "ddsmt --ignore-output -j {jobs} {file} {output} {test}",
			path: true, languages: []string{"smt2"}, Install: "pip install ddsmt"},
		{Name: "pysource-minimize", Call: "pysource-minimize --write --track interesting --file {file} {test}",
			languages: []string{"python"}, Install: "pip install pysource-minimize[cli]"},
		{Name: "dustmite", Call: "dustmite --split *:d -j{jobs} {file} {test}",
			languages: []string{"c", "cpp", "d", "java", "javascript"}, Install: "apt-get install dustmite"},
		{Name: "lithium", Call: "lithium outputs --search interesting {test} {file}", Install: "pip install lithium-reducer"},
	}
}

func (t *Tools) absolute() (err error) {
	for _, path := range []*string{&t.Perses, &t.Antlr} {
		if *path != "" && err == nil {
			*path, err = filepath.Abs(*path)
		}
	}
	return err
}

// switches are the optional passes of Perses. A jar may support only some.
var switches = []string{"vulcan", "trec", "latra", "sfc", "lpr"}

// Tools has the paths of programs and files outside PATH.
type Tools struct {
	Whittle  string // path of the program
	Perses   string // path of the jar, or ""
	Grammars string // directory with LANGUAGE.g4 or LANGUAGELexer.g4 and LANGUAGEParser.g4, or ""
	Antlr    string // path of ANTLR's jar; "" means Picireny's default
}

// command returns the command line for a case. The error names a missing dependency.
func (t Tools) command(ctx context.Context, p Peer, c Case) ([]string, error) {
	words := map[string][]string{"{not-c}": {"--not-c"}, "{antlr}": nil, "{jar}": {t.Perses}}
	if c.isC() {
		words["{not-c}"] = nil
	}
	if p.languages != nil && !slices.Contains(p.languages, c.Language) {
		return nil, fmt.Errorf("it does not support %s", c.Language)
	}
	if t.Antlr != "" {
		words["{antlr}"] = []string{"--antlr", t.Antlr}
	}
	if strings.Contains(p.Call, "{jar}") {
		if t.Perses == "" {
			return nil, fmt.Errorf("no jar is given")
		}
		if _, err := os.Stat(t.Perses); err != nil {
			return nil, err
		}
	}
	if strings.Contains(p.Call, "{grammars}") {
		grammars, start := t.grammar(c.Language)
		if start == "" {
			return nil, fmt.Errorf("no ANTLR grammar of %s is given", c.Language)
		}
		words["{grammars}"], words["{start}"] = grammars, []string{start}
	}
	var call []string
	for word := range strings.FieldsSeq(strings.ReplaceAll(p.Call, "{language}", c.Language)) {
		if known, ok := words[word]; ok {
			call = append(call, known...)
		} else {
			call = append(call, word)
		}
	}
	if call[0] == "whittle" {
		call[0] = cmp.Or(t.Whittle, call[0])
	}
	path, err := exec.LookPath(call[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, fmt.Errorf("there is no %s", call[0])
	}
	call[0] = path
	if strings.Contains(p.Call, "{jar}") {
		options, err := t.persesSwitches(ctx, path, p.switches)
		if err != nil {
			return nil, err
		}
		call = append(call, options...)
	}
	return call, nil
}

// persesSwitches enables the given switches and disables the others that the jar supports.
func (t Tools) persesSwitches(ctx context.Context, java string, on []string) (options []string, err error) {
	help := outputOf(ctx, java, "-jar", t.Perses, "--help")
	for _, name := range switches {
		option, wanted := "--enable-"+name, slices.Contains(on, name)
		switch {
		case strings.Contains(help, option):
			options = append(options, option, strconv.FormatBool(wanted))
		case wanted:
			return nil, fmt.Errorf("%s does not know %s", t.Perses, option)
		}
	}
	return options, nil
}

var startRule = regexp.MustCompile(`(?m)^([a-z]\w*)\s*:[^;]*\bEOF\b`)

// grammar returns the grammar files of a language and the first rule that ends with EOF.
func (t Tools) grammar(language string) (files []string, start string) {
	if t.Grammars == "" {
		return nil, ""
	}
	all, _ := filepath.Glob(filepath.Join(t.Grammars, "*.g4"))
	for _, path := range all {
		name := strings.ToLower(strings.TrimSuffix(filepath.Base(path), ".g4"))
		if rest, ok := strings.CutPrefix(name, language); !ok || rest != "" && rest != "lexer" && rest != "parser" {
			continue
		}
		path, _ := filepath.Abs(path)
		files = append(files, path)
		text, _ := os.ReadFile(path)
		if m := startRule.FindSubmatch(text); m != nil && start == "" {
			start = string(m[1])
		}
	}
	return files, start
}

var hasDigit = regexp.MustCompile(`\d+\.\d`)

// version returns the first line that the program prints, or its revision if the line has no number.
func (t Tools) version(ctx context.Context, call []string) string {
	words := []string{call[0], "--version"}
	if i := slices.Index(call, "-jar"); i > 0 {
		words = []string{call[0], "-jar", t.Perses, "--version"}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(outputOf(ctx, words...)), "\n")
	if hasDigit.MatchString(first) {
		return strings.TrimSpace(first)
	}
	return revision(call[0])
}

// revision returns the revision that a Go program was built from, or a checksum of the program.
func revision(path string) string {
	settings := map[string]string{}
	if info, err := buildinfo.ReadFile(path); err == nil {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	if revision := settings["vcs.revision"]; revision != "" {
		if settings["vcs.modified"] == "true" {
			return fmt.Sprintf("revision %.10s, modified", revision)
		}
		return fmt.Sprintf("revision %.10s", revision)
	}
	program, _ := os.ReadFile(path)
	return fmt.Sprintf("sha256 %.4x", sha256.Sum256(program))
}

func outputOf(ctx context.Context, words ...string) string {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	command := inGroup(ctx, syscall.SIGKILL, words)
	command.WaitDelay = time.Second
	out, _ := command.CombinedOutput()
	return string(out)
}
