package isolate

import (
	"slices"

	"whittle/algo"
	"whittle/parse"
)

// Changes are the numbered changes from one version to another.
type Changes struct {
	Count  int
	Levels []Level // coarse first; results count the groups of the last

	render   func(made []int) []byte
	possible func(made []int) bool // nil means always
	errors   func(file []byte) int // syntax errors
	needs    [][]int               // of each change; may be incomplete
}

// Left returns the number of groups of the finest level with one of the changes.
func (c *Changes) Left(changes []int) int { return c.Levels[len(c.Levels)-1].count(changes) }

// All returns the file or archive with all changes.
func (c *Changes) All() []byte { return c.render(algo.All(c.Count)) }

// Make returns the file or archive with some changes, which ascend.
func (c *Changes) Make(made []int) []byte { return c.render(made) }

// Files compares two files by the tokens of their languages. The levels are from hunks to finest, or only tokens.
func Files(good, bad Version, finest string) (*Changes, error) {
	a, err := good.Language.Parse(good.File)
	if err != nil {
		return nil, err
	}
	b, err := bad.Language.Parse(bad.File)
	if err != nil {
		return nil, err
	}
	m, coarsest := mix(a, b), "hunk"
	if finest == "token" {
		coarsest = finest
	}
	errors := bad.Language.Errors
	if bad.Errors != nil {
		errors = bad.Errors.Errors
	}
	one := []pair{{mix: m, all: -1, path: -1, mode: -1, next: m.changes}}
	return &Changes{Count: m.changes, Levels: levelsOf(one, coarsest, finest), render: m.render, errors: errors}, nil
}

// Changes returns the changes of a project in levels from files to finest.
func (p *Project) Changes(finest string) *Changes {
	return &Changes{
		Count: p.count, Levels: levelsOf(p.pairs, "file", finest),
		render: p.render, possible: p.possible, errors: p.Set.Errors,
	}
}

func levelsOf(pairs []pair, from, to string) (levels []Level) {
	first, last := slices.Index(LevelNames, from), slices.Index(LevelNames, to)
	for _, name := range LevelNames[first : last+1] {
		l := Level{Name: name}
		for _, p := range pairs {
			l.Groups = append(l.Groups, p.groups(name)...)
		}
		levels = append(levels, l)
	}
	return levels
}

// A change of the path, of the permissions or of a whole file is a group by itself. An added or removed file is at
// least a hunk.
func (p *pair) groups(level string) (groups [][]int) {
	all := make([]int, p.next-p.first)
	for i := range all {
		all[i] = p.first + i
	}
	whole := p.mix == nil || (p.old == nil) != (p.new == nil)
	switch {
	case level == "file", level == "hunk" && whole && p.path < 0 && p.mode < 0:
		return [][]int{all}
	case p.mix == nil:
	case level == "hunk":
		groups = p.mix.runs(2)
	case level == "line":
		groups = p.mix.runs(1)
	default:
		for i := range p.mix.changes {
			groups = append(groups, []int{i})
		}
	}
	inside := 0
	for _, g := range groups {
		for i := range g {
			g[i] += p.first
			inside++
		}
	}
	for _, change := range all[inside:] {
		groups = append(groups, []int{change})
	}
	return groups
}

// A Version is a file and the language for its comparison.
type Version struct {
	File     []byte
	Language parse.Language
	Errors   parse.Language // counts its syntax errors; nil means Language
}
