package failure

import (
	"regexp"
	"slices"
	"strings"
)

// compared matches messages that compare two values, as hand-written checks print them. A word such as "found" is no
// sign, since parsers expect one token and find another.
var compared = regexp.MustCompile(`(?i)\b(?:expected|want(?:ed)?)\b.*\b(?:got|was|actual(?:ly)?|received)\b|` +
	`\b(?:got|was|actual(?:ly)?|received)\b.*\b(?:expected|want(?:ed)?|should)\b|` +
	`\bshould (?:be|equal|have been)\b.*\bbut\b|` +
	`\b(?:is|was) .*\bshould (?:be|equal|have been) [-+0-9'"(\[{]|` +
	`\bwanted:? [-+0-9'"(\[{]|` +
	`[])}0-9],? expected:? [-+0-9'"(\[{]|` +
	`[])}0-9] exceeds\b.*[0-9]|` +
	`[])}0-9'"] (?:[!=]=|<>|vs\.?|differs from) [-+0-9'"(\[{]|` +
	`no match of right hand side value`)

// diagnosed matches messages of compilers, with a column or a code, and of languages about arguments. Their numbers and
// names belong to the code.
var diagnosed = regexp.MustCompile(`[a-z]:[0-9]+:[0-9]+: |[a-z]\([0-9]+,[0-9]+\): |` +
	`(?:error|warning)(?: |\[)[A-Z]+[0-9]|bad argument #[0-9]|to unpack \(|\(given [0-9]+, expected`)

func compares(line string) bool { return compared.MatchString(line) && !diagnosed.MatchString(line) }

// withValues returns the signatures of a comparison, first with its values. They are not strong, since a correct
// program may show them.
func withValues(kept, without []Signature) []Signature {
	for i := range without {
		without[i].weak = "a comparison of any values, which differ between runs,"
	}
	all := slices.Concat(kept, without)
	for i := range all {
		if all[i].Kind != WrongValue {
			all[i].Kind, all[i].Strong = WrongValue, false
		}
	}
	return all
}

// moving matches other numbers in a message than values: places, counts of tests, process ids and times.
var moving = regexp.MustCompile(`^\[?[0-9]{2,4}[-/:][0-9]{2}[-/:][0-9]{2}[-0-9T:., +Z]*|` +
	`^ *[0-9]+[.):] |^[A-Za-z0-9_.-]+\[[0-9]+\]: |\[[0-9]+/[0-9]+\]|\bok [0-9]+|` +
	`(?i:\b(?:line|column|test|case|check|pid|process|thread)s?:? ?#?)[0-9]+|` +
	`[^ "'(]*[A-Za-z0-9_]\.[A-Za-z]+[:(][0-9]+[0-9:,]*[:)]|` +
	`\b[A-Za-z0-9_.$]+@[0-9a-f]{8}|` +
	`(?:\b(?:in|after|took|time:?) |\()[0-9.]+ ?(?:ns|us|µs|ms|s|secs?|seconds|min|minutes)\b`)

// maskCompared keeps the values of a message that compares some. Others are as in maskText.
func maskCompared(matched string) (pattern, shown string) {
	if !compares(matched) {
		return maskText(matched)
	}
	literally := func(text string) (pattern, shown string) { return maskBut(text, isValue) }
	return masked(matched, moving, literally, maskText)
}

var temporary = regexp.MustCompile(`^(?:/private|/var)*/tmp/|^/dev/shm/|^/var/folders/`)

func isValue(part string) bool {
	return isNumber(part) || strings.Contains(part, "/") && !temporary.MatchString(part)
}
