// Package pipeline reads and writes arguments that list passes, such as -passes=function(sroa,licm<no-speculation>).
package pipeline

import "strings"

// A Syntax describes the pipelines of a tool.
type Syntax struct {
	Option string   // in front of it, with one dash
	Levels []string // arguments that stand for one, such as -O2; also in names, such as default<O2>
	Prints []string // arguments that print it without names of parts, such as default<O2>
	Within string   // between passes; a text may lack the space
	Lists  []List   // of a pass, in order
}

// A List is inside of a pass. Without Close, the pass ends it. Passes may stay without the pass around them.
type List struct {
	Open, Within, Close string
	Passes              bool
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
func (p *Syntax) read(text, within string) (stages []*Stage, rest string, ok bool) {
	parts, rest, ok := cut(text, within[0])
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
	at := len(text)
	for _, l := range p.Lists {
		if i := strings.Index(text, l.Open); i > 0 {
			at = min(at, i)
		}
	}
	s, rest := &Stage{Name: text[:at], Unit: -1, Lists: make([][]*Stage, len(p.Lists))}, text[at:]
	for i, l := range p.Lists {
		if inner, found := strings.CutPrefix(rest, l.Open); found {
			stages, behind, ok := p.read(inner, l.Within)
			if behind, closed := strings.CutPrefix(behind, l.Close); ok && closed {
				s.Lists[i], rest = stages, behind
			}
		}
	}
	if rest != "" {
		return &Stage{Name: text, Unit: -1}
	}
	return s
}

// Text writes a list with the words of the units that are left; nil means all.
func (p *Syntax) Text(stages []*Stage, within string, left map[int][]string) string {
	var texts []string
	for _, s := range stages {
		name, there := []string{s.Name}, true
		if left != nil && s.Unit >= 0 {
			name, there = left[s.Unit]
		}
		text := strings.Join(name, "")
		for i, list := range s.Lists {
			l := p.Lists[i]
			inner := p.Text(list, l.Within, left)
			switch {
			case list == nil:
			case !there:
				text += inner
			case inner != "" || l.Passes:
				text += l.Open + inner + l.Close
			}
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, within)
}

// Word returns the argument with the units that are left. whole is the word with all.
func (p *Argument) Word(whole string, left map[int][]string) string {
	if text := p.Text(p.Stages, p.Within, left); text != p.Text(p.Stages, p.Within, nil) {
		return p.Prefix + text
	}
	return whole
}
