package stage

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A part is a builder's command for one of its units, a failed test, or a package. The text is a step's unit, or found
// in the output.
type part struct {
	command string // words of a command
	output  string // regular expression of the unit in the output, as its groups; "" if the step has it
	instead string // regular expression of words that go
	words   []string
}

// The file or options, in three of these reports, and the last name of a failed test. Parameters of pytest may have
// spaces.
const (
	cargoName    = "(?m)^---- (\\S+) stdout ----$(?s:.*?) to rerun pass `([^`\n]+)`"
	pytestName   = `(?m)^(?:FAILED|ERROR) (\S+::[^\s\[]+(?:\[.*?\])?)(?: - .*)?$`
	minitestName = `(?m)^  \d+\) (?:Error|Failure):\n[\w:]+#(?:test_\d+_)?(.+?)(?: \[.*)?:$`
	vitestName   = `(?m)^ *FAIL +(\S+) > (?:.* > )?(.+)$`
	mochaName    = `(?m)^  \d+\) (?:.+\n +)*(.+):$`
	jestName     = `(?m)^FAIL (\S+)(?s:.*?)^  ● (?:[^\n]* › )?([^\n]+)$`
	nodeName     = `(?m)^ *(?:not ok \d+ - |✖ )(.+?)(?: # .*| \([\d.]+ms\).*)?$`
)

// Parts are tried in order. {1} is the first group, or the unit of a step, {1q} is that as a regular expression, and
// {2w} are the words of the second. {} has the other words, else they come first.
var (
	failedTests = []part{
		{`go test`, `(?m)^--- FAIL: (\w+)(?s:.*?)^FAIL[ \t]+(\S+)`, `^(\.|\.\.\.|\./.*)$`, []string{"-run", "^{1}$", "{2}"}},
		{`cargo test`, cargoName, `^--(workspace|all|lib)$`, []string{"{2w}", "{1}", "{}"}},
		{`cargo test`, `(?m)^test (\S+) \.\.\. FAILED`, `^$`, []string{"{1}"}},
		{`pytest`, pytestName, `^[^-].*\.py$|^tests?/?$`, []string{"{1}"}},
		{`-m unittest`, `(?m)^(?:FAIL|ERROR): \w+ \((\S+)\)$`, `^(discover|[^-]\S*)$`, []string{"{1}"}},
		{`rspec`, `(?m)^  \d+\) (.+)\n +Failure/Error:`, `^$`, []string{"-e", "{1}"}},
		{`ruby`, minitestName, `^-n$|^/.*/$`, []string{"-n", "/{1}/"}},
		{`rake( test)?`, minitestName, `^TESTOPTS=`, []string{"TESTOPTS=-n/{1}/"}},
		{`phpunit`, `(?m)^\d+\) \S+::(\w+)`, `^$`, []string{"--filter", "{1}"}},
		{`node --test`, nodeName, `^--test-name-pattern=`, []string{"--test-name-pattern=^{1q}$", "{}"}},
		{`vitest( run)?`, vitestName, `^[^-].*[./]`, []string{"{1}", "-t", "{2q}"}},
		{`vitest( run)?|(yarn|pnpm) test`, vitestName, `^$`, []string{"-t", "{2q}"}},
		{`npm (test|t)`, vitestName, `^$`, []string{"--", "-t", "{2q}"}},
		{`jest`, jestName, `^[^-].*[./]`, []string{"{1}", "-t", "{2q}"}},
		{`jest|(yarn|pnpm) test`, jestName, `^$`, []string{"-t", "{2q}"}},
		{`npm (test|t)`, jestName, `^$`, []string{"--", "-t", "{2q}"}},
		{`mocha|(yarn|pnpm) test`, mochaName, `^$`, []string{"-g", "{1q}"}},
		{`npm (test|t)`, mochaName, `^$`, []string{"--", "-g", "{1q}"}},
		{`gradlew? test`, `(?m)^(\w+) > (\w+)(?:\(\))? FAILED`, `^$`, []string{"--tests", "{1}.{2}"}},
		{`mvn`, `(?m)^\[ERROR\] [\w.]*?(\w+)\.(\w+) -- Time elapsed`, `^-Dtest=`, []string{"-Dtest={1}#{2}"}},
		{`mvn`, `(?m)^(?:\[ERROR\] )?(\w+)\([\w.]*?(\w+)\) +Time elapsed`, `^-Dtest=`, []string{"-Dtest={2}#{1}"}},
	}
	buildUnits = []part{
		{`go (build|vet|install)`, "", `^(\.|\.\.\.|\./.*)$`, []string{"{1}"}},
		{`go test`, `(?m)^FAIL[ \t]+(\S+)`, `^(\.|\.\.\.|\./.*)$`, []string{"{1}"}},
		{`cargo (build|check|clippy)`, "", `^(--workspace|--all)$`, []string{"-p", "{1}"}},
	}
)

