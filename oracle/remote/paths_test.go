package remote

import "testing"

// Paths of files of the test are found wherever they stand in a word, and only they are.
func TestRemotePath(t *testing.T) {
	b := &base{inputs: []Input{{"/home/me/inc", "inc"}, {"/home/me/inc/deep", "deep"}, {"/home/me/test.sh", "test.sh"}}}
	for word, want := range map[string]string{
		"/home/me/test.sh":                      "whittle-test:test.sh",
		"-I/home/me/inc":                        "-Iwhittle-test:inc",
		"/home/me/inc/a.h":                      "whittle-test:inc/a.h",
		"/home/me/inc/deep/a.h":                 "whittle-test:deep/a.h",
		"--path=/home/me/inc:/home/me/inc/deep": "--path=whittle-test:inc:whittle-test:deep",
		"/home/me/include":                      "/home/me/include",
		"/home/me/test.sh.orig":                 "/home/me/test.sh.orig",
		"/mnt/home/me/inc":                      "/mnt/home/me/inc",
		"grep x '/home/me/inc/a.h' && /home/me/test.sh; cat /home/me/inc": "grep x 'whittle-test:inc/a.h' && whittle-test:test.sh; cat whittle-test:inc",
		"{}": "{}", "": "", "inc": "inc",
	} {
		if got := b.remotePath(word); got != want {
			t.Errorf("%s is %s, want %s", word, got, want)
		}
	}
}
