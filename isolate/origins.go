package isolate

import "bytes"

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
		for i, line := range pair.mix.lines() {
			if who := line.from(o); who != "" {
				of[pair.first+i] = who
			}
		}
	}
	return nil
}

// A place is the line numbers of a change in the two files, from 0, or -1.
type place struct{ old, new int }

func (p place) from(o Origin) (who string) {
	if p.new >= 0 && p.new < len(o.Added) {
		who = o.Added[p.new]
	}
	if who == "" && p.old >= 0 && p.old < len(o.Removed) {
		who = o.Removed[p.old]
	}
	return who
}

func (m *mixture) lines() (places []place) {
	old, new := 0, 0
	advance := func(line *int, t token) (at int) {
		if len(t.text) == 0 {
			return -1
		}
		at = *line + bytes.Count(t.text[:t.gap], []byte("\n"))
		*line += bytes.Count(t.text, []byte("\n"))
		return at
	}
	for _, p := range m.pieces {
		at := place{advance(&old, p.good), advance(&new, p.bad)}
		if p.changes {
			places = append(places, at)
		}
	}
	return places
}
