package failure

import (
	"slices"
	"strings"

	"whittle/oracle"
)

// OwnFrames reorders the signatures of a run whose input is the failing program. Its function names may change while it
// shrinks. So a signature with a frame in a file of the input, which own reports, follows the one without that frame,
// unless the latter says too little. The signature of a sanitizer report then includes the kind of access.
func OwnFrames(all []Signature, run oracle.Run, own func(line string) bool) []Signature {
	for i := range all {
		s := all[i]
		if s.frame == "" || !own(s.frame) || s.Kind == "stack overflow" {
			continue
		}
		if place, ok := PlaceOf(run); ok && s.Kind == "sanitizer" {
			return slices.Insert(slices.Clone(all), i, place.Signature)
		}
		without := func(p Signature) bool { return p.frame == "" && p.Kind == s.Kind && p.Shown[0] == s.Shown[0] }
		plain := slices.IndexFunc(all, without)
		if plain < i || !says(all[plain].Title) {
			return all
		}
		p := all[plain]
		return slices.Insert(slices.Delete(slices.Clone(all), plain, plain+1), i, p)
	}
	return all
}

// says reports whether a title has a message after the name of an error.
func says(title string) bool {
	_, message, _ := strings.Cut(title, ": ")
	return len(words(quoted.ReplaceAllString(message, ""))) > 1
}
