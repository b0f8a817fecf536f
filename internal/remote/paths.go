package remote

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// remotePath replaces paths of files of the test in a word, as in -I/src/include, by their paths
// on the worker.
func (b *base) remotePath(word string) string {
	inputs := slices.Clone(b.inputs)
	slices.SortFunc(inputs, func(x, y Input) int { return cmp.Compare(len(y.Local), len(x.Local)) })
	for _, in := range inputs {
		var done strings.Builder
		for rest := word; ; {
			i := strings.Index(rest, in.Local)
			if i < 0 {
				word = done.String() + rest
				break
			}
			before, after := rest[:i], rest[i+len(in.Local):]
			done.WriteString(before)
			if inPath(before) || strings.HasSuffix(before, testMark) || isNamed(after) {
				done.WriteString(in.Local)
			} else {
				done.WriteString(testMark + in.Path)
			}
			rest = after
		}
	}
	return word
}

func inPath(text string) bool {
	return strings.Contains(text[strings.LastIndexAny(text, " \t\n=:;,|&<>()'\"")+1:], "/")
}

// isNamed reports whether a text begins in the middle of a file name.
func isNamed(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-+@%~", r))
}
