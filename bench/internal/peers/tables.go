package peers

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"whittle/bench/internal/page"
	"whittle/bench/internal/stats"
)

// A metric is a figure of a record.
type metric struct {
	name   string
	form   string
	of     func(Record) float64
	before func(Record) int // value of the input, or nil
}

var metrics = []metric{
	{"tokens", "%.0f", func(r Record) float64 { return float64(r.Tokens) },
		func(r Record) int { return r.TokensBefore }},
	{"bytes", "%.0f", func(r Record) float64 { return float64(r.Bytes) },
		func(r Record) int { return r.BytesBefore }},
	{"tests", "%.0f", func(r Record) float64 { return float64(r.Tests) }, nil},
	{"seconds", "%.0f", func(r Record) float64 { return r.Seconds }, nil},
}

var Tables = []string{"compare-sums", "compare-cases", "compare-means", "compare-peers"}

// Table returns the table with a name of [Tables].
func (s *Comparison) Table(name string) string {
	switch name {
	case "compare-sums":
		return s.sums()
	case "compare-cases":
		return s.cases()
	case "compare-means":
		return s.means()
	}
	return s.about()
}

const ours = "whittle"

// grid returns the records with the current number of jobs, by case and peer.
func (s *Comparison) grid() (cases []string, peers []string, cells map[[2]string]Record) {
	cells = map[[2]string]Record{}
	for _, k := range s.order {
		if k.Jobs != s.Jobs {
			continue
		}
		cells[[2]string{k.Case, k.Peer}] = s.records[k]
		if !slices.Contains(cases, k.Case) {
			cases = append(cases, k.Case)
		}
	}
	slices.Sort(cases)
	for _, p := range All() {
		if slices.ContainsFunc(cases, func(c string) bool { _, ok := cells[[2]string{c, p.Name}]; return ok }) {
			peers = append(peers, p.Name)
		}
	}
	return cases, peers, cells
}

func (s *Comparison) cases() string {
	cases, peers, cells := s.grid()
	var b strings.Builder
	for _, m := range metrics {
		t := page.NewTable(append([]string{m.name}, peers...)...)
		if m.before != nil {
			t.Head = append(t.Head, "before")
		}
		for _, c := range cases {
			row, before := []string{c}, 0
			for _, p := range peers {
				r, ok := cells[[2]string{c, p}]
				row = append(row, m.show(r, ok))
				if ok && m.before != nil {
					before = m.before(r)
				}
			}
			if m.before != nil {
				row = append(row, fmt.Sprint(before))
			}
			t.Add(row...)
		}
		fmt.Fprintf(&b, "%s\n", t)
	}
	t := page.NewTable(append([]string{"errors, warnings"}, peers...)...)
	for _, c := range cases {
		row, any := []string{c}, false
		for _, p := range peers {
			r, ok := cells[[2]string{c, p}]
			any = any || r.Compiles != nil
			row = append(row, showCompiles(r, ok))
		}
		if any {
			t.Add(row...)
		}
	}
	if len(t.Rows) > 0 {
		fmt.Fprintf(&b, "%s\n", t)
	}
	return b.String()
}

// show formats a cell: * means stopped by the limit, ! not interesting, and † that the peer
// failed.
func (m metric) show(r Record, ok bool) string {
	switch cell := fmt.Sprintf(m.form, m.of(r)); {
	case !ok:
		return "—"
	case r.Failed != "":
		return cell + "†"
	case !r.Interesting:
		return cell + "!"
	case r.TimedOut:
		return cell + `\*`
	default:
		return cell
	}
}

func showCompiles(r Record, ok bool) string {
	switch {
	case !ok || r.Compiles == nil:
		return "—"
	case *r.Compiles == Diagnostics{}:
		return "clean"
	}
	return fmt.Sprintf("%d, %d", r.Compiles.Errors, r.Compiles.Warnings)
}

