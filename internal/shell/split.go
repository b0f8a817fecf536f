package shell

import (
	"errors"
	"strings"
)

// Split is the inverse of [Join]: it returns the words of a command without variables, operators and patterns.
func Split(command string) (words []string, err error) {
	var word strings.Builder
	var quote byte // 0 outside of quotes
	inWord := false
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(command) &&
			(quote == 0 || strings.IndexByte("\"\\$`", command[i+1]) >= 0):
			i++
			word.WriteByte(command[i])
			inWord = true
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, inWord = c, true
		case quote == 0 && strings.IndexByte(" \t\n", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quotation mark is missing")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
