package isolation

import (
	"bytes"
	"context"
	"testing"

	"whittle"
	"whittle/algo"
	"whittle/grammars"
)

// Parts of the good file alone shrink, too, and language and property get single files.
func TestReducePair(t *testing.T) {
	good := "int main(void) {\n\tint a = 1;\n\tif (a > 2) {\n\t\tcheck(a, 1 + 2);\n\t\tg();\n\t}\n\treturn main();\n}\n"
	bad := "int main(void) {\n\tint a = 1;\n\treturn main();\n}\n"
	lacks := func(_ context.Context, file []byte) (algo.Outcome, error) {
		switch {
		case bytes.Contains(file, []byte("whittle")) || !bytes.Contains(file, []byte("main()")):
			return algo.Unresolved, nil
		case bytes.Contains(file, []byte("check")):
			return algo.Uninteresting, nil
		}
		return algo.Interesting, nil
	}
	decided := 0
	p, err := reducePair(t.Context(), []byte(good), []byte(bad), whittle.Options{
		Language: grammars.ForFile("a.c"), Property: lacks, Confirm: lacks, Observe: whittle.On(func(d whittle.Decision) {
			if decided++; d.BestBytes > len(good) {
				t.Errorf("%d bytes, with marks", d.BestBytes)
			}
		}),
	})
	if err != nil || decided == 0 || p.Before != 17 || p.After != 4 || p.Tested < decided/4 {
		t.Errorf("%+v after %d decisions, %v", p, decided, err)
	}
	if string(p.Good) != "\n\t\tcheck\n\tmain();\n" || string(p.Bad) != "\n\tmain();\n" {
		t.Errorf("%q and %q", p.Good, p.Bad)
	}
}

func TestReducePairAlike(t *testing.T) {
	all := func(context.Context, []byte) (algo.Outcome, error) { return algo.Interesting, nil }
	p, err := reducePair(t.Context(), []byte("int a;"), []byte("int b;"), whittle.Options{
		Language: grammars.ForFile("a.c"), Property: all, Confirm: all,
	})
	if err != whittle.ErrUninteresting || string(p.Good) != "int a;" || string(p.Bad) != "int b;" {
		t.Errorf("%q and %q, %v", p.Good, p.Bad, err)
	}
}
