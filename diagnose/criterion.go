package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"whittle/oracle"
)

// criterion returns the flag that tells the input from an empty file and from
// garbage, by how the test ends: by a signal, by what it prints, or by its exit code;
// "" if there is none. An exit code that any broken file has is none.
func (t *Test) criterion(ctx context.Context) (string, error) {
	if t.Ask != nil || t.Spec.Interesting.String() != "0" {
		return "", nil
	}
	var runs [4]oracle.Run // the last is once more of the input
	for i, candidate := range [][]byte{t.Input, t.with(nil), t.with(garbage), t.Input} {
		var err error
		if runs[i], err = t.run(ctx, candidate); err != nil {
			return "", err
		}
	}
	input, others, again := runs[0], runs[1:3], runs[3]
	if signal := input.DiedBy(); signal != "" && again.DiedBy() == signal &&
		!slices.ContainsFunc(others, func(r oracle.Run) bool { return r.DiedBy() == signal }) {
		return "--interesting-signal " + strings.TrimPrefix(signal, "SIG"), nil
	}
	if message := message(input.Output, again.Output, others); message != "" {
		return "--interesting-output " + quoted(message), nil
	}
	code := input.ExitCode
	shared := slices.ContainsFunc(others, func(r oracle.Run) bool { return r.ExitCode == code })
	if code == again.ExitCode && code > 0 && !shared {
		return fmt.Sprintf("--interesting-exit %d", code), nil
	}
	return "", nil
}

// Parts of a message that change while a file shrinks, or from run to run: where in
// the file it is, and addresses.
var (
	place   = regexp.MustCompile(`^(?:\S*?:)?\s*(?:\d+:)+(?:\d+:?)?\s*`)
	address = regexp.MustCompile(`0x[0-9a-f]+`)
)

// loud are words of lines that are likely to name a bug, the most likely first.
var loud = []string{
	"internal compiler error", "assert", "panic", "unreachable", "segmentation fault", "fatal", "exception", "error",
}

// longestMessage is the most of a line that is worth quoting.
const longestMessage = 80

// message returns a regular expression for a line of an output that is there again
// and in none of the others; "" if there is none. Of several it takes the one that
// looks most like a bug, then the first.
func message(output, again []byte, others []oracle.Run) string {
	var found []string
	for line := range strings.Lines(string(output)) {
		text := strings.TrimSpace(place.ReplaceAllString(strings.TrimSpace(line), ""))
		if text = cut(text); text == "" || !printableText(text) {
			continue
		}
		parts := address.Split(text, -1)
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		pattern := strings.Join(parts, "0x[0-9a-f]+")
		re, err := regexp.Compile(pattern)
		if err == nil && re.Match(again) && !slices.ContainsFunc(others,
			func(r oracle.Run) bool { return re.Match(r.Output) }) {
			found = append(found, pattern)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.MinFunc(found, func(a, b string) int { return cmp.Compare(loudness(a), loudness(b)) })
}

func loudness(pattern string) int {
	pattern = strings.ToLower(pattern)
	if i := slices.IndexFunc(loud, func(word string) bool { return strings.Contains(pattern, word) }); i >= 0 {
		return i
	}
	return len(loud)
}

// cut takes the beginning of a long line, up to the end of a word.
func cut(text string) string {
	if len(text) <= longestMessage {
		return text
	}
	text = text[:longestMessage]
	return strings.ToValidUTF8(text[:max(strings.LastIndexByte(text, ' '), longestMessage/2)], "")
}

// printableText reports whether a text can be typed.
func printableText(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' }) < 0
}

// quoted is a word that a shell reads as s.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
