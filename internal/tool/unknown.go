package tool

import (
	"slices"
	"strings"
)

// pairs are options that always have a value in the next word.
var pairs = []string{"-mllvm", "-Xclang", "-Xpreprocessor", "-Xassembler", "-Xlinker", "--param"}

// Without removes from a command the options that its output calls unknown. It returns the rest, and the removed
// options as written.
func Without(command []string, output []byte) (rest, removed []string) {
	named := map[string]bool{}
	for _, p := range unknown {
		for _, m := range p.Regexp().FindAllSubmatch(output, -1) {
			named[strings.TrimLeft(string(m[1]), "-")] = true
		}
	}
	for i := 0; i < len(command); i++ {
		option := command[i:][:1]
		if slices.Contains(pairs, command[i]) && i+1 < len(command) {
			option = command[i:][:2]
		}
		if i > 0 && isNamed(named, option) {
			removed = append(removed, strings.Join(option, " "))
		} else {
			rest = append(rest, option...)
		}
		i += len(option) - 1
	}
	return rest, removed
}

// isNamed reports whether an option is named: as a whole, without its value, or by its value.
func isNamed(named map[string]bool, option []string) bool {
	if !strings.HasPrefix(option[0], "-") {
		return false
	}
	spellings := option
	if len(option) > 1 {
		spellings = append(option[:len(option):len(option)], strings.Join(option, "="))
	}
	return slices.ContainsFunc(spellings, func(word string) bool {
		word = strings.TrimLeft(word, "-")
		name, value, _ := strings.Cut(word, "=")
		return word != "" && named[word] || named[name] || named[name+"="] || value != "" && named[value]
	})
}
