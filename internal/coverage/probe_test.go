package coverage

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"whittle/algo"
	"whittle/algo/grain"
	"whittle/algo/rounds"
	"whittle/grammars"
	"whittle/internal/local"
	"whittle/internal/tool"
	"whittle/oracle"
	"whittle/parse"
	"whittle/pass"
)

// Blocks that do not run become stubs. Each program has a function in which a probe is an error, or a switch.
func TestProbes(t *testing.T) {
	for _, test := range []struct{ name, run, program, want string }{
		{"a.go", "go run a.go >said 2>&1; cat said; grep -q '^panic: 1' said", `package main

import "fmt"

func f(a int) int {
	if a > 1 {
		fmt.Println(a, a+1, a+2)
		return a
	}
	switch a {
	case 1:
		panic(a)
	}
	return 2
}

func g() int { return f(f(f(1)) + f(2)) }

func main() { f(1) }
`, `package main



func f(a int) int {
	if a > 1 { panic(0) }
	switch a {
	case 1:
		panic(a)
	}
	return 2
}

func g() int { panic(0) }

func main() { f(1) }
`},
		{"a.c", "cc a.c -o a && { ./a 2>/dev/null; test $? = 3; }", `int f(int a) {
	switch (a) {
	case 1:
		if (a) { a++; return 3; } else { return a + a + a + a; }
	}
	return 2;
}
int g(int a) { while (a) { a = a + f(a); } return a; }
int main(void) { return f(1); }
`, `int f(int a) {
	switch (a) {
	case 1:
		if (a) { a++; return 3; } else { __builtin_trap(); }
	}
	return 2;
}
int g(int a) { __builtin_trap(); }
int main(void) { return f(1); }
`},
		{"a.cc", "c++ -std=c++17 a.cc -o a && { ./a; test $? = 3; }", `constexpr int f(int a) {
	if (a > 1) { return a + a + a; }
	return 3;
}
namespace n { int g(int a) { while (a) { a = a + f(a); } return a; } }
int main() { static_assert(f(1) == 3); return f(1); }
`, `constexpr int f(int a) {
	if (a > 1) { return a + a + a; }
	return 3;
}
namespace n { int g(int a) { __builtin_trap(); } }
int main() { static_assert(f(1) == 3); return f(1); }
`},
		{"a.rs", "rustc a.rs && { ./a; test $? = 101; }", `const fn f(a: u8) -> u8 {
    if a > 1 { a + a + a + a } else { 3 }
}
fn g(a: u8) -> Vec<u8> { (0..a).map(|b| { b + f(b) + f(a) }).collect() }
fn main() { if f(1) == 3 { panic!("three") } }
`, `const fn f(a: u8) -> u8 {
    if a > 1 { a + a + a + a } else { 3 }
}
fn g(a: u8) -> Vec<u8> { loop {} }
fn main() { if f(1) == 3 { panic!("three") } }
`},
		{"A.java", "java A.java >said 2>&1; cat said; grep -q 'RuntimeException: one' said", `class A {
    int b;
    A(int a) { this.b = a; this.b = a + this.b; }
    A() { this(2); this.b = this.b + 2; }
    A(long a) { /* three */ this(3); this.b = this.b + 3; }
    static int f(int a) {
        if (a > 1) { return new A(a).b + new A(3).b; }
        throw new RuntimeException("one");
    }
    public static void main(String[] args) { new A(); f(1); }
}
`, `class A {
    int b;
    A(int a) { this.b = a; this.b = a + this.b; }
    A() { this(2); this.b = this.b + 2; }
    A(long a) { throw null; }
    static int f(int a) {
        if (a > 1) { throw null; }
        throw new RuntimeException("one");
    }
    public static void main(String[] args) { new A(); f(1); }
}
`},
		{"a.js", "echo 'Function(require(`fs`).readFileSync(`a.js`, `utf8`))()' >run.js; node run.js 2>said; grep -q '^TypeError' said", `class A {
	constructor(a) { this.a = a; }
	get(b) { if (b) { return null } else { return this.a + b } }
}
const f = (a) => { a.push(1); };
const g = (a) => { if (a) { f(a, a, a, a, a); } }
f(new A(1).get(2));
`, `class A {
	constructor(a) { this.a = a; }
	get(b) { if (b) { return null } else {} }
}
const f = (a) => { a.push(1); };
const g = (a) => {}
f(new A(1).get(2));
`},
		{"a.ts", "cp a.ts a.js; sed -i 's/: any//g' a.js; echo 'Function(require(`fs`).readFileSync(`a.js`, `utf8`))()' >run.js; node run.js 2>said; grep -q '^TypeError' said", `const f = (a: any) => { a.push(1); };
const g = (a: any) => { if (a) { f(a); } }
f(null);
`, `const f = (a: any) => { a.push(1); };
const g = (a: any) => { throw 0; }
f(null);
`},
		{"a.php", "php a.php >said 2>&1; grep -q 'Exception: one' said", `<?php
function f($a) { if ($a > 1) { return f($a) + f(2); } throw new Exception("one"); }
class A { static function g($a) { foreach ($a as $b) { f($b); f($b); } } }
$h = function ($a) { return f($a) + f($a); };
f(1);
`, `<?php
function f($a) { if ($a > 1) {} throw new Exception("one"); }
class A { static function g($a) {} }
$h = function ($a) {};
f(1);
`},
		{"a.sh", "sh a.sh >said 2>&1; test $? = 3", `f() { if [ -n "$1" ]; then exit 3; fi; }
g() { f "$1"; f "$1"; f "$1"; f 1; }
h() { f 1 1; }
h
`, `f() { if [ -n "$1" ]; then exit 3; fi; }
g() { :; }
h() { f 1 1; }
h
`},
		{"a.cs", "mcs a.cs && { mono a.exe >said 2>&1; grep -q 'Exception: one' said; }", `class A {
	int b;
	A(int a) { b = a; b = a + b; }
	A() : this(2) { b = b + 2; }
	int P { get { return b; } set { b = value + b + b + b; } }
	static int F(int a) {
		if (a > 1) { return new A(a).b + new A(3).P; }
		throw new System.Exception("one");
	}
	static void Main() { new A(); F(1); }
}
`, `class A {
	int b;
	A(int a) { b = a; b = a + b; }
	A() : this(2) { b = b + 2; }
	int P { get { return b; } set { throw null; } }
	static int F(int a) {
		if (a > 1) { throw null; }
		throw new System.Exception("one");
	}
	static void Main() { new A(); F(1); }
}
`},
		{"a.kt", "kotlinc a.kt -d a.jar 2>said && { java -cp a.jar:/usr/share/java/kotlin-stdlib.jar AKt >said 2>&1; grep -q 'Exception: one' said; }", `class A(val b: Int) {
    fun f(a: Int): Int {
        if (a > 1) { return a + b + a } else { throw Exception("one") }
    }
    fun g(a: Int) = a + b
    fun h(a: Int): Int { return f(a) + f(b) }
}
fun main() { A(1).f(1) }
`, `class A(val b: Int) {
    fun f(a: Int): Int {
        if (a > 1) { throw Error() } else { throw Exception("one") }
    }
    fun g(a: Int) = a + b
    fun h(a: Int): Int { throw Error() }
}
fun main() { A(1).f(1) }
`},
		{"a.scala", "scalac a.scala 2>said && { scala A >said 2>&1; grep -q 'Exception: one' said; }", `object A {
  def f(a: Int): Int = {
    if (a > 1) { return a + a + a }
    throw new Exception("one")
  }
  def g(a: Int): Int = { f(a) + f(a) }
  def main(args: Array[String]): Unit = { f(1) }
}
`, `object A {
  def f(a: Int): Int = {
    if (a > 1) { ??? }
    throw new Exception("one")
  }
  def g(a: Int): Int = { ??? }
  def main(args: Array[String]): Unit = { f(1) }
}
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := exec.LookPath(strings.Fields(test.run)[0]); err != nil {
				t.Skip(err)
			}
			if testing.Short() && (test.name == "a.kt" || test.name == "a.scala") {
				t.Skip("the compiler takes seconds for each of three runs")
			}
			language := grammars.ForFile(test.name)
			tree, err := language.Parse([]byte(test.program))
			if err != nil {
				t.Fatal(err)
			}
			spec := oracle.Spec{Argv: []string{"/bin/sh", "-c", test.run}, Reason: tool.Reason}
			spec.Name = "x"
			tell := func(file []byte) oracle.Run {
				spec.Files = func([]byte) ([]oracle.File, error) {
					return []oracle.File{{Path: test.name, Mode: 0o644, Content: file}}, nil
				}
				return Run(context.Background(), local.Executor{Work: t.TempDir()}, spec, nil).Run
			}
			idle := pass.Idle(func([]byte) []pass.Mark { return nil }, tell)
			plan := pass.Plan{Plan: rounds.Plan{Policy: grain.Policy(grain.Defaults()), Width: 64}}
			gate := pass.Gate{Fits: func(_, _ *parse.Candidate) bool { return true }}
			step := language.WithFacts(idle)[0].Search(tree, gate, plan)
			if step.Ended() {
				t.Fatal("no question")
			}
			got := string(step.Candidate.Render())
			if got != test.want {
				t.Errorf("%s:\n%s", filepath.Base(test.name), got)
			}
			if tell([]byte(got)).Outcome != algo.Interesting {
				t.Error("the program does not fail")
			}
		})
	}
}
