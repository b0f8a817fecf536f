// The part of tree-sitter's public C interface that whittle calls.
// github.com/smacker/go-tree-sitter provides the functions at link time. They are weak, because cgo
// also links this package alone.
#ifndef WHITTLE_RUNTIME_H
#define WHITTLE_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSLookaheadIterator TSLookaheadIterator;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree, *id; uint32_t context[3]; } TSTreeCursor;

#define WEAK __attribute__((weak))

WEAK void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *);
WEAK bool ts_parser_set_language(TSParser *, const TSLanguage *);
WEAK TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
WEAK void ts_parser_set_cancellation_flag(TSParser *, const size_t *);

WEAK void ts_tree_delete(TSTree *);
WEAK TSNode ts_tree_root_node(const TSTree *);

WEAK uint32_t ts_node_start_byte(TSNode);
WEAK uint32_t ts_node_end_byte(TSNode);
WEAK uint32_t ts_node_child_count(TSNode);
WEAK uint16_t ts_node_symbol(TSNode);
WEAK uint16_t ts_node_grammar_symbol(TSNode);
WEAK uint16_t ts_node_parse_state(TSNode);
WEAK bool ts_node_is_extra(TSNode);
WEAK bool ts_node_is_error(TSNode);
WEAK bool ts_node_is_named(TSNode);
WEAK bool ts_node_is_missing(TSNode);
WEAK bool ts_node_has_error(TSNode);
WEAK bool ts_node_is_null(TSNode);
WEAK const char *ts_node_type(TSNode);
WEAK TSNode ts_node_child(TSNode, uint32_t);
WEAK TSNode ts_node_next_sibling(TSNode);

WEAK TSTreeCursor ts_tree_cursor_new(TSNode);
WEAK void ts_tree_cursor_delete(TSTreeCursor *);
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
WEAK uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *);

WEAK uint32_t ts_language_symbol_count(const TSLanguage *);
WEAK uint32_t ts_language_field_count(const TSLanguage *);
WEAK const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
WEAK const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);
WEAK uint32_t ts_language_symbol_type(const TSLanguage *, uint16_t);
WEAK uint16_t ts_language_next_state(const TSLanguage *, uint16_t, uint16_t);
WEAK uint32_t ts_language_state_count(const TSLanguage *);
WEAK TSLookaheadIterator *ts_lookahead_iterator_new(const TSLanguage *, uint16_t);
WEAK void ts_lookahead_iterator_delete(TSLookaheadIterator *);
WEAK bool ts_lookahead_iterator_next(TSLookaheadIterator *);
WEAK uint16_t ts_lookahead_iterator_current_symbol(const TSLookaheadIterator *);

// whittle_node is a node of the walk, in pre-order. A chain of single children of the same extent
// is one entry, with the symbols of its top (kind) and bottom (inner) in the parse table. The root
// is an entry of its own.
typedef struct {
	uint32_t start, end;
	uint32_t next; // index after the subtree
	uint16_t kind, inner;
	uint16_t state;
	uint8_t links;            // of its chain
	bool error, extra, named; // named refers to the bottom
} whittle_node;

// whittle_link is the public view of a node: its symbol or alias, and its field in its parent, or
// 0.
typedef struct { uint16_t symbol, field; } whittle_link;

// whittle_read is a whole tree in malloc'ed memory.
typedef struct {
	whittle_node *nodes;
	whittle_link *links; // of all chains, from the top down, in the order of nodes
	uint32_t node_count, link_count;
	uint32_t errors;
} whittle_read;

// whittle_walk reads a whole tree in one call. It returns false if memory is exhausted.
bool whittle_walk(const TSTree *tree, whittle_read *read);

// whittle_shape returns a hash of the kinds and the nesting of all nodes.
uint64_t whittle_shape(const TSTree *tree);

uint32_t whittle_errors(const TSTree *tree);

// whittle_accepts sets a bit in row for each symbol that the state accepts.
void whittle_accepts(const TSLanguage *language, uint16_t state, uint64_t *row);

// whittle_hides reports whether the state accepts a token that trees do not contain.
bool whittle_hides(const TSLanguage *language, uint16_t state);

// whittle_trim returns freed memory to the system.
void whittle_trim(void);

#endif
