package propose

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// A hint of C-Vise describes changes of a file; see cvise/utils/hint.py in https://github.com/marxin/cvise.
type hint struct {
	Type    *int    `json:"t"`
	Patches []patch `json:"p"`
}

// A patch replaces bytes of the file. Operations and paths, which are for directories, make it useless here.
type patch struct {
	Left, Right, Value, Operation, Path *int
}

func (p *patch) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &struct {
		Left      **int `json:"l"`
		Right     **int `json:"r"`
		Value     **int `json:"v"`
		Operation **int `json:"o"`
		Path      **int `json:"p"`
	}{&p.Left, &p.Right, &p.Value, &p.Operation, &p.Path})
}

// proposals returns the proposals in the output of a filter: the output, or the files that hints describe. These are
// all hints together, each half of them, each quarter, and so on to each alone, as C-Vise does.
func proposals(file, output []byte) []func() []byte {
	lines := bytes.Split(output, []byte("\n"))
	var head struct{ Format string }
	if json.Unmarshal(lines[0], &head) != nil || !strings.HasPrefix(head.Format, "cvise_hints_v0") || len(lines) < 3 {
		return []func() []byte{func() []byte { return output }}
	}
	var words []string
	var hints []hint
	json.Unmarshal(lines[1], &words)
	for _, line := range lines[2:] {
		var h hint
		if json.Unmarshal(line, &h) == nil && h.fits(len(file), words) {
			hints = append(hints, h)
		}
	}
	var all []func() []byte
	for size := len(hints); size > 0; size /= 2 {
		for part := range slices.Chunk(hints, size) {
			all = append(all, func() []byte { return apply(file, words, part) })
		}
	}
	return all
}

func (h hint) fits(length int, words []string) bool {
	isWord := func(i *int) bool { return i == nil || *i >= 0 && *i < len(words) }
	if !isWord(h.Type) || h.Type != nil && strings.HasPrefix(words[*h.Type], "@") { // data of other passes
		return false
	}
	return len(h.Patches) > 0 && !slices.ContainsFunc(h.Patches, func(p patch) bool {
		return p.Operation != nil || p.Path != nil || p.Left == nil || p.Right == nil || !isWord(p.Value) ||
			*p.Left < 0 || *p.Right < *p.Left || *p.Right > length
	})
}

// apply applies hints to a file. Of patches that overlap, the first counts.
func apply(file []byte, words []string, hints []hint) (changed []byte) {
	var patches []patch
	for _, h := range hints {
		patches = append(patches, h.Patches...)
	}
	slices.SortStableFunc(patches, func(a, b patch) int {
		return cmp.Or(cmp.Compare(*a.Left, *b.Left), cmp.Compare(*b.Right, *a.Right))
	})
	at := 0
	for _, p := range patches {
		if *p.Left < at {
			continue
		}
		changed = append(changed, file[at:*p.Left]...)
		if p.Value != nil {
			changed = append(changed, words[*p.Value]...)
		}
		at = *p.Right
	}
	return append(changed, file[at:]...)
}
