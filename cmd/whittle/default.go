package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// withDefault returns the arguments with "reduce" inserted if they name no command, as in
// whittle small.c -- gcc -c {}. A word that looks like a command and is not a file stays an error.
func withDefault(root *cobra.Command, args []string) []string {
	reduce, _, err := root.Find([]string{"reduce"})
	if err != nil {
		return args
	}
	if len(args) > 1 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		words := withDefault(root, args[1:])
		if word, _ := firstWord(reduce.Flags(), words); word == "" && strings.HasPrefix(words[len(words)-1], "-") {
			words = append([]string{"reduce"}, words...)
		}
		return append([]string{args[0]}, words...)
	}
	word, flags := firstWord(reduce.Flags(), args)
	known, _, _ := root.Find([]string{word})
	switch {
	case word == "" && slices.Contains(args, "--"): // reduce reports the missing FILE
		return append([]string{"reduce"}, args...)
	case word == "" || known != root || word == "help" || strings.HasPrefix(word, cobra.ShellCompRequestCmd):
		return args
	case flags, slices.Contains(args, "--"), strings.ContainsAny(word, "./"), exists(word):
		return append([]string{"reduce"}, args...)
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
