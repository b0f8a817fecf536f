// Tables of comma-separated values, after RFC 4180, and what is like them: the
// separator may be a semicolon or a tab too, quotes may stand inside a field,
// records may differ in length, and lines may end in any way.
//
// Left out: which of the separators is meant; the others split fields as well.
grammar csv;

table     : record (NEWLINE record)* EOF;
record    : field (SEPARATOR field)*;
field     : QUOTED? TEXT?;

QUOTED    : '"' (~["] | '""')* '"';
TEXT      : ~[",;\t\r\n\uFEFF] ~[,;\t\r\n]*;
SEPARATOR : [,;\t];
NEWLINE   : '\r'? '\n' | '\r';
BOM       : '\uFEFF' -> channel(HIDDEN);
