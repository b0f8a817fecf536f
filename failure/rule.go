package failure

import (
	"regexp"
	"slices"

	"whittle/oracle"
)

// A stack is how a tool prints what it was doing.
type stack struct {
	frames []pattern
	skip   []*regexp.Regexp
}

// A found frame or line: as printed, the pattern of lines like it, and its part of the title.
type found struct {
	line, source, title string
}

// signatures returns those of a rule: that of the first line that shows it, and behind it the
// same without the frame.
func (r *rule) signatures(lines []string) []Signature {
	var all []found
	at := -1
	for i, line := range lines {
		if source, title, ok := r.line.fill(line); ok {
			at, all = i, []found{{line, source, title}}
			break
		}
	}
	if at < 0 {
		return nil
	}
	for _, b := range r.beside {
		f, ok := first(&b.pattern, lines)
		switch {
		case ok:
			all = append(all, f)
		case b.must:
			return nil
		}
	}
	plain := r.signature(all)
	if r.stack == nil {
		return []Signature{plain}
	}
	frame, ok := r.innermost(lines, at)
	if !ok {
		return []Signature{plain}
	}
	return []Signature{r.signature(append(all, frame)), plain}
}

// first returns the first line that a pattern matches.
func first(p *pattern, lines []string) (found, bool) {
	for _, line := range lines {
		if source, title, ok := p.fill(line); ok {
			return found{line, source, title}, true
		}
	}
	return found{}, false
}

// signature makes one of lines.
func (r *rule) signature(all []found) Signature {
	s := Signature{Kind: r.kind, Strong: true}
	for _, f := range all {
		s.Shown = append(s.Shown, f.line)
		if f.title != "" && s.Title != "" {
			s.Title += ", "
		}
		s.Title += f.title
		s.Criteria.Lines = append(s.Criteria.Lines, oracle.Line{Pattern: regexp.MustCompile(f.source), Least: 1})
	}
	return s
}

// innermost returns the frame of the failure that the line at shows.
func (r *rule) innermost(lines []string, at int) (found, bool) {
	near := lines[at:]
	if r.above {
		near = slices.Clone(lines[:at])
		slices.Reverse(near)
	}
	for _, line := range near {
		if f, ok := r.stack.frame(line); ok {
			return f, true
		}
	}
	return found{}, false
}

// frame returns what a line says, if it is a frame that says something.
func (s *stack) frame(line string) (found, bool) {
	for _, skip := range s.skip {
		if skip.MatchString(line) {
			return found{}, false
		}
	}
	for _, p := range s.frames {
		if source, title, ok := p.fill(line); ok {
			return found{line, source, "in " + title}, true
		}
	}
	return found{}, false
}
