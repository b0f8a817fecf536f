package antlr_test

import (
	"strings"
	"testing"

	"whittle/parse"
	"whittle/parse/antlr"
	"whittle/parse/antlr/g4"
)

const calls = `
grammar calls;
file: stat* EOF;
stat: 'if' condition=expr then=stat ('else' otherwise=stat)? # If
    | name=ID '=' value=expr ';'                             # Assign
    | expr ';'                                               # Do
    | '{' body+=stat* '}'                                    # Block
    ;
expr: function=expr '(' (arguments+=expr (',' arguments+=expr)*)? ')' # Call
    | left=expr op=('*' | '/') right=expr                             # Times
    | left=expr op=('+' | '-') right=expr                             # Plus
    | '(' expr ')'                                                    # Brackets
    | atom                                                            # Atom
    ;
atom: ID | NUMBER;
ID: [a-z]+;
NUMBER: [0-9]+;
WS: [ \n]+ -> skip;
`

func TestNames(t *testing.T) {
	g, err := g4.Load(func(string) ([]byte, error) { return []byte(calls), nil }, "calls.g4")
	if err != nil {
		t.Fatal(err)
	}
	l, err := antlr.New(g, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ source, want string }{
		{"f(1, a);", `
file
  stat > Do
    expr > Call
      function: expr > Atom > atom > ID f
      -
        ( (
        -
          arguments: expr > Atom > atom > NUMBER 1
          , ,
          arguments: expr > Atom > atom > ID a
        ) )
    ; ;
`},
		{"if (a) x = 1; else { b; }", `
file
  stat > If
    if if
    condition: expr > Brackets
      ( (
      expr > Atom > atom > ID a
      ) )
    then: stat > Assign
      name: ID x
      = =
      value: expr > Atom > atom > NUMBER 1
      ; ;
    -
      else else
      otherwise: stat > Block
        { {
        body: stat > Do
          expr > Atom > atom > ID b
          ; ;
        } }
`},
		{"x = a + 1;", `
file
  stat > Assign
    name: ID x
    = =
    value: expr > Plus
      left: expr > Atom > atom > ID a
      op: + +
      right: expr > Atom > atom > NUMBER 1
    ; ;
`},
	} {
		tree, err := l.Parse([]byte(x.source))
		if err != nil {
			t.Fatal(err)
		}
		if got := "\n" + names(tree); got != x.want {
			t.Errorf("%s is%s, want%s", x.source, got, x.want)
		}
	}

	tree, _ := l.Parse([]byte("f(1, a); if (b) c;"))
	find := func(kind string) int32 {
		for n := range tree.Nodes {
			if tree.Is(int32(n), kind) {
				return int32(n)
			}
		}
		t.Fatalf("no %s in\n%s", kind, names(tree))
		return -1
	}
	call := find("Call")
	var arguments []string
	for n := range tree.InField(call, "arguments") {
		arguments = append(arguments, leaf(tree, n))
	}
	if got := strings.Join(arguments, " "); got != "1 a" {
		t.Errorf("the arguments are %q", got)
	}
	if got := leaf(tree, tree.Child(call, "function")); got != "f" {
		t.Errorf("the function is %q", got)
	}
	if got := tree.Kind(tree.Child(find("If"), "condition")); got != "Brackets" {
		t.Errorf("the condition is %q", got)
	}
	if got := tree.Child(call, "condition"); got != -1 {
		t.Errorf("a call has the condition %d", got)
	}
}

func leaf(t *parse.Tree, n int32) string {
	token := t.Tokens[t.Nodes[n].First]
	return string(t.Source[token.Start:token.End])
}

func names(t *parse.Tree) string {
	var b strings.Builder
	for i := range t.Nodes {
		n := int32(i)
		for p := t.Nodes[n].Parent; p >= 0; p = t.Nodes[p].Parent {
			b.WriteString("  ")
		}
		var links []string
		for kind, field := range t.Kinds(n) {
			if field != "" {
				kind = field + ": " + kind
			}
			links = append(links, kind)
		}
		if links == nil {
			links = []string{"-"}
		}
		b.WriteString(strings.Join(links, " > "))
		if t.IsLeaf(n) {
			b.WriteString(" " + leaf(t, n))
		}
		b.WriteString("\n")
	}
	return b.String()
}
