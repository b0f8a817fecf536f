package grammars

import (
	"slices"
	"strings"
	"unicode/utf8"

	"whittle/parse"
)

// xml adds rules that the grammar lacks: an end tag needs its start tag, a reference to an entity its
// declaration, a prefix a declaration around it ("Namespaces in XML 1.0"), and text that is not UTF-8
// the encoding declaration.
type xml struct{ parse.Language }

func (l Language) asXML() Language {
	l.Language = xml{l.Language}
	return l
}

func (x xml) Parse(source []byte) (*parse.Tree, error) {
	t, err := x.Language.Parse(source)
	if err == nil {
		t.Needs = slices.Concat(tags(t), entities(t), encodings(t))
	}
	return t, err
}

func tokenText(t *parse.Tree, i int) string {
	return string(t.Source[t.Tokens[i].Start:t.Tokens[i].End])
}

func encodings(t *parse.Tree) (needs []parse.Need) {
	var named []int32
	for i, token := range t.Tokens {
		if strings.HasPrefix(tokenText(t, i), "encoding") {
			named = append(named, int32(i))
		}
		if len(named) > 0 && !utf8.Valid(t.Source[token.Start:token.End]) {
			needs = append(needs, parse.Need{Token: int32(i), Any: named})
		}
	}
	return needs
}

func entities(t *parse.Tree) (needs []parse.Need) {
	declared := map[string][]int32{}
	for i := 0; i+2 < len(t.Tokens); i++ {
		if tokenText(t, i) != "<!ENTITY" {
			continue
		}
		i++
		if tokenText(t, i) == "%" {
			i++
		}
		declared[tokenText(t, i)] = append(declared[tokenText(t, i)], int32(i))
	}
	if len(declared) == 0 {
		return nil
	}
	for i := range t.Tokens {
		for _, name := range references(tokenText(t, i)) {
			if any := declared[name]; any != nil {
				needs = append(needs, parse.Need{Token: int32(i), Any: any})
			}
		}
	}
	return needs
}

func tags(t *parse.Tree) (needs []parse.Need) {
	type declaration struct {
		prefix string
		token  int32
	}
	var scope []declaration
	type element struct {
		name  int32
		scope int // number of declarations outside
	}
	var open []element
	var names []int32 // of the current tag
	const outside, start, end = 0, 1, 2
	where := outside
	for i := range t.Tokens {
		s := tokenText(t, i)
		switch {
		case where == outside && s == "<":
			where = start
		case where == outside && s == "</":
			where = end
		case where == outside || s[0] == '"' || s[0] == '\'' || s == "=":
		case s != ">" && s != "/>":
			if where == start && len(names) == 0 {
				open = append(open, element{int32(i), len(scope)})
			}
			names = append(names, int32(i))
			if prefix, ok := strings.CutPrefix(s, "xmlns:"); ok {
				scope = append(scope, declaration{prefix, int32(i)})
			}
		default:
			for _, n := range names {
				prefix, _, _ := strings.Cut(tokenText(t, int(n)), ":")
				var any []int32
				for _, d := range scope {
					if d.prefix == prefix {
						any = append(any, d.token)
					}
				}
				if any != nil {
					needs = append(needs, parse.Need{Token: n, Any: any})
				}
			}
			if n := len(open); n > 0 && (where == end || s == "/>") {
				if where == end && len(names) > 0 {
					needs = append(needs, parse.Need{Token: names[0], Any: []int32{open[n-1].name}})
				}
				scope, open = scope[:open[n-1].scope], open[:n-1]
			}
			where, names = outside, names[:0]
		}
	}
	return needs
}

func references(token string) (names []string) {
	if strings.HasPrefix(token, "<!") || strings.HasPrefix(token, "<?") {
		return nil
	}
	for {
		i := strings.IndexAny(token, "&%")
		if i < 0 {
			return names
		}
		token = token[i+1:]
		if end := strings.IndexByte(token, ';'); end > 0 {
			names = append(names, token[:end])
		}
	}
}
