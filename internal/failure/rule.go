package failure

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"whittle/oracle"
)

type stack struct {
	frames   []pattern
	skip     []*regexp.Regexp // frames to ignore
	nameless []pattern        // frames of code without symbols
	behind   *regexp.Regexp   // the last frame of the signal handler, which precedes them
}

// mostAsserted limits the failed assertions that are searched for one with values.
const mostAsserted = 20

// signatures returns the signature of the first line that shows the failure (the last, if frames are
// above it), and a variant without the frame. Compared values are kept at first, then masked. Of failed assertions,
// the first with values counts. The asserted lines show only wrong values. Lines that are shown have a signature.
func (r *rule) signatures(lines []string, asserted, shown map[string]bool) (first []Signature) {
	if r.where == "both" {
		return r.reports(lines)
	}
	assertions := 0
	for i := range lines {
		if r.where == "above" {
			i = len(lines) - 1 - i
		}
		if r.kind != WrongValue && asserted[lines[i]] {
			continue
		}
		all := r.at(lines, i, false)
		if all == nil {
			continue
		}
		if shown[lines[i]] {
			return first
		}
		valued := r.kind != WrongValue || all[0].valued
		if r.kind == WrongValue || r.ofProgram() && slices.ContainsFunc(all[0].Shown, compares) {
			kept := r.at(lines, i, true)
			valued = valued || len(kept) > 0 && kept[0].Title != all[0].Title
			all = withValues(kept, all)
		}
		if valued {
			return all
		}
		if first == nil {
			first = all
		}
		if assertions++; assertions == mostAsserted {
			break
		}
	}
	return first
}

