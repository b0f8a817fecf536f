package pass

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"whittle/parse"
)

// A Value is an expression for the value of a variable, or a part of it. Nil means unknown.
type Value struct {
	Text       string   // of a simple value
	Code       *string  // of a function; it may be empty
	Start, End string   // around the items of a list
	Items      []*Value // unknown ones become 0
	Of         string   // the class of an object
	Members    map[string]*Value
}

// UnmarshalJSON reads a text, or the fields.
func (v *Value) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &v.Text)
	}
	type fields Value
	return json.Unmarshal(text, (*fields)(v))
}

func (v *Value) names() []string { return slices.Sorted(maps.Keys(v.Members)) }

// maxValue limits the bytes of an expression.
const maxValue = 1000

// text returns the expression. If mentioned is not nil, objects have only these members. Functions have their code on
// request. An object must have a visible class; if visible is nil, classes are left out.
func (v *Value) text(mentioned map[string]bool, code bool, visible func(class string) bool) (string, bool) {
	text := ""
	switch {
	case v == nil || v.Code != nil && (!code || *v.Code == ""):
		return "", false
	case v.Code != nil:
		return "(" + *v.Code + ")", true
	case v.Start != "":
		items := make([]string, len(v.Items))
		for i, item := range v.Items {
			var ok bool
			if items[i], ok = item.text(mentioned, code, visible); !ok {
				items[i] = "0"
			}
		}
		text = v.Start + strings.Join(items, ", ") + v.End
	case v.Members != nil:
		var members []string
		switch {
		case v.Of == "" || visible == nil:
		case visible(v.Of):
			members = append(members, "__proto__: "+v.Of+".prototype")
		default:
			return "", false
		}
		for _, name := range v.names() {
			member, ok := v.Members[name].text(mentioned, code, visible)
			if !ok && mentioned != nil && mentioned[name] {
				return "", false
			}
			if ok && (mentioned == nil || mentioned[name]) {
				members = append(members, key(name)+": "+member)
			}
		}
		text = "{" + strings.Join(members, ", ") + "}"
	default:
		text = v.Text
	}
	return text, len(text) <= maxValue
}

func key(name string) string {
	if parse.WordLen([]byte(name)) == len(name) && name != "" && (name[0] < '0' || name[0] > '9') && name != "__proto__" {
		return name
	}
	quoted, _ := json.Marshal(name)
	return string(quoted)
}
