// Command tables packs the parse tables of tree-sitter grammars, two thirds of the program. It replaces each parser.c
// below a directory by one with packed tables, which unpacks them when its language is first used.
//
//	tables DIRECTORY
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: tables DIRECTORY")
	}
	err := filepath.WalkDir(os.Args[1], func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Base(path) != "parser.c" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(source, []byte(" ts_parse_table")) { // tree-sitter's own parser.c
			return err
		}
		if source, err = pack(source); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return os.WriteFile(path, source, 0o644)
	})
	if err != nil {
		log.Fatal(err)
	}
}

var (
	array    = regexp.MustCompile(`(?s)static (?:const )?uint16_t (ts_(?:small_)?parse_table)(\[[^=]*) = \{\n(.*?)\n\};`)
	constant = regexp.MustCompile(`(?m)^  (\w+) = (\d+),$`)
	defined  = regexp.MustCompile(`(?m)^#define (LARGE_STATE_COUNT|SYMBOL_COUNT) (\d+)$`)
	entry    = regexp.MustCompile(`const TSLanguage \*tree_sitter_\w+\([^)]*\) \{\n`)
)

// pack returns the source of a parser with packed tables.
func pack(source []byte) ([]byte, error) {
	numbers := map[string]int{"ts_builtin_sym_end": 0}
	for _, pattern := range []*regexp.Regexp{constant, defined} {
		for _, m := range pattern.FindAllSubmatch(source, -1) {
			numbers[string(m[1])], _ = strconv.Atoi(string(m[2]))
		}
	}
	unpacking, err := "", error(nil)
	source = array.ReplaceAllFunc(source, func(text []byte) []byte {
		m := array.FindSubmatch(text)
		name, first := string(m[1]), "&"+string(m[1])+"[0]"
		t := table{numbers: numbers}
		if name == "ts_parse_table" {
			first += "[0]"
			t.columns = numbers["SYMBOL_COUNT"]
			t.words = make([]uint16, numbers["LARGE_STATE_COUNT"]*t.columns)
		}
		if e := t.read(m[3]); e != nil {
			err = fmt.Errorf("%s: %w", name, e)
		}
		unpacking += fmt.Sprintf("    whittle_unpack(%s, %s_packed, sizeof %s_packed - 1);\n", first, name, name)
		dimensions := string(m[2])
		if name != "ts_parse_table" {
			dimensions = fmt.Sprintf("[%d]", len(t.words))
		}
		return fmt.Appendf(nil, "static uint16_t %s%s;\nstatic const unsigned char %s_packed[] =%s;",
			name, dimensions, name, quote(compress(t.words)))
	})
	at := entry.FindIndex(source)
	if err != nil || at == nil || unpacking == "" {
		return nil, fmt.Errorf("this is not a parser as tree-sitter writes it: %v", err)
	}
	call := "  static int unpacked;\n  if (!unpacked) {\n" + unpacking + "    unpacked = 1;\n  }\n"
	return fmt.Appendf(nil, "%s%s\n%s%s%s", "#include <stddef.h>\n#include <stdint.h>\n", unpacker,
		source[:at[1]], call, source[at[1]:]), nil
}

// quote returns bytes as lines of a C string.
func quote(data []byte) []byte {
	var text []byte
	for i, b := range data {
		if i%64 == 0 {
			if i > 0 {
				text = append(text, '"')
			}
			text = append(text, "\n  \""...)
		}
		text = append(text, '\\', '0'+b>>6, '0'+b>>3&7, '0'+b&7)
	}
	return append(text, '"')
}
