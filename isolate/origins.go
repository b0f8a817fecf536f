package isolate

import "bytes"

// Changed is a file of which something differs, by its paths in both versions; "" is
// none. Text is whether its contents differ in lines.
type Changed struct {
	Old, New string
	Text     bool
}

// An Origin says where the changes of a file are from: who has removed each line of the
// old version and added each of the new one, "" if nobody has; who was last at the file
// itself, and who has given it another name.
type Origin struct {
	Removed, Added []string
	Last, Renamed  string
}

// Origins writes down for each change of a project where it is from. A line in the place
// of another is from who added it.
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

// place says in which lines of the two files a change is, from 0 on; -1 for none.
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

// lines returns the place of each change.
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
