package stage

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whittle/internal/run"
)

// Steps are recorded with their words, directories and exit codes, also steps that a wrapper starts.
func TestShims(t *testing.T) {
	dir := t.TempDir()
	programs, other := filepath.Join(dir, "programs"), filepath.Join(dir, "it's other")
	rec := &Recording{scratch: filepath.Join(dir, "scratch")}
	for _, d := range []string{programs, other, rec.scratch, rec.log(), rec.bin()} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write := func(dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(programs, "gcc-12", `echo "$# $1"; cat; exit 4`)
	write(other, "gcc-12", "exit 5") // the first in PATH counts
	write(other, "make", `sh -c "$1"`)
	write(other, "mine", "exit 6")
	t.Setenv("PATH", programs+":"+other+":"+os.Getenv("PATH"))
	t.Setenv("RUSTC_WRAPPER", "")
	t.Setenv("GOFLAGS", "-mod=mod")
	env, err := rec.shims()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", `cd "$1" && make "gcc-12 'a b' \"\"; mine"; TOOLEXEC_IMPORTPATH=x/y $RUSTC_WRAPPER mine; echo $GOFLAGS`,
		"sh", other)
	c.Env, c.Stdin = env, strings.NewReader("input\n")
	output, err := c.CombinedOutput()
	want := "2 a b\ninput\n-mod=mod -toolexec=" + filepath.Join(rec.bin(), "whittle-wrap") + "\n"
	if string(output) != want || err != nil {
		t.Errorf("%q, error %v; want %q", output, err, want)
	}
	if err := rec.read(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []Step{
		{other, []string{"gcc-12", "a b", ""}, "", "4"},
		{other, []string{"make", "gcc-12 'a b' \"\"; mine"}, "", "6"},
		{other, []string{"mine"}, "x/y", "6"},
	} {
		i := slices.IndexFunc(rec.Steps, func(s Step) bool { return s.key() == want.key() })
		if i < 0 || rec.Steps[i].Unit != want.Unit || rec.Steps[i].Status != want.Status {
			t.Errorf("no step %q in %q", want, rec.Steps)
		}
	}
	if got := rec.Programs(); !slices.Equal(got, []string{"gcc-12", "make", "mine"}) || len(rec.Failed()) != 3 {
		t.Errorf("programs %q, failed %q", got, rec.Failed())
	}
}

// A step's source is found from any directory, also after -c.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.c"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Step{Dir: dir, Words: strings.Fields("gcc-12 -O3 -MMD -MF a.d -c -o a.o a.c")}
	path, words := s.source()
	if path != filepath.Join(dir, "a.c") || strings.Join(words, " ") != "gcc-12 -O3 -c {}" {
		t.Error(path, words)
	}
}

func TestParts(t *testing.T) {
	parts := slices.Concat(failedTests, buildUnits)
	for _, c := range []struct{ command, unit, output, want string }{
		{"go build ./...", "a/b", "", "go build a/b"},
		{"/usr/lib/go-1.19/bin/go build -o x ./...", "a/b", "", "/usr/lib/go-1.19/bin/go build -o x a/b"},
		{"go build a/b", "a/b", "", ""},
		{"go test ./...", "", "--- FAIL: TestX (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\ta/b\t0.01s\nFAIL\n", "go test -run ^TestX$ a/b"},
		{"go test ./...", "", "# a/b\na.go:3:2: undefined: x\nFAIL\ta/b [build failed]\n", "go test a/b"},
		{"env X=1 cargo check --workspace -q", "two", "", "env X=1 cargo check -q -p two"},
		{"cargo test", "", "test m::one ... ok\ntest m::two ... FAILED\n", "cargo test m::two"},
		{"cargo test --workspace -- --nocapture", "", "---- m::two stdout ----\nassert 1\n\nerror: test failed, to rerun pass `-p app --lib`\n",
			"cargo test -p app --lib m::two -- --nocapture"},
		{"cargo test", "", "---- a stdout ----\n---- b stdout ----\nassert 1 == 2\n---- c stdout ----\n\nerror: test failed, to rerun pass `--lib`\n",
			"cargo test --lib b"},
		{"python3 -m pytest -x tests/test_a.py", "", "FAILED tests/test_a.py::T::test_b - ValueError\n",
			"python3 -m pytest -x tests/test_a.py::T::test_b"},
		{"pytest -q", "", "FAILED a.py::test_b[x - 2 [AS]] - TypeE...\n", "pytest -q a.py::test_b[x - 2 [AS]]"},
		{"pytest -q", "", "ERROR a.py::T::test_b\n", "pytest -q a.py::T::test_b"},
		{"bundle exec rspec spec/", "", "  1) A does x\n     Failure/Error: f\n", "bundle exec rspec spec/ -e A does x"},
		{"ruby -Itest test/a.rb", "", "  1) Error:\nA::B#test_0018_does (x):\n", "ruby -Itest test/a.rb -n /does (x)/"},
		{"ruby test/a.rb", "", "  1) Failure:\nA#test_x [test/a.rb:4]:\nExpected: 1\n", "ruby test/a.rb -n /test_x/"},
		{"vendor/bin/phpunit tests", "", "There was 1 error:\n\n1) A\\B::testX\n", "vendor/bin/phpunit tests --filter testX"},
		{"phpunit --filter testX tests", "", "1) A\\B::testX\n", ""},
		{"npx vitest run", "", " FAIL  src/a.test.ts > add > works\n", "npx vitest run src/a.test.ts -t works"},
		{"npx vitest run src/a.test.ts", "", " FAIL  src/a.test.ts > works\n", "npx vitest run src/a.test.ts -t works"},
		{"npx jest", "", "FAIL src/a.test.js\n  ● add › works\n\n", "npx jest src/a.test.js -t works"},
		{"python3 -m unittest -q", "", "FAIL: test_x (t.test_a.T.test_x)\n", "python3 -m unittest -q t.test_a.T.test_x"},
		{"python3 -m unittest discover", "", "ERROR: test_x (test_a.T)\n", "python3 -m unittest test_a.T"},
		{"bundle exec rake test", "", "  1) Failure:\nA#test_x [a.rb:4]:\n", "bundle exec rake test TESTOPTS=-n/test_x/"},
		{"yarn test", "", " FAIL  src/a.test.ts > works\n", "yarn test -t works"},
		{"npm test", "", "FAIL src/a.test.js\n  ● add › works\n\n", "npm test -- -t works"},
		{"npx mocha test", "", "  1) add\n       to one\n         works:\n     Error: no\n", "npx mocha test -g works"},
		{"npm test", "", "  1) works:\n     Error: no\n", "npm test -- -g works"},
		{"./gradlew test", "", "ATest > testX() FAILED\n    E at ATest.java:3\n", "./gradlew test --tests ATest.testX"},
		{"mvn -q test -Dtest=ATest", "", "[ERROR] a.b.ATest.testX -- Time elapsed: 0.1 s <<< ERROR!", "mvn -q test -Dtest=ATest#testX"},
		{"mvn -q test", "", "[ERROR] testX(a.b.ATest)  Time elapsed: 0.1 s  <<< ERROR!", "mvn -q test -Dtest=ATest#testX"},
		{"mvn test", "", "testX(a.ATest)  Time elapsed: 0.1 sec  <<< FAILURE!", "mvn test -Dtest=ATest#testX"},
		{"node --test --no-warnings test", "", "    not ok 1 - adds (x) # time=1\n", `node --test --test-name-pattern=^adds \(x\)$ --no-warnings test`},
		{"node --test", "", "▶ sums\n  ✖ adds (1.2ms)\n", "node --test --test-name-pattern=^adds$"},
		{"pytest", "", "FAILED a.py::test_a\nFAILED a.py::test_b - E\nFAILED a.py::test_c[1]\nFAILED a.py::test_crash[4] - assert 1 == 2\n",
			"pytest a.py::test_crash[4]"},
		{"make -j2", "two", "FAILED tests/test_a.py::test_b", ""},
	} {
		steps := []Step{{Dir: "/p/a", Unit: c.unit}, {Dir: "/p", Unit: "other"}, {Dir: "/q", Unit: "third"}}
		n := narrowing{Recording: &Recording{Dir: "/p", Steps: steps}, whole: strings.Fields(c.command)}
		n.Run = &run.Run{}
		n.Failure.Title = "assert 1 == 2, in test_crash"
		got := n.commands(parts, Step{Unit: c.unit}, []byte(c.output))
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || strings.Join(got[0], " ") != c.want) {
			t.Errorf("%s: %q, want %s", c.command, got, c.want)
		}
		n.Dir = "/p/a"
		if got := n.commands(parts, Step{Unit: c.unit}, []byte(c.output)); c.unit != "" && got != nil {
			t.Errorf("%s: %q for the only unit", c.command, got)
		}
	}
}
