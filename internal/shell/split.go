package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Split is the inverse of [Join]: it returns the words of a command. Patterns and unknown variables stay as they are.
func Split(command string) (words []string, err error) {
	r := reader{script: command}
	for w, err := range syntax.NewParser().WordsSeq(strings.NewReader(command)) {
		if err != nil {
			return nil, err
		}
		word, _, _ := r.text(w)
		words = append(words, word)
	}
	return words, nil
}
