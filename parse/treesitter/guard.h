// A language whose lexer and scanner are looked after: how much they do is
// counted, and what they keep beside the parser is put right.
#ifndef WHITTLE_GUARD_H
#define WHITTLE_GUARD_H

#include "runtime.h"

// whittle_language is a language of go-tree-sitter's, its guarded copy, and what
// is known of its scanner.
typedef struct whittle_language {
	const TSLanguage *tables; // to be asked
	TSLanguage *guarded;      // to parse by
	bool scanner;             // there is code beside the tables
	bool shared;              // its state is in variables of the process: one parse at a time
	char *initial;            // that state at the beginning, if it is shared
	uint32_t initial_length;
} whittle_language;

// whittle_guard makes a language, for good; NULL if there is no memory, or the
// tables are of a version that is not known.
whittle_language *whittle_guard(const TSLanguage *tables);

// Why a text could not be parsed.
typedef enum {
	whittle_parsed,
	whittle_too_much, // work for the length of the text
	whittle_too_deep, // the scanner's state is more than a token can keep
	whittle_no_memory,
} whittle_refusal;

// whittle_parse parses a text. The tree is NULL if *refusal says why. What it
// does depends on the text only, not on time.
TSTree *whittle_parse(const whittle_language *language, const char *text, uint32_t length, whittle_refusal *refusal);

// whittle_die_plainly has this process end by the signals that mistakes in C
// lead to, without a word and without a core.
void whittle_die_plainly(void);

#endif
