package failure

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"whittle/oracle"
)

const sorts = 4

// messages returns the signatures of the first message of each kind. They require the exit code,
// the message, and at most as many of the kind, unless the output was cut. A variant with the
// quoted names follows each. The rank is that of warnings.
func messages(p *pattern, lines []string, run oracle.Run, rank string) (all []Signature) {
	known := map[string]bool{}
	for i, line := range lines {
		f, ok := p.find(line)
		if !ok || rankOf(line, run) != rank {
			continue
		}
		sort := quote(p.kept(line))
		if known[sort] || len(known) == sorts {
			continue
		}
		known[sort] = true
		var more []Signature
		if title.MatchString(line) && i+1 < len(lines) {
			more = said("", strings.TrimLeft(lines[i+1], " \t•"), sort, lines, run)
		}
		if len(more) > 0 && headline.MatchString(line) {
			all = append(all, more...)
			continue
		}
		both := []Signature{messageOf(f, sort, lines, run)}
		if kept, ok := p.match(line, true); ok && (compares(line) || kept.like.String() != f.like.String()) {
			both = append(both, messageOf(kept, sort, lines, run))
		}
		if compares(line) {
			both = withValues(both[1:], both[:1])
		}
		for i := range both {
			if len(more) > 0 && strings.HasSuffix(p.regexp.String(), groups["{said}"].source) {
				both[i].Title += " " + more[0].Title
				both[i].Shown = append(both[i].Shown, more[0].Shown[0])
				both[i].Criteria.Lines = append(both[i].Criteria.Lines, more[0].Criteria.Lines[0])
			}
		}
		all = append(all, both...)
	}
	for i := range all {
		if rank != "" {
			all[i].weak = "any failure with this warning"
		}
	}
	return all
}

// title matches the first line of a message whose next line says more. A headline, as in GHC, Coq, R and SWI-Prolog,
// has no words of its own.
var (
	title    = regexp.MustCompile(`:( \[GHC-[0-9]+])? ?$`)
	headline = regexp.MustCompile(`([Ee]rror:( \[GHC-[0-9]+])?|^Error in .* : ?|^(ERROR|Warning): [^ ]+:[0-9]+:)$`)
)

func messageOf(f found, sort string, lines []string, run oracle.Run) Signature {
	s := Signature{Kind: Message, Title: f.title, Shown: []string{f.line}}
	s.Criteria = oracle.Criteria{ExitCodes: []int{run.ExitCode}, Lines: []oracle.Line{{Pattern: f.like, Least: 1}}}
	if sort == "" {
		return s
	}
	s.count(sort, lines, run)
	return s
}

// count requires no more lines of a sort than the run has, unless the output was cut.
func (s *Signature) count(sort string, lines []string, run oracle.Run) {
	of := oracle.Line{Pattern: regexp.MustCompile(sort), Least: 1}
	if !run.Cut {
		of.Most = count(lines, of.Pattern)
	}
	s.Criteria.Lines = append(s.Criteria.Lines, of)
}

// placed matches the place in a pattern, in front of the message. Compilers without a word such as "error" begin the
// message with a small letter.
var placed = regexp.MustCompile(`^\^[^ ]+?\[0-9]\+: `)

// countPlaced is count for messages of one file that have no word of a sort.
func (s *Signature) countPlaced(lines []string, run oracle.Run) {
	place := placed.FindString(s.Criteria.Lines[0].Pattern.String())
	if like, err := regexp.Compile(place + "[a-z]"); len(s.Criteria.Lines) == 1 && place != "" && err == nil &&
		like.MatchString(s.Shown[0]) {
		s.count(like.String(), lines, run)
	}
}

// located matches a message about a file of a relative path. Hints may follow it.
var located = regexp.MustCompile(`^([^ /:][^ :]*\.[A-Za-z][A-Za-z0-9]*:) `)

// A difference of files has a line that hunk matches, and lines that are changed.
var (
	hunk    = regexp.MustCompile(`^@@ -[0-9]`)
	changed = regexp.MustCompile(`^[-+]([^-+]|$)`)
)

