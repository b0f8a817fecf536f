package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// The file of a journal is text. Its header names the format and what outcomes
// depend on, each part with 16 bytes of its SHA-256. A record for each outcome
// follows: 16 bytes of the SHA-256 of the candidate, the outcome, the time that
// the test took in milliseconds, and a CRC-32 of all that. Other records say what
// was made by the reduction ("o", see Own), and that all outcomes before them are
// forgotten ("f").
//
//	whittle journal 1
//	input 5891b5b522d5df086d0ff0b110fbd9d2
//	test 1b4f0e9851971998e732078544c96b36
//
//	7d865e959b2466918c9863afca942d0f u 000000a7 1c2f8a05
const (
	anyFormat     = "whittle journal "
	journalFormat = anyFormat + "1\n"
	recordSize    = 2*len(oracle.Key{}) + len(" u ") + 8 + len(" ") + 8 + len("\n")
)

// outcomeLetters are outcomes as a record has them.
var outcomeLetters = [...]byte{algo.Uninteresting: 'u', algo.Interesting: 'i', algo.Unresolved: '?'}

// The letters of other records.
const (
	ownedLetter = 'o'
	freshLetter = 'f'
)

// record returns a record as a line.
func record(k oracle.Key, letter byte, elapsed time.Duration) []byte {
	line := fmt.Appendf(nil, "%x %c %08x ", k, letter, milliseconds(elapsed))
	return fmt.Appendf(line, "%08x\n", crc32.ChecksumIEEE(line))
}

// milliseconds rounds a time as records have it.
func milliseconds(d time.Duration) uint32 {
	return uint32(min(max(d.Round(time.Millisecond).Milliseconds(), 0), math.MaxUint32))
}

// parseRecord reads a line. It is not ok if a bit of it is wrong.
func parseRecord(line []byte) (k oracle.Key, letter byte, elapsed time.Duration, ok bool) {
	_, err := hex.Decode(k[:], line[:2*len(k)])
	letter = line[2*len(k)+1]
	ms, errTime := strconv.ParseUint(string(line[2*len(k)+3:][:8]), 16, 32)
	if err != nil || errTime != nil || bytes.IndexByte(append(outcomeLetters[:], ownedLetter, freshLetter), letter) < 0 {
		return k, 0, 0, false
	}
	elapsed = time.Duration(ms) * time.Millisecond
	return k, letter, elapsed, bytes.Equal(line, record(k, letter, elapsed))
}

// An Identity is what the outcomes in a journal depend on, in parts.
type Identity struct{ lines []string }

// Add adds a part: its name, in one line, and all that belongs to it.
func (id *Identity) Add(name string, content ...[]byte) {
	h := sha256.New()
	for _, c := range content {
		fmt.Fprintf(h, "%d ", len(c))
		h.Write(c)
	}
	id.lines = append(id.lines, fmt.Sprintf("%s %x\n", name, h.Sum(nil)[:16]))
}

// sealName is the part that Seal adds.
const sealName = "seal"

// Seal adds a part that depends on all before it. A header in which a bit has
// changed is then seen to be damaged, not taken for that of another property.
func (id *Identity) Seal() { id.Add(sealName, []byte(strings.Join(id.lines, ""))) }

func (id *Identity) header() []byte {
	return []byte(journalFormat + strings.Join(id.lines, "") + "\n")
}

// difference says of what else a file is that begins with another header, and
// whether it may be what became of ours.
func (id *Identity) difference(head []byte) (what string, damaged bool) {
	const unknown = "something else"
	switch {
	case !bytes.HasPrefix(head, []byte(anyFormat)):
		return unknown, true
	case !bytes.HasPrefix(head, []byte(journalFormat)):
		return "another version of whittle", true
	}
	lines := strings.SplitAfter(string(head[len(journalFormat):]), "\n")
	var parts []string
	for i, line := range id.lines {
		name := line[:strings.LastIndexByte(line, ' ')]
		if name == sealName {
			theirs := Identity{lines: slices.Clone(lines[:min(i, len(lines))])}
			if theirs.Seal(); i >= len(lines) || lines[i] != theirs.lines[i] {
				return unknown, true
			}
		} else if i >= len(lines) || lines[i] != line {
			parts = append(parts, name)
		}
	}
	if len(parts) == 0 { // ours is the end of theirs, or theirs is torn
		return unknown, true
	}
	return "another " + strings.Join(parts, " and "), false
}
