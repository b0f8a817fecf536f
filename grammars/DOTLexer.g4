// Tokens of DOT. See DOTParser.g4.
lexer grammar DOTLexer;

Strict       : [Ss] [Tt] [Rr] [Ii] [Cc] [Tt];
Graph        : [Gg] [Rr] [Aa] [Pp] [Hh];
Digraph      : [Dd] [Ii] [Gg] [Rr] [Aa] [Pp] [Hh];
Subgraph     : [Ss] [Uu] [Bb] [Gg] [Rr] [Aa] [Pp] [Hh];
Node         : [Nn] [Oo] [Dd] [Ee];
Edge         : [Ee] [Dd] [Gg] [Ee];

LBrace       : '{';
RBrace       : '}';
LBracket     : '[';
RBracket     : ']';
Equal        : '=';
Plus         : '+';
Comma        : ',';
Semicolon    : ';';
Colon        : ':';
Arrow        : '->';
Line         : '--';

Name         : [A-Za-z_\u0080-\uFEFE\uFF00-\u{10FFFF}] [A-Za-z0-9_\u0080-\u{10FFFF}]*;
Numeral      : '-'? ('.' [0-9]+ | [0-9]+ ('.' [0-9]*)?);
String       : '"' (~["\\] | '\\' .)* '"';
HtmlOpen     : '<' -> pushMode(HTML);

Comment      : ('/*' .*? '*/' | '//' ~[\r\n]*) -> channel(HIDDEN);
Preprocessor : '#' ~[\r\n]* -> channel(HIDDEN);
WS           : [ \t\r\n\f\u000B\uFEFF]+ -> channel(HIDDEN);

// --- < ... > around a label
mode HTML;

HtmlComment  : '<!--' .*? '-->' -> channel(HIDDEN);
TagOpen      : '<' -> pushMode(TAG);
EndTagOpen   : '</' -> pushMode(TAG);
HtmlClose    : '>' -> popMode;
HtmlSpace    : [ \t\r\n]+ -> channel(HIDDEN);
Text         : ~[<>]+;

// --- <name attribute="value"> in a label
mode TAG;

TagName      : [A-Za-z_\u0080-\u{10FFFF}] [-.:A-Za-z0-9_\u0080-\u{10FFFF}]*;
TagEqual     : [=] -> type(Equal);
Value        : '"' ~["]* '"' | '\'' ~[']* '\'';
EmptyTagClose: '/>' -> popMode;
TagClose     : '>' -> popMode;
TagSpace     : [ \t\r\n]+ -> channel(HIDDEN);
