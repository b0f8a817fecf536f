package main

import (
	"context"
	"errors"

	"whittle/internal/run"
	"whittle/internal/stage"
)

func (r *reducing) stages() bool { return (r.flags.stage || r.Report) && r.Test.Inline }

// stage reduces the intermediate code with which a tool for one stage of the compiler fails alone.
func (r *reducing) stage(ctx context.Context) error {
	r.report.course.Restart("looking for the failing stage")
	found, err := stage.Find(r.limited, r.Run, r.report.step)
	if errors.Is(err, stage.ErrNone) {
		if r.flags.stage {
			r.report.line("%v", err)
		}
		return nil
	}
	if err != nil {
		return r.early(err)
	}
	c, path, err := found.Next(r.Run)
	if err != nil {
		return err
	}
	flags := *r.flags
	flags.stage = false
	r.next = &reducing{session: &session{run.New(r.limited, c), &flags, []string{path}, r.limited, r.out, r.report}}
	r.Later(r.next.Close)
	r.next.Observe, r.next.Search.Control = r.next.observe, &r.next.control
	if err = run.Do(r.limited, func() error { return r.next.open(r.limited) }); err == nil {
		return r.next.run(ctx)
	}
	return r.next.early(err)
}
