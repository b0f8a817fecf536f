package grammars

import (
	"bytes"
	"unicode/utf8"

	"whittle/parse"
)

// xml adds to the grammar what makes XML well-formed beyond it: a reference to
// an entity needs the declaration, characters of another encoding than UTF-8
// need the one that names it.
type xml struct{ parse.Language }

func (x xml) Parse(source []byte) (*parse.Tree, error) {
	t, err := x.Language.Parse(source)
	if err == nil {
		t.Needs = needs(t)
	}
	return t, err
}

func needs(t *parse.Tree) (found []parse.Need) {
	declared := map[string][]int32{}
	var encoding []int32
	text := func(i int) []byte { return source(t, i) }
	for i := range t.Tokens {
		if bytes.HasPrefix(text(i), []byte("encoding")) {
			encoding = append(encoding, int32(i))
		}
		if string(text(i)) != "<!ENTITY" || i+2 >= len(t.Tokens) {
			continue
		}
		name := i + 1
		if string(text(name)) == "%" {
			name++
		}
		declared[string(text(name))] = append(declared[string(text(name))], int32(name))
	}
	for i := range t.Tokens {
		for _, name := range references(text(i)) {
			if any := declared[name]; any != nil {
				found = append(found, parse.Need{Token: int32(i), Any: any})
			}
		}
		if len(encoding) > 0 && !utf8.Valid(text(i)) {
			found = append(found, parse.Need{Token: int32(i), Any: encoding})
		}
	}
	return found
}

func source(t *parse.Tree, i int) []byte { return t.Source[t.Tokens[i].Start:t.Tokens[i].End] }

// references gives the names of the entities that a token refers to. Comments
// and the like refer to none.
func references(token []byte) (names []string) {
	if bytes.HasPrefix(token, []byte("<!")) || bytes.HasPrefix(token, []byte("<?")) {
		return nil
	}
	for {
		i := bytes.IndexAny(token, "&%")
		if i < 0 {
			return names
		}
		token = token[i+1:]
		if end := bytes.IndexByte(token, ';'); end > 0 {
			names = append(names, string(token[:end]))
		}
	}
}
