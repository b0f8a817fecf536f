package remote

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	repb "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"whittle/internal/process"
	"whittle/oracle"
)

// A verdict is the end of a test, in a line of the script.
type verdict struct {
	code    int
	signal  syscall.Signal
	late    bool // stopped by the script
	missing bool // no program
	unfit   bool // failed Options.Check
}

func (v verdict) line() []byte {
	end := strconv.Itoa(v.code)
	switch {
	case v.late:
		end = "late"
	case v.missing:
		end = "missing"
	case v.unfit:
		end = "unfit"
	case v.signal != 0:
		end = fmt.Sprintf("signal %d", v.signal)
	}
	return []byte("whittle 1 " + end + "\n")
}

// verdicts maps digests of lines to verdicts, which saves downloads.
func verdicts(hash *digestFunction) map[digest]verdict {
	all := []verdict{{late: true}, {missing: true}, {unfit: true}}
	for code := range 256 {
		all = append(all, verdict{code: code})
	}
	for s := range oracle.LastSignal {
		all = append(all, verdict{signal: syscall.Signal(s + 1)})
	}
	byLine := map[digest]verdict{}
	for _, v := range all {
		byLine[hash.blob(v.line()).digest] = v
	}
	return byLine
}

func (c *Cluster) verdictOf(r *repb.ActionResult) (v verdict, is bool) {
	line := fromProto(r.GetStdoutDigest())
	if len(r.GetStdoutRaw()) > 0 {
		line = c.hash.blob(r.StdoutRaw).digest
	}
	v, is = c.verdicts[line]
	return v, is
}

// A silence is the error of a test without the line of the script, or without output.
type silence struct {
	why   string
	late  bool
	unfit bool
}

func (s *silence) Error() string { return s.why }

// judge returns the run of a result. The error is a *silence or a read error.
func (c *Cluster) judge(ctx context.Context, q *question, r *repb.ActionResult, cached bool) (oracle.Run, error) {
	v, is := c.verdictOf(r)
	worker := r.GetExecutionMetadata().GetWorker()
	switch {
	case !is, r.ExitCode != 0 && !v.late && !v.missing && !v.unfit:
		return oracle.Run{}, &silence{why: c.explain(ctx, r, worker)}
	case v.unfit:
		return oracle.Run{}, &silence{unfit: true, why: fmt.Sprintf("the test came to a worker%s that does not pass "+
			"the check %q", at(worker), c.options.Check)}
	case v.missing:
		return oracle.Run{}, &silence{why: fmt.Sprintf("there is no program %s%s; name it, if it is a file of the test, "+
			"or choose workers that have it, as by a container image", q.spec.Argv[0], at(worker))}
	case v.late && cached:
		return oracle.Run{}, &silence{why: "the test took too long once, as the action cache has it", late: true}
	}
	run := oracle.Run{ExitCode: v.code, Timeout: q.limit, Worker: worker, Cached: cached}
	run.Elapsed = elapsed(r.GetExecutionMetadata())
	run.Processor, run.Longest = run.Elapsed, run.Elapsed // lower bounds
	switch {
	case v.late:
		run.TimedOut, run.ExitCode, run.Died = true, -1, syscall.SIGKILL
		run.Signal = run.Died.String()
	case v.signal != 0:
		run.ExitCode, run.Died = -1, v.signal
		run.Signal = v.signal.String()
	case v.code > oracle.ExitSignal && v.code <= oracle.ExitSignal+oracle.LastSignal:
		run.Died = syscall.Signal(v.code - oracle.ExitSignal)
	}
	if run.Died == syscall.SIGXFSZ {
		run.Exceeded = oracle.FileSizeLimit
	}
	if q.output {
		if err := c.readOutput(ctx, q, r, &run); status.Code(err) == codes.NotFound {
			return oracle.Run{}, &silence{why: "what the test printed is not there any more" + at(worker)}
		} else if err != nil {
			return oracle.Run{}, err
		}
	}
	run.Outcome = q.spec.Interesting.Judge(&run)
	return run, nil
}

func late(q *question) oracle.Run {
	run := oracle.Run{ExitCode: -1, TimedOut: true, Timeout: q.limit, Elapsed: q.limit, Died: syscall.SIGKILL}
	run.Signal = run.Died.String()
	if q.spec.Interesting.Lines != nil {
		run.Counts = make([]int, len(q.spec.Interesting.Lines))
	}
	run.Outcome = q.spec.Interesting.Judge(&run)
	return run
}

func elapsed(m *repb.ExecutedActionMetadata) time.Duration {
	since := func(begin, end *timestamppb.Timestamp) time.Duration {
		if begin == nil || end == nil {
			return 0
		}
		return max(0, end.AsTime().Sub(begin.AsTime()))
	}
	return cmp.Or(since(m.GetExecutionStartTimestamp(), m.GetExecutionCompletedTimestamp()),
		since(m.GetWorkerStartTimestamp(), m.GetWorkerCompletedTimestamp()))
}

// readOutput keeps as much of the output as a local test.
func (c *Cluster) readOutput(ctx context.Context, q *question, r *repb.ActionResult, run *oracle.Run) error {
	i := slices.IndexFunc(r.OutputFiles, func(f *repb.OutputFile) bool { return f.Path == outputName })
	if i < 0 {
		return &silence{why: "what the test printed is not there" + at(run.Worker)}
	}
	record := process.NewRecord(q.spec)
	defer record.End(run)
	file := r.OutputFiles[i]
	if d := fromProto(file.Digest); int64(len(file.Contents)) != d.size {
		return c.fetch(ctx, d, record)
	}
	_, err := record.Write(file.Contents)
	return err
}

const mostSaid = 2 << 10

func (c *Cluster) explain(ctx context.Context, r *repb.ActionResult, worker string) string {
	text := fmt.Sprintf("the script that runs the test gave no answer%s: exit code %d", at(worker), r.ExitCode)
	said := r.StderrRaw
	if d := fromProto(r.StderrDigest); len(said) == 0 && d.size > 0 && d.size < 1<<20 {
		var all bytes.Buffer
		if c.fetch(ctx, d, &all) == nil {
			said = all.Bytes()
		}
	}
	if end := strings.TrimSpace(string(said[max(0, len(said)-mostSaid):])); end != "" {
		text += fmt.Sprintf(", and it said %q", end)
	}
	return text
}

func at(worker string) string {
	if worker == "" {
		return ""
	}
	return " on the worker " + worker
}
