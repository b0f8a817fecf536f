package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// errSkipped is the error of a case that this machine does not support.
var errSkipped = errors.New("skipped")

type output int

const (
	beside output = iota
	named         // -o
	inPlace
)

// A scenario is a case: a reduction and its mishaps.
type scenario struct {
	*soak
	seed     uint64
	rand     *rand.Rand
	dir      string
	input    *input
	property property
	wrong    misbehaviour // of the test; its name may be ""
	output   output
	form     string // "script", "command" or "server"
	flags    []string
	maxTests int // --max-tests; 0 means no limit
	mishaps  []mishap
	lives    atomic.Int64
}

var (
	drivers    = []string{"list", "coupled", "coupled", "perses", "hdd", "hddr"} // the first is for single files
	algorithms = []string{"ddmin", "wddmin", "probdd", "wprobdd", "cdd", "opdd", "c2d2", "grain", "grain", "grain"}
)

// drawSearch returns flags for the search that override earlier flags.
func (c *scenario) drawSearch() []string {
	fit := drivers
	if len(c.input.args) > 1 || c.input.isDir() {
		fit = drivers[1:]
	}
	if c.rand.IntN(4) == 0 {
		trees := drivers[1:]
		return []string{"--driver", trees[c.rand.IntN(len(trees))], "--algorithm", "grain", "--width", "0",
			"--wide", []string{"1", "5", "64"}[c.rand.IntN(3)]}
	}
	return []string{"--driver", fit[c.rand.IntN(len(fit))], "--algorithm", algorithms[c.rand.IntN(len(algorithms))],
		"--wide", "0"}
}

func (s *soak) draw(seed uint64) (*scenario, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	c := &scenario{soak: s, seed: seed, rand: r, dir: filepath.Join(s.dir, strconv.FormatUint(seed, 10))}
	var err error
	if c.input, err = drawInput(r, s.root); err != nil {
		return c, err
	}
	c.property = drawProperty(r, c.input)
	c.output = output(r.IntN(3))
	c.form = []string{"script", "script", "command", "server"}[r.IntN(4)]
	if c.form == "server" {
		c.property.Answer = answers[0]
	}
	if r.IntN(3) == 0 {
		if m := misbehaviours[r.IntN(len(misbehaviours))]; m.server || c.form != "server" {
			c.wrong, c.property.Wrong, c.property.OneIn = m, m.name, m.oneIn
		}
	}
	if c.form == "command" && c.wrong.name == "" && r.IntN(2) == 0 {
		c.property.Answer = crash
	}
	c.flags = append(c.drawSearch(), "--seed", strconv.Itoa(r.IntN(100)))
	c.flags = append(c.flags, "--timeout", "10m") // for busy machines
	c.flags = append(c.flags, c.wrong.flags...)
	c.flags = append(c.flags, c.property.Answer.Flags...)
	if r.IntN(3) == 0 && slices.Equal(c.flags[4:6], []string{"--wide", "0"}) {
		c.flags = append(c.flags, "--width", []string{"1", "2", "7", "64"}[r.IntN(4)])
	}
	switch language := c.input.language; {
	case language == "lines" || language == "words" || language == "chars" || language == "structure":
		c.flags = append(c.flags, "--language", language)
	case r.IntN(10) == 0: // this grammar reads other languages, too
		languages := []string{"lines", "words", "chars", "structure", "c", "python", "json", "xml"}
		c.flags = append(c.flags, "--language", languages[r.IntN(len(languages))])
	}
	switch r.IntN(8) {
	case 0:
		c.maxTests = 1 + r.IntN(60)
		c.flags = append(c.flags, "--max-tests", strconv.Itoa(c.maxTests))
	case 1:
		c.flags = append(c.flags, "--repeat", "2")
	case 2:
		c.flags = append(c.flags, "-v")
	case 3:
		c.flags = append(c.flags, "-q")
	}
	c.drawMishaps()
	return c, nil
}

func (c *scenario) drawMishaps() {
	for _, i := range c.rand.Perm(len(mishaps)) {
		m := mishaps[i]
		if m.may != nil && !m.may(c) || c.only != nil && !slices.Contains(c.only, m.name) {
			continue
		}
		if c.mishaps = append(c.mishaps, m); len(c.mishaps) == 2 {
			return
		}
	}
}

func (c *scenario) String() string {
	if c.input == nil {
		return "nothing yet"
	}
	var befalls []string
	for _, m := range c.mishaps {
		befalls = append(befalls, m.name)
	}
	of := strings.Join(append([]string{c.form, c.input.language}, c.flags...), " ")
	if c.wrong.name != "" {
		of += "; the test " + c.wrong.name
	}
	return of + "; " + strings.Join(befalls, ", ")
}

