// JSON, after RFC 8259, and texts of several values one after the other, as in
// JSON lines, newline-delimited JSON and JSON text sequences (RFC 7464).
//
// Left out: what is not JSON, such as comments, trailing commas, NaN.
grammar json;

text    : value+ EOF;

value   : object
        | array
        | string
        | number
        | 'true'
        | 'false'
        | 'null'
        ;

object  : '{' (member (',' member)*)? '}';
member  : string ':' value;
array   : '[' (value (',' value)*)? ']';
string  : STRING;
number  : NUMBER;

STRING  : '"' (~["\\\u0000-\u001F] | '\\' (["\\/bfnrt] | 'u' HEX HEX HEX HEX))* '"';
NUMBER  : '-'? INT ('.' [0-9]+)? ([eE] [-+]? [0-9]+)?;
WS      : [ \t\r\n]+ -> channel(HIDDEN);
MARK    : [\u001E\uFEFF] -> channel(HIDDEN);     // before a text of a sequence, before a file

// Such as 01 and truefalse, which must not be read as two values. No rule has it.
RUN     : [-+.0-9A-Za-z_$]+;

fragment INT : '0' | [1-9] [0-9]*;
fragment HEX : [0-9a-fA-F];