// complains matches words of errors. A shell script that ends at a failed command may only print its progress.
var complains = regexp.MustCompile(`(?i)error|fail|fault|fatal|abort|panic|exception|crash|corrupt|broken|warn|` +
	`\b(?:not?|never|unable|without|must|should|too|only|already|out of|more|less)\b|cannot|n't\b|` +
	`invalid|illegal|wrong|bad|un(?:defin|declar|know|expect|support|resolv|us|match|bound|termin)|miss|mismatch|` +
	`differ|expect|violat|conflict|duplicate|exceed|denied|refus|reject|deprecat|usage|problem|[✗✖✘×]`)

// summed returns signatures of the last message in front of a summary of errors.
func summed(lines []string, run oracle.Run) []Signature {
	isSummary := func(line string) bool { return rankOf(line, run) == "summaries" }
	isLocated := func(line string) bool { return located.MatchString(line) && rankOf(line, run) == "" }
	at := slices.IndexFunc(lines, isSummary)
	if at < 0 || slices.ContainsFunc(lines, isLocated) { // lastWords finds the latter
		return nil
	}
	for _, line := range slices.Backward(lines[:at]) {
		if line == "" || line[0] == ' ' || line[0] == '\t' || !complains.MatchString(line) {
			continue
		}
		return said("^", line, "", lines, run)
	}
	return nil
}

// lastWords returns signatures of the first message about a file, or else of the last line: preferably one that a
// difference of files changes, or that compares values. The message begins its line, since other errors quote text.
func lastWords(lines []string, run oracle.Run) []Signature {
	if run.Ended(0) {
		return nil
	}
	upTo, sort := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		rank := rankOf(line, run)
		return rank != "" && rank != "summaries"
	}), ""
	if at := slices.IndexFunc(upTo, located.MatchString); at >= 0 {
		upTo, sort = upTo[:at+1], quote(located.FindStringSubmatch(upTo[at])[1])
	} else {
		tells := compares
		if slices.ContainsFunc(lines, hunk.MatchString) {
			tells = changed.MatchString
		}
		for _, line := range slices.Clone(upTo) {
			if tells(line) {
				upTo = append(upTo, line)
			}
		}
	}
	for _, line := range slices.Backward(upTo) {
		begin, text := "^", line
		if changed.MatchString(line) {
			begin, text = "^["+line[:1]+"]", line[1:]
		}
		all := said(begin+"[[:space:]]*", strings.TrimSpace(text), sort, lines, run)
		if all == nil {
			continue
		}
		if sort == "" && begin == "^" && all[0].Kind == Message && !complains.MatchString(line) {
			all[0].weak = "any failure with this last line, which may be no message of an error,"
		}
		return all
	}
	return nil
}

// said returns the signatures of a text of at least two words, which follows begin in a line.
func said(begin, text, sort string, lines []string, run oracle.Run) []Signature {
	if len(words(text)) < 2 {
		return nil
	}
	of := func(as mask, end string) (all []Signature) {
		source, title := as(text)
		like, err := regexp.Compile(begin + source + end)
		if err != nil {
			return nil
		}
		at := slices.IndexFunc(lines, like.MatchString)
		if at < 0 {
			return nil // binary output
		}
		return []Signature{messageOf(found{line: lines[at], like: like, title: readable(title)}, sort, lines, run)}
	}
	if !compares(text) {
		return of(maskSaid, "")
	}
	return withValues(of(maskCompared, "[[:space:]]*$"), of(maskSaid, ""))
}

// ExitedWith returns the signature of an exit code.
func ExitedWith(code int) Signature {
	return Signature{Kind: ExitCode, Title: fmt.Sprintf("exit code %d", code),
		Criteria: oracle.Criteria{ExitCodes: []int{code}}}
}

// Unplaced marks exceptions and messages of a program in the input, which own recognises by the names of its files. If
// they have no function, or the input has their words, other code can show them.
func Unplaced(all []Signature, input []byte, own func(line string) bool) {
	for i := range all {
		s := &all[i]
		raised := s.Kind == "exception" || s.Kind == "panic"
		if s.weak != "" || !raised && s.Kind != Message || s.inFunction() {
			continue
		}
		if at := slices.IndexFunc(s.Shown, own); at >= 0 && (raised || died.MatchString(s.Shown[at])) ||
			at < 0 && contains(input, s.Shown[0]) {
			s.weak = "any code that fails with this message"
		}
	}
}

var (
	died     = regexp.MustCompile(` at [^ ]+ line [0-9]+(\.|, <)`)
	function = regexp.MustCompile(`, (?:called )?in ([^,]+)`)
	// nameless matches a frame of code outside functions, or of a function without a name.
	nameless = regexp.MustCompile(`^(in )?(at .*|.*<(module|main|anonymous|lambda|genexpr|[a-z]+comp|top \(required\))>)`)
)

