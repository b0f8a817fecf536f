// Package tokens counts tokens the same way for all files and for what any reducer leaves.
package tokens

import "regexp"

var token = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` +
	`[\pL_$][\pL\d_$]*|\.?\d[\w.]*|->|\+\+|--|<<=?|>>=?|[-+*/%&|^<>=!]=|&&|\|\||::|\.\.\.|\S`)

// Count counts tokens as a lexer of a language like C would. It takes any bytes: a string
// without an end is a quote and what follows.
func Count(file []byte) int { return len(token.FindAll(file, -1)) }