// sums compares whittle with each peer by geometric means of ratios, over cases that both finished
// well. The last line is the smallest result of any peer, also of stopped runs, unless it is the
// input.
func (s *Comparison) sums() string {
	cases, peers, cells := s.grid()
	t := page.NewTable("whittle against", "cases", "tokens", "bytes", "tests", "seconds",
		"fewer tokens", "as many", "more", "compile clean, it and whittle", "left out: it was stopped")
	against := func(name string, whole bool, other func(c string) (Record, bool)) {
		ratios := make([][]float64, len(metrics))
		fewer, equal, more, stopped, clean, cleanOurs := 0, 0, 0, 0, 0, 0
		for _, c := range cases {
			mine, known := cells[[2]string{c, ours}]
			r, ok := other(c)
			if !known || !mine.good() || !ok || !r.good() {
				continue
			}
			if whole && r.TimedOut {
				stopped++
				continue
			}
			for i, m := range metrics {
				ratios[i] = append(ratios[i], math.Max(m.of(mine), 0.1)/math.Max(m.of(r), 0.1))
			}
			switch {
			case mine.Tokens < r.Tokens:
				fewer++
			case mine.Tokens == r.Tokens:
				equal++
			default:
				more++
			}
			clean += count(r.Compiles != nil && *r.Compiles == Diagnostics{})
			cleanOurs += count(mine.Compiles != nil && *mine.Compiles == Diagnostics{})
		}
		if len(ratios[0])+stopped == 0 {
			return
		}
		row := []string{name, fmt.Sprint(len(ratios[0]))}
		for i := range metrics {
			cell := "—"
			if len(ratios[i]) > 0 {
				cell = fmt.Sprintf("%.2f", stats.Geometric(ratios[i]))
			}
			row = append(row, cell)
		}
		t.Add(append(row, fmt.Sprint(fewer), fmt.Sprint(equal), fmt.Sprint(more), fmt.Sprintf("%d, %d", clean, cleanOurs),
			fmt.Sprint(stopped))...)
	}
	for _, p := range peers {
		if p != ours {
			against(p, true, func(c string) (Record, bool) { r, ok := cells[[2]string{c, p}]; return r, ok })
		}
	}
	against("the smallest of them", false, func(c string) (best Record, ok bool) {
		for _, p := range peers {
			r, known := cells[[2]string{c, p}]
			if p != ours && known && r.good() && r.Bytes < r.BytesBefore && (!ok || r.Tokens < best.Tokens) {
				best, ok = r, true
			}
		}
		return best, ok
	})
	return t.String() + "\n"
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// means returns arithmetic means by language, as papers report, of peers with good results for all
// its cases.
func (s *Comparison) means() string {
	cases, peers, cells := s.grid()
	of := map[string][]string{} // the cases of a language
	before := map[string]int{}
	for _, c := range cases {
		if r, ok := cells[[2]string{c, ours}]; ok {
			of[r.Language] = append(of[r.Language], c)
			before[r.Language] += r.TokensBefore
		}
	}
	t := page.NewTable(append([]string{"tokens, tests", "cases", "before"}, peers...)...)
	for _, language := range slices.Sorted(maps.Keys(of)) {
		n := len(of[language])
		row := []string{language, fmt.Sprint(n), fmt.Sprint(before[language] / n)}
		for _, p := range peers {
			tokens, tests, all := 0, 0, true
			for _, c := range of[language] {
				r := cells[[2]string{c, p}]
				tokens, tests, all = tokens+r.Tokens, tests+r.Tests, all && r.good()
			}
			cell := "—"
			if all {
				cell = fmt.Sprintf("%.0f, %.0f", float64(tokens)/float64(n), float64(tests)/float64(n))
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	return t.String()
}

func (s *Comparison) about() string {
	t := page.NewTable("peer", "runs", "version", "how it is called", "how to install it")
	var machines, dates, limits, jobs []string
	note := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, p := range All() {
		var versions []string
		runs := 0
		for _, k := range s.order {
			if r := s.records[k]; k.Peer == p.Name && k.Jobs == s.Jobs {
				runs++
				note(&versions, r.Version)
				note(&machines, r.Machine)
				note(&dates, r.Date.Format("2006-01-02"))
				note(&limits, fmt.Sprintf("%g s", r.Limit))
				note(&jobs, fmt.Sprint(r.Jobs))
			}
		}
		version := strings.Join(versions, "; ")
		if runs == 0 {
			version = "not run"
		}
		call := p.Call
		for _, name := range p.switches {
			call += " --enable-" + name + " true"
		}
		t.Add(p.Name, fmt.Sprint(runs), version, "`"+call+"`", p.Install)
	}
	slices.Sort(dates)
	list := func(of []string) string { return strings.Join(of, "; ") }
	return fmt.Sprintf("%s\nMachine: %s. Dates of the runs: %s. Tests at once: %s. Limit of a run: %s.\n",
		t, list(machines), list(dates), list(jobs), list(limits))
}
