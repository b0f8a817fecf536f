package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whittle/internal/local"
)

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, mode := range map[string]os.FileMode{"test.sh": 0o755, "plain.sh": 0o644} {
		if err := os.WriteFile(name, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		test  Test
		input os.FileMode
		want  string // command or error
	}{
		{Test{Argv: []string{"test.sh"}}, 0o644, dir + "/test.sh"},
		{Test{Argv: []string{"./test.sh", "{}"}, Inline: true}, 0o644, dir + "/test.sh {}"},
		{Test{Argv: []string{"sh", "-c", "true"}, Inline: true}, 0o644, "/sh -c true"},
		{Test{Server: "cat -u"}, 0o644, "/bin/sh -c cat -u"},
		{Test{Argv: []string{"none.sh"}}, 0o644, "there is no test none.sh"},
		{Test{Argv: []string{"no-such-command"}, Inline: true}, 0o644, "cannot find the command no-such-command"},
		{Test{Argv: []string{"."}}, 0o644, "is a directory"},
		{Test{Argv: []string{"plain.sh"}}, 0o755, "the test comes first"},
		{Test{Argv: []string{"plain.sh"}}, 0o644, "chmod +x plain.sh"},
	} {
		spec, _, err := c.test.find(c.input)
		got := strings.Join(spec.Argv, " ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: %s, want %s", c.test, got, c.want)
		}
		if unfit := (*local.UnfitError)(nil); errors.As(err, &unfit) != strings.HasPrefix(c.want, "chmod") {
			t.Errorf("%v: an error of another kind: %v", c.test, err)
		}
		if (c.test.Inline || c.test.Server != "") && err == nil {
			if home, _ := filepath.EvalSymlinks(spec.Home); home != resolve(t, dir) {
				t.Errorf("%v: home is %s", c.test, spec.Home)
			}
		}
	}
}

func resolve(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestString(t *testing.T) {
	for _, c := range []struct {
		test Test
		want string
	}{
		{Test{Argv: []string{"my test.sh"}}, "my test.sh"},
		{Test{Argv: []string{"grep", "a b", "{}"}, Inline: true}, "grep 'a b' {}"},
		{Test{Server: "java -cp . X"}, "java -cp . X"},
	} {
		if got := c.test.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
