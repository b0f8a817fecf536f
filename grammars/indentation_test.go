package grammars

import "testing"

// Indentation is significant in languages with blocks by indentation, if a file has such a block.
func TestIndentation(t *testing.T) {
	for _, x := range []struct {
		name, file string
		indented   bool
	}{
		{"elm", "f x =\n    case x of\n        1 -> 2\n        _ -> 3\n\ng = 4\n", true},
		{"scala", "class A:\n  def f = 1\n  def g = 2\nclass B\n", true},
		{"markdown", "- a\n\n  - b\n\n    c\n", true},
		{"python", "if x:\n    y\nz\n", true},
		{"python", "x = [\n    1,\n]\n", false},
		{"yaml", "a:\n  b: 1\nc: 2\n", true},
		{"c", "int f() {\n  return 1;\n}\n", false},
	} {
		l, _ := Find(x.name)
		tree, err := l.Parse([]byte(x.file))
		if err != nil || tree.Indented != x.indented {
			t.Errorf("%s: indentation is significant: %v (%v)\n%s", x.name, !x.indented, err, x.file)
		}
	}
}
