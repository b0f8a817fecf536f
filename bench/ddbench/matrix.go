package main

import (
	"strings"
	"time"

	"whittle"
)

// A matrix combines drivers, algorithms, initial probabilities and repetitions, for every case.
type matrix struct {
	drivers     []string
	algorithms  []string
	p0          []float64
	width       int
	repetitions int
	seed        uint64
	timeout     time.Duration
}

func (m matrix) check() error {
	for _, d := range m.drivers {
		if _, err := whittle.Drivers().Find(d); err != nil {
			return usageError{err}
		}
	}
	for _, name := range m.algorithms {
		if _, err := (spec{Algorithm: name, P0: whittle.DefaultP0}).options(); err != nil {
			return usageError{err}
		}
	}
	for _, p0 := range m.p0 {
		if !(p0 >= 0 && p0 < 1) {
			return usagef("--p0 %v: must be a probability between 0 and 1; 0 means the default, lower for long lists", p0)
		}
	}
	switch {
	case m.width < 0:
		return usagef("--width %d: cannot be negative", m.width)
	case m.repetitions < 1:
		return usagef("--repetitions %d: must be at least 1", m.repetitions)
	case m.timeout <= 0:
		return usagef("--timeout %v: a run needs some time", m.timeout)
	}
	return nil
}

func (m matrix) of(c benchCase) []spec {
	var runs []spec
	for _, driver := range m.drivers {
		for _, name := range m.algorithms {
			for _, p0 := range m.constants(name) {
				for r := range m.repetitions {
					runs = append(runs, spec{
						Case: c.Name, CaseID: c.Identity, Driver: driver, Algorithm: name, P0: p0, Width: m.width,
						Seed: m.seed + uint64(r), Repetition: r, Timeout: m.timeout.Seconds(),
					})
				}
			}
		}
	}
	return runs
}

func (m matrix) constants(algorithm string) []float64 {
	name, _, _ := strings.Cut(algorithm, "+")
	if e, err := algorithms().Find(name); err == nil && e.P0 {
		return m.p0
	}
	return []float64{0}
}
