package g4

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

func load(files map[string]string, paths ...string) (*Grammar, error) {
	return Load(func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}, paths...)
}

func loadText(text string) (*Grammar, error) {
	return load(map[string]string{"x.g4": text}, "x.g4")
}

func mustLoad(t *testing.T, text string) *Grammar {
	t.Helper()
	g, err := loadText(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func show(g *Grammar) string {
	var b strings.Builder
	b.WriteString("tokens")
	for i := range g.Tokens {
		b.WriteString(" " + showToken(g, i+1))
	}
	b.WriteString("\n")
	for _, r := range g.Rules {
		fmt.Fprintf(&b, "%s: %s\n", r.Name, showBlock(g, r.Body, false))
	}
	if g.LexerRules != nil {
		for i, r := range g.LexerRules {
			mode := "fragment"
			for _, m := range g.Modes {
				for _, j := range m.Rules {
					if j == i {
						mode = m.Name
					}
				}
			}
			if mode == "DEFAULT_MODE" {
				mode = ""
			} else {
				mode += " "
			}
			fmt.Fprintf(&b, "%s%s=%d: %s%s\n", mode, r.Name, r.Type, showBlock(g, r.Body, true), showCommands(g, r))
		}
	}
	return b.String()
}

func showToken(g *Grammar, kind int) string {
	if kind == EOF {
		return "EOF"
	}
	t := g.Tokens[kind-1]
	if t.Literal != "" {
		return fmt.Sprintf("%s%q", t.Name, t.Literal)
	}
	return t.Name
}

func showCommands(g *Grammar, r *Rule) string {
	text := ""
	for i, commands := range r.Commands {
		for _, c := range commands {
			text += fmt.Sprintf(" -> %d:", i)
			switch c.Kind {
			case Skip:
				text += "skip"
			case More:
				text += "more"
			case PopMode:
				text += "pop"
			case Type:
				text += "type " + showToken(g, c.Arg)
			case Channel:
				text += fmt.Sprint("channel ", c.Arg)
			case SetMode:
				text += "mode " + g.Modes[c.Arg].Name
			case PushMode:
				text += "push " + g.Modes[c.Arg].Name
			}
		}
	}
	return text
}

func showBlock(g *Grammar, b *Block, lexer bool) string {
	var alts []string
	for _, a := range b.Alts {
		var parts []string
		if a.RightAssoc {
			parts = append(parts, "<right>")
		}
		for _, e := range a.Elements {
			parts = append(parts, showElement(g, e, lexer))
		}
		alts = append(alts, strings.Join(parts, " "))
	}
	return strings.Join(alts, " | ")
}

func showElement(g *Grammar, e Element, lexer bool) string {
	switch e := e.(type) {
	case *RuleRef:
		if lexer {
			return g.LexerRules[e.Rule].Name
		}
		return g.Rules[e.Rule].Name
	case *TokenRef:
		return showToken(g, e.Type)
	case *Set:
		text := ""
		if e.Not && len(e.Ranges) == 0 {
			return "."
		}
		if e.Not {
			text = "~"
		}
		return text + showRanges(e.Ranges, lexer)
	case *Block:
		return "(" + showBlock(g, e, lexer) + ")"
	case *Code:
		if e.Predicate {
			return "{" + e.Text + "}?"
		}
		return "{" + e.Text + "}"
	case *Repeat:
		suffix := map[[2]bool]string{{true, false}: "?", {true, true}: "*", {false, true}: "+"}[[2]bool{e.Optional, e.Many}]
		if e.NonGreedy {
			suffix += "?"
		}
		return "(" + showBlock(g, e.Body, lexer) + ")" + suffix
	}
	return fmt.Sprintf("%T?", e)
}

func showRanges(ranges []Range, chars bool) string {
	text := "["
	for i, r := range ranges {
		if !chars && i > 0 {
			text += ","
		}
		text += showMember(r.From, chars)
		if r.To != r.From {
			text += "-" + showMember(r.To, chars)
		}
	}
	return text + "]"
}

func showMember(c int, chars bool) string {
	switch {
	case !chars:
		return fmt.Sprint(c)
	case c < ' ' || c > '~':
		return fmt.Sprintf("<%x>", c)
	}
	return string(rune(c))
}
