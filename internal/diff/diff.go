// Package diff compares two sequences, and texts by lines, and describes the change of a text: as a
// unified diff, or in a few words.
//
// go-udiff does this for up to 100 edits; of longer scripts it reports the middle as one change. Other
// libraries take quadratic time or memory on sequences with little in common, or stop by a clock.
package diff

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/aymanbagabas/go-udiff/lcs"
)

// A Change replaces a[A:AEnd] by b[B:BEnd].
type Change struct{ A, AEnd, B, BEnd int }

// mostOfLibrary is the number of edits up to which go-udiff finds a shortest edit script.
const mostOfLibrary = 100

// Strings returns the changes that turn a into b, ascending, with common elements between them. Their
// size is minimal, unless long sequences differ in thousands of common elements (see mostSteps).
func Strings(a, b []string) []Change {
	var changes []Change
	edits := 0
	for _, d := range lcs.DiffLines(a, b) {
		changes = append(changes, Change{d.Start, d.End, d.ReplStart, d.ReplEnd})
		edits += d.End - d.Start + d.ReplEnd - d.ReplStart
	}
	if edits > mostOfLibrary {
		changes = compare(a, b)
	}
	return changes
}

// Lines returns the edits that make after of before, of whole lines.
func Lines(before, after string) (edits []udiff.Edit) {
	a, b := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	offsets := make([]int, 1, len(a)+1)
	for _, line := range a {
		offsets = append(offsets, offsets[len(offsets)-1]+len(line))
	}
	at, i := 0, 0 // in after: the offset of line i
	for _, c := range Strings(a, b) {
		for ; i < c.B; i++ {
			at += len(b[i])
		}
		start := at
		for ; i < c.BEnd; i++ {
			at += len(b[i])
		}
		edits = append(edits, udiff.Edit{Start: offsets[c.A], End: offsets[c.AEnd], New: after[start:at]})
	}
	return edits
}

// Unified returns a unified diff of two texts with three lines of context, "" if they are equal.
func Unified(oldName, newName, before, after string) string {
	text, err := udiff.ToUnified(oldName, newName, before, Lines(before, after), 3)
	if err != nil {
		panic(err) // the edits are ours, in order and within the text
	}
	return text
}
