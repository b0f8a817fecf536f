package failure

import "strings"

// Most of what tools print at most tests matches no pattern at all, and that is to take no
// time. So each pattern knows a text without which it matches nothing, and is asked about
// lines only where that is.

// literalOf returns the longest text that is in all that a pattern matches.
func literalOf(source string) (longest string) {
	var run strings.Builder
	end := func() {
		if run.Len() > len(longest) {
			longest = run.String()
		}
		run.Reset()
	}
	for source != "" {
		n := element(source)
		word := source[:n]
		if source[0] == '(' {
			n = grouped(source)
			word = source[:n]
		}
		rest := source[n:]
		repeated := rest != "" && strings.IndexByte("*?+{", rest[0]) >= 0
		switch c := word[0]; {
		case c == '(' && !repeated:
			end()
			if inner := literalOf(word[1 : len(word)-1]); len(inner) > len(longest) {
				longest = inner
			}
		case c == '|':
			return "" // one or the other
		case repeated, strings.IndexByte("([.^$*+?{", c) >= 0:
			end()
		default:
			run.WriteString(strings.TrimPrefix(word, `\`))
		}
		source = rest
	}
	end()
	return longest
}

// mayMatch reports whether a pattern may match something of a text.
func (p *pattern) mayMatch(text string) bool { return strings.Contains(text, p.literal) }

// mayShow reports whether a text may show the failure of a rule.
func (r *rule) mayShow(text string) bool {
	for i := range r.beside {
		if b := &r.beside[i]; b.where != "?" && !b.mayMatch(text) {
			return false
		}
	}
	if !r.line.mayMatch(text) {
		return false
	}
	if r.where != "above" && r.where != "directly" {
		return true
	}
	for i := range r.stack.frames {
		if r.stack.frames[i].mayMatch(text) {
			return true
		}
	}
	return false
}
