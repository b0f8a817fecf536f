package text

import "bytes"

// headOf returns how far the line that text begins with stands above those below it,
// if it is a head of a patch: of what is about a file, or of a hunk; else 0.
//
// Of the files on both sides a patch has parts only, and some lines twice. So its
// heads end all brackets, and what stands in a hunk is lines, however deep they are
// indented.
func headOf(text []byte) int32 {
	switch {
	case bytes.HasPrefix(text, []byte("diff --git ")):
		return 3
	case bytes.HasPrefix(text, []byte("--- ")):
		if _, next, _ := bytes.Cut(text, []byte("\n")); bytes.HasPrefix(next, []byte("+++ ")) {
			return 2
		}
	case bytes.HasPrefix(text, []byte("@@ -")), bytes.HasPrefix(text, []byte("@@@ -")):
		return hunk
	}
	return 0
}

// hunk is what headOf says of the head of one.
const hunk = 1

// inHunk reports whether a line may belong to the hunk above it.
func inHunk(text []byte) bool {
	return len(text) > 0 && bytes.IndexByte([]byte(" +-\\\t"), text[0]) >= 0
}