// test returns the command for one failed test.
func (n *narrowing) test(ctx context.Context, s Step) (*Found, error) {
	return n.firstOf(ctx, n.commands(failedTests, s, n.Failure.Run.Output))
}

// smaller returns the command for one unit of the project, such as a package.
func (n *narrowing) smaller(ctx context.Context, s Step) (*Found, error) {
	return n.firstOf(ctx, n.commands(buildUnits, s, n.Recording.Run.Output))
}

func (n *narrowing) firstOf(ctx context.Context, commands [][]string) (*Found, error) {
	for _, words := range commands {
		if found, err := n.inRoot(ctx, words); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// units returns the number of units of the project.
func (n *narrowing) units() int {
	units := map[string]bool{}
	for _, s := range n.Steps {
		if strings.HasPrefix(s.Dir+"/", n.Dir+"/") && s.Unit != "" {
			units[s.Unit] = true
		}
	}
	return len(units)
}

// mostNamed limits the failed tests of an output that are tried alone.
const mostNamed = 3

// commands returns the commands for the unit of a step. Without a unit, they are for the names in the output, first for
// those with the message or the function of the criterion.
func (n *narrowing) commands(parts []part, s Step, output []byte) (all [][]string) {
	message := strings.Split(n.Failure.Title, ", ")
	for _, p := range parts {
		if (p.output == "") != (s.Unit != "") || s.Unit != "" && n.units() < 2 {
			continue
		}
		named := [][]string{{"", s.Unit}}
		if p.output != "" {
			named = overlapping(regexp.MustCompile(p.output), string(output))
			slices.SortStableFunc(named, func(a, b []string) int { return n.fits(b, message) - n.fits(a, message) })
			named = named[:min(len(named), mostNamed)]
		}
		for _, groups := range named {
			if words := p.of(n.whole, groups); words != nil {
				all = append(all, words)
			}
		}
	}
	return all
}

// mostScanned limits the bytes that are read to find failed tests.
const mostScanned = 1 << 26

// overlapping returns the groups of matches that begin on different lines: several tests may be in front of what is
// common to them. The text of a match ends where the next one begins.
func overlapping(re *regexp.Regexp, text string) (all [][]string) {
	for scanned := 0; scanned < mostScanned; {
		at := re.FindStringIndex(text)
		if at == nil {
			break
		}
		scanned += at[1]
		groups := re.FindStringSubmatch(text[at[0]:])
		line, rest, _ := strings.Cut(groups[0], "\n")
		if next := re.FindStringIndex(rest); next != nil {
			groups[0] = line + "\n" + rest[:next[0]]
		}
		all = append(all, groups)
		_, text, _ = strings.Cut(text[at[0]+1:], "\n")
	}
	return all
}

// lastName matches the last name in the name of a test.
var lastName = regexp.MustCompile(`([A-Za-z_]\w*)(\[.*)?$`)

// fits counts the facts about a failed test that are in the criterion.
func (n *narrowing) fits(groups, message []string) (facts int) {
	for _, part := range message {
		if strings.Contains(groups[0], part) {
			facts++
		}
	}
	for _, g := range groups[1:] {
		name := lastName.FindStringSubmatch(g)
		if name != nil && regexp.MustCompile(`\b`+name[1]+`\b`).MatchString(n.Failure.Called()) {
			facts++
		}
	}
	return facts
}

// of returns the words with the words of the part, or nil for another command.
func (p part) of(words, groups []string) (narrow []string) {
	of := regexp.MustCompile(`^(\S*/)?(` + p.command + `)$`)
	at := -1
	for i := range words {
		for n := 1; n <= 2 && i+n <= len(words); n++ {
			if of.MatchString(strings.Join(words[i:i+n], " ")) {
				at = i + n
			}
		}
	}
	if at < 0 {
		return nil
	}
	instead := regexp.MustCompile(p.instead)
	rest := slices.DeleteFunc(slices.Clone(words[at:]), instead.MatchString)
	narrow = slices.Clone(words[:at])
	own := p.words
	if !slices.Contains(own, "{}") {
		own = append([]string{"{}"}, own...)
	}
	for _, w := range own {
		switch w {
		case "{}":
			narrow = append(narrow, rest...)
			continue
		case "{2w}":
			narrow = append(narrow, strings.Fields(groups[2])...)
			continue
		}
		for i, g := range groups {
			w = strings.NewReplacer(fmt.Sprintf("{%d}", i), g, fmt.Sprintf("{%dq}", i), regexp.QuoteMeta(g)).Replace(w)
		}
		if slices.Contains(words, w) && w[0] != '-' {
			return nil // it is narrow
		}
		narrow = append(narrow, w)
	}
	return narrow
}
