package text

import (
	"bytes"
	"slices"

	"whittle/parse"
)

// markers begin comments that end with their line. A longer one precedes its prefix.
var markers = []string{"--", "//", "%", ";;", ";", "!", "#"}

// markerOf returns the marker of comments in a text, or "": most lines with a marker begin with it. A patch has no
// comments.
func markerOf(source []byte) (most string) {
	counts, all, at := map[string]int{}, 0, 0
	for line := range bytes.Lines(source) {
		if rest := source[at:]; headOf(rest) > 0 {
			return ""
		}
		at += len(line)
		line = bytes.TrimLeft(line, " \t")
		i := slices.IndexFunc(markers, func(m string) bool { return bytes.HasPrefix(line, []byte(m)) })
		if i >= 0 && (markers[i] != "#" || len(line) == 1 || parse.SpaceLen(line[1:]) > 0 || line[1] == '#') {
			counts[markers[i]]++
		}
		all++
	}
	for _, m := range markers {
		if counts[m] >= max(fewNames, all/200, counts[most]+1) {
			most = m
		}
	}
	return most
}

func (o *outline) isComment(e element) bool {
	at := int(o.tokens[e.first].Start)
	return o.marker != "" && bytes.HasPrefix(o.source[at:], []byte(o.marker)) || o.fixed && fixedComment(o.source, at)
}

// code returns the elements of a line up to its comment.
func (o *outline) code(line []element) []element {
	for i := 1; i < len(line); i++ {
		if !line[i].glued && o.isComment(line[i]) && line[i].line == line[len(line)-1].line {
			return line[:i]
		}
	}
	return line
}

// withoutComment adds the comment at the end of a line, and returns the rest.
func (o *outline) withoutComment(line []element) []element {
	code := o.code(line)
	if len(code) < len(line) {
		o.add(line[len(code):], comment, parse.Optional)
		o.chunks(line[len(code):])
	}
	return code
}
