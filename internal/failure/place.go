package failure

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"whittle/oracle"
)

// A Place is the place of a crash in a report of a sanitizer or debugger.
type Place struct {
	Signature
	Undefined []*regexp.Regexp // for lines of other undefined behavior
}

var (
	report = regexp.MustCompile(`ERROR: ([A-Za-z]+Sanitizer|Debugger): `)
	// signalled matches signals that are not about memory in general.
	signalled = regexp.MustCompile(`(SEGV|BUS|FPE|ILL|TRAP|ABRT)$`)
	// accessed matches a wrong address, which a library function may explain.
	accessed    = regexp.MustCompile(`(SEGV|BUS)$`)
	undefined   = regexp.MustCompile(`([^/ ]+:[0-9]+):[0-9]+: runtime error: `)
	fileAndLine = regexp.MustCompile(`^[^:]+:[0-9]+`)
	// library matches a frame of a C library function, under any name: strlen,
	// __interceptor_strlen, __strlen_avx2.
	library = regexp.MustCompile(`^ *#[0-9]+ 0x[0-9a-f]+ in _*(?:interceptor_+)?_*([a-z]+)` +
		`(?:_(?:[a-z]*sse|avx|evex|erms|una)[a-z0-9_]*|_chk|\.[a-z0-9.]+)? `)
)

// PlaceOf returns the kind of error and access, and the C library functions that were called there
// or that allocated and freed the memory. The program's own functions count only for signals and
// endless recursion, where the rest says too little.
func PlaceOf(run oracle.Run) (Place, bool) {
	lines := printed(run.Output)
	at := slices.IndexFunc(lines, report.MatchString)
	if at < 0 {
		return Place{}, false
	}
	full, _, looser := reported(strings.Join(lines[at:], "\n"))
	if len(full) == 0 || full[0].Kind == Death {
		return Place{}, false
	}
	place := Place{Signature: full[0]}
	from := stacksOf(lines[at:])
	recursion := full[0].Kind == "stack overflow" // whose innermost call says nothing
	plain := slices.IndexFunc(looser, func(s Signature) bool { return s.Shown[0] == full[0].Shown[0] })
	switch {
	case plain < 0 || recursion:
	case !signalled.MatchString(looser[plain].Title),
		accessed.MatchString(looser[plain].Title) && len(from) > 0 && from[0].called != "":
		place.Signature = looser[plain]
	}
	if recursion {
		place.recursion(lines[at:])
	}
	for i, s := range from {
		if !recursion {
			place.calls(s, []string{"in ", "memory of "}[min(i, 1)])
		}
	}
	if signalled.MatchString(place.Title) && len(place.Criteria.Lines) == 1 {
		return Place{}, false // any other crash has that, too
	}
	for _, p := range known().patterns["place"] {
		if f, _, ok := first(&p, lines[at:], false); ok && !recursion {
			place.add(f)
		}
	}
	place.undefined(lines, from)
	return place, true
}

func (p *Place) add(f found) {
	p.Shown = append(p.Shown, f.line)
	if f.title != "" && !strings.Contains(p.Title, f.title) {
		p.Title += ", " + f.title
	}
	p.Criteria.Lines = append(slices.Clip(p.Criteria.Lines), oracle.Line{Pattern: f.like, Least: 1})
}

func (p *Place) recursion(lines []string) {
	times, most := map[string]int{}, 0
	var functions []found
	for _, line := range lines {
		f, _ := known().stacks["sanitizer"].frame(line)
		if f == (found{}) {
			continue
		}
		if times[f.title]++; times[f.title] == 1 {
			functions = append(functions, f)
		}
		most = max(most, times[f.title])
	}
	for _, f := range functions {
		if 4*times[f.title] >= most && !strings.Contains(p.Title, f.title) {
			p.add(f)
		}
	}
}

func (p *Place) calls(s trace, title string) {
	if s.called == "" || s.called == "abort" || s.called == "raise" {
		return
	}
	like := regexp.MustCompile(fmt.Sprintf(`^ *#[0-9]+ 0x[0-9a-f]+ in _*(interceptor_)?_*%s[_. ]`, s.called))
	if !slices.ContainsFunc(p.Criteria.Lines, func(l oracle.Line) bool { return l.Pattern.String() == like.String() }) {
		p.add(found{line: s.line, like: like, title: title + s.called})
	}
}

func (p *Place) undefined(lines []string, stacks []trace) {
	for _, line := range lines {
		m := undefined.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		all := crashesOf(oracle.Run{Output: []byte(line)})
		if len(all) == 0 || len(all[0].Criteria.Lines) == 0 {
			continue
		}
		like := all[0].Criteria.Lines[0].Pattern
		if len(stacks) > 0 && stacks[0].at == m[1] {
			p.add(found{line: line, like: like, title: strings.TrimPrefix(all[0].Title, "runtime error: ")})
		}
		if !slices.ContainsFunc(p.Undefined, func(r *regexp.Regexp) bool { return r.String() == like.String() }) {
			p.Undefined = append(p.Undefined, like)
		}
	}
}

type trace struct {
	called string // C library function, or ""
	line   string // its frame
	at     string // file and line of the innermost frame of the program
}

func stacksOf(lines []string) (all []trace) {
	s := known().stacks["sanitizer"]
	inside := false // above the program's first frame
	for _, line := range lines {
		f, is := s.frame(line)
		if !is {
			continue
		}
		if strings.HasPrefix(strings.TrimLeft(line, " "), "#0 ") {
			all = append(all, trace{})
			inside = true
		}
		if !inside || len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		if f != (found{}) {
			inside = false
			words := strings.Fields(line)
			last.at = fileAndLine.FindString(path.Base(words[len(words)-1]))
			continue
		}
		if m := library.FindStringSubmatch(line); m != nil {
			last.called, last.line = m[1], line
		}
	}
	return all
}
