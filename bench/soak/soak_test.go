package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if len(os.Args) >= 3 && os.Args[1] == "test" {
		test(os.Args[2])
	}
	os.Exit(m.Run())
}

// pretender copies its input, with the fault FAULT. It knows only the flags of the scenario below.
const pretender = `#!/bin/sh
jobs=$3
while [ $# -gt 1 ]; do
	case $1 in
	--trace) trace=$2 ;;
	--stats) stats=$2 ;;
	esac
	shift
done
echo '{"n":1,"ms":0}' >"$trace"
echo '{"tokens_before":2,"tests_run":1}' >"$stats"
cp "$1" small.reduced.txt
FAULT
`

func TestFindsFaults(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("processes are found by /proc:", err)
	}
	for _, c := range []struct{ fault, want string }{
		{"", ""},
		{"exit 3", "want exit code"},
		{"kill -9 $$", "want exit code"},
		{"echo other >small.reduced.txt", "the result is not interesting"},
		{"rm small.reduced.txt", `there is no "small.reduced.txt"`},
		{"echo $jobs >>small.reduced.txt", "the result of -j 3 is"},
		{`echo '{"n":2,"tokens":'$jobs',"ms":0}' >>"$trace"`, "the trace has"},
		{`[ $jobs = 1 ] || echo '{"n":2,"ms":0}' >>"$trace"`, "the trace goes on"},
		{`yes '{"n":3,"ms":0}' | head -1000 >>"$trace"`, "1001 decisions about 2 tokens"},
		{"echo >>small.txt", "the input small.txt is not there any more"},
		{"rm small.txt", "the input small.txt is not there any more"},
		{": >small.reduced.txt.journal", `there is "small.reduced.txt.journal"`},
		{"mkdir left", `there is "left"`},
		{`: >"$TMPDIR/left"`, "left in TMPDIR: left"},
		{"sleep 1000 >/dev/null 2>&1 &", "still alive"},
		{"sleep 1000", "did not end"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			err := pretend(t, c.fault).run(t.Context())
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func pretend(t *testing.T, fault string) *scenario {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	reducer := filepath.Join(dir, "reducer")
	if err := os.WriteFile(reducer, []byte(strings.Replace(pretender, "FAULT", fault, 1)), 0o755); err != nil {
		t.Fatal(err)
	}
	in := &input{args: []string{"small.txt"}, files: map[string][]byte{"small.txt": []byte("one two\n")}}
	return &scenario{
		soak:  &soak{whittle: reducer, self: self, timeout: 2 * time.Second, dying: time.Second},
		dir:   filepath.Join(dir, "case"),
		input: in, form: "script",
		property: property{Args: in.args, Needles: map[string][][]byte{"small.txt": {[]byte("two")}}},
	}
}

func TestDraw(t *testing.T) {
	s := &soak{root: "../.."}
	for seed := range uint64(200) {
		a, err := s.draw(seed)
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.draw(seed)
		if err != nil {
			t.Fatal(err)
		}
		if a.String() != b.String() || !maps.Equal(a.input.original(a.input.args[0]), b.input.original(b.input.args[0])) {
			t.Errorf("seed %d drew\n%v\n%v", seed, a, b)
		}
		if !a.property.holdsFor(func(path string) ([]byte, error) { return a.input.files[path], nil }) {
			t.Errorf("seed %d: the input is not interesting", seed)
		}
	}
}