func (s *Signature) inFunction() bool {
	named := func(m []string) bool { return !nameless.MatchString(m[1]) }
	return slices.ContainsFunc(function.FindAllStringSubmatch(s.Called(), -1), named)
}

const telling = 4

// contains reports whether a text has so many words of a line in order, or all of a shorter line.
func contains(text []byte, line string) bool {
	words := strings.Fields(quoted.ReplaceAllString(line, ""))
	n := min(telling, len(words))
	for i := 0; n > 1 && i+n <= len(words); i++ {
		if bytes.Contains(text, []byte(strings.Join(words[i:i+n], " "))) {
			return true
		}
	}
	return false
}

// Output is the kind of a line that is printed only for the input.
const Output Kind = "output"

const (
	comparedLines = 1000
	mostPrinted   = 3
)

// Printed returns signatures of lines that are in both runs on the input and in no other: first lines with a line
// number, then the last line. Other numbers stay, since a wrong one may be the failure. If all lines vary, the words of
// one count. Lines of the input, which commands may repeat, do not count. names matches the names of its files.
func Printed(run, again oracle.Run, others []oracle.Run, input []byte, names string) []Signature {
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
	place, err := regexp.Compile(`\b(?:[Ll]ine:? |(?:adr|addr|address|offset|pc)[=:] ?)[0-9]+|` +
		`(?:` + names + `)(?:: ?|\()[0-9]+(?:[:,.-][0-9]+)*`)
	if err != nil {
		return nil
	}
	var placed, all []Signature
	for _, line := range lines {
		_, death, _ := reported(line) // which the signal expresses, too
		own := len(death) == 0 && twice[line] && !elsewhere[line] && !elsewhere[strings.TrimSpace(line)]
		if !own || !named.MatchString(line) {
			continue
		}
		elsewhere[line] = true // no duplicates
		switch like, title := lineLike(line, place); {
		case title != line && len(placed) < mostPrinted:
			s := outputOf(run, title, "^"+like)
			if s.Shown[0] = line; s.Criteria.Hold(again) && !slices.ContainsFunc(others, s.Criteria.Hold) {
				placed = append(placed, s)
			}
		case title == line && len(all) < mostPrinted:
			all = append(all, outputOf(run, line, "^"+like))
		}
	}
	if len(placed) > 0 && complains.MatchString(placed[0].Title) {
		all = nil
	}
	if all = append(placed, all...); len(all) > 0 {
		return all[:min(len(all), mostPrinted)]
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

// lineLike returns a pattern for a line, without the line numbers of places.
func lineLike(line string, place *regexp.Regexp) (like, shown string) {
	number := func(string) (string, string) { return "[0-9:,.-]+", "N" }
	position := func(at string) (string, string) { return masked(at, lastNumber, exactly, number) }
	if len(line) > longest {
		like, _ = masked(strings.ToValidUTF8(line[:longest], ""), place, exactly, position)
		_, shown = masked(line, place, exactly, position)
		return like, shown
	}
	like, shown = masked(line, place, exactly, position)
	return like + "$", shown
}

var lastNumber = regexp.MustCompile(`[0-9]+(?:[:,.-][0-9]+)*$`)

func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r < 'A' || r > 'z' })
}

const shownLine = 80

// answer matches a line of one word, such as "unsat", which right answers to many files have.
var answer = regexp.MustCompile(`^[ \t]*[A-Za-z]+[.!]?$`)

func outputOf(run oracle.Run, line, pattern string) Signature {
	s := Signature{Kind: Output, Shown: []string{line}, Criteria: ending(run)}
	if answer.MatchString(line) {
		s.weak = "any file with this answer"
	}
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

// mostLines limits the lines of output that tell one failure.
const mostLines = 3

var saysNothing = regexp.MustCompile(`^[^:]*:[^\pL\d]*$`)

// Vague reports whether the first line of a signature is like many others of the output, or a message without words.
func (s *Signature) Vague(output []byte) bool {
	if len(s.Criteria.Lines) > 0 && count(printed(output), s.Criteria.Lines[0].Pattern) > mostLines {
		return true
	}
	return s.Kind == Message && saysNothing.MatchString(s.Title)
}
