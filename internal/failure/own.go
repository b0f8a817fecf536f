package failure

import (
	"slices"
	"strings"

	"whittle/oracle"
)

// OwnFrames reorders the signatures of a run whose input is the failing program, since its
// function names may change. A signature with a frame in the input, which own reports, follows
// the one without, unless the latter says too little. For sanitizers the latter has the kind of
// access.
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

func says(title string) bool {
	_, message, _ := strings.Cut(title, ": ")
	return len(words(quoted.ReplaceAllString(message, ""))) > 1
}
