package usage

import (
	"slices"
	"strings"
	"whittle/internal/disk"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// WithDefault returns the arguments with the default command inserted if they name no command, as in
// whittle small.c -- gcc -c {}. A word that looks like a command and is not a file stays an error.
func WithDefault(root *cobra.Command, name string, args []string) []string {
	command, _, err := root.Find([]string{name})
	if err != nil {
		return args
	}
	if len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		words := WithDefault(root, name, args[1:])
		if word, _ := firstWord(command.Flags(), words); word == "" && strings.HasPrefix(words[len(words)-1], "-") {
			words = append([]string{name}, words...)
		}
		return append([]string{args[0]}, words...)
	}
	word, flags := firstWord(command.Flags(), args)
	known, _, _ := root.Find([]string{word})
	switch {
	case word == "" && slices.Contains(args, "--"): // the command reports the missing FILE
		return append([]string{name}, args...)
	case word == "" || known != root || word == "help" || strings.HasPrefix(word, cobra.ShellCompRequestCmd):
		return args
	case flags, slices.Contains(args, "--"), strings.ContainsAny(word, "./"), disk.Exists(word):
		return append([]string{name}, args...)
	}
	return args
}

// firstWord returns the first argument before -- that is neither a flag nor its value, or "", and
// whether flags precede it.
func firstWord(known *pflag.FlagSet, args []string) (word string, flags bool) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, isLong := strings.CutPrefix(arg, "--")
		switch {
		case arg == "--":
			return "", flags
		case !strings.HasPrefix(arg, "-") || arg == "-":
			return arg, flags
		}
		flags = true
		var flag *pflag.Flag
		if isLong {
			flag = known.Lookup(name) // nil for --name=value
		} else if len(arg) == 2 {
			flag = known.ShorthandLookup(arg[1:])
		}
		if flag != nil && flag.NoOptDefVal == "" {
			i++
		}
	}
	return "", flags
}
