package coverage

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"whittle/grammars"
	"whittle/internal/local"
	"whittle/oracle"
	"whittle/parse/archive"
)

func TestStackOfNode(t *testing.T) {
	const program = `const fs = require('fs')
class Node {
  constructor(kind, children) {
    this.kind = kind
    this.children = children
    this.depth = 7
  }
  check(rules) {
    const seen = []
    rules.forEach(rule => {
      seen.push(rule)
      if (seen.length > 1) {
        return this.apply(rule, this.children)
      }
    })
  }
  apply(rule, children) {
    const total = children.reduce((n, c) => n + c.kind.length, 0)
    for (const c of children) c.fail(rule, total)
  }
  fail(rule, n) {
    const x = n + this.depth
    if (x > 7) {
      throw new TypeError(this.kind + x + rule)
    }
    return x
  }
}
const tree = new Node('a', [new Node('b', [])])
tree.check(['one', 'two'])
console.log(fs.existsSync('.'))
`
	const want = `const fs = require('fs')
class Node {
  constructor(kind, children) {
    this.kind = kind
    this.children = children
    this.depth = 7
  }
  check(rules) {
    rules = ["one", "two"];
    var seen = ["one", "two"];
    this.children = [{__proto__: Node.prototype, children: [], depth: 7, kind: "b"}];
    rules.forEach(rule => {
      
        return this.apply()
      
    })
  }
  apply(rule, children) {
    var c = {__proto__: Node.prototype, children: [], depth: 7, kind: "b"}; c.fail()
  }
  fail(rule, n) {
    var x = 8;
    rule = "two";
    this.kind = "b";
      throw new TypeError(this.kind + x + rule)
    
  }
}
const tree = new Node('a', [new Node('b', [])])
tree.check()

`
	got := shortened(t, "main.js", program)
	if len(got) != 4 || got[0] != "throw new TypeError(\"b8two\")\n" || got[3] != want {
		t.Errorf("%q", got)
	}
}

// An alternative runs functions with the names that Node.js printed.
func TestStackOfNodeHasNames(t *testing.T) {
	const program = `class C {
  #set(x) { this.at(x) }
  at(x) { load$1.call({ load: load$1 }, x) }
  get(x) { return this.#set(x) }
}
const handlers = {}
function load$1(x) { return x.y.z }
handlers['on' + 1] = function (x) { return new Q(x) }
function Q(x) { return new C().get(x) }
function run() { handlers.on1({}) }
run()
`
	calls := func(program string) string {
		file := filepath.Join(t.TempDir(), "main.js")
		if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		output, _ := exec.Command("node", file).CombinedOutput()
		return strings.Join(regexp.MustCompile(`(?m)^ +at (.*) \(/.*main\.js`).FindAllString(string(output), -1), "\n")
	}
	want := regexp.MustCompile(` \(.*`).ReplaceAllString(calls(program), "")
	got := shortened(t, "main.js", program)
	if !slices.ContainsFunc(got[:len(got)-1], func(text string) bool {
		return regexp.MustCompile(` \(.*`).ReplaceAllString(calls(text), "") == want
	}) {
		t.Errorf("%s\n%s", want, got)
	}
}

// The functions on a stack of Node.js stay in their files, and the test calls the next one.
func TestStackOfNodeFiles(t *testing.T) {
	if exec.Command("node", "-e", "require('node:test'); require('inspector').Session").Run() != nil {
		t.Skip("no interpreter that records")
	}
	var files []oracle.File
	var entries []archive.Entry
	for _, f := range txtar.Parse([]byte(`
-- index.js --
exports.load = require('./lib/load').load
-- lib/load.js --
const { Reader } = require('./in/reader')
exports.load = function load(text) { return new Reader(text).read() }
-- lib/in/reader.js --
const { value } = require('../value')
class Reader {
  constructor(text) { this.text = text }
  read() { return value(this) }
  next() { return this.text.missing.x }
}
module.exports = { Reader }
-- lib/value.js --
exports.value = reader => reader.next().length
-- a.test.js --
const test = require('node:test')
const { load } = require('.')
test('loads', () => {
  const n = load('a')
  console.log(n)
})
`)).Files {
		entries = append(entries, archive.Entry{Path: f.Name, Content: f.Data, Language: grammars.ForFile(f.Name)})
		files = append(files, oracle.File{Path: f.Name, Mode: 0o644, Content: f.Data})
	}
	spec := oracle.Spec{Argv: []string{"/bin/sh", "-c", "node --test a.test.js"}}
	spec.Name = "x"
	spec.Files = func([]byte) ([]oracle.File, error) { return files, nil }
	record := Run(context.Background(), local.Executor{Work: t.TempDir()}, spec, nil)
	set := archive.New(entries)
	tree, err := set.Parse(set.Archive())
	if err != nil {
		t.Fatal(err)
	}
	_, raised := record.Of(set.Archive(), set.Starts(set.Archive()))
	want := map[string]string{
		"index.js":    "exports.load = require('./lib/load').load\n",
		"lib/load.js": "exports.callee3 = function load() {\nrequire('./in/reader.js').callee2.read()\n}\n",
		"lib/in/reader.js": "exports.callee0 = new class Reader { next() {\n({text: \"a\"}).text.missing.x\n} }()\n" +
			"exports.callee2 = new class Reader { read() {\nrequire('./../value.js').callee1.value()\n} }()\n",
		"lib/value.js": "exports.callee1 = new class exports { value() {\nrequire('./in/reader.js').callee0.next()\n} }()\n",
		"a.test.js": "const test = require('node:test')\nconst { load } = require('.')\ntest('loads', () => {\n" +
			"  (0, require('./lib/load.js').callee3)()\n  console.log(n)\n})\n",
	}
	var found []map[string]string
	for _, alternative := range raised.Alternatives(tree) {
		entries, err := set.Entries([]byte(edited(string(set.Archive()), alternative)))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, e := range entries {
			got[e.Path] = string(e.Content)
		}
		if maps.Equal(got, want) {
			return
		}
		found = append(found, got)
	}
	t.Errorf("%q", found)
}

// An async function that runs after the module has ended stays as its own program.
func TestStackOfNodeLater(t *testing.T) {
	const program = `async function main() {
  await null
  inner({})
}
function inner(x) { return x.y.z }
main()
`
	const want = "function main() {\nfunction inner() {\nthrow new TypeError(\"Cannot read properties of undefined " +
		"(reading 'z')\")\n}\ninner()\n}\nmain()\n"
	if got := shortened(t, "main.js", program); !slices.Contains(got, want) {
		t.Errorf("%q", got)
	}
}
