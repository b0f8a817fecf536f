package text

import (
	"bytes"
	"slices"
	"strings"

	"whittle/parse"
)

var (
	// definers are words before the name of a unit, such as a function or type.
	definers = set(`function procedure subroutine module package body program type subtype class def defp fn func fun
		newtype struct enum union record macro proc sub theorem lemma entity architecture component task protected
		generic trait impl namespace alias typedef inductive fixpoint axiom primitive covergroup method datatype`)
	// fixedDefiners are the definers of fixed-form Fortran.
	fixedDefiners = set("program subroutine function")
	// declarers are words before a list of variables.
	declarers = set(`integer real logical character complex double precision dimension external wire reg logic input
		output inout signal variable constant const var val genvar localparam parameter bit int char float bool`)
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// define notes the names that a line defines, as far as its first words tell, and returns the name of a unit:
//
//	function f (x)    X : Integer;    real, intent(in) :: a, b    INTEGER I, J
func (o *outline) define(line []element) (unit string) {
	i := o.unit(line)
	first, colon := o.lower(line, 0), o.colons(line)
	switch {
	case strings.HasPrefix(first, "end"):
	case i > 0:
		o.defined++
		o.names = append(o.names, line[i].first)
		return o.lower(line, i)
	case len(line) > 2 && first != "" && !isDigit(first[0]) && (o.is(line[1], ':') || colon == 1 && !declarers[first]):
		o.names = append(o.names, line[0].first)
	case declarers[first]:
		o.variables(line, colon+1)
	}
	return ""
}

// colons returns the index of :: between words for types and names, or -1.
func (o *outline) colons(line []element) int {
	return slices.IndexFunc(line, func(e element) bool { return e.class == operator && o.text(e.first) == "::" })
}

// declaration splits a line at element i, the colons. Names do not go without their types, except for one of several.
func (o *outline) declaration(line []element, i int) {
	types, names := line[:i], line[i+1:]
	o.add(types, side, parse.Required)
	o.statement(types, true)
	o.add(names, side, parse.Required)
	runs := o.split(names, func(i int) bool { return o.is(names[i], ',') })
	for _, run := range runs {
		if len(run) > 0 && len(runs) > 1 {
			o.add(run, member, parse.Plus)
		}
		o.sides(run, false)
	}
}

// lower returns the text of an element in lower case if it is a word, or "".
func (o *outline) lower(line []element, i int) string {
	if i >= len(line) || line[i].class != word || line[i].last > line[i].first+1 {
		return ""
	}
	return strings.ToLower(o.text(line[i].first))
}

// unit returns the element with the name of a unit, after at most three modifiers and a definer, or 0.
func (o *outline) unit(line []element) (i int) {
	definers := definers
	if o.fixed {
		definers = fixedDefiners
	}
	for i < 3 && o.lower(line, i) != "" && !definers[o.lower(line, i)] {
		i++
	}
	start := i
	for definers[o.lower(line, i)] {
		i++
	}
	if i == start || o.lower(line, i) == "" {
		return 0
	}
	return i
}

// variables notes the names of a list: the first one after the words for its type, or from the element with index
// start, and those after commas.
func (o *outline) variables(line []element, start int) {
	next := start > 0
	for i := max(start, 1); i < len(line); i++ {
		w := o.lower(line, i)
		if name := w != "" && !isDigit(w[0]); name && (next || start == 0 && !line[i].glued && !declarers[w]) {
			o.names = append(o.names, line[i].first)
			start = i
		}
		next = o.is(line[i], ',')
	}
}

// endedIn returns the last words of lines such as "end procedure f;", in lower case.
func endedIn(source []byte) map[string]bool {
	ended := map[string]bool{}
	for line := range bytes.Lines(source) {
		line = bytes.TrimLeft(line, " \t")
		if len(line) < 3 || !bytes.EqualFold(line[:3], []byte("end")) {
			continue
		}
		if words := parse.Words(line); len(words) > 1 {
			ended[strings.ToLower(words[len(words)-1])] = true
		}
	}
	return ended
}
