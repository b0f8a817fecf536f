package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"whittle"
	"whittle/internal/view"
)

func TestReporterState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &reporter{course: view.NewCourse("testing small.c as it is")}
		if got := r.course.String(); got != "testing small.c as it is, 0s" {
			t.Errorf("at first it is %q", got)
		}
		time.Sleep(754 * time.Second)
		r.observe(whittle.Decision{Pass: "comments", Tests: 10_123, Best: 149_867, AtAll: 150_002, BestBytes: 512_345})
		if got := r.course.String(); got != "149,867/150,002 tokens (99.9%), 512 kB, 10,123 tests (13/s), comments, 12m34s" {
			t.Errorf("it is %q", got)
		}
	})
}

func TestReporterElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		r := &reporter{course: view.NewCourse("testing small.c as it is")}
		end := view.Lines(&out, r.course.String)
		time.Sleep(15 * time.Second)
		r.observe(whittle.Decision{Pass: "perses", Tests: 12, Best: 1, AtAll: 3, BestBytes: 5, Accepted: true})
		time.Sleep(10 * time.Second)
		end()
		want := "whittle: testing small.c as it is, 10s\nwhittle: 1/3 tokens (33.3%), 5 B, 12 tests (0.6/s), perses, 20s\n"
		if out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

// A panic restores the terminal, and continues.
func TestReporterPanic(t *testing.T) {
	ended := false
	r := &reporter{end: func() { ended = true }}
	defer func() {
		if p := recover(); p != "so" || !ended {
			t.Errorf("panic %v, the view has ended: %v", p, ended)
		}
	}()
	defer r.onPanic()
	panic("so")
}
