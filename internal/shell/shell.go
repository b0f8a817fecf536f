// Package shell formats commands for a shell.
package shell

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// Here stands for the current directory in a word to quote. No word of a command has this byte.
const Here = "\x00"

// Quote returns a word that a shell reads as s.
func Quote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+,:@%", r))
	}) < 0 {
		return s
	}
	quoted := "'" + strings.NewReplacer("'", `'\''`, Here, `'"$PWD"'`).Replace(s) + "'"
	if strings.HasPrefix(s, Here) {
		return quoted[len("''"):]
	}
	return quoted
}

// Join returns a command of these words. An argument -a=b is not quoted because of its equals sign, nor {} because of
// its braces.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
		if strings.HasPrefix(w, "-") && Quote(strings.ReplaceAll(w, "=", "")) == strings.ReplaceAll(w, "=", "") || w == "{}" {
			quoted[i] = w
		}
	}
	return strings.Join(quoted, " ")
}

// Command returns the words of a command. A single word with spaces that is no program is a script of a shell.
func Command(words []string) []string {
	if len(words) != 1 || !strings.ContainsAny(words[0], " \t\n") {
		return words
	}
	if _, err := exec.LookPath(words[0]); err == nil {
		return words
	}
	return []string{"sh", "-c", words[0]}
}

var isPath = regexp.MustCompile(`^([^-=][^=]*)?/[^=]*$`)

// Bare returns the words of a command without an env that only starts a program by its path.
func Bare(words []string) []string {
	if len(words) > 1 && words[0] == "env" && isPath.MatchString(words[1]) {
		return words[1:]
	}
	return words
}

// Line returns a command with control characters in its quoted words, such as line breaks, as $'\n' of bash.
func Line(command string) string {
	var line strings.Builder
	for _, c := range []byte(command) {
		if c < ' ' || c == 0x7f {
			line.WriteString("'$" + strconv.QuoteRune(rune(c)) + "'")
		} else {
			line.WriteByte(c)
		}
	}
	return line.String()
}

// Repeat returns a [Line] that prepares a new directory, and there runs another command some times and prints its exit
// codes.
func Repeat(prepare string, times int, command string) string {
	return Line(fmt.Sprintf(`cd "$(mktemp -d)" && %s && for i in $(seq %d); do %s; echo "exit code $?"; done`,
		prepare, times, command))
}
