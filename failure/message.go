package failure

import (
	"fmt"
	"regexp"
	"strings"

	"whittle/oracle"
)

// message returns the signature of the first error of a sort: the exit code, what the error
// says, and that there are no more of its sort.
func message(p *pattern, lines []string, code int) (Signature, bool) {
	f, _, ok := first(p, lines)
	if !ok {
		return Signature{}, false
	}
	s := Signature{
		Kind:  Message,
		Title: f.title,
		Shown: []string{f.line},
		Criteria: oracle.Criteria{ExitCodes: []int{code}, Lines: []oracle.Line{
			{Pattern: f.like, Least: 1},
		}},
	}
	if sort := p.kept(f.line); sort != "" {
		of := oracle.Line{Pattern: regexp.MustCompile(quote(sort)), Least: 1}
		for _, line := range lines {
			if of.Pattern.MatchString(line) {
				of.Most++
			}
		}
		s.Criteria.Lines = append(s.Criteria.Lines, of)
	}
	return s, true
}

// lastWords returns the signature of the last line that has words.
func lastWords(lines []string, code int) (Signature, bool) {
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		if len(strings.FieldsFunc(line, func(r rune) bool { return r < 'A' || r > 'z' })) < 2 {
			continue
		}
		source, title := maskSaid(line)
		like, err := regexp.Compile(source)
		if err != nil || !like.MatchString(line) {
			continue
		}
		return Signature{
			Kind:  Message,
			Title: readable(title),
			Shown: []string{lines[i]},
			Criteria: oracle.Criteria{ExitCodes: []int{code}, Lines: []oracle.Line{
				{Pattern: like, Least: 1},
			}},
		}, true
	}
	return Signature{}, false
}

// exit returns the signature of an exit code.
func exit(code int) Signature {
	return Signature{
		Kind:     ExitCode,
		Title:    fmt.Sprintf("exit code %d", code),
		Criteria: oracle.Criteria{ExitCodes: []int{code}},
	}
}
