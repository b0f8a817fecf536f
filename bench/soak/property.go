package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"whittle/internal/testkit/samples"
)

// A property is the condition that the result must meet, and the form of the test.
type property struct {
	Args    []string            // files on the command line
	Needles map[string][][]byte // required texts of each file; others may be deleted
	Answer  answer
	Wrong   string // fault of the test, see misbehaviours; "" for a correct test
	OneIn   uint64 // Wrong happens for one in so many candidates
	Salt    uint64 // selects the candidates
	Input   uint64 // number of the input, where the test behaves
	Victim  string // the output, for a test that damages it
}

type answer struct {
	Name  string
	Flags []string
}

var answers = []answer{
	{"exit", nil},
	{"code", []string{"--interesting-exit", "7,9-11"}},
	{"signal", []string{"--interesting-signal", "SEGV"}},
	{"output", []string{"--interesting-output", "^the (bug|fault)$"}},
}

// crash is a command with a failure that whittle must recognise. It needs one of its arguments,
// and without the needles it sometimes fails in another way.
var crash = answer{"crash", nil}

// crashArguments has arguments of a command that crashes. The third is required.
var crashArguments = []string{"-w", "-g", "-O2", "--param", "limit=3", "-v"}

// drawProperty picks needles, one with visible text: a result without tokens is refused.
func drawProperty(r *rand.Rand, in *input) property {
	p := property{Args: in.args, Needles: map[string][][]byte{}, Salt: r.Uint64()}
	for i, path := range slices.Sorted(maps.Keys(in.files)) {
		if i > 0 && r.IntN(3) == 0 {
			continue
		}
		text := in.files[path]
		for len(p.Needles[path]) == 0 || i == 0 && blank(p.Needles[path]) {
			p.Needles[path] = samples.Needles(r, text, 4)
		}
	}
	p.Answer = answers[max(0, r.IntN(2*len(answers))-len(answers))]
	return p
}

func blank(needles [][]byte) bool {
	return !slices.ContainsFunc(needles, func(n []byte) bool { return strings.TrimSpace(string(n)) != "" })
}

func (p *property) holds(root string) bool {
	return p.holdsFor(func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(root, path)) })
}

// garbage is part of whittle's first probes. By accident it may contain a needle.
const garbage = "whittle's garbage"

func (p *property) holdsFor(read func(path string) ([]byte, error)) bool {
	for path, needles := range p.Needles {
		text, err := read(path)
		if err != nil || !samples.Contains(text, needles) || bytes.Contains(text, []byte(garbage)) {
			return false
		}
	}
	return true
}

// draw depends only on the candidate.
func (p *property) draw(root string) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, p.Salt)
	for _, arg := range p.Args {
		all, _ := readAll(filepath.Join(root, arg))
		for _, path := range slices.Sorted(maps.Keys(all)) {
			fmt.Fprintf(h, "%q %q\n", path, all[path])
		}
	}
	return rand.NewPCG(h.Sum64(), p.Salt).Uint64() // the low bits of FNV are poor
}

func readProperty(spec string) *property {
	p := &property{}
	text, err := os.ReadFile(spec)
	if err == nil {
		err = json.Unmarshal(text, p)
	}
	if err != nil {
		fatal(err)
	}
	return p
}

// test is 'soak test SPEC': it tests the files in the current directory and exits.
func test(spec string) {
	p := readProperty(spec)
	yes, number := p.holds("."), p.draw(".")
	p.misbehave(number)
	if !yes || p.Answer.Name == crash.Name && !slices.Contains(os.Args, crashArguments[2]) {
		if p.Answer.Name == crash.Name && number/100%4 == 0 {
			fmt.Printf("Internal error: in parse, at parse.cc:%d\n", number%100)
			os.Exit(4)
		}
		fmt.Println("no bug here")
		if number/1000%10 == 0 {
			os.Exit(125)
		}
		os.Exit(1)
	}
	switch p.Answer.Name {
	case "code":
		os.Exit(10)
	case crash.Name:
		fmt.Printf("Internal error: in fold, at fold.cc:%d\n", number%100)
		os.Exit(4)
	case "signal":
		die(syscall.SIGSEGV)
	case "output":
		fmt.Println("the fault")
		os.Exit(3)
	}
	os.Exit(0)
}

// die uses a signal that Go would handle.
func die(by syscall.Signal) {
	fatal(syscall.Exec("/bin/sh", []string{"sh", "-c", fmt.Sprintf("ulimit -c 0; kill -%d $$", by)}, os.Environ()))
}

// serve is 'soak serve SPEC', a test server. It does not return.
func serve(spec string) {
	p := readProperty(spec)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		root, _ := strings.CutSuffix(lines.Text(), strings.TrimPrefix(filepath.Clean(p.Args[0]), "./"))
		yes, number := p.holds(root), p.draw(root)
		p.misbehave(number)
		switch {
		case yes:
			fmt.Println("interesting")
		case number/1000%10 == 0:
			fmt.Println("unresolved")
		default:
			fmt.Println("uninteresting")
		}
	}
	os.Exit(0)
}
