package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Limits in bytes, of a report in Markdown and of its parts. GitHub accepts 65,536 characters.
const (
	mostMarkdown = 60_000
	mostFiles    = 40_000
	mostShown    = 12_000
	mostTool     = 4_000 // output of all tools
	mostTools    = 4
	mostLine     = 300
	mostCell     = 120
	mostCommand  = 1_200
	mostTable    = 6_000
	mostEnd      = 3_000
	mostRows     = 40
)

// Markdown writes a report for a bug tracker. It is readable as plain text, too.
func Markdown(w io.Writer, f Facts) error {
	var m markdown
	title := f.Title
	if title == "" {
		title = "a failure of " + strings.Join(f.Input, ", ")
	}
	m.paragraph("## " + code(line(title, mostLine)))
	parts := f.fit(mostFiles, mostShown, mostTool, plainCost)
	for _, file := range parts.Files {
		said := code(file.Name)
		if len(f.Files) == 1 && f.After != (Size{}) {
			said += ", " + f.After.String()
		}
		if file.Note != "" {
			said += " (" + file.Note + ")"
		}
		m.paragraph(said + ":")
		m.fence(cmp.Or(fences[file.language], file.language), file.Lines)
	}
	if parts.left > 0 {
		m.paragraph(fmt.Sprintf("and %s more", times(parts.left, "file")))
	}
	m.runs(parts.Runs)
	m.compilers(f.Compilers)
	if f.Explorer.isLink() {
		m.paragraph("Compiler Explorer: [" + prose(line(f.Explorer.Text, mostLine)) + "](<" + f.Explorer.URL + ">)")
	}
	m.list(f)
	m.runs(parts.Tools)
	end := f.reduced()
	if f.Whittle != "" {
		end = strings.TrimSpace(end + " Made by whittle " + line(f.Whittle, mostLine) + ".")
	}
	if f.Again != "" {
		end = strings.TrimSpace(end + " To run it again: " + code(line(f.Again, mostCommand)))
	}
	m.paragraph(end)
	_, err := io.WriteString(w, strings.TrimRight(m.String(), "\n")+"\n")
	return err
}

type markdown struct{ strings.Builder }

func (m *markdown) paragraph(text string) {
	if text != "" {
		m.WriteString(text + "\n\n")
	}
}

var fences = map[string]string{"lines": "text", "structure": "text", "binary": "text", "lock": "text"}

func (m *markdown) fence(language string, lines []string) {
	text := strings.Join(lines, "\n")
	marks := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	m.paragraph(marks + language + "\n" + text + "\n" + marks)
}

func (m *markdown) runs(runs []text) {
	for _, r := range runs {
		lines := append([]string{"$ " + r.Name}, r.Lines...)
		if r.Note != "" {
			lines = append(lines, "["+r.Note+"]")
		}
		m.fence("console", lines)
	}
}

func (m *markdown) compilers(compilers []Compiler) {
	if len(compilers) == 0 {
		return
	}
	rows := [][]string{{"Compiler", "Version", "This file"}}
	shown, more := first(compilers, mostTable, Compiler.cells)
	for _, c := range shown {
		verdict := c.Verdict.String()
		if c.Verdict == HasBug {
			verdict = "**" + verdict + "**"
		}
		if c.Detail != "" {
			verdict += ": " + code(line(c.Detail, mostCell))
		}
		if c.without() != "" {
			verdict += ", without " + code(c.without())
		}
		rows = append(rows, []string{prose(line(c.Name, mostLine)), prose(line(c.Version, mostCell)), verdict})
	}
	if more > 0 {
		rows = append(rows, []string{fmt.Sprintf("and %d more", more), "", ""})
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = strings.ReplaceAll(row[i], "|", `\|`) // even in code
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(m, "| %-*s ", width[i], cell)
		}
		m.WriteString("|\n")
		if n == 0 {
			for _, w := range width {
				m.WriteString("|" + strings.Repeat("-", w+2))
			}
			m.WriteString("|\n")
		}
	}
	m.WriteString("\n")
}

func (m *markdown) list(f Facts) {
	var items []string
	facts := func(facts []Fact) {
		for _, x := range facts {
			text := line(x.Text, mostLine)
			if x.Code {
				text = code(text)
			} else {
				text = prose(text)
			}
			items = append(items, prose(line(x.Name, mostLine))+": "+text)
		}
	}
	facts(f.Where)
	for _, g := range f.Guards {
		items = append(items, prose("validity check: "+line(g, mostLine)))
	}
	for _, o := range f.Others {
		said := "another failure, found during the reduction: " + code(line(o.Title, mostLine))
		if o.Path != "" {
			said += ", in " + code(line(o.Path, mostLine)) + ", " + o.Size.String()
		}
		items = append(items, said)
	}
	facts(f.Machine)
	for _, text := range f.Notes {
		items = append(items, prose(line(text, mostLine)))
	}
	if f.Loop != "" {
		items = append(items, "to see the failure: "+code(line(f.Loop, mostCommand)))
	}
	if given := f.given(); given != "" {
		items = append(items, "original command: "+code(line(given, mostCommand)))
	}
	most := mostMarkdown - mostEnd - mostTool - mostTools*mostCommand - m.Len()
	items, more := first(items, most, func(item string) string { return item })
	if more > 0 {
		items = append(items, fmt.Sprintf("and %d more", more))
	}
	for _, item := range items {
		m.WriteString("- " + item + "\n")
	}
	if len(items) > 0 {
		m.WriteString("\n")
	}
}

// prose escapes markup and names of users.
func prose(line string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "<", `\<`, "[", `\[`, "@", "&#64;").Replace(line)
}

func code(line string) string {
	marks := strings.Repeat("`", longestRun(line, '`')+1)
	if strings.HasPrefix(line, "`") || strings.HasSuffix(line, "`") {
		line = " " + line + " "
	}
	return marks + line + marks
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
