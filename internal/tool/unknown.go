package tool

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed unknown.txt
var unknownTable string

// unknown are what compilers say of arguments that they do not know, which are in the
// first group.
var unknown = sync.OnceValue(func() (all []*regexp.Regexp) {
	for l := range strings.Lines(unknownTable) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			all = append(all, regexp.MustCompile(l))
		}
	}
	return all
})

// pairs are arguments that the next word belongs to.
var pairs = []string{"-mllvm", "-Xclang", "-Xpreprocessor", "-Xassembler", "-Xlinker", "--param"}

// Without removes from a command the arguments that its output calls unknown. It returns
// the rest, and the removed arguments as written.
func Without(command []string, output []byte) (rest, gone []string) {
	named := map[string]bool{}
	for _, r := range unknown() {
		for _, m := range r.FindAllSubmatch(output, -1) {
			named[strings.TrimLeft(string(m[1]), "-")] = true
		}
	}
	for i := 0; i < len(command); i++ {
		words := command[i:][:1]
		if slices.Contains(pairs, command[i]) && i+1 < len(command) {
			words = command[i:][:2]
		}
		if i > 0 && means(named, words) {
			gone = append(gone, strings.Join(words, " "))
		} else {
			rest = append(rest, words...)
		}
		i += len(words) - 1
	}
	return rest, gone
}

// means reports whether words are an argument that is named: as a whole, by what is in
// front of its value, or by its value.
func means(named map[string]bool, words []string) bool {
	if !strings.HasPrefix(words[0], "-") {
		return false
	}
	all := words
	if len(words) > 1 {
		all = append(all[:len(all):len(all)], strings.Join(words, "="))
	}
	return slices.ContainsFunc(all, func(word string) bool {
		word = strings.TrimLeft(word, "-")
		name, value, _ := strings.Cut(word, "=")
		return word != "" && named[word] || named[name] || named[name+"="] || value != "" && named[value]
	})
}
