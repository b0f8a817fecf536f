package process

import (
	"bufio"
	"io"

	"whittle/oracle"
)

// OutputLimit bounds the kept output, in bytes: enough for a stack trace of the JVM and the error
// message before it.
const OutputLimit = 256 << 10

// A Record takes the output of a test in bounded memory, for the fields of its Run. Patterns see
// no escape sequences of terminals.
type Record struct {
	spec     *oracle.Spec
	plain    Plain
	last     Tail
	reasons  *Reasons       // nil without Spec.Reason
	lines    *Counter       // nil without patterns of lines
	matching *io.PipeWriter // nil without a pattern
	matched  chan bool      // once, at the end
	Certain  chan struct{}  // closed when a Hasty test can end; may be nil

	isCertain bool
}

// Recorded reports whether a Run depends on the output.
func Recorded(spec *oracle.Spec) bool {
	return spec.KeepOutput || spec.Reason != nil || spec.Interesting.Output != nil || len(spec.Interesting.Lines) > 0
}

// NewRecord returns a Record, which needs an End.
func NewRecord(spec *oracle.Spec) *Record {
	r := &Record{spec: spec, last: Tail{Limit: OutputLimit}}
	var to []io.Writer
	if spec.KeepOutput && !spec.RawOutput {
		to = append(to, &r.last)
	}
	if patterns := spec.Interesting.Patterns(); len(patterns) > 0 {
		r.lines = NewCounter(patterns)
		to = append(to, r.lines)
	}
	if spec.Hasty && r.lines != nil {
		r.Certain = make(chan struct{})
	}
	if spec.Reason != nil {
		r.reasons = &Reasons{Of: spec.Reason}
		to = append(to, r.reasons)
	}
	if pattern := spec.Interesting.Output; pattern != nil {
		text, in := io.Pipe()
		r.matching, r.matched = in, make(chan bool)
		to = append(to, in)
		go func() {
			matched := pattern.MatchReader(bufio.NewReader(text))
			io.Copy(io.Discard, text)
			r.matched <- matched
		}()
	}
	r.plain.To = io.MultiWriter(to...)
	return r
}

func (r *Record) Write(p []byte) (int, error) {
	if r.spec.KeepOutput && r.spec.RawOutput {
		r.last.Write(p)
	}
	n, err := r.plain.Write(p)
	if r.Certain != nil && !r.isCertain && r.spec.Interesting.Certain(r.lines.counts) {
		r.isCertain = true
		close(r.Certain)
	}
	return n, err
}

// End adds the output to the run.
func (r *Record) End(run *oracle.Run) {
	run.Stripped = r.plain.found
	if r.spec.KeepOutput {
		run.Output, run.Cut = r.last.Bytes(), r.last.Cut()
	}
	if r.lines != nil {
		run.Counts = r.lines.Counts()
	}
	if r.reasons != nil {
		run.Reasons = r.reasons.All()
	}
	if r.matching != nil {
		r.matching.Close()
		run.Matched = <-r.matched
	}
}
