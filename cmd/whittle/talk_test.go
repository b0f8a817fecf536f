package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"whittle"
)

// screen is what a terminal of one column less than width shows of text: it
// knows line feeds, carriage returns and the clearing of a line.
func screen(t *testing.T, text string, width int) []string {
	lines := []string{""}
	for text != "" {
		last := &lines[len(lines)-1]
		switch {
		case strings.HasPrefix(text, clearLine):
			*last, text = "", text[len(clearLine):]
		case text[0] == '\n':
			lines, text = append(lines, ""), text[1:]
		case text[0] < ' ':
			t.Fatalf("unexpected control character in %q", text)
		default:
			if *last += text[:1]; len(*last) >= width && !strings.HasPrefix(*last, "whittle: ") {
				t.Fatalf("%q would wrap", *last)
			}
			text = text[1:]
		}
	}
	return lines
}

func TestTalkOnTerminal(t *testing.T) {
	var out bytes.Buffer
	width := 80
	talk := &talk{verbose: true, doing: "testing small.c as it is", out: &out, width: func() int { return width }, began: time.Now()}
	show := func() string {
		t.Helper()
		talk.show()
		lines := screen(t, out.String(), width)
		return lines[len(lines)-1]
	}
	if got := show(); got != "testing small.c as it is, 0s" {
		t.Errorf("at first it shows %q", got)
	}

	talk.began = time.Now().Add(-754 * time.Second)
	d := whittle.Decision{Pass: "comments", Tests: 10_123, Best: 149_867, AtAll: 150_002, BestBytes: 512_345}
	talk.decided(d)
	if got := show(); got != "149,867/150,002 tokens (99.9%), 512 kB, 10,123 tests (13/s), comments, 12m34s" {
		t.Errorf("it shows %q", got)
	}
	before := out.Len()
	if show(); out.Len() != before {
		t.Error("it shows again what is there already")
	}

	// A line goes above the progress, in one piece.
	d.Accepted = true
	talk.decided(d)
	lines := screen(t, out.String(), width)
	if n := len(lines); n != 2 || lines[0] != "whittle: comments: 149,867 tokens, 512,345 bytes after 10,123 tests" || !strings.HasPrefix(lines[1], "149,867/") {
		t.Errorf("it shows %q", lines)
	}

	// What does not fit is cut off.
	width = 40
	out.Reset()
	if got := show(); got != "149,867/150,002 tokens (99.9%), 512 kB," {
		t.Errorf("it shows %q", got)
	}

	// In the end the line is gone.
	talk.stop, talk.stopped = make(chan struct{}), make(chan struct{})
	close(talk.stopped)
	talk.end()
	if lines := screen(t, out.String(), 80); lines[len(lines)-1] != "" {
		t.Errorf("it leaves %q", lines)
	}
}

func TestTalkElsewhere(t *testing.T) {
	var out bytes.Buffer
	talk := &talk{out: &out, doing: "testing small.c as it is", began: time.Now().Add(-10 * time.Second)}
	talk.show()
	talk.decided(whittle.Decision{Pass: "perses", Tests: 12, Best: 1, AtAll: 3, BestBytes: 5, Accepted: true})
	talk.show()
	want := "whittle: testing small.c as it is, 10s\nwhittle: 1/3 tokens (33.3%), 5 B, 12 tests (1.2/s), perses, 10s\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
