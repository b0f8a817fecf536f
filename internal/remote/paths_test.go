package remote

import "testing"

func TestClusterRemotePath(t *testing.T) {
	b := &base{inputs: []Input{{"/src/me/inc", "inc"}, {"/src/me/inc/deep", "deep"}, {"/src/me/test.sh", "test.sh"}}}
	for word, want := range map[string]string{
		"/src/me/test.sh":                     "whittle-test:test.sh",
		"-I/src/me/inc":                       "-Iwhittle-test:inc",
		"/src/me/inc/a.h":                     "whittle-test:inc/a.h",
		"/src/me/inc/deep/a.h":                "whittle-test:deep/a.h",
		"--path=/src/me/inc:/src/me/inc/deep": "--path=whittle-test:inc:whittle-test:deep",
		"/src/me/include":                     "/src/me/include",
		"/src/me/test.sh.orig":                "/src/me/test.sh.orig",
		"/mnt/src/me/inc":                     "/mnt/src/me/inc",
		"grep x '/src/me/inc/a.h' && /src/me/test.sh; cat /src/me/inc": "grep x 'whittle-test:inc/a.h' && whittle-test:test.sh; cat whittle-test:inc",
		"{}": "{}", "": "", "inc": "inc",
	} {
		if got := b.remotePath(word); got != want {
			t.Errorf("%s is %s, want %s", word, got, want)
		}
	}
}
