package failure

import "strings"

// Most output matches no pattern, and that must be fast. So a pattern is only tried on lines with
// a literal text that all its matches contain.

// literalOf returns the longest literal text that all matches of a pattern contain.
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
			return "" // alternatives
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

func (p *pattern) mayMatch(text string) bool { return strings.Contains(text, p.literal) }

func (r *rule) mayShow(text string) bool {
	for i := range r.related {
		if b := &r.related[i]; b.where != "?" && !b.mayMatch(text) {
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
