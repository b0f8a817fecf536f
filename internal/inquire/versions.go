package inquire

import (
	"slices"
	"strings"

	"whittle/internal/report"
	"whittle/internal/tool"
)

// outcomes phrases the verdicts about a version of a compiler.
var outcomes = map[report.Verdict]string{
	report.HasBug: "fails in", report.FailsElse: "fails in another way in", report.Accepts: "works in",
	report.Right: "works in", report.Rejects: "is rejected by", report.Hangs: "does not end in",
	report.CannotRun: "cannot be run by",
}

// Versions returns one fact: the versions of the command's compiler that have the bug, the oldest first. The fact is a
// regression range if an older version works. A single version gives no fact.
func Versions(own Command, asked []Compiler) []report.Fact {
	versions := slices.DeleteFunc(slices.Clone(asked), func(c Compiler) bool {
		return c.Program.Tool != own.Compiler.Tool
	})
	if len(versions) < 2 {
		return nil
	}
	slices.SortStableFunc(versions, func(a, b Compiler) int {
		return tool.CompareVersions(a.Program, b.Program)
	})
	fact := report.Fact{Name: "versions"}
	var groups []string
	for start := 0; start < len(versions); {
		outcome, end := outcomes[versions[start].Verdict], start
		var names []string
		for ; end < len(versions) && outcomes[versions[end].Verdict] == outcome; end++ {
			names = append(names, version(versions[end]))
		}
		groups = append(groups, outcome+" "+listed(names))
		if start > 0 && works(versions[start-1]) && versions[start].Verdict == report.HasBug {
			fact.Name = "regression range"
		}
		start = end
	}
	fact.Text = strings.Join(groups, ", ")
	return []report.Fact{fact}
}

func works(c Compiler) bool {
	return c.Verdict == report.Accepts || c.Verdict == report.Right
}

// version names a compiler, its version, and the arguments that were removed for it.
func version(c Compiler) string {
	var more []string
	if n := c.Program.Number(); n != "" {
		more = append(more, n)
	}
	if len(c.Without) > 0 {
		more = append(more, "without "+strings.Join(c.Without, " "))
	}
	if len(more) == 0 {
		return c.Name
	}
	return c.Name + " (" + strings.Join(more, ", ") + ")"
}

func listed(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
