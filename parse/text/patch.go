package text

import "bytes"

// headOf returns the rank of the first line of text if it is the head of a file or hunk of a patch, or 0. Patches have
// only parts of files, and some lines twice. So heads end all brackets, and hunks are lists of lines.
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

const hunk = 1

func inHunk(text []byte) bool {
	return len(text) > 0 && bytes.IndexByte([]byte(" +-\\\t"), text[0]) >= 0
}
