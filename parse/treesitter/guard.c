#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "guard.h"

// The structs of generated parsers, from tree-sitter's parser.h (ABI versions 13 and 14).
typedef struct TSLexer TSLexer;
struct TSLexer {
	int32_t lookahead;
	uint16_t result_symbol;
	void (*advance)(TSLexer *, bool);
	void (*mark_end)(TSLexer *);
	uint32_t (*get_column)(TSLexer *);
	bool (*is_at_included_range_start)(const TSLexer *);
	bool (*eof)(const TSLexer *);
};

struct TSLanguage {
	uint32_t version, counts[8];
	uint16_t max_alias_sequence_length;
	const void *tables[13];
	bool (*lex_fn)(TSLexer *, uint16_t);
	bool (*keyword_lex_fn)(TSLexer *, uint16_t);
	uint16_t keyword_capture_token;
	struct {
		const bool *states;
		const uint16_t *symbol_map;
		void *(*create)(void);
		void (*destroy)(void *);
		bool (*scan)(void *, TSLexer *, const bool *);
		unsigned (*serialize)(void *, char *);
		void (*deserialize)(void *, const char *, unsigned);
	} external_scanner;
	const uint16_t *primary_state_ids; // since version 14
};

// kept is the number of bytes of a scanner's state that tree-sitter stores with a token. Some
// scanners write more. They get a buffer of room_at_least bytes and room_per_byte for each byte of
// text.
enum { kept = 1024, room_at_least = 1 << 16, room_per_byte = 16 };

// watch is the state of one parse.
typedef struct {
	const whittle_language *language;
	uint64_t work, limit;
	uint16_t *visits; // number of tokens read at each byte, and at the end
	uint32_t length;
	size_t cancel; // polled by tree-sitter
	whittle_refusal refusal;
	char *state;   // buffer for a scanner's state
	void (*advance)(TSLexer *, bool);
	uint32_t (*get_column)(TSLexer *);
	const char *text;
	uint32_t ascii_from, ascii_to; // a range of the text known to be ASCII
	jmp_buf out;
} watch;

static _Thread_local watch *watched;

static void refuse(whittle_refusal why) {
	if (!watched->refusal) watched->refusal = why;
	watched->cancel = 1;
}

// The work of a parse is the sum of the characters read, including repetitions; of the tokens,
// weighted by work_per_token and by how often a token was read at that place, since error recovery
// may loop with a growing stack; and of the words of allocated memory, since error recovery makes a
// node of all skipped text at each token. A unit takes 5 to 100 ns. The limit for a text of n bytes
// is work_at_least + n * work_per_byte. Files take 10 to 100 per byte, texts of no language up to
// 2,000.
enum { work_per_token = 64 };
static const uint64_t work_at_least = 1 << 23, work_per_byte = 1 << 11;

static inline void count(uint64_t work) {
	watched->work += work;
	if (watched->work > watched->limit) refuse(whittle_too_much);
}

// spend counts an allocation during a parse.
static void *spend(size_t size, void *memory) {
	if (watched) count(size / sizeof(void *));
	if (size > 0 && !memory) {
		fprintf(stderr, "tree-sitter: no memory for %zu bytes\n", size);
		abort();
	}
	return memory;
}

static void *spend_malloc(size_t size) { return spend(size, malloc(size)); }
static void *spend_calloc(size_t n, size_t size) { return spend(n * size, calloc(n, size)); }
static void *spend_realloc(void *old, size_t size) { return spend(size, realloc(old, size)); }

// advance reads the next character. Scanners that never stop, as at the end of the text, do not
// return to tree-sitter, which could cancel the parse. They are left by a jump, which leaks their
// memory.
static void advance(TSLexer *lexer, bool skip) {
	count(1);
	if (watched->work > 2 * watched->limit) longjmp(watched->out, 1);
	watched->advance(lexer, skip);
}

// The position after the public part of tree-sitter's lexer.
typedef struct { uint32_t byte, row, column; } place; // all in bytes

static inline const place *place_of(const TSLexer *lexer) { return (const place *)(lexer + 1); }

// is_ascii reports whether a range of the text is ASCII. Successive calls along a line visit each
// byte once.
static bool is_ascii(uint32_t from, uint32_t to) {
	if (from < watched->ascii_from || from > watched->ascii_to) watched->ascii_from = watched->ascii_to = from;
	while (watched->ascii_to < to && !(watched->text[watched->ascii_to] & 0x80)) watched->ascii_to++;
	return watched->ascii_to >= to;
}

