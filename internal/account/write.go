package account

import (
	"bytes"
	"fmt"
	"io"

	"whittle/internal/output"
	"whittle/internal/report"
	"whittle/oracle"
)

// Write writes a report as Markdown and as a page; an empty path means none. It calls moved for
// each file of the user that was moved aside.
func Write(facts report.Facts, markdown, page output.Report, moved func(path, kept string)) error {
	for _, form := range []struct {
		to     output.Report
		render func(io.Writer, report.Facts) error
	}{{markdown, report.Markdown}, {page, report.HTML}} {
		if form.to.Path == "" {
			continue
		}
		var text bytes.Buffer
		err := form.render(&text, facts)
		kept := ""
		if err == nil {
			kept, err = form.to.Write(text.Bytes())
		}
		if kept != "" {
			moved(form.to.Path, kept)
		}
		if err != nil {
			return &oracle.EnvironmentError{Err: fmt.Errorf("cannot write the report: %w", err)}
		}
	}
	return nil
}
