package account

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// decode reads a link as the page does: the URL's escapes, rison, then the letters for keys and values.
func decode(t *testing.T, link string) map[string]any {
	t.Helper()
	fragment, found := strings.CutPrefix(link, explorerHome)
	text, err := url.QueryUnescape(fragment)
	if !found || err != nil {
		t.Fatalf("%s: %v", link, err)
	}
	p := parser{t, "(" + text + ")"}
	state := p.value().(map[string]any)
	if p.rest != "" || state["version"] != 4 {
		t.Fatalf("%s: %v, followed by %q", link, state, p.rest)
	}
	return long(state).(map[string]any)
}

type parser struct {
	t    *testing.T
	rest string
}

func (p *parser) take(prefix string) bool {
	rest, found := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return found
}

func (p *parser) value() any {
	switch {
	case p.take("!("):
		all := []any{}
		for !p.take(")") {
			all = append(all, p.value())
			p.take(",")
		}
		return all
	case p.take("("):
		all := map[string]any{}
		for !p.take(")") {
			key, rest, _ := strings.Cut(p.rest, ":")
			p.rest = rest
			all[key] = p.value()
			p.take(",")
		}
		return all
	case p.take("'"):
		var b strings.Builder
		for !p.take("'") {
			p.take("!")
			b.WriteByte(p.rest[0])
			p.rest = p.rest[1:]
		}
		return b.String()
	}
	end := strings.IndexAny(p.rest, ",)")
	var n int
	if _, err := fmt.Sscan(p.rest[:end], &n); err != nil {
		p.t.Fatal(err)
	}
	p.rest = p.rest[end:]
	return n
}

func long(value any) any {
	keys := map[string]string{"g": "content", "h": "componentName", "i": "componentState", "l": "type"}
	values := map[string]string{"2": "row", "3": "column", "5": "component"}
	switch v := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for key, member := range v {
			if name, known := keys[key]; known {
				key = name
			} else if len(key) == 1 {
				panic("unknown key " + key)
			}
			all[key] = long(member)
		}
		return all
	case []any:
		for i := range v {
			v[i] = long(v[i])
		}
	case string:
		if rest, escaped := strings.CutPrefix(v, "___"); escaped {
			return rest[:1]
		}
		if name, known := values[v]; known {
			return name
		} else if len(v) == 1 {
			panic("unknown value " + v)
		}
	}
	return value
}

func states(value any, name string) (found []map[string]any) {
	v, _ := value.(map[string]any)
	if v["componentName"] == name && v["type"] == "component" {
		return []map[string]any{v["componentState"].(map[string]any)}
	}
	members, _ := v["content"].([]any)
	for _, m := range members {
		found = append(found, states(m, name)...)
	}
	return found
}

func TestLink(t *testing.T) {
	for _, source := range []string{
		"int main(void) { return 0; }\n", "c", "'", "it's (not) !here,: 100% a+b=c & #x <y> \"z\" ä\t\\ \x01\n", "",
	} {
		for _, language := range []string{"c", "c++"} {
			p := Page{Language: language, Source: source, Panes: []Pane{
				{ID: "cg122", Options: "-O2 -DX='a b'"}, {ID: "cgsnapshot", Options: "x", Executes: true}, {ID: "cclang1600"}}}
			link := p.Link()
			if strings.ContainsAny(link, " \n\t<>\"\\`") {
				t.Errorf("%q needs escapes in Markdown", link)
			}
			page := decode(t, link)
			editor := states(page["content"].([]any)[0], "codeEditor")
			if len(editor) != 1 || editor[0]["source"] != source || editor[0]["lang"] != language {
				t.Errorf("%q: the editor is %v", source, editor)
			}
			compilers := states(page["content"].([]any)[0], "compiler")
			if len(compilers) != 2 || compilers[0]["compiler"] != "cg122" || compilers[0]["options"] != p.Panes[0].Options ||
				compilers[0]["lang"] != language || compilers[1]["compiler"] != "cclang1600" || compilers[1]["options"] != "" {
				t.Errorf("the compilers are %v", compilers)
			}
			executors := states(page["content"].([]any)[0], "executor")
			if len(executors) != 1 || executors[0]["compiler"] != "cgsnapshot" || executors[0]["options"] != "x" {
				t.Errorf("the executors are %v", executors)
			}
		}
	}
}

func TestNoLink(t *testing.T) {
	for _, source := range []string{strings.Repeat("x", mostLink), strings.Repeat("\n", mostLink/2), "\xff", "___x"} {
		if link := (Page{Language: "c", Source: source}).Link(); link != "" {
			t.Errorf("%.20q has a link of %d bytes", source, len(link))
		}
	}
	if link := (Page{Language: "c", Source: strings.Repeat("x\n", mostLink/8)}).Link(); link == "" {
		t.Error("a file of 2 kB has no link")
	}
}
