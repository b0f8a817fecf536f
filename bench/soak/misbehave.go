package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

type misbehaviour struct {
	name  string
	oneIn uint64   // happens for one in so many candidates
	flags []string // flags of whittle
	// server reports whether a test server may have the fault.
	server bool
	do     func(p *property)
}

var misbehaviours = []misbehaviour{
	{"hangs", 100, []string{"--timeout", "10s"}, true, func(*property) { time.Sleep(time.Hour) }},
	{"dies", 10, nil, true, func(*property) { die(syscall.SIGKILL) }},
	{"leaves daemons", 10, nil, true, func(*property) {
		for range 3 {
			daemon := exec.Command("/bin/sh", "-c", "trap '' INT TERM HUP; sleep 1000 & sleep 1000")
			daemon.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			if err := daemon.Start(); err != nil {
				fatal(err)
			}
		}
	}},
	{"prints for long", 20, nil, false, func(*property) {
		line := bytes.Repeat([]byte("nothing of interest\n"), 4096)
		for range 1000 {
			os.Stdout.Write(line)
			os.Stderr.Write(line)
		}
	}},
	{"removes its directory", 4, nil, false, func(*property) {
		dir, _ := os.Getwd()
		os.RemoveAll(dir)
	}},
	{"removes what it reads", 4, nil, false, func(p *property) {
		for _, arg := range p.Args {
			os.RemoveAll(arg)
		}
	}},
	{"writes to what it reads", 4, nil, false, func(p *property) {
		for path := range p.Needles {
			os.WriteFile(path, []byte("gone"), 0o644)
		}
	}},
	{"makes deep directories", 20, nil, false, func(*property) {
		for range 2000 {
			if os.Mkdir("deep", 0o755) != nil || os.Chdir("deep") != nil {
				return
			}
		}
		os.Chmod(".", 0)
	}},
	{"forbids", 4, nil, false, func(p *property) {
		os.Mkdir("closed", 0o755)
		os.WriteFile("closed/file", []byte("closed"), 0)
		os.Chmod("closed", 0)
		for _, arg := range p.Args {
			os.Chmod(arg, 0)
		}
		os.Chmod(".", 0)
	}},
	{writesMuch, 10, []string{"--disk-limit", "1MB"}, false, func(*property) {
		for i := range 100 {
			if os.WriteFile(fmt.Sprint("much", i), make([]byte, 1<<20), 0o644) != nil {
				break
			}
		}
		time.Sleep(time.Hour) // until whittle kills it
	}},
	{"ignores signals", 10, nil, true, func(*property) { signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP) }},
	{"kills its group", 10, nil, false, func(*property) { syscall.Kill(0, syscall.SIGKILL) }},
	{"stops whittle", 10, nil, true, func(*property) { syscall.Kill(os.Getppid(), syscall.SIGTSTP) }},
	{"removes the output", 10, nil, false, func(p *property) { os.RemoveAll(p.Victim) }},
	{"replaces the output", 10, nil, false, func(p *property) {
		if info, err := os.Lstat(p.Victim); err == nil && !info.IsDir() {
			os.Remove(p.Victim)
			os.WriteFile(p.Victim, []byte("something else"), 0o644)
		}
	}},
	{changesMind, 1, nil, false, func(*property) {
		if rand.IntN(8) == 0 { // independent of the seed: flaky
			os.Exit(1)
		}
	}},
}

const writesMuch = "writes much"

const changesMind = "changes its mind"

func (p *property) misbehave(number uint64) {
	if p.Wrong == "" || number%p.OneIn != 0 || number == p.Input {
		return
	}
	for _, m := range misbehaviours {
		if m.name == p.Wrong {
			m.do(p)
		}
	}
}
