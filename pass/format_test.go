package pass_test

import (
	"fmt"
	"strings"
	"testing"

	"whittle/grammars"
	"whittle/pass"
)

func TestFormat(t *testing.T) {
	language, _ := grammars.Find("c")
	const source = "int f(int a,int b){return 1;}"
	tree, err := language.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	gate := pass.Gate{Longer: func(file []byte) bool { return len(file) > 60 }}
	calls := 0
	for _, c := range []struct {
		name    string
		format  func(file string) string
		refused string
	}{
		{"spaces", func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, ",", " , ")), " ") }, ""},
		{"a semicolon", func(s string) string { return strings.Replace(s, "1;}", "1;;}", 1) }, ""},
		{"code", func(s string) string { return strings.Replace(s, "{return", "{f(1,2);return", 1) }, "tokens, and the file"},
		{"long", func(s string) string { return strings.TrimSpace(s) + strings.Repeat("\n", 60) }, "longer than the input"},
		{"no end", func(s string) string { return s + "\n" }, "changes its own output"},
		{"random", func(s string) string {
			calls++
			return strings.TrimSpace(s) + strings.Repeat(" ", calls)
		}, "changes its own output"},
	} {
		told := ""
		step := pass.Format(func(file []byte) ([]byte, error) { return []byte(c.format(string(file))), nil },
			func(err error) { told = fmt.Sprint(err) }).Search(tree, gate, pass.Plan{Parse: language.Parse})
		if (step == nil) != (c.refused != "") || !strings.Contains(told, c.refused) || told != "" && c.refused == "" {
			t.Errorf("%s: taken %v, %q; want %q", c.name, step != nil, told, c.refused)
		}
	}
}
