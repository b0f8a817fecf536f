package journal

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"whittle/algo"
	"whittle/oracle"
)

// A journal is a text file. Its header has the format and the identity, a line with 16 bytes of
// SHA-256 for each part. A record has the key of a candidate, the outcome, the time of the test in
// milliseconds, and a CRC-32. Other records are files that the reduction wrote ("o", see Own),
// facts ("k", see Facts), notes ("n", see Note), a mark that forgets all before it ("f"), and 16
// bytes of the reasons or of the compressed content of the next record ("r").
//
//	whittle journal 1
//	input 5891b5b522d5df086d0ff0b110fbd9d2
//	test 1b4f0e9851971998e732078544c96b36
const (
	anyFormat     = "whittle journal "
	journalFormat = anyFormat + "1\n"
	recordSize    = 2*len(oracle.Key{}) + len(" u ") + 8 + len(" ") + 8 + len("\n")
)

var outcomeLetters = [...]byte{algo.Uninteresting: 'u', algo.Interesting: 'i', algo.Unresolved: '?'}

// Letters of other records.
const (
	ownedLetter   = 'o'
	factLetter    = 'k'
	freshLetter   = 'f'
	reasonsLetter = 'r'
	noteLetter    = 'n'
)

func record(k oracle.Key, letter byte, elapsed time.Duration) []byte {
	line := fmt.Appendf(nil, "%x %c %08x ", k, letter, milliseconds(elapsed))
	return fmt.Appendf(line, "%08x\n", crc32.ChecksumIEEE(line))
}

func reasonRecords(reasons []string) (records []byte) {
	return partRecords([]byte(strings.Join(reasons, "\n")))
}

func partRecords(content []byte) (records []byte) {
	for part := range slices.Chunk(content, len(oracle.Key{})) {
		var k oracle.Key
		copy(k[:], part)
		records = append(records, record(k, reasonsLetter, 0)...)
	}
	return records
}

func noteRecords(k oracle.Key, content []byte) []byte {
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.DefaultCompression)
	w.Write(content)
	w.Close()
	return append(partRecords(packed.Bytes()), record(k, noteLetter, 0)...)
}

// unpack ignores the zeros after the compressed content.
func unpack(parts []byte) ([]byte, error) { return io.ReadAll(flate.NewReader(bytes.NewReader(parts))) }

func parseReasons(parts []byte) []string {
	if len(parts) == 0 {
		return nil
	}
	return strings.Split(string(bytes.TrimRight(parts, "\x00")), "\n")
}

func milliseconds(d time.Duration) uint32 {
	return uint32(min(max(d.Round(time.Millisecond).Milliseconds(), 0), math.MaxUint32))
}

// parseRecord parses a line; ok is false for a damaged one.
func parseRecord(line []byte) (k oracle.Key, letter byte, elapsed time.Duration, ok bool) {
	_, err := hex.Decode(k[:], line[:2*len(k)])
	letter = line[2*len(k)+1]
	ms, errTime := strconv.ParseUint(string(line[2*len(k)+3:][:8]), 16, 32)
	letters := append(outcomeLetters[:], ownedLetter, factLetter, freshLetter, reasonsLetter, noteLetter)
	if err != nil || errTime != nil || bytes.IndexByte(letters, letter) < 0 {
		return k, 0, 0, false
	}
	elapsed = time.Duration(ms) * time.Millisecond
	return k, letter, elapsed, bytes.Equal(line, record(k, letter, elapsed))
}

// An Identity has the parts that outcomes depend on.
type Identity struct{ lines []string }

// Add adds a part with a one-line name.
func (id *Identity) Add(name string, content ...[]byte) {
	h := sha256.New()
	for _, c := range content {
		fmt.Fprintf(h, "%d ", len(c))
		h.Write(c)
	}
	id.lines = append(id.lines, fmt.Sprintf("%s %x\n", name, h.Sum(nil)[:16]))
}

const sealName = "seal"

// Seal adds a checksum of the parts, which tells a damaged header from another test.
func (id *Identity) Seal() { id.Add(sealName, []byte(strings.Join(id.lines, ""))) }

func (id *Identity) header() []byte {
	return []byte(journalFormat + strings.Join(id.lines, "") + "\n")
}

// difference describes a file with another header; damaged means it may be this journal.
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
	if len(parts) == 0 { // one is a prefix of the other
		return unknown, true
	}
	return "another " + strings.Join(parts, " and "), false
}