// get_column returns the number of characters before the current place in its line, which
// tree-sitter would count each time. At the end of the text, the call is left to tree-sitter, whose
// result differs there.
static uint32_t get_column(TSLexer *lexer) {
	const place *at = place_of(lexer);
	if (!lexer->eof(lexer) && is_ascii(at->byte - at->column, at->byte)) return at->column;
	count(at->column);
	return watched->get_column(lexer);
}

// begin is called before each token.
static inline void begin(TSLexer *lexer) {
	uint32_t position = place_of(lexer)->byte;
	uint16_t *visits = &watched->visits[position < watched->length ? position : watched->length];
	*visits += *visits < UINT16_MAX;
	count(work_per_token * (uint64_t)*visits);
	if (lexer->advance != advance) {
		watched->advance = lexer->advance;
		lexer->advance = advance;
		watched->get_column = lexer->get_column;
		lexer->get_column = get_column;
	}
}

static bool lex(TSLexer *lexer, uint16_t state) {
	begin(lexer);
	return watched->language->tables->lex_fn(lexer, state);
}

static bool scan(void *payload, TSLexer *lexer, const bool *valid) {
	begin(lexer);
	return watched->language->tables->external_scanner.scan(payload, lexer, valid);
}

// serialize gives a scanner a larger buffer than it expects, since some write too much.
static unsigned serialize(void *payload, char *buffer) {
	unsigned length = watched->language->tables->external_scanner.serialize(payload, watched->state);
	if (length > kept) {
		refuse(whittle_too_deep);
		return 0;
	}
	memcpy(buffer, watched->state, length);
	return length;
}

// deserialize resets a scanner if there is no state to restore, including shared state.
static void deserialize(void *payload, const char *buffer, unsigned length) {
	const whittle_language *l = watched->language;
	if (length == 0 && l->shared) {
		buffer = l->initial;
		length = l->initial_length;
	}
	l->tables->external_scanner.deserialize(payload, buffer, length);
}

// find_shared reports whether the scanner keeps its state in global variables: it has state but
// allocated no memory.
static bool find_shared(whittle_language *l) {
	void *payload = l->tables->external_scanner.create();
	if (payload) {
		l->tables->external_scanner.destroy(payload);
		return true;
	}
	if (!(l->initial = malloc(room_at_least))) return false;
	l->initial_length = l->tables->external_scanner.serialize(NULL, l->initial);
	l->shared = l->initial_length > 0;
	char *fits = realloc(l->initial, l->initial_length + 1);
	if (fits) l->initial = fits;
	return true;
}

whittle_language *whittle_guard(const TSLanguage *tables) {
	ts_set_allocator(spend_malloc, spend_calloc, spend_realloc, free);
	whittle_language *l = calloc(1, sizeof *l);
	TSLanguage *copy = calloc(1, sizeof *copy);
	if (!l || !copy || tables->version < 13 || tables->version > 14) goto fail;
	memcpy(copy, tables, tables->version > 13 ? sizeof *copy : offsetof(TSLanguage, primary_state_ids));
	l->tables = tables;
	l->guarded = copy;
	l->scanner = tables->external_scanner.scan != NULL;
	if (l->scanner && !find_shared(l)) goto fail;
	copy->lex_fn = lex;
	if (l->scanner) {
		copy->external_scanner.scan = scan;
		copy->external_scanner.serialize = serialize;
		copy->external_scanner.deserialize = deserialize;
	}
	return l;
fail:
	free(l);
	free(copy);
	return NULL;
}

TSTree *whittle_parse(const whittle_language *language, const char *text, uint32_t length, whittle_refusal *refusal) {
	watch w = {.language = language, .text = text, .length = length, .limit = work_at_least + length * work_per_byte};
	TSParser *parser = ts_parser_new();
	TSTree *volatile tree = NULL;
	w.state = language->scanner ? malloc(room_at_least + (size_t)length * room_per_byte) : NULL;
	w.visits = calloc((size_t)length + 1, sizeof *w.visits);
	watched = &w;
	if (!w.visits || language->scanner && !w.state || !ts_parser_set_language(parser, language->guarded)) {
		refuse(whittle_no_memory);
	} else if (!setjmp(w.out)) {
		ts_parser_set_cancellation_flag(parser, &w.cancel);
		if (language->shared) deserialize(NULL, NULL, 0);
		tree = ts_parser_parse_string(parser, NULL, text, length);
		if (tree && w.refusal) {
			ts_tree_delete(tree);
			tree = NULL;
		}
		ts_parser_delete(parser);
	}
	watched = NULL;
	free(w.state);
	free(w.visits);
	*refusal = tree ? whittle_parsed : w.refusal ? w.refusal : whittle_no_memory;
	return tree;
}

void whittle_die_plainly(void) {
	const int ends[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) signal(ends[i], SIG_DFL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}
