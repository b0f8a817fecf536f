package tool

import (
	"slices"
	"strings"
)

// A Site describes the versions of a compiler on Compiler Explorer (https://godbolt.org) for a
// language. The facts are from etc/config/*.amazon.properties of its sources, August 2026.
type Site struct {
	Language string // in Compiler Explorer's words
	Trunk    string // the identifier of the newest sources

	reads    []string // in whittle's words
	prefix   string   // of the identifiers of all versions
	versions string   // "12.2" has the identifier prefix+"122", "5.1=510" prefix+"510"
	agree    int      // numbers of two versions that must be equal
	target   pattern  // of the details that a compiler for the same machine prints
	without  []string // arguments to omit, since Compiler Explorer selects the output itself
}

// Site returns the versions for a language. Details are the lines that the compiler prints about
// itself; compilers for other machines are not found.
func (t *Tool) Site(language, details string) (Site, bool) {
	for _, s := range t.Sites {
		if slices.Contains(s.reads, language) {
			return s, s.target == "" || s.target.Regexp().MatchString(details)
		}
	}
	return Site{}, false
}

// Version returns the identifier and the number of the nearest version; "" if no version is near enough.
func (s Site) Version(number string) (id, nearest string) {
	wanted := numbersOf(number)
	best := -1
	for v := range strings.FieldsSeq(s.versions) {
		offered, suffix, found := strings.Cut(v, "=")
		if !found {
			suffix = strings.ReplaceAll(offered, ".", "")
		}
		have := numbersOf(offered)
		same := common(wanted, have)
		if same >= s.agree && (same > best || same == best && slices.Compare(have, wanted) <= 0) {
			best, id, nearest = same, s.prefix+suffix, offered
		}
	}
	return id, nearest
}

// Options returns the arguments of a command that the compiler gets.
func (s Site) Options(arguments []string) []string {
	return slices.DeleteFunc(slices.Clone(arguments), func(a string) bool { return slices.Contains(s.without, a) })
}

func common(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
