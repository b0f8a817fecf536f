package antlr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"whittle/parse/antlr/g4"
)

// sketch draws a tree like the parser that the ANTLR tool generates. Each line is a rule's name, or a token as
// TYPE@offset "text" with an offset in characters. A syntax error is "error line:column" with columns from 0.
func (l *Language) sketch(source []byte) string {
	faults, err := l.Faults(source)
	if err != nil {
		return err.Error()
	}
	// A generated parser ignores everything after the start rule.
	if len(faults) > 0 && !strings.Contains(faults[0].Text, "is left over") {
		return fmt.Sprintf("error %d:%d\n", faults[0].Line, faults[0].Column-1)
	}
	d := &drawing{Language: l, source: source}
	l.mu.Lock()
	defer l.mu.Unlock()
	d.file = l.scanner.scan(source)
	l.walk(source, d.file, func() events {
		d.root = &drawn{}
		d.rules = []*drawn{d.root}
		return d
	})
	d.print(d.root.children[0], 0)
	return d.out.String()
}

type drawing struct {
	*Language
	source []byte
	file   *lexed
	root   *drawn
	rules  []*drawn // open rules; a group stands for the rule around it

	out           strings.Builder
	bytes, offset int
}

type drawn struct {
	rule        int
	isToken     bool
	token, kind int
	children    []*drawn
}

func (d *drawing) rule() *drawn { return d.rules[len(d.rules)-1] }

func (d *drawing) add(n *drawn) { d.rule().children = append(d.rule().children, n) }

func (d *drawing) open(m mark) {
	n := d.rule()
	if m.rule {
		n = &drawn{rule: int(m.symbol)}
		d.add(n)
	}
	d.rules = append(d.rules, n)
}

func (d *drawing) close() { d.rules = d.rules[:len(d.rules)-1] }

func (d *drawing) leaf(n, kind int, _ mark) { d.add(&drawn{isToken: true, token: n, kind: kind}) }

func (d *drawing) wrap() {
	inner := *d.rule()
	d.rule().children = []*drawn{&inner}
}

func (d *drawing) choose(mark) {}
func (d *drawing) skipped(int) {}

func (d *drawing) print(n *drawn, depth int) {
	d.out.WriteString(strings.Repeat("  ", depth))
	if n.isToken {
		d.printToken(n)
		return
	}
	d.out.WriteString(d.grammar.Rules[n.rule].Name + "\n")
	for _, c := range n.children {
		d.print(c, depth+1)
	}
}

func (d *drawing) printToken(n *drawn) {
	if n.kind == g4.EOF {
		fmt.Fprintf(&d.out, "EOF@%d\n", utf8.RuneCount(d.source))
		return
	}
	at := d.file.tokens[n.token]
	d.offset += utf8.RuneCount(d.source[d.bytes:at.start])
	d.bytes = int(at.start)
	name := d.grammar.Tokens[n.kind-1].Name
	if name == "" {
		name = "'" + escape(d.grammar.Tokens[n.kind-1].Literal) + "'"
	}
	fmt.Fprintf(&d.out, "%s@%d \"%s\"\n", name, d.offset, escape(string(d.source[at.start:at.end])))
}

func escape(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r < ' ' || r > '~' || r == '\\' {
			fmt.Fprintf(&out, "\\u{%x}", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
