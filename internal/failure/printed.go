package failure

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"whittle/oracle"
)

// Output is the kind of a line that is printed only for the input.
const Output Kind = "output"

const (
	comparedLines = 1000
	mostPrinted   = 3
)

// Printed returns signatures of lines that a command prints in both runs on the input and for no
// other file, the last line first. A line keeps its numbers, since a wrong number may be the
// failure. If all lines vary, the words of one count. Lines of the input, which commands may
// repeat, do not count.
func Printed(run, again oracle.Run, others []oracle.Run, input []byte) []Signature {
	lines := printed(run.Output)
	lines = lines[max(0, len(lines)-comparedLines):]
	slices.Reverse(lines)
	elsewhere, twice := map[string]bool{}, map[string]bool{}
	for _, o := range others {
		for _, line := range printed(o.Output) {
			elsewhere[line] = true
		}
	}
	for line := range strings.Lines(string(input)) {
		elsewhere[strings.TrimSpace(line)] = true
	}
	for _, line := range printed(again.Output) {
		twice[line] = true
	}
	var all []Signature
	for _, line := range lines {
		_, death, _ := reported(line) // which the signal expresses, too
		own := len(death) == 0 && twice[line] && !elsewhere[line] && !elsewhere[strings.TrimSpace(line)]
		if own && named.MatchString(line) && len(all) < mostPrinted {
			elsewhere[line] = true // no duplicates
			all = append(all, outputOf(run, line, "^"+lineLike(line)))
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, line := range lines {
		if len(words(line)) < 2 || elsewhere[strings.TrimSpace(line)] {
			continue
		}
		like, _ := maskText(line)
		s := outputOf(run, line, "^"+like)
		if s.Criteria.Hold(again) && !slices.ContainsFunc(others, s.Criteria.Hold) {
			return []Signature{s}
		}
	}
	return nil
}

// lineLike returns a pattern of a line, or of the beginning of a long one.
func lineLike(line string) string {
	if len(line) > longest {
		return quote(strings.ToValidUTF8(line[:longest], ""))
	}
	return quote(line) + "$"
}

func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r < 'A' || r > 'z' })
}

const shownLine = 80

func outputOf(run oracle.Run, line, pattern string) Signature {
	s := Signature{Kind: Output, Shown: []string{line}, Criteria: ending(run)}
	if text := []rune(readable(strings.TrimSpace(line))); len(text) > shownLine {
		line = string(text[:shownLine]) + "…"
	} else {
		line = string(text)
	}
	s.Title = fmt.Sprintf("output %q", line)
	s.Criteria.Lines = []oracle.Line{{Pattern: regexp.MustCompile(pattern), Least: 1}}
	return s
}

func ending(run oracle.Run) oracle.Criteria {
	switch {
	case run.TimedOut:
		return oracle.Criteria{Timeout: true}
	case run.Exceeded == oracle.MemoryLimit:
		return oracle.Criteria{Memory: true}
	case killed(run):
		return death(run).Criteria
	}
	return oracle.Criteria{ExitCodes: []int{run.ExitCode}}
}