// steady reports whether all runs of the case have the same result.
func (c *scenario) steady() bool { return c.wrong.name != changesMind }

type ending struct {
	result map[string]string
	trace  []string
	took   time.Duration
}

// run reduces undisturbed with several numbers of jobs, then once with each mishap.
func (c *scenario) run(ctx context.Context) error {
	var want *ending
	for _, jobs := range []int{1, 3, 8} {
		p, err := c.place(fmt.Sprint("jobs-", jobs))
		if err != nil {
			return err
		}
		got, err := p.undisturbed(ctx, jobs)
		if err != nil {
			return fmt.Errorf("-j %d, undisturbed: %w", jobs, err)
		}
		switch {
		case want == nil:
			want = got
		case !c.steady():
		case !maps.Equal(got.result, want.result):
			return fmt.Errorf("the result of -j %d is\n%q, of -j 1\n%q", jobs, got.result, want.result)
		default:
			if err := sameTrace(got.trace, want.trace); err != nil {
				return fmt.Errorf("-j %d against -j 1: %w", jobs, err)
			}
		}
	}
	for i, m := range c.mishaps {
		p, err := c.place(fmt.Sprint("mishap-", i))
		if err != nil {
			return err
		}
		if err := m.befall(ctx, p, want); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		p.close()
	}
	return nil
}

// A place is a directory for one reduction.
type place struct {
	*scenario
	dir   string // parent of the others
	work  string // working directory of the user
	tmp   string // TMPDIR
	spec  string // encoded property
	small bool   // on a disk of its own
	odd   bool   // former output may be in .old
}

func (c *scenario) place(name string) (*place, error) {
	dir := filepath.Join(c.dir, name)
	p := &place{
		scenario: c, dir: dir,
		work: filepath.Join(dir, "work"), tmp: filepath.Join(dir, "tmp"), spec: filepath.Join(dir, "spec.json"),
	}
	return p, p.fill()
}

const script = "test.sh"

func (p *place) fill() error {
	for _, dir := range []string{p.work, p.tmp} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if err := p.input.write(p.work); err != nil {
		return err
	}
	property := p.property
	property.Victim, property.Input = p.outputs()[0], property.draw(p.work)
	spec, err := json.Marshal(property)
	if err != nil {
		return err
	}
	if err := os.WriteFile(p.spec, spec, 0o644); err != nil {
		return err
	}
	if p.form != "script" {
		return nil
	}
	text := fmt.Sprintf("#!/bin/sh\nexec '%s' test '%s'\n", p.self, p.spec)
	return os.WriteFile(filepath.Join(p.work, script), []byte(text), 0o755)
}

func (p *place) close() {
	if p.small {
		unmountDisk(p.dir)
	}
}

func (p *place) outputs() []string {
	dir := p.work
	if p.output != inPlace {
		if len(p.input.args) == 1 {
			return []string{p.whole()}
		}
		dir = p.whole()
	}
	var paths []string
	for _, arg := range p.input.args {
		paths = append(paths, filepath.Join(dir, arg))
	}
	return paths
}

// whole returns the path of the output, unless it is in place.
func (p *place) whole() string {
	in := p.input
	switch {
	case p.output == named:
		return filepath.Join(p.work, "out put")
	case len(in.args) > 1:
		return filepath.Join(p.work, "reduced")
	case in.isDir():
		return filepath.Join(p.work, in.args[0]+".reduced")
	}
	ext := filepath.Ext(in.args[0])
	return filepath.Join(p.work, strings.TrimSuffix(in.args[0], ext)+".reduced"+ext)
}

func (p *place) journal() string {
	if p.output == inPlace {
		return p.outputs()[0] + ".journal"
	}
	return p.whole() + ".journal"
}

func (p *place) command(jobs int, flags ...string) []string {
	args := append([]string{"reduce", "-j", strconv.Itoa(jobs)}, p.flags...)
	switch p.output {
	case named:
		args = append(args, "-o", "out put")
	case inPlace:
		args = append(args, "--in-place")
	}
	args = append(args, flags...)
	files := p.input.arguments()
	switch p.form {
	case "server":
		args = append(args, "--server", fmt.Sprintf("exec '%s' serve '%s'", p.self, p.spec))
		return append(args, files...)
	case "command":
		args = append(append(args, files...), "--", p.self, "test", p.spec)
		if len(files) == 1 {
			args = append(args, "{}") // a directory without a mention would be a project
		}
		if p.property.Answer.Name == crash.Name {
			args = append(args, crashArguments...)
		}
		return args
	}
	return append(append(args, script), files...)
}
