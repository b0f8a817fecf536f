package bisect

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"whittle/internal/facts"
)

// A compiler is how one can be asked.
type compiler struct {
	levels        []string
	limitN        []string // with N
	running       *regexp.Regexp
	stages        []stage
	names         *regexp.Regexp
	passes        []string
	optimisations []string
	optimises     *regexp.Regexp
	counters      []string
	counter       *regexp.Regexp
}

// A stage is a part of a compiler, which is at fault if the bug is there with arguments.
type stage struct {
	name      string
	arguments []string
}

// limit returns the arguments by which the first n passes run.
func (c compiler) limit(n int) []string {
	var arguments []string
	for _, a := range c.limitN {
		arguments = append(arguments, strings.ReplaceAll(a, "=N", "="+strconv.Itoa(n)))
	}
	return arguments
}

//go:embed compilers.txt
var table string

// compilers are those that can be asked, by the names that package toolchain has for them.
var compilers = sync.OnceValue(func() map[string]compiler { return facts.Must(read(table)) })

// read reads the table.
func read(text string) (map[string]compiler, error) {
	all := map[string]compiler{}
	name := ""
	return all, facts.Read("compilers.txt", text, func(line string) { name, all[line] = line, compiler{} },
		func(field, value string) error {
			c := all[name]
			if field == "like" {
				other, known := all[value]
				if !known {
					return fmt.Errorf("there is no %s above", value)
				}
				all[name] = other
				return nil
			}
			err := c.set(field, value)
			all[name] = c
			return err
		})
}

func (c *compiler) set(field, value string) (err error) {
	words := strings.Fields(value)
	switch field {
	case "levels":
		c.levels = words
	case "limit":
		c.limitN = words
	case "running":
		c.running, err = regexp.Compile(value)
	case "stage":
		name, arguments, _ := strings.Cut(value, ":")
		c.stages = append(c.stages, stage{name, strings.Fields(arguments)})
	case "names":
		c.names, err = regexp.Compile(value)
	case "passes":
		c.passes = words
	case "optimisations":
		c.optimisations = words
	case "optimises":
		c.optimises, err = regexp.Compile(value)
	case "counters":
		c.counters = words
	case "counter":
		c.counter, err = regexp.Compile(value)
	default:
		err = fmt.Errorf("nobody knows %s", field)
	}
	return err
}
