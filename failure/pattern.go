package failure

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A pattern matches lines of output, and makes of a line that it matches a pattern of
// such lines alone: its groups are replaced by what they matched, masked. It is a regular
// expression that means the same to Go and to grep -E.
type pattern struct {
	regexp *regexp.Regexp
	pieces []piece
	title  string // with $1 for the first group
}

// A piece is a part of a pattern: text, or a group.
type piece struct {
	source string
	mask   mask // of a group, else nil
}

// A mask makes, of what a group matched, a pattern without what varies, and a text for people.
type mask func(matched string) (pattern, shown string)

// groups are those with a name, as {file}.
var groups = map[string]piece{
	"file": {"[^ ,:()]+", maskFile},
	"func": {".+", maskFunction},
	"text": {".+", maskText},
	"said": {".+", maskSaid},
}

// group finds groups: those with a name, and those in brackets.
var group = regexp.MustCompile(`\\.|\[\^?\]?[^]]*\]|\{[a-z]+\}|\([^()]*\)\??`)

// compile reads a pattern: a regular expression with groups, and the title behind "=>".
func compile(text string) (pattern, error) {
	source, title, _ := strings.Cut(text, " => ")
	p := pattern{title: strings.TrimSpace(title)}
	source = strings.TrimSpace(source)
	var whole strings.Builder
	end := 0
	for _, at := range group.FindAllStringIndex(source, -1) {
		word := source[at[0]:at[1]]
		next := piece{source: word}
		switch word[0] {
		case '{':
			known, ok := groups[strings.Trim(word, "{}")]
			if !ok {
				return p, fmt.Errorf("there is no group %s", word)
			}
			next = piece{"(" + known.source + ")", known.mask}
		case '(':
			next.mask = exactly
		default:
			continue
		}
		p.pieces = append(p.pieces, piece{source: source[end:at[0]]}, next)
		whole.WriteString(source[end:at[0]] + next.source)
		end = at[1]
	}
	p.pieces = append(p.pieces, piece{source: source[end:]})
	whole.WriteString(source[end:])
	var err error
	p.regexp, err = regexp.Compile(whole.String())
	return p, err
}

// fill returns the pattern of lines like this one, and the title with what stands in it;
// ok is false if the pattern does not match the line.
func (p *pattern) fill(line string) (source, title string, ok bool) {
	matched := p.regexp.FindStringSubmatchIndex(line)
	if matched == nil {
		return "", "", false
	}
	var b strings.Builder
	title = p.title
	n := 0
	for _, piece := range p.pieces {
		if piece.mask == nil {
			b.WriteString(piece.source)
			continue
		}
		n++
		shown := ""
		if from := matched[2*n]; from >= 0 {
			var masked string
			masked, shown = piece.mask(line[from:matched[2*n+1]])
			b.WriteString(masked)
		}
		title = strings.ReplaceAll(title, "$"+strconv.Itoa(n), shown)
	}
	return b.String(), title, true
}

// quote returns a pattern of this text. It is that of regexp.QuoteMeta for what is
// special to grep -E, too.
func quote(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(`\.[*^$+?(){|`, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
