package text

import "strings"

type role uint8

const (
	begins  role = iota // a line may end it by its name
	resumes             // as else: belongs to the lines before it
	ends
)

// roleOf returns the role of a line and the name of the block that it begins or ends:
//
//	\begin{table}  module top  #ifdef X  <item id="1">  .cfi_startproc  while x do
//	\end{table}    endmodule   #endif    </item>        .cfi_endproc    end
func (o *outline) roleOf(elements []element) (role, string) {
	if o.text(elements[0].first) == "<" || o.text(elements[0].first) == "</" {
		return o.tagOf(elements)
	}
	if elements[0].class != word {
		return begins, ""
	}
	first := strings.ToLower(strings.TrimLeft(firstWord(o.text(elements[0].first)), `\#.%@`))
	switch first {
	case "else", "elif", "elsif", "elseif", "catch", "except", "finally", "rescue", "ensure":
		return resumes, ""
	case "fi", "done", "esac", "od", "wend":
		return ends, ""
	case "endef":
		return ends, "define"
	case "endm":
		return ends, "macro"
	}
	role, name := begins, first
	for _, mark := range []string{"end", "begin", "start"} {
		if i := strings.Index(first, mark); i == 0 || i > 0 && first[i-1] == '_' {
			name = first[:i] + strings.TrimLeft(first[i+len(mark):], "_")
			if mark == "end" {
				role = ends
			}
			if name == "" {
				name = o.nextWord(elements)
			}
			break
		}
	}
	if strings.HasPrefix(name, "if") {
		name = "if"
	}
	return role, name
}

// tagOf is roleOf for a tag. A line that ends its element does not begin a block.
func (o *outline) tagOf(elements []element) (role, string) {
	if len(elements) < 2 || elements[1].class != word {
		return begins, ""
	}
	name := "<" + o.text(elements[1].first)
	if o.text(elements[0].first) == "</" {
		return ends, name
	}
	for _, e := range elements[2:] {
		if s := o.text(e.first); s == "</" || s == "/>" || s == "></" {
			return begins, ""
		}
	}
	return begins, name
}

func (o *outline) nextWord(elements []element) string {
	if first := elements[0].first; o.weights != nil && o.weights[first] > 1 {
		text := o.text(first)
		rest := strings.TrimLeftFunc(text[len(firstWord(text)):], func(r rune) bool { return r < 0x7f && !isWord(byte(r)) })
		return strings.ToLower(firstWord(rest))
	}
	for i := elements[0].first + 1; i < elements[len(elements)-1].last && i < elements[0].first+3; i++ {
		if o.classes[i] == word {
			return strings.ToLower(firstWord(o.text(i)))
		}
	}
	return ""
}

// rank returns the rank of a heading. All lines up to the next heading are below it.
func (o *outline) rank(elements []element) int32 {
	e := elements[0]
	if head := o.lines[e.line].head; head > 0 {
		return int32(head)
	}
	if o.tokens[e.first].Start > 0 && o.source[o.tokens[e.first].Start-1] != '\n' {
		return 0
	}
	switch text := o.text(e.first); {
	case firstWord(text) == "diff" || firstWord(text) == "Index":
		return 3
	case strings.HasPrefix(text, "---") || strings.HasPrefix(text, "===") || text == "***":
		return 2
	case text == "@@" || text == "[" && e.last > e.first+1 && len(elements) == 1:
		return 1
	}
	return 0
}

func (o *outline) text(token int32) string {
	t := o.tokens[token]
	return string(o.source[t.Start:t.End])
}
