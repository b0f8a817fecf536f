// Package tokens counts tokens in the same way for all files and the results of all reducers.
package tokens

import "regexp"

var token = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` +
	`[\pL_$][\pL\d_$]*|\.?\d[\w.]*|->|\+\+|--|<<=?|>>=?|[-+*/%&|^<>=!]=|&&|\|\||::|\.\.\.|\S`)

// Count counts tokens like the lexer of a C-like language. It accepts any bytes; the quote of an
// unterminated string is a token.
func Count(file []byte) int { return len(token.FindAll(file, -1)) }
