package failure

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"whittle/oracle"
)

// sorts limits the kinds of messages for one pattern.
const sorts = 4

// messages returns the signatures of the first message of each kind. They require the exit code,
// the message, and no more messages of the kind, unless the beginning of the output is lost. A
// variant with the quoted names follows each.
func messages(p *pattern, lines []string, run oracle.Run) (all []Signature) {
	known := map[string]bool{}
	for _, line := range lines {
		f, ok := p.find(line)
		if !ok {
			continue
		}
		sort := p.kept(line)
		if known[sort] || len(known) == sorts {
			continue
		}
		known[sort] = true
		s := messageOf(f, sort, lines, run)
		all = append(all, s)
		if f, ok := p.match(line, true); ok && f.like.String() != s.Criteria.Lines[0].Pattern.String() {
			all = append(all, messageOf(f, sort, lines, run))
		}
	}
	return all
}

func messageOf(f found, sort string, lines []string, run oracle.Run) Signature {
	s := Signature{Kind: Message, Title: f.title, Shown: []string{f.line}}
	s.Criteria = oracle.Criteria{ExitCodes: []int{run.ExitCode}, Lines: []oracle.Line{{Pattern: f.like, Least: 1}}}
	if sort == "" {
		return s
	}
	of := oracle.Line{Pattern: regexp.MustCompile(quote(sort)), Least: 1}
	for _, line := range lines {
		if !run.Cut && of.Pattern.MatchString(line) {
			of.Most++
		}
	}
	s.Criteria.Lines = append(s.Criteria.Lines, of)
	return s
}

func lastWords(lines []string, run oracle.Run) (Signature, bool) {
	for _, full := range slices.Backward(lines) {
		line := strings.TrimSpace(full)
		if len(words(line)) < 2 {
			continue
		}
		source, title := maskSaid(line)
		like, err := regexp.Compile(source)
		if err != nil || !like.MatchString(line) {
			continue
		}
		return messageOf(found{full, like, readable(title)}, "", lines, run), true
	}
	return Signature{}, false
}

// ExitedWith returns the signature of an exit code.
func ExitedWith(code int) Signature {
	return Signature{Kind: ExitCode, Title: fmt.Sprintf("exit code %d", code),
		Criteria: oracle.Criteria{ExitCodes: []int{code}}}
}
