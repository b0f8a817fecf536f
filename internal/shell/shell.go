// Package shell formats commands for a shell.
package shell

import "strings"

// Quote returns a word that a shell reads as s.
func Quote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,:@%", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Join returns a command of these words. An argument -a=b is not quoted because of its equals sign, nor {} because of
// its braces.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
		if strings.HasPrefix(w, "-") && Quote(strings.ReplaceAll(w, "=", "")) == strings.ReplaceAll(w, "=", "") || w == "{}" {
			quoted[i] = w
		}
	}
	return strings.Join(quoted, " ")
}
