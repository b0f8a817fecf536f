package failure

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A pattern matches lines of output, and makes regular expressions of similar lines. It means the
// same to Go and to grep -E.
type pattern struct {
	regexp  *regexp.Regexp
	pieces  []piece
	title   string // with $1 for the first group
	literal string // contained in each matching line
}

type piece struct {
	source string
	mask   mask // of a group; nil for text
	strict mask // keeps names; nil for the same as mask
	named  bool
}

// A mask returns a regular expression for similar texts of a group, and a text for the user.
type mask func(matched string) (pattern, shown string)

var groups = map[string]piece{
	"{file}":   {`([^,:()"]+)`, maskFile, nil, true},
	"{func}":   {"(.+)", maskFunction, nil, true},
	"{symbol}": {"([^ ]+)", maskSymbol, nil, true},
	"{phrase}": {"([^(]+)", maskSymbol, nil, true},
	"{text}":   {"(.+)", maskText, maskCompared, true},
	"{said}":   {"(.+)", maskSaid, maskCompared, true},
	"{words}":  {"([^ ]+(?: [^ ]+)*)", maskSaid, maskCompared, true},
	"{value}":  {"(.+)", maskText, maskValue, true},
	"{any}":    {"(.+)", maskAny, nil, true},
	"{name}":   {"(.+)", maskAny, exactly, true},
	"{in}":     {"((?:[^']* in )?)", maskIn, nil, true},
	"{quoted}": {"([`'][^`']+')", maskQuoted, exactly, true},
}

// element matches a named group, an escaped character, a set, or any other character.
var element = regexp.MustCompile(`\{[a-z]+\}|\\.|\[\^?\]?(\[:[a-z]+:\]|[^]])*\]|.`)

// compile parses a regular expression with groups, and after "=>" the title.
func compile(text string) (pattern, error) {
	source, title, _ := strings.Cut(text, " => ")
	p := pattern{title: strings.TrimSpace(title), pieces: []piece{{}}}
	depth := 0
	for _, e := range element.FindAllString(strings.TrimSpace(source), -1) {
		last := &p.pieces[len(p.pieces)-1]
		group, isGroup := groups[e]
		switch {
		case isGroup:
			p.pieces = append(p.pieces, group, piece{})
		case len(e) > 1 && e[0] == '{':
			return p, fmt.Errorf("unknown group %s", e)
		case e == "(":
			if depth++; depth > 1 {
				last.source += "(?:"
			} else {
				p.pieces = append(p.pieces, piece{source: "(", mask: exactly})
			}
		case e == ")":
			last.source += ")"
			if depth--; depth == 0 {
				p.pieces = append(p.pieces, piece{})
			}
		case e == "?" && last.source == "" && len(p.pieces) > 1: // of a group
			p.pieces[len(p.pieces)-2].source += "?"
		default:
			last.source += e
		}
	}
	var whole strings.Builder
	for _, piece := range p.pieces {
		whole.WriteString(piece.source)
	}
	parsed, err := syntax.Parse(whole.String(), syntax.Perl)
	if err != nil {
		return p, err
	}
	p.regexp, p.literal = regexp.MustCompile(whole.String()), literalOf(parsed)
	return p, nil
}

type found struct {
	line  string
	like  *regexp.Regexp
	title string
	most  int // maximal number of such lines, or 0
}

func (p *pattern) find(line string) (f found, ok bool) { return p.match(line, false) }

// match is find; strict keeps names and compared values that may change while the file shrinks.
func (p *pattern) match(line string, strict bool) (f found, ok bool) {
	if !p.mayMatch(line) {
		return found{}, false
	}
	matched := p.regexp.FindStringSubmatchIndex(line)
	if matched == nil {
		return found{}, false
	}
	source, title := p.fill(line, matched, strict)
	like, err := regexp.Compile(source)
	if err != nil || !like.MatchString(line) {
		return found{}, false // binary output
	}
	return found{line: line, like: like, title: title}, true
}

func (p *pattern) fill(line string, matched []int, strict bool) (source, title string) {
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
			mask := piece.mask
			if strict && piece.strict != nil {
				mask = piece.strict
			}
			masked, shown = mask(line[from:matched[2*n+1]])
			b.WriteString(masked)
		}
		title = strings.ReplaceAll(title, "$"+strconv.Itoa(n), shown)
	}
	if strict && matched[1] == len(line) && !strings.HasSuffix(b.String(), "$") && compares(line) {
		b.WriteByte('$') // 7 is not the start of 75
	}
	return b.String(), readable(title)
}

func readable(title string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, title)
}

// kept returns the text of the first group without a mask.
func (p *pattern) kept(line string) string {
	matched := p.regexp.FindStringSubmatch(line)
	n := 0
	for _, piece := range p.pieces {
		if piece.mask == nil {
			continue
		}
		if n++; strings.HasPrefix(piece.source, "(") && !piece.named {
			return matched[n]
		}
	}
	return ""
}

// quote is regexp.QuoteMeta for Go and grep -E. Control characters become any character.
func quote(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == utf8.RuneError, r < ' ' && r != '\t', r == 0x7f:
			b.WriteByte('.')
			continue
		case r < utf8.RuneSelf && strings.IndexByte(`\.[*^$+?(){|`, byte(r)) >= 0:
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
