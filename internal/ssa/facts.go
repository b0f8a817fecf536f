// Package ssa has passes for languages with values that are defined once, in blocks: the intermediate representations
// of compilers. Instructions, blocks and definitions go in bulk, and uses of their values become constants.
//
// What the nodes of a language are follows from the label defines of its grammar, and from [Facts].
package ssa

import (
	"regexp"
	"strings"
	"sync"

	"whittle/parse"
)

// Facts are lines about a language, as words:
//
//	entity KIND...      definitions with names for the whole file
//	function KIND       an entity with a body, in which names are local
//	stub WORD OTHER     its first word, and the one without a body
//	parameter KIND      of a function, of a block, or for the regions of an instruction
//	argument KIND...    of a call or a label; of each kind as many as parameters
//	arguments KIND      goes with its last argument
//	block KIND          with a label, except the first of a function
//	label SIGIL         the label x: is the name SIGIL x
//	instruction KIND    the last of a block has the labels of the next ones
//	last REGEXP         the first word of an instruction that ends a block
//	region KIND         the blocks of an instruction
//	successor KIND      a label with arguments
//	value KIND          of the type before it, or before a node around it
//	callee KIND...      not replaced by a constant
//	type KIND           of a value
//	results KIND        the types of the values of an instruction; types are known from definitions
//	typed TYPE WORD...  the type of instructions with this first word, or of parameters of this kind
//	derived REGEXP WORD...  it is this part of the last type; unknown if that is empty
//	one SIGN            x SIGN 1 is a value of x
//	symbol SIGIL        the definition "x" is the name SIGIL x
//	incoming KIND       the value for a block before, and its label
//	pad WORD...         first words of blocks for special edges, and of instructions that do not go alone
//	number SIGIL...     names SIGIL 0, SIGIL 1 and so on have no gaps
//	aside KIND...       optional text
//	kept KIND...        an aside that goes only with a body
//	holds KIND...       an aside that an instruction needs if it has a lost name
//	namesake WORD SIGIL means a name like that of the entity, with another sigil
//	constant REGEXP TEXT  for matching types; $ is the type
//	undefined TEXT      any value
//	return TYPE WORD... a function of this type ends with these words
//	insert SIGIL        constants are instructions, with names
//	jump WORD...        to the label that follows
//	stop WORD...        ends a function
type Facts [][]string

func (f Facts) words(key string) []string {
	for _, line := range f {
		if line[0] == key {
			return line[1:]
		}
	}
	return nil
}

// A role is a bit for each fact about a node's kinds.
type role uint32

const (
	isEntity role = 1 << iota
	isFunction
	isParameter
	isArgument
	isBlock
	isInstruction
	isValue
	isCallee
	isType
	isIncoming
	isAside
	isRegion
	isSuccessor
	isResults
	isArguments
	isKept
	isHolder
	isDefinition // by the label defines of the grammar
)

var roles = strings.Fields("entity function parameter argument block instruction value callee type incoming aside " +
	"region successor results arguments kept holds")

// rolesOf returns the roles of each chain of kinds.
func (f Facts) rolesOf(t *parse.Tree) []role {
	byKind := map[string]role{"=defines": isDefinition}
	for bit, key := range roles {
		for _, kind := range f.words(key) {
			byKind[kind] |= 1 << bit
		}
	}
	of := make([]role, len(t.Links))
	for i := range of {
		for chain := int32(i); chain != 0; chain = t.Links[chain].Below {
			of[i] |= byKind[t.Names[t.Links[chain].Kind]] | byKind["="+t.Names[t.Links[chain].Field]]
		}
	}
	return of
}

var expressions sync.Map // compiled facts

// expression matches whole texts.
func expression(text string) *regexp.Regexp {
	compiled, found := expressions.Load(text)
	if !found {
		compiled, _ = expressions.LoadOrStore(text, regexp.MustCompile("^("+text+")$"))
	}
	return compiled.(*regexp.Regexp)
}

// constant returns the text of a constant.
func (f Facts) constant(of string) string {
	for _, line := range f {
		if line[0] == "constant" && expression(line[1]).MatchString(of) {
			return strings.Join(line[2:], " ")
		}
	}
	return ""
}
