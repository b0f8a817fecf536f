package bisect

import (
	"whittle/internal/report"
	"whittle/internal/survey"
)

// Versions tells the first version that has the bug, and one in which it is gone, of the
// compilers that were asked, which are sorted, the newest of each sort first. Those count
// that are of the sort of the command's own.
func Versions(own survey.Command, asked []survey.Compiler) (facts []report.Fact) {
	var before, bad, after *survey.Compiler
	for i, c := range asked {
		switch {
		case c.Program.Tool != own.Compiler.Tool:
		case c.Verdict == report.HasBug:
			bad, before = &asked[i], nil
		case c.Verdict == report.Accepts && bad == nil:
			after = &asked[i]
		case c.Verdict == report.Accepts && before == nil:
			before = &asked[i]
		}
	}
	if bad != nil && before != nil {
		text := bad.Name + "; " + before.Name + " does not have it"
		facts = append(facts, report.Fact{Name: "first bad version", Text: text})
	}
	if bad != nil && after != nil {
		facts = append(facts, report.Fact{Name: "gone in version", Text: after.Name})
	}
	return facts
}
