package samples

import (
	"bytes"
	"math/rand/v2"
	"slices"
)

var odd = []string{"\x00", "\xff\xfe", "\ufeff", "\r", "\u00a0", "é", "\t\t", "\n\n\n", "((", "}",
	"\"", "`", "*/", "${", " \\\n", "]]>"}

// Draw returns a random text of at most limit bytes: samples in sequence, perhaps truncated, with
// lines in another order or with odd bytes.
func Draw(r *rand.Rand, all []Sample, limit int) []byte {
	var text []byte
	for range 1 + r.IntN(3) {
		if s := all[r.IntN(len(all))].Text; len(text)+len(s) <= limit || text == nil {
			text = append(text, s...)
		}
	}
	text = text[:min(len(text), limit)]
	if r.IntN(4) == 0 {
		lines := bytes.SplitAfter(text, []byte("\n"))
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		text = bytes.Join(lines, nil)
	}
	if r.IntN(5) == 0 {
		text = text[:r.IntN(len(text)+1)]
	}
	if r.IntN(5) == 0 {
		for range 1 + r.IntN(3) {
			text = slices.Insert(text, r.IntN(len(text)+1), []byte(odd[r.IntN(len(odd))])...)
		}
	}
	if r.IntN(10) == 0 {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return text
}

// Needles returns up to n random substrings of a text, most of them short.
func Needles(r *rand.Rand, text []byte, n int) [][]byte {
	var needles [][]byte
	for range 1 + r.IntN(n) {
		if len(text) == 0 {
			break
		}
		long := 1 + r.IntN(4)
		if r.IntN(3) == 0 {
			long = 1 + r.IntN(24)
		}
		from := r.IntN(len(text))
		needles = append(needles, text[from:min(from+long, len(text))])
	}
	return needles
}

// Contains reports whether a text has all needles.
func Contains(text []byte, needles [][]byte) bool {
	return !slices.ContainsFunc(needles, func(needle []byte) bool { return !bytes.Contains(text, needle) })
}
