package failure

import (
	"regexp/syntax"
	"strings"
)

// Most output matches no pattern, and that must be fast. So a pattern is only tried on lines with
// a literal text that all its matches contain.

// literalOf returns the longest literal text that all matches of a pattern contain.
func literalOf(p *syntax.Regexp) (longest string) {
	switch p.Op {
	case syntax.OpLiteral:
		if p.Flags&syntax.FoldCase == 0 {
			return string(p.Rune)
		}
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		for _, sub := range p.Sub {
			if text := literalOf(sub); len(text) > len(longest) {
				longest = text
			}
		}
	}
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
