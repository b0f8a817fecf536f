package facts

import (
	"errors"
	"fmt"
	"testing"
)

func TestRead(t *testing.T) {
	read := func(text string) string {
		var got string
		err := Read("a.txt", text, func(line string) { got += fmt.Sprintf("[%s]", line) },
			func(name, value string) error {
				got += fmt.Sprintf("(%s=%s)", name, value)
				if name == "bad" {
					return errors.New("nobody knows bad")
				}
				return nil
			})
		if err != nil {
			got += err.Error()
		}
		return got
	}
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"# a\n\none two\n  x  1 2 \n\ty\n  # z\nthree\n", "[one two](x=1 2)(y=)[three]"},
		{"\n  x 1\n", "a.txt:2: x 1 is of nothing"},
		{"one\n  x 1\n  bad 2\n  y 3\n", "[one](x=1)(bad=2)a.txt:3: nobody knows bad"},
	} {
		if got := read(tt.text); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}
