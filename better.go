package whittle

import (
	"bytes"
	"cmp"
)

// better tells whether file is better than other: it is shorter; or it is as
// long, and has less in it that is not white space; or it has as much, and
// comes first in the order of bytes.
//
// Invariant: each file that a reduction accepts is better than the one before,
// as bytes, whatever trees they are read as. There are only so many files that
// are better than a file, so every reduction ends.
func better(file, other []byte) bool {
	if len(file) != len(other) {
		return len(file) < len(other)
	}
	return cmp.Or(cmp.Compare(dark(file), dark(other)), bytes.Compare(file, other)) < 0
}

// dark counts the bytes that are not white space.
func dark(text []byte) (n int) {
	for _, b := range text {
		if b > ' ' {
			n++
		}
	}
	return n
}
