package coverage

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"whittle/internal/local"
	"whittle/oracle"
)

// shown returns the lines of a file after a sign: + if the line has code that ran, - if it has only other code.
func shown(marks []byte, file string) string {
	var out strings.Builder
	for line := range strings.Lines(file) {
		sign := " "
		for i := range line {
			switch {
			case i >= len(marks):
			case marks[i] == 1:
				sign = "+"
			case marks[i] == 2 && sign == " ":
				sign = "-"
			}
		}
		marks = marks[min(len(line), len(marks)):]
		out.WriteString(sign + line)
	}
	return out.String()
}

func TestMarks(t *testing.T) {
	const python = `+import sys, other
+def f(a):
     "doc"
     global b
+    if a:
-        return [
-            1]
+    b = 2
+    raise KeyError(
+        b)
     b = 3
+def g():
-    yield 1
+other.h()
+f(0)
`
	const other = `+def h():
+    return 1
     return 2
`
	const script = `+const é = "é";
+function f(a) {
+  if (a) {
-    g();
-    return 1;
+  }
+  throw new TypeError(a);
-  g();
+}
+function g() {
-  return 2;
+}
+f(0);
`
	const ruby = `+require_relative "other"
 # doc
+def f(a)
+  if a
-    puts(1,
       2)
   elsif nil then 1
   else
+    h
   end
+  raise(
     a.to_s)
-  g
 end
+def g
-  1
 end
+f nil
`
	const module = `+def h
+  1
 end
`
	for _, test := range []struct {
		program, main string
		files         map[string]string
	}{
		{"python3", "d/main.py", map[string]string{"d/main.py": python, "d/other.py": other, "d/unused.py": " a = 1\n"}},
		{"ruby", "d/main.rb", map[string]string{"d/main.rb": ruby, "d/other.rb": module, "d/unused.rb": " a = 1\n"}},
		{"node", "main.js", map[string]string{"main.js": script, "unused.js": " a = 1\n"}},
	} {
		t.Run(test.program, func(t *testing.T) {
			if _, err := exec.LookPath(test.program); err != nil {
				t.Skip(err)
			}
			spec := oracle.Spec{Argv: []string{"/bin/sh", "-c", test.program + " " + test.main + " 2>said; test $? = 1"}}
			spec.Files = func([]byte) (files []oracle.File, err error) {
				for path, text := range test.files {
					files = append(files, oracle.File{Path: path, Mode: 0o644, Content: []byte(plain(text))})
				}
				return files, nil
			}
			spec.Name = "x"
			record := Run(context.Background(), local.Executor{Work: t.TempDir()}, spec, nil)
			for path, want := range test.files {
				if got := shown(record.Marks[path], plain(want)); got != want {
					t.Errorf("%s:\n%s", path, got)
				}
			}
		})
	}
}

func plain(text string) (plain string) {
	for line := range strings.Lines(text) {
		plain += line[1:]
	}
	return plain
}
