// Package pipeline reads and writes arguments that list passes, such as -passes=function(sroa,licm<no-speculation>).
package pipeline

import "strings"

// A Syntax describes the pipelines of a tool.
type Syntax struct {
	Option string   // in front of it, with one dash
	Levels []string // arguments that stand for one, such as -O2
	Prints []string // arguments that print it without names of parts, such as default<O2>
	Within byte     // between passes
	Spaced bool     // write a space behind Within
	Lists  []List   // of a pass, in order
}

// A List is inside of a pass. Without Close, the pass ends it. Passes may stay without the pass around them.
type List struct {
	Open, Within byte
	Close        string
	Passes       bool
}

// A Stage is an item of a pipeline: a pass, or an option of one.
type Stage struct {
	Name  string
	Unit  int        // a number for the caller, or -1
	Lists [][]*Stage // for each of the syntax; nil without one
}

// An Argument is a word with a pipeline.
type Argument struct {
	*Syntax
	Prefix string // of the word
	Stages []*Stage
}

// Read returns the pipeline that ends the words of an option; nil without one.
func (p *Syntax) Read(option []string) *Argument {
	name, text, joined := strings.Cut(option[0], "=")
	if p == nil || name != p.Option && name != "-"+p.Option || joined == (len(option) > 1) {
		return nil
	}
	prefix := name + "="
	if !joined {
		prefix, text = "", option[1]
	}
	stages, rest, ok := p.read(text, p.Within)
	if !ok || rest != "" {
		return nil
	}
	return &Argument{p, prefix, stages}
}

// read returns the stages of a list, and the rest behind it; ok is false if brackets do not match.
func (p *Syntax) read(text string, within byte) (stages []*Stage, rest string, ok bool) {
	parts, rest, ok := cut(text, within)
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			stages = append(stages, p.stage(part))
		}
	}
	return stages, rest, ok
}

// cut splits a text outside of brackets and quotes, up to a closing bracket without its opening one, where rest begins.
func cut(text string, within byte) (parts []string, rest string, ok bool) {
	from, depth, quoted := 0, 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("(<{[", c) >= 0:
			depth++
		case strings.IndexByte(")>}]", c) >= 0:
			if depth == 0 {
				return append(parts, text[from:i]), text[i:], true
			}
			depth--
		case c == within && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return append(parts, text[from:]), "", depth == 0 && !quoted
}

// stage reads a stage. If it is not a name with lists, all of it is the name.
func (p *Syntax) stage(text string) *Stage {
	opens := ""
	for _, l := range p.Lists {
		opens += string(rune(l.Open))
	}
	whole := &Stage{Name: text, Unit: -1}
	at := strings.IndexAny(text, opens)
	if at <= 0 {
		return whole
	}
	s, rest := &Stage{Name: text[:at], Unit: -1, Lists: make([][]*Stage, len(p.Lists))}, text[at:]
	for i, l := range p.Lists {
		if rest == "" || rest[0] != l.Open {
			continue
		}
		var ok bool
		s.Lists[i], rest, ok = p.read(rest[1:], l.Within)
		if !ok || !strings.HasPrefix(rest, l.Close) {
			return whole
		}
		rest = rest[len(l.Close):]
	}
	if rest != "" {
		return whole
	}
	return s
}

// Text writes a list with the words of the units that are left; nil means all.
func (p *Syntax) Text(stages []*Stage, within byte, left map[int][]string) string {
	var texts []string
	for _, s := range stages {
		name, there := []string{s.Name}, true
		if left != nil && s.Unit >= 0 {
			name, there = left[s.Unit]
		}
		text := strings.Join(name, "")
		for i, l := range p.Lists {
			if s.Lists == nil || s.Lists[i] == nil {
				continue
			}
			inner := p.Text(s.Lists[i], l.Within, left)
			switch {
			case !there:
				text += inner
			case inner != "" || l.Passes:
				text += string(rune(l.Open)) + inner + l.Close
			}
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	between := string(rune(within))
	if p.Spaced && within == p.Within {
		between += " "
	}
	return strings.Join(texts, between)
}

// Word returns the argument with the units that are left. whole is the word with all.
func (p *Argument) Word(whole string, left map[int][]string) string {
	if text := p.Text(p.Stages, p.Within, left); text != p.Text(p.Stages, p.Within, nil) {
		return p.Prefix + text
	}
	return whole
}

// Passes counts the stages without passes of their own.
func (p *Argument) Passes() int { return p.passes(p.Stages) }

func (p *Argument) passes(stages []*Stage) (n int) {
	for _, s := range stages {
		inner := 0
		for i, l := range s.Lists {
			if p.Lists[i].Passes {
				inner += p.passes(l)
			}
		}
		n += max(inner, 1)
	}
	return n
}
