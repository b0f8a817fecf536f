package main

import (
	"cmp"
	"context"
	"errors"

	"whittle/internal/run"
	"whittle/internal/stage"
)

// narrows reports whether the run is of a project, which a part of the work may replace.
func (r *reducing) narrows() bool { return r.Test.Project != nil && !r.flags.noNarrow }

// stages reports whether another run follows on a part of the work that fails alone.
func (r *reducing) stages() bool {
	return r.narrows() || (r.flags.stage || r.flags.Report) && r.Test.Inline
}

// start returns an open run on the input, or on a part of the work that fails alone.
func (r *reducing) start() (*reducing, error) {
	if err := r.open(r.limited); err != nil {
		return r, err
	}
	if r.Test.Project == nil {
		return r, stage.Explain(r.limited, r.Run, r.report.step)
	}
	next, err := r.part(r.Input.Bytes, stage.Unseal)
	if r = cmp.Or(next, r); err == nil && r.narrows() {
		next, err = r.part(r.Input.Bytes, stage.Before)
	}
	return cmp.Or(next, r), err
}

// stage reduces the input of a part of the work that fails alone.
func (r *reducing) stage(ctx context.Context) error {
	find := stage.Find
	if r.narrows() {
		find = stage.After
	}
	next, err := run.Wait(r.limited, func() (*reducing, error) { return r.part(r.Best(), find) })
	none := errors.Is(err, stage.ErrNone)
	switch {
	case none && !r.flags.stage || next == nil && err == nil:
		return nil
	case err == nil:
		r.next = next
		err = next.run(ctx)
	case !none:
		err = r.early(err)
	}
	pulls := r.narrows() && next != nil && next.Output != r.Out.Path // the result stands
	if none || err != nil && pulls && r.limited.Err() == nil {
		r.report.line("%v", err)
		return nil
	}
	return err
}

// part returns an open run on the part that find finds, or nil.
func (r *reducing) part(candidate []byte, find stage.Finder) (*reducing, error) {
	r.report.course.Restart("looking for the part that fails")
	r.report.follow()
	found, err := find(r.limited, r.Run, candidate, r.report.step)
	if found == nil || err != nil {
		return nil, err
	}
	c, path, err := found.Next(r.Run)
	if err != nil {
		return nil, err
	}
	flags := *r.flags
	flags.stage = r.narrows() && flags.stage
	next := &reducing{session: &session{run.New(r.limited, c), &flags, []string{path}, r.limited, r.out, r.report}}
	r.Later(next.Close)
	next.Observe, next.Search.Control = next.observe, &next.control
	if found.Replaces() {
		r.Cede()
	}
	if err = next.open(r.limited); err == nil && found.Replaces() {
		next.Out.TakeOver(r.Out)
	}
	return next, err
}
