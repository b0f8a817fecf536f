package output

import (
	"encoding/json"
	"io"

	"whittle"
)

// EventsVersion is the version of the schema of --events. Later versions may add events and fields without a
// change of it.
const EventsVersion = 1

type begun struct {
	Version  int      `json:"version"`
	Input    []string `json:"input"`
	Output   string   `json:"output"`
	Language string   `json:"language"`
	Driver   string   `json:"driver"`
	Jobs     int      `json:"jobs"`
	Bytes    int      `json:"bytes"`
}

// A Criterion describes what makes a candidate interesting.
type Criterion struct {
	Test  string `json:"test"`
	Kind  string `json:"kind,omitempty"`
	Title string `json:"title,omitempty"`
}

type bestFile struct {
	Tokens int `json:"tokens"`
	Bytes  int `json:"bytes"`
}

// Begin records the start, which figures describe, and the criterion.
func (r *Recorder) Begin(f Figures, to string, c Criterion) {
	r.event("started", begun{EventsVersion, f.Input.Paths, to, f.Language, f.Driver, f.Jobs, len(f.Input.Bytes)})
	r.event("criterion", c)
}

// Best records a new best file, unless it could not be written.
func (r *Recorder) Best(tokens, bytes int, written error) {
	if written == nil {
		r.event("best", bestFile{tokens, bytes})
	}
}

// Other records a candidate with another failure.
func (r *Recorder) Other(title string, bytes int) {
	r.event("other failure", struct {
		Title string `json:"title"`
		Bytes int    `json:"bytes"`
	}{title, bytes})
}

// Observe records the passes, and that a result was not interesting when tested again.
func (r *Recorder) Observe(e whittle.Event) {
	switch e := e.(type) {
	case whittle.PassBegan:
		r.event("pass", struct {
			Name string `json:"name"`
		}{e.Name})
	case whittle.Refuted:
		r.Flaky("the result is not interesting when tested again")
	}
}

// Flaky records two outcomes of one file.
func (r *Recorder) Flaky(text string) {
	r.event("flaky", struct {
		Text string `json:"text"`
	}{text})
}

func (r *Recorder) event(name string, fields any) {
	if r == nil { // before the files are open
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.write(name, fields)
	}
}

// write writes an event as one line. The caller holds the lock.
func (r *Recorder) write(name string, fields any) {
	if r.events == nil {
		return
	}
	line, err := json.Marshal(fields)
	if err == nil {
		_, err = io.WriteString(r.events, `{"event":"`+name+`",`+string(line[1:])+"\n")
	}
	r.keep(err)
}
