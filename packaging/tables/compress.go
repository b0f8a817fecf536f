package main

import (
	_ "embed"
	"encoding/binary"
)

// unpacker is the C function that unpacks what compress returns.
//
//go:embed unpack.h
var unpacker string

// A match has at least this many words. Matches of fewer words would take more space than the words.
const least = 4

// compress returns words as pieces: the number of new words, these words, the number of words to repeat, and their
// distance. The algorithm is LZ77 without a window.
func compress(words []uint16) (packed []byte) {
	latest := map[[least]uint16]int{}
	begun := 0 // the new words
	for at := 0; at < len(words); {
		from, seen, n := 0, false, 0
		if at+least <= len(words) {
			key := [least]uint16(words[at:])
			from, seen = latest[key]
			latest[key] = at
		}
		if seen {
			for at+n < len(words) && words[from+n] == words[at+n] {
				n++
			}
		}
		if n < least {
			at++
			continue
		}
		packed = piece(packed, words[begun:at], n, at-from)
		at += n
		begun = at
	}
	return piece(packed, words[begun:], 0, 0)
}

func piece(packed []byte, fresh []uint16, n, distance int) []byte {
	packed = binary.AppendUvarint(packed, uint64(len(fresh)))
	for _, w := range fresh {
		packed = binary.LittleEndian.AppendUint16(packed, w)
	}
	packed = binary.AppendUvarint(packed, uint64(n))
	return binary.AppendUvarint(packed, uint64(distance))
}
