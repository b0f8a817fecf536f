package isolate

import (
	"bytes"
	"cmp"
)

// A Changed is a changed file: its paths in both versions, "" if missing, and whether its contents differ in lines.
type Changed struct {
	Old, New string
	Text     bool
}

// An Origin names the origins of each removed and added line of a file, "" for lines that stay; of
// its last change; and of its renaming.
type Origin struct {
	Removed, Added []string
	Last, Renamed  string
}

// Origins sets the origin of each change, by calling from for each file. A replaced line has the
// origin of the new line.
func (p *Project) Origins(of []string, from func(Changed) (Origin, error)) error {
	for _, pair := range p.pairs {
		c := Changed{Text: pair.mix != nil}
		if pair.old != nil {
			c.Old = pair.old.Path
		}
		if pair.new != nil {
			c.New = pair.new.Path
		}
		o, err := from(c)
		if err != nil {
			return err
		}
		for change := pair.first; change < pair.next; change++ {
			of[change] = o.Last
		}
		if pair.path >= 0 {
			of[pair.path] = o.Renamed
		}
		if pair.mix == nil {
			continue
		}
		for i, who := range pair.mix.origins(o) {
			of[pair.first+i] = cmp.Or(who, o.Last)
		}
	}
	return nil
}

// origins returns the origin of each change, or "".
func (m *mixture) origins(o Origin) (all []string) {
	old, new := 0, 0
	// of returns the origin of the line of a token, and moves behind the token.
	of := func(line *int, t token, lines []string) (who string) {
		if len(t.text) == 0 {
			return ""
		}
		if at := *line + bytes.Count(t.text[:t.gap], []byte("\n")); at < len(lines) {
			who = lines[at]
		}
		*line += bytes.Count(t.text, []byte("\n"))
		return who
	}
	for _, p := range m.pieces {
		removed, added := of(&old, p.good, o.Removed), of(&new, p.bad, o.Added)
		if p.changes {
			all = append(all, cmp.Or(added, removed))
		}
	}
	return all
}
