package g4_test

import (
	"fmt"
	"testing/fstest"

	"whittle/parse/antlr/g4"
)

func Example() {
	files := fstest.MapFS{
		"Sum.g4": {Data: []byte("grammar Sum; sum : NUMBER ('+' NUMBER)* EOF ; NUMBER : [0-9]+ ;")},
		"Bad.g4": {Data: []byte("grammar Bad; sum : NUMBER '+' sun ; NUMBER : [9-0]+ ;")},
	}
	g, err := g4.Load(files.ReadFile, "Sum.g4")
	fmt.Println(g.Name, g.Tokens, err)
	_, err = g4.Load(files.ReadFile, "Bad.g4")
	fmt.Println(err)
	// Output:
	// Sum [{ +} {NUMBER }] <nil>
	// Bad.g4:1:31: rule sun is not defined
	// Bad.g4:1:47: range 9-0 is reversed
}
