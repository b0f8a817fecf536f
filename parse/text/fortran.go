package text

import (
	"bytes"
	"regexp"
)

// fixedComment reports whether a comment of fixed-form Fortran begins at i.
func fixedComment(source []byte, i int) bool {
	return (i == 0 || source[i-1] == '\n') && bytes.IndexByte([]byte("*cCdD!"), source[i]) >= 0
}

// fixedUnit matches the first line of a program unit of fixed-form Fortran.
var fixedUnit = regexp.MustCompile(`(?i)^ {6,}[a-z0-9*() ]*\b(program|subroutine|function|block ?data)\b`)

// isFixed reports whether a text is fixed-form Fortran: the first five columns have labels, a character in the next one
// continues a line.
func isFixed(source []byte) bool {
	found := false
	for line := range bytes.Lines(source) {
		line = bytes.TrimRight(line, " \t\r\n")
		if len(line) == 0 || line[0] == '\t' || fixedComment(line, 0) || line[0] == '#' {
			continue
		}
		if label := line[:min(len(line), 5)]; len(bytes.Trim(label, " 0123456789")) > 0 {
			return false
		}
		found = found || fixedUnit.Match(line)
	}
	return found
}

// continuation returns the length of a mark at i that continues a line of Fortran, or 0: & at its end and perhaps at
// the start of the next line, or a character in column 6.
func (s *scanner) continuation(i int) int {
	if s.fixed {
		if i > 5 && string(s.source[i-6:i]) == "\n     " && s.source[i] != '0' {
			return 1
		}
		return 0
	}
	if s.source[i] != '&' || s.commented {
		return 0
	}
	after := bytes.TrimLeft(s.source[i+1:], " \t\r")
	before := bytes.TrimRight(s.source[s.end:i], " \t")
	ends := bytes.HasPrefix(after, []byte("\n")) && s.end > 0 && s.source[i-1] != '&'
	begins := bytes.HasSuffix(before, []byte("\n")) && bytes.HasSuffix(bytes.TrimSpace(before), []byte("&"))
	if ends || begins {
		return 1
	}
	return 0
}
