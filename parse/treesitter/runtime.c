#include "runtime.h"

#ifdef __GLIBC__
#include <malloc.h>

// One arena for all threads. Otherwise each would keep its own freed memory.
__attribute__((constructor)) static void one_arena(void) { mallopt(M_ARENA_MAX, 1); }
#endif

// An open_node is a node that the walk is in. level is the size of the cursor's stack there.
typedef struct { uint32_t node, chain, level; } open_node;

// level returns the size of a cursor's stack, including hidden nodes.
static uint32_t level(const TSTreeCursor *cursor) { return cursor->context[0]; }

// field returns the field of the current node. above is the level of its parent. tree-sitter visits
// all hidden nodes in between, which may be as many as the file has brackets. Grammars use fields
// only within a few levels.
static uint16_t field(const TSTreeCursor *cursor, uint32_t above) {
	const uint32_t hidden = 64;
	return level(cursor) - above > hidden ? 0 : ts_tree_cursor_current_field_id(cursor);
}

// fit returns row with space for more than count entries of the given size, or NULL without freeing
// row.
static void *fit(void *row, uint32_t count, uint32_t *room, size_t size) {
	if (count < *room) return row;
	uint32_t wanted = *room ? *room * 2 : 64;
	void *grown = realloc(row, wanted * size);
	if (grown) *room = wanted;
	return grown;
}

static bool is(TSNode node, const char *kind) { return !ts_node_is_null(node) && !strcmp(ts_node_type(node), kind); }

// forgiven returns how many of the errors in a child of the root do not count. In C, a function may
// have no type: f() { }. The parser takes the head for a call with a missing or wrong semicolon,
// and the body for a misplaced block.
static uint32_t forgiven(TSNode node) {
	uint32_t children = ts_node_child_count(node);
	return children > 0 && is(ts_node_child(node, 0), "call_expression") &&
		(children == 1 ? ts_node_is_error(node) : children == 2 && ts_node_is_missing(ts_node_child(node, 1))) &&
		is(ts_node_next_sibling(node), "compound_statement");
}

bool whittle_walk(const TSTree *tree, whittle_read *read) {
	uint32_t node_room = 0, link_room = 0, open_room = 0, open = 0, n = 0, links = 0;
	open_node *stack = NULL;
	TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	*read = (whittle_read){0};
	for (;;) {
		void *grown;
		if (!(grown = fit(read->nodes, n, &node_room, sizeof *read->nodes))) break;
		read->nodes = grown;
		if (!(grown = fit(stack, open, &open_room, sizeof *stack))) break;
		stack = grown;
		TSNode node = ts_tree_cursor_current_node(&cursor);
		whittle_node *w = &read->nodes[n];
		*w = (whittle_node){
			.start = ts_node_start_byte(node), .end = ts_node_end_byte(node),
			.kind = ts_node_grammar_symbol(node), .state = ts_node_parse_state(node),
			.error = ts_node_is_error(node), .extra = ts_node_is_extra(node),
		};
		read->errors += w->error || ts_node_is_missing(node);
		if (open == 1) read->errors -= forgiven(node);
		uint32_t chain = 0, children, above = open > 0 ? stack[open - 1].level : level(&cursor);
		for (;;) {
			if (!(grown = fit(read->links, links, &link_room, sizeof *read->links))) goto no_memory;
			read->links = grown;
			read->links[links++] = (whittle_link){ts_node_symbol(node), field(&cursor, above)};
			children = ts_node_child_count(node);
			if (children != 1 || n == 0 || chain + 1 == UINT8_MAX) break; // the content of the file may be deleted, the file not
			uint32_t here = level(&cursor);
			ts_tree_cursor_goto_first_child(&cursor);
			TSNode child = ts_tree_cursor_current_node(&cursor);
			if (ts_node_start_byte(child) != w->start || ts_node_end_byte(child) != w->end || ts_node_is_error(child)) {
				ts_tree_cursor_goto_parent(&cursor);
				break;
			}
			read->errors += ts_node_is_missing(child);
			node = child;
			above = here;
			chain++;
		}
		w->links = chain + 1;
		if (chain == 0 && read->links[links - 1].symbol == w->kind && read->links[links - 1].field == 0) {
			w->links = 0; // most tokens
			links--;
		}
		w->inner = ts_node_grammar_symbol(node);
		w->named = ts_node_is_named(node);
		n++;
		uint32_t here = level(&cursor);
		if (children > 0 && ts_tree_cursor_goto_first_child(&cursor)) {
			stack[open++] = (open_node){n - 1, chain, here};
			continue;
		}
		w->next = n;
		for (;;) {
			while (chain-- > 0) ts_tree_cursor_goto_parent(&cursor);
			if (open == 0) {
				free(stack);
				ts_tree_cursor_delete(&cursor);
				read->node_count = n;
				read->link_count = links;
				return true;
			}
			if (ts_tree_cursor_goto_next_sibling(&cursor)) break;
			ts_tree_cursor_goto_parent(&cursor);
			open--;
			read->nodes[stack[open].node].next = n;
			chain = stack[open].chain;
		}
	}
no_memory:
	free(read->nodes);
	free(read->links);
	free(stack);
	ts_tree_cursor_delete(&cursor);
	return false;
}

