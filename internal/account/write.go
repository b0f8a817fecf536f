package account

import (
	"errors"
	"fmt"
	"io"

	"whittle/internal/report"
	"whittle/oracle"
	"whittle/sink"
)

// Write writes a report to two paths, as Markdown and as a page; "" is none.
func Write(facts report.Facts, markdown, page string) error {
	return errors.Join(write(markdown, facts, report.Markdown), write(page, facts, report.HTML))
}

func write(path string, facts report.Facts, render func(io.Writer, report.Facts) error) error {
	if path == "" {
		return nil
	}
	w, err := sink.Create(path)
	if err == nil {
		err = errors.Join(render(w, facts), w.Close())
	}
	if err != nil {
		return &oracle.EnvironmentError{Err: fmt.Errorf("cannot write the report: %w", err)}
	}
	return nil
}
