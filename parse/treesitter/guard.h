// Guards the lexer and the scanner of a language: counts their work, and repairs the state that
// scanners keep outside of the parser.
#ifndef WHITTLE_GUARD_H
#define WHITTLE_GUARD_H

#include "runtime.h"

// whittle_language is a language of go-tree-sitter with a guarded copy.
typedef struct whittle_language {
	const TSLanguage *tables; // for queries
	TSLanguage *guarded;      // for parsing
	bool scanner;             // the language has a scanner
	bool shared;              // the scanner's state is in global variables: one parse at a time
	char *initial;            // initial state of a shared scanner
	uint32_t initial_length;
} whittle_language;

// whittle_guard returns a language that is never freed, or NULL if there is no memory or the
// version of the tables is unknown.
whittle_language *whittle_guard(const TSLanguage *tables);

// Reasons for a refusal.
typedef enum {
	whittle_parsed,
	whittle_too_much, // too much work for the length of the text
	whittle_too_deep, // the scanner's state is larger than tree-sitter can store
	whittle_no_memory,
} whittle_refusal;

// whittle_parse parses a text. It returns NULL and sets *refusal on failure. The result depends on
// the text only, not on time.
TSTree *whittle_parse(const whittle_language *language, const char *text, uint32_t length, whittle_refusal *refusal);

// whittle_die_plainly makes this process end by the signals of C faults without messages or core
// dumps.
void whittle_die_plainly(void);

#endif
