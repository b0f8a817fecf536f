package treesitter

// #include "runtime.h"
import "C"

import (
	"slices"

	"whittle/parse"
)

type names struct {
	all     []string
	symbols int32 // their names are all[1:1+symbols]
}

// Additional names, after the names of the symbols.
const (
	errorName = iota
	plusName
	minusName
	extraNames
)

func namesOf(l *C.TSLanguage) *names {
	symbols, fields := int32(C.ts_language_symbol_count(l)), int32(C.ts_language_field_count(l))
	all := make([]string, 1, 1+symbols+extraNames+fields)
	for i := range symbols {
		all = append(all, C.GoString(C.ts_language_symbol_name(l, C.uint16_t(i))))
	}
	all = append(all, "ERROR", "+", "-")
	for i := range fields { // numbered from 1
		all = append(all, C.GoString(C.ts_language_field_name_for_id(l, C.uint16_t(i+1))))
	}
	return &names{all, symbols}
}

func (n *names) extra(name int32) int32 { return 1 + n.symbols + name }

func (n *names) link(w C.whittle_link) (l parse.Link) {
	l.Kind = 1 + int32(w.symbol)
	if int32(w.symbol) >= n.symbols {
		l.Kind = n.extra(errorName)
	}
	if w.field > 0 {
		l.Field = n.extra(extraNames) + int32(w.field) - 1
	}
	return l
}

// chain consumes the links of the next node. Nodes without links have one, of their kind.
func (b *builder) chain(w *C.whittle_node) (chain int32) {
	if w.links == 0 {
		return b.chains.Add(b.names.link(C.whittle_link{symbol: w.kind}))
	}
	links := b.read.links[:w.links]
	b.read.links = b.read.links[w.links:]
	for _, w := range slices.Backward(links) {
		l := b.names.link(w)
		l.Below = chain
		chain = b.chains.Add(l)
	}
	return chain
}
