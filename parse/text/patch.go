package text

import "bytes"

// headOf returns the rank of the first line of text if it is the head of a file or hunk of a patch,
// or 0. A patch has only parts of files, and some lines twice. So heads end all brackets, and a hunk
// consists of lines, regardless of indentation.
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

// hunk is the rank of a hunk's head.
const hunk = 1

// inHunk reports whether a line may belong to the hunk above it.
func inHunk(text []byte) bool {
	return len(text) > 0 && bytes.IndexByte([]byte(" +-\\\t"), text[0]) >= 0
}
