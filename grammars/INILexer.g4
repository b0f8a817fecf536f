// Tokens of INI files. See INIParser.g4.
lexer grammar INILexer;

// --- At the beginning of a line
Section        : [ \t]* '[' ~[\r\n]*? ']';
Key            : KEYSTART KEYCHAR* -> mode(KEY);
IndentedKey    : [ \t]+ (KEYSTART KEYCHAR* | '[' ~[\]\r\n]* | [=:] ~[\r\n]*) -> mode(KEY);
Comment        : [ \t]* [;#!] ~[\r\n]* -> channel(HIDDEN);
Blank          : ([ \t]* NEWLINE | [ \t]+ | '\uFEFF') -> channel(HIDDEN);

fragment NEWLINE  : '\r'? '\n' | '\r';
fragment KEYSTART : ~[ \t\r\n=:;#![\uFEFF];
fragment KEYCHAR  : [ \t]* (~[ \t\r\n=:] | '\\' [=: \t] | '\\' NEWLINE);

// --- Behind a key
mode KEY;

Separator      : [=:] -> mode(VALUE);
KeySpace       : [ \t]+ -> channel(HIDDEN);
KeyEnd         : NEWLINE -> channel(HIDDEN), mode(DEFAULT_MODE);

// --- Behind a separator
mode VALUE;

Value          : (~[ \t\r\n\\] | ESCAPE) REST;
NextLine       : '\\' NEWLINE REST;
ValueSpace     : ([ \t]+ | '\\') -> channel(HIDDEN);       // \ at the end of the file
ValueEnd       : NEWLINE -> channel(HIDDEN), mode(DEFAULT_MODE);

fragment REST   : (~[\r\n\\] | ESCAPE)*;
fragment ESCAPE : '\\' ~[\r\n];
