package tool

import (
	"bytes"
	"testing"
)

// The messages are of g++ 12, clang 16, ld, rustc 1.63, go 1.19 and 1.26, javac 17, Maven 3.9, Python 3.12, Node.js 20
// and tsc 5.
func TestReason(t *testing.T) {
	for line, want := range map[string]string{
		"a.f90:9:9: Fatal Error: Cannot open module file ‘m_k.mod’ for reading at (1)":              "a.f90:9:9 m_k",
		"a.cc:2:18: error: ‘x’ was not declared in this scope":                                      "a.cc:2:18 x",
		"a.cc:2:18: error: 'x' was not declared in this scope":                                      "a.cc:2:18 x",
		"/tmp/a.cc:4:4: error: ‘Q’ in namespace ‘n’ does not name a type":                           "a.cc:4:4 Q n",
		"a.cc:5:26: error: ‘struct n::S’ has no member named ‘b’":                                   "a.cc:5:26 S n struct b",
		"a.cc:6:11: error: aggregate ‘n::V<int> v’ has incomplete type and cannot be defined":       "a.cc:6:11 v V n int",
		"a.cc:9:1: error: no type named ‘m’ in ‘std::map<int, a::b>::_T’ {aka ‘class _T’}":          "a.cc:9:1 m _T map std class int a b",
		"a.cc:9:1: error: no match for ‘operator<=>’ (operand types are ‘S’ and ‘S’)":               "a.cc:9:1 <=> S",
		"a.cc:9:1: error: no matching function for call to ‘std::get(int, n::f(x))’":                "a.cc:9:1 get std",
		"a.cc:8:5: error: no return statement in ‘constexpr’ function returning non-void":           "a.cc:8:5 constexpr",
		"a.cc:7:2: error: ‘operator A<char>::B’ has not been declared in ‘A<char>::C’":              "a.cc:7:2 B A operator C char",
		"a.cc:7:2: error: use of deleted function ‘n::S<int>& n::S<int>::operator=(const S&)’":      "a.cc:7:2 = S n int",
		"a.cc:3:1: error: expected unqualified-id before numeric constant":                          "a.cc:3:1",
		"a.cc:2:22: error: use of undeclared identifier 'y'":                                        "a.cc:2:22 y",
		"a.cc:6:11: error: implicit instantiation of undefined template 'n::V<int>'":                "a.cc:6:11 V n int",
		"l.c:(.text+0xa): undefined reference to `g'":                                               "- g",
		"error[E0412]: cannot find type `Missing` in this scope":                                    "- Missing",
		"error[E0599]: no method named `nothing` found for struct `A` in the current scope":         "- nothing A",
		"error[E0015]: cannot call `f<{closure@src/a.rs:42:1: 42:2}>`":                              "- f closure src a rs 42 1 2",
		"error[E0599]: no method named `f` found for reference `&'a S<'b, T>` in the current scope": "- f S a b T",
		"42 |     pub fn f<T>(a: T) -> Result<Self, Error> { g(\"x\") }":                            "",
		" --> src/a.rs:2:9":       ">src/a.rs:2:9",
		"error: expected one of":  "-",
		"a.go:5:26: undefined: x": "a.go:5:26 x",
		"a.go:6:18: t.Write undefined (type *T has no field or method Write)":               "a.go:6:18 Write t T",
		"\t*T does not implement I (missing M method)":                                      "- T M",
		"a.go:6:38: *T does not implement I (missing method M)":                             "a.go:6:38 T M",
		"a.go:6:38: a (variable of type T): T does not implement p.I (missing method M)":    "a.go:6:38 T M",
		"A.java:9: error: S is not abstract and does not override abstract method f() in T": "A.java:9 S f",
		"[ERROR] src/A.java:[9,14] call to super must be first statement":                   "src/A.java:9:14",
		"[ERROR] /tmp/A.java:[9,14] cannot find symbol":                                     "A.java:9:14",
		"[ERROR]   symbol:   class Missing":                                                 "- Missing",
		"  symbol:   class Missing":                                                         "- Missing",
		"  symbol:   method g(int)":                                                         "- g",
		"NameError: name 'missing' is not defined":                                          "- missing",
		"ReferenceError: missing is not defined":                                            "- missing",
		"TypeError: a.f is not a function":                                                  "- f a",
		"a.ts(3,5): error TS2304: Cannot find name 'x'.":                                    "a.ts:3:5 x",
		"a.ts(3,5): error TS6053: File 'src/b/c.ts' not found.":                             "a.ts:3:5 c",
		"a.ts(3,5): error TS2307: Cannot find module '../b/c'.":                             "a.ts:3:5 c",
		"a.cc:3:5: error: no match for 'operator/' (operand types are 'A.B' and 'int')":     "a.cc:3:5 / B A int",

		`PHP Fatal error:  Uncaught Error: Class "A\B" not found in /tmp/a.php:3`:                       "a.php:3 B A",
		`PHP Fatal error:  Uncaught Error: Call to undefined method A\B::c() in /tmp/a.php:3`:           "a.php:3 c",
		`PHP Fatal error:  Uncaught Error: Call to undefined function c() in /tmp/a.php:3`:              "a.php:3 c",
		`PHP Fatal error:  Uncaught Error: Undefined constant A\B::C in /tmp/a.php:3`:                   "a.php:3 C",
		`PHP Warning:  Undefined property: A::$b in /tmp/a.php on line 3`:                               "a.php:3 b",
		`declared abstract or implement the remaining methods (A\B::c, A\B::d) in /tmp/a.php on line 3`: "a.php:3 c",
		"/tmp/a.rb:3:in `f': undefined method `g' for nil:NilClass (NoMethodError)":                     "a.rb:3 f g",
		"/tmp/a.rb:3:in `f': uninitialized constant A::B (NameError)":                                   "a.rb:3 B A",

		"e: a.kt:2:5: unresolved reference: missing": "a.kt:2:5 missing",
		"a.scala:3: error: not found: value missing": "a.scala:3 missing",
		"Error: Unbound value missing":               "- missing",
		"Warning: ‘x’ at a.c:1:2":                    "",
		"Error: ‘x’ at a.c:1:2":                      "a.c:1:2 x",
		"Error: Unbound type constructor missing":    "- missing",

		"":                             "",
		"a.cc: In function ‘int f()’:": ">- f int",
		"a.cc: In member function 'int n::A::f(int)':":                                               ">- f A n int",
		"a.cc:1:70: note: declared here":                                                             "",
		"a.cc:2:28: note: read of dereferenced null pointer is not allowed in a constant expression": "a.cc:2:28",
		"warning: unused import: `crate::IoError`":                                                   "",
		"a.cc:5:1: warning: unused variable ‘x’":                                                     "",
		"error: internal compiler error: broken MIR in DefId(0:4901 ~ f[449e]::g::{closure#0})":      "@-",
		"a.cc:9:1: internal compiler error: in ‘f’, at g.cc":                                         "@a.cc:9:1",
		"a.cc:5:7:   required from here":                                                             "@a.cc:5:7",
		"1.\ta.cc:7:3: current parser token ';'":                                                     "@a.cc:7:3",
		"#0 [mir_borrowck] borrow-checking `n::<impl at a.rs:7:1: 9:2>::with::{closure#0}`":          "@a.rs:7:1 0 closure with n",
		"#0 [mir_borrowck] borrow-checking `m::f`":                                                   "@- f m",
		"4.\tRunning pass 'X' on function '@f'":                                                      "@- f",
		`  File "/tmp/a.py", line 3, in f`:                                                           "@a.py:3",
		"    at f (/tmp/a.js:2:9)":                                                                   "@a.js:2:9",
		`a.go:2:8: imported and not used: "errors"`:                                                  "@a.go:2:8",
		"In file included from a.c:1:":                                                               "",
		"collect2: error: ld returned 1 exit status":                                                 "-",
	} {
		if got := Reason([]byte(line)); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

func TestReasonIn(t *testing.T) {
	for line, want := range map[string]string{
		"a.cc:9:1: error: ‘x’ was not declared": "a.cc:9:1 x",
		"b.h:9:1: error: ‘x’ was not declared":  "- x",
		"b.h:9:1: error: expected ‘;’":          "",
		"pt.c:9: in f":                          "",
		"a.cc:9: in f":                          "@a.cc:9",
	} {
		if got := ReasonIn("a.cc", false)([]byte(line)); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

func BenchmarkReason(b *testing.B) {
	const warning = `In file included from a.c:1:
/usr/include/x/y.h:123:45: warning: unused variable ‘some_long_variable_name’ [-Wunused-variable]
  123 |   std::vector<int> some_long_variable_name = make(a, b, c);
      |                    ^~~~~~~~~~~~~~~~~~~~~~~
a.c:9:1:   required from ‘void n::f(T) [with T = int]’
`
	lines := bytes.Split(bytes.Repeat([]byte(warning), 200), []byte("\n"))
	for b.Loop() {
		for _, line := range lines {
			Reason(line)
		}
	}
}