// reports returns the signatures of all lines that show the failure. Runs differ in the reports, so those with most
// frames come first, then frequent ones.
func (r *rule) reports(lines []string) (all []Signature) {
	times := map[string]int{}
	for i := range lines {
		for _, s := range r.at(lines, i, false) {
			if times[s.Title]++; times[s.Title] == 1 {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Signature) int {
		return cmp.Or(len(b.Criteria.Lines)-len(a.Criteria.Lines), times[b.Title]-times[a.Title],
			strings.Compare(a.Title, b.Title))
	})
	return all
}

// ofProgram reports whether the program chooses the message, which may be that of a hand-written check.
func (r *rule) ofProgram() bool { return r.kind == "exception" || r.kind == "panic" }

func (r *rule) at(lines []string, at int, strict bool) []Signature {
	shows, ok := r.line.match(lines[at], strict)
	if !ok {
		return nil
	}
	all := []found{shows}
	previous, chained, valued := at, true, false
	frame, callers, framed := r.innermost(lines, at)
	if !framed && slices.Contains([]string{"directly", "near", "close", "above"}, r.where) {
		return nil
	}
	for _, b := range r.related {
		if b.where == "then" && !chained {
			continue
		}
		from, to := 0, len(lines)
		switch b.where {
		case "next":
			from, to = min(previous+1, to), min(previous+2, to)
		case "then", "after":
			to = r.end(lines, at)
			from = min(previous+1, to)
		case "?":
			if r.where == "above" { // in front are earlier failures
				from = at + 1
			}
		}
		if b.where == "under" {
			if f, ok := last(&b.pattern, lines[:at], strict); ok {
				all = append(all, f)
			}
			continue
		}
		f, i, ok := first(&b.pattern, lines[from:to], strict)
		switch {
		case ok && b.where == "only":
			f.most = count(lines, b.regexp)
			fallthrough
		case ok:
			all = append(all, f)
			previous = from + i
			valued = valued || (b.where == "then" || b.where == "after") && f.title != ""
		case b.where == "then":
			chained = false
		case b.where != "?":
			return nil
		}
	}
	plain := r.signature(all)
	plain.valued = valued
	if r.where == "both" {
		plain.weak = "any " + strings.ToLower(plain.Title)
		if frames, callers := r.stack.both(lines[at+1:]); len(frames) > 0 {
			full := r.signature(slices.Insert(all, 1, frames...))
			full.addCallers(callers)
			return []Signature{full, plain}
		}
	}
	if r.where == "callers" {
		plain.addCallers(r.stack.callers(found{}, r.stack.from(lines[at+1:])))
	}
	if !framed || frame == (found{}) {
		return []Signature{plain}
	}
	full := r.signature(slices.Insert(all, 1, frame))
	full.valued = valued
	full.addCallers(callers)
	return []Signature{full, plain}
}

func first(p *pattern, lines []string, strict bool) (f found, i int, ok bool) {
	for i, line := range lines {
		if f, ok := p.match(line, strict); ok {
			return f, i, true
		}
	}
	return found{}, 0, false
}

func count(lines []string, p *regexp.Regexp) (n int) {
	for _, line := range lines {
		if p.MatchString(line) {
			n++
		}
	}
	return n
}

func last(p *pattern, lines []string, strict bool) (f found, ok bool) {
	for _, line := range slices.Backward(lines) {
		if f, ok := p.match(line, strict); ok {
			return f, true
		}
	}
	return found{}, false
}

// end returns the next line that shows a failure of the same rule.
func (r *rule) end(lines []string, at int) int {
	if _, i, ok := first(&r.line, lines[at+1:], false); ok {
		return at + 1 + i
	}
	return len(lines)
}

func (r *rule) signature(all []found) Signature {
	s := Signature{Kind: r.kind, Strong: !r.weak}
	for _, f := range all {
		s.Shown = append(s.Shown, f.line)
		switch {
		case s.Title == "":
			s.Title = f.title
		case f.title != "":
			s.Title = strings.TrimRight(s.Title, " .:") + ", " + f.title
		}
		s.Criteria.Lines = append(s.Criteria.Lines, oracle.Line{Pattern: f.like, Least: 1, Most: f.most})
	}
	s.Title = strings.TrimRight(s.Title, " ")
	return s
}

// nearby is the number of further lines that a message may have before the frames.
const nearby = 9

// innermost returns the frame of the failure that line at shows, and the callers. The frame is zero
// if all are ignored. framed reports whether there are any.
func (r *rule) innermost(lines []string, at int) (frame found, callers []found, framed bool) {
	if r.stack == nil || r.where == "callers" || r.where == "both" {
		return found{}, nil, false
	}
	if r.where == "often" {
		frame, framed = r.stack.recursion(lines)
		return frame, nil, framed
	}
	near := lines[at+1:]
	if r.where == "above" {
		near = slices.Clone(lines[:at])
		slices.Reverse(near)
	}
	for i, line := range near {
		f, is := r.stack.frame(line)
		switch {
		case is && f != (found{}):
			return f, r.stack.callers(f, near[i+1:]), true
		case is:
			framed = true
		case r.where == "directly" && i == 0, r.where == "near" && i >= nearby, r.where == "above" && !isQuoted(line),
			r.where == "close" && !framed && !isQuoted(line):
			return found{}, nil, framed
		}
	}
	if r.where == "below" {
		if f, ok := r.stack.withoutName(near); ok {
			return f, nil, true
		}
	}
	return found{}, nil, framed
}

// both returns the first frames of two paragraphs in order of their titles, and the direct callers.
func (s *stack) both(lines []string) (frames, callers []found) {
	var stacks [][]found
	for range 2 {
		end := slices.Index(append(slices.Clip(lines), ""), "")
		if stack := s.callers(found{}, s.from(lines[:end])); len(stack) > 0 {
			stacks = append(stacks, stack)
		}
		lines = lines[min(end+1, len(lines)):]
	}
	slices.SortFunc(stacks, func(a, b []found) int { return strings.Compare(a[0].title, b[0].title) })
	add := func(to *[]found, of []found) {
		if len(of) > 0 && !slices.ContainsFunc(*to, func(f found) bool { return f.title == of[0].title }) {
			*to = append(*to, of[0])
		}
	}
	for _, stack := range stacks {
		add(&frames, stack)
		add(&callers, stack[1:])
	}
	return frames, callers
}

// isQuoted reports whether a line may be part of source code that a tool quotes, or pytest's line between frames.
func isQuoted(line string) bool {
	return line == "" || line[0] == ' ' || line[0] == '>' || strings.HasPrefix(line, "_ _ ")
}

func (s *Signature) addCallers(frames []found) {
	for _, f := range frames {
		if !strings.Contains(s.Title+",", f.title+",") && !nameless.MatchString(f.title) {
			s.Callers = append(s.Callers, Frame{f.title, f.line, f.like})
		}
	}
	s.Callers = s.Callers[:min(len(s.Callers), Frames-1)]
}

func (s *stack) from(lines []string) []string {
	for i, line := range lines {
		if _, is := s.frame(line); is {
			return lines[i:]
		}
	}
	return nil
}

// endsStack matches a line that ends a stack: it is not indented, or begins an exception of a group in Python.
var endsStack = regexp.MustCompile(`^([^ \t]|$| +[+]-)`)

// callers returns the other functions on the stack, up to Frames.
func (s *stack) callers(of found, lines []string) (callers []found) {
	known := map[string]bool{of.title: true}
	for _, line := range lines {
		f, is := s.frame(line)
		switch {
		case len(callers) == Frames, !is && endsStack.MatchString(line):
			return callers
		case f != (found{}) && !known[f.title]:
			known[f.title] = true
			callers = append(callers, f)
		}
	}
	return callers
}

// withoutName returns the first frame after the signal handler, for code without symbols.
func (s *stack) withoutName(lines []string) (frame found, ok bool) {
	handled := false
	for _, line := range lines {
		if s.behind != nil && s.behind.MatchString(line) {
			handled = true
			continue
		}
		for i := range s.nameless {
			if f, ok := s.nameless[i].find(line); ok && handled {
				return f, true
			}
		}
	}
	return found{}, false
}

func (s *stack) recursion(lines []string) (most found, framed bool) {
	times := map[string]int{}
	for _, line := range lines {
		f, is := s.frame(line)
		framed = framed || is
		if f == (found{}) {
			continue
		}
		times[f.title]++
		n, best := times[f.title], times[most.title]
		if most == (found{}) || n > best || n == best && f.title < most.title {
			most = f
		}
	}
	return most, framed
}

func (s *stack) frame(line string) (found, bool) {
	for _, p := range s.frames {
		f, ok := p.find(line)
		switch {
		case !ok:
			continue
		case slices.ContainsFunc(s.skip, func(skip *regexp.Regexp) bool { return skip.MatchString(line) }):
			return found{}, true
		}
		return f, true
	}
	return found{}, false
}
