package explorer

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"whittle/internal/facts"
)

// A Compiler is a sort of compilers that Compiler Explorer has, as gcc for C.
type Compiler struct {
	Language string

	tool     string
	prefix   string
	versions []version
	trunk    string
	agree    int
	target   *regexp.Regexp
	without  []string
}

// A version is one of a compiler, with the end of its identifier.
type version struct {
	number string
	suffix string
}

//go:embed compilers.txt
var table string

// compilers are the entries of the table, by tool and language.
var compilers = sync.OnceValue(func() map[string]Compiler { return facts.Must(read(table)) })

// Find returns the sort of compilers of a tool, as package toolchain calls it, that reads a
// language, as whittle calls it. Details are what a compiler prints of itself: there is none
// for another machine.
func Find(tool, language, details string) (Compiler, bool) {
	c, ok := compilers()[tool+" "+language]
	return c, ok && (c.target == nil || c.target.MatchString(details))
}

// Version returns the identifier and the number of a version, or of the one that is nearest to
// it: "" if none is.
func (c Compiler) Version(number string) (id, nearest string) {
	wanted := numbers(number)
	best := -1
	for _, v := range c.versions {
		have := numbers(v.number)
		same := common(wanted, have)
		if same >= c.agree && (same > best || same == best && slices.Compare(have, wanted) <= 0) {
			best, id, nearest = same, c.prefix+v.suffix, v.number
		}
	}
	return id, nearest
}

// Trunk returns the identifier of the newest sources, and what to call them.
func (c Compiler) Trunk() (id, name string) { return c.trunk, "trunk" }

// Options returns the arguments that a compiler gets, of those of a command.
func (c Compiler) Options(arguments []string) []string {
	return slices.DeleteFunc(slices.Clone(arguments), func(a string) bool { return slices.Contains(c.without, a) })
}

func numbers(version string) (all []int) {
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		all = append(all, n)
	}
	return all
}

// common returns how many numbers two versions begin with that are the same.
func common(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// read reads the table.
func read(text string) (map[string]Compiler, error) {
	all := map[string]Compiler{}
	name := ""
	return all, facts.Read("compilers.txt", text, func(line string) {
		name = strings.Join(strings.Fields(line), " ")
		tool, _, _ := strings.Cut(name, " ")
		all[name] = Compiler{tool: tool}
	}, func(field, value string) error {
		c := all[name]
		if field == "like" {
			other, known := all[value]
			if !known {
				return fmt.Errorf("there is no %s above", value)
			}
			other.tool = c.tool
			all[name] = other
			return nil
		}
		err := c.set(field, value)
		all[name] = c
		return err
	})
}

func (c *Compiler) set(field, value string) (err error) {
	switch field {
	case "language":
		c.Language = value
	case "prefix":
		c.prefix = value
	case "versions":
		for _, v := range strings.Fields(value) {
			number, suffix, found := strings.Cut(v, "=")
			if !found {
				suffix = strings.ReplaceAll(number, ".", "")
			}
			c.versions = append(c.versions, version{number, suffix})
		}
	case "trunk":
		c.trunk = value
	case "agree":
		c.agree, err = strconv.Atoi(value)
	case "target":
		c.target, err = regexp.Compile(value)
	case "without":
		c.without = strings.Fields(value)
	default:
		err = fmt.Errorf("unknown field %s", field)
	}
	return err
}