uint32_t whittle_errors(const TSTree *tree) {
	TSNode node = ts_tree_root_node(tree);
	if (!ts_node_has_error(node)) return 0;
	uint32_t errors = 0, depth = 0;
	TSTreeCursor cursor = ts_tree_cursor_new(node);
	for (;;) {
		node = ts_tree_cursor_current_node(&cursor);
		errors += ts_node_is_error(node) || ts_node_is_missing(node);
		if (depth == 1) errors -= forgiven(node);
		if (ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&cursor)) {
			depth++;
			continue;
		}
		while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&cursor)) {
			ts_tree_cursor_goto_parent(&cursor);
			depth--;
		}
		if (depth == 0) break;
	}
	ts_tree_cursor_delete(&cursor);
	return errors;
}

uint64_t whittle_shape(const TSTree *tree) {
	uint64_t hash = UINT64_C(14695981039346656037), prime = UINT64_C(1099511628211);
	uint32_t depth = 0;
	TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	for (;;) {
		hash = (hash ^ ts_node_grammar_symbol(ts_tree_cursor_current_node(&cursor))) * prime;
		if (ts_tree_cursor_goto_first_child(&cursor)) {
			hash = (hash ^ ++depth) * prime;
			continue;
		}
		while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&cursor)) {
			ts_tree_cursor_goto_parent(&cursor);
			depth--;
		}
		if (depth == 0) break;
		hash = (hash ^ depth) * prime;
	}
	ts_tree_cursor_delete(&cursor);
	return hash;
}

void whittle_accepts(const TSLanguage *language, uint16_t state, uint64_t *row) {
	if (state >= ts_language_state_count(language)) return;
	uint32_t symbols = ts_language_symbol_count(language);
	TSLookaheadIterator *it = ts_lookahead_iterator_new(language, state);
	if (!it) return;
	while (ts_lookahead_iterator_next(it)) {
		uint16_t symbol = ts_lookahead_iterator_current_symbol(it);
		if (symbol < symbols) row[symbol / 64] |= UINT64_C(1) << (symbol % 64);
	}
	ts_lookahead_iterator_delete(it);
}

bool whittle_hides(const TSLanguage *language, uint16_t state) {
	const uint32_t hidden = 2; // TSSymbolTypeAuxiliary
	const struct { uint32_t version, symbols, aliases, tokens; } *head = (const void *)language;
	if (state >= ts_language_state_count(language)) return false;
	TSLookaheadIterator *it = ts_lookahead_iterator_new(language, state);
	bool found = false;
	while (it && !found && ts_lookahead_iterator_next(it)) {
		uint16_t symbol = ts_lookahead_iterator_current_symbol(it);
		found = symbol > 0 && symbol < head->tokens && ts_language_symbol_type(language, symbol) == hidden;
	}
	if (it) ts_lookahead_iterator_delete(it);
	return found;
}

void whittle_trim(void) {
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
