// Tokens of XML documents, after "Extensible Markup Language (XML) 1.0 (Fifth
// Edition)", whose names they bear. See XMLParser.g4.
//
// Malformed and MissingSpace are what looks like XML but is not. No rule of the
// parser has them.
lexer grammar XMLLexer;

XMLDeclOpen   : '<?xml' -> pushMode(XMLDECL);
DoctypeOpen   : '<!DOCTYPE' -> pushMode(DECLARATION);
CDSect        : '<![CDATA[' CHAR*? ']]>';
Comment       : COMMENT -> channel(HIDDEN);
Malformed     : (SPACE | COMMENT) '<?xml' [ \t\r\n]    // not at the beginning
              | '<?' [xX] [mM] [lL]                    // a reserved target
              | '<!DOCTYPE' ~[ \t\r\n]
              | '<' '/'? [ \t\r\n]
              | TEXT* ']]>' TEXT*
              ;
PIOpen        : '<?' NAME -> more, pushMode(INSTRUCTION);
TagOpen       : '<' -> pushMode(TAG);
EndTagOpen    : '</' -> pushMode(TAG);
EntityRef     : ENTITYREF;
CharRef       : CHARREF;
S             : SPACE -> channel(HIDDEN);
BOM           : '\uFEFF' SPACE? -> channel(HIDDEN);
CharData      : TEXT+;

fragment SPACE     : [ \t\r\n]+;
fragment COMMENT   : '<!--' (NODASH | '-' NODASH)* '-->';
fragment ENTITYREF : '&' NAME ';';
fragment CHARREF   : '&#' ([0-9]+ | 'x' [0-9a-fA-F]+) ';';
fragment REFERENCE : ENTITYREF | CHARREF;
fragment PEREF     : '%' NAME ';';
fragment NAME      : NAMESTART NAMECHAR*;
fragment NAMECHAR  : NAMESTART | [-.0-9\u00B7\u0300-\u036F\u203F-\u2040];
fragment NAMESTART : [:A-Z_a-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF]
                   | [\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD]
                   | [\u{10000}-\u{EFFFF}]
                   ;
fragment CHAR      : [\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}];
fragment TEXT      : [\t\n\r\u0020-\u0025\u0027-\u003B\u003D-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}];  // without & <
fragment NODASH    : [\t\n\r\u0020-\u002C\u002E-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}];               // without -

// --- <?target ... ?>
mode INSTRUCTION;

PI            : (SPACE CHAR*?)? '?>' -> popMode;

// --- <?xml ... ?>
mode XMLDECL;

VersionInfo   : VERSION;
EncodingDecl  : ENCODING;
SDDecl        : 'standalone' EQ ('"' ('yes' | 'no') '"' | '\'' ('yes' | 'no') '\'');
XMLDeclSpace  : SPACE -> channel(HIDDEN);
XMLDeclClose  : '?>' -> popMode;
XMLDeclMissingSpace : (VERSION | ENCODING) [a-z] -> type(MissingSpace);

fragment EQ       : SPACE? '=' SPACE?;
fragment VERSION  : 'version' EQ ('"1.' [0-9]+ '"' | '\'1.' [0-9]+ '\'');
fragment ENCODING : 'encoding' EQ ('"' ENCNAME '"' | '\'' ENCNAME '\'');
fragment ENCNAME  : [A-Za-z] [-A-Za-z0-9._]*;

// --- <name attribute="value"> and </name>
mode TAG;

Name          : NAME;
Eq            : '=';
AttValue      : ATTVALUE;
TagSpace      : SPACE -> channel(HIDDEN);
TagClose      : '>' -> popMode;
EmptyTagClose : '/>' -> popMode;
MissingSpace  : ATTVALUE NAMECHAR;

fragment ATTVALUE : '"' (INDOUBLE | REFERENCE)* '"' | '\'' (INSINGLE | REFERENCE)* '\'';
fragment INDOUBLE : [\t\n\r\u0020\u0021\u0023-\u0025\u0027-\u003B\u003D-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}];  // without " & <
fragment INSINGLE : [\t\n\r\u0020-\u0025\u0028-\u003B\u003D-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}];              // without ' & <

// --- <!DOCTYPE name ... > and the declarations in its internal subset
mode DECLARATION;

SYSTEM        : 'SYSTEM';
PUBLIC        : 'PUBLIC';
NDATA         : 'NDATA';
EMPTY         : 'EMPTY';
ANY           : 'ANY';
CDATA         : 'CDATA';
ID            : 'ID';
IDREF         : 'IDREF';
IDREFS        : 'IDREFS';
ENTITY        : 'ENTITY';
ENTITIES      : 'ENTITIES';
NMTOKEN       : 'NMTOKEN';
NMTOKENS      : 'NMTOKENS';
NOTATION      : 'NOTATION';
PCDATA        : '#PCDATA';
REQUIRED      : '#REQUIRED';
IMPLIED       : '#IMPLIED';
FIXED         : '#FIXED';
LParen        : '(';
RParen        : ')';
Bar           : '|';
Comma         : ',';
Optional      : '?';
Star          : '*';
Plus          : '+';
Percent       : '%';
SubsetOpen    : '[' -> pushMode(SUBSET);
DeclClose     : '>' -> popMode;
DeclName      : NAME -> type(Name);
Nmtoken       : NAMECHAR+;
DeclSpace     : SPACE -> channel(HIDDEN);

// A literal may stand for many things: each of these is also all that follow it
// in one of the lists of the parser.
PlainLiteral  : '"' PUBID* '"' | '\'' PUBIDSINGLE* '\'';
PubidLiteral  : '"' (PUBID | '%')* '"' | '\'' (PUBIDSINGLE | '%')* '\'';
ValueLiteral  : '"' (VALUEDOUBLE | REFERENCE)* '"' | '\'' (VALUESINGLE | REFERENCE)* '\'';
AttLiteral    : ATTVALUE -> type(AttValue);
EntityLiteral : '"' (VALUEDOUBLE | '<' | REFERENCE)* '"' | '\'' (VALUESINGLE | '<' | REFERENCE)* '\'';
SystemLiteral : SYSTEMLITERAL;

DeclMissingSpace
    : ( NAMECHAR+ ["'#(%]
      | ')' (NAMECHAR | ["'#])
      | SYSTEMLITERAL (NAMECHAR | ["'#])
      | '#' NAMECHAR+ ["']?
      | '%' NAME
      | SPACE [?*+]                                    // here the space is too much
      ) -> type(MissingSpace)
    ;

fragment PUBID         : PUBIDSINGLE | '\'';
fragment PUBIDSINGLE   : [ \r\na-zA-Z0-9()+,./:=?;!*#@$_\-];
fragment VALUEDOUBLE   : [\t\n\r\u0020\u0021\u0023\u0024\u0027-\u003B\u003D-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}];  // without " % & <
fragment VALUESINGLE   : [\t\n\r\u0020-\u0024\u0028-\u003B\u003D-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}];             // without ' % & <
fragment SYSTEMLITERAL : '"' (INDOUBLE | [&<])* '"' | '\'' (INSINGLE | [&<])* '\'';

// --- [ ... ] of <!DOCTYPE
mode SUBSET;

ElementOpen   : '<!ELEMENT' -> pushMode(DECLARATION);
AttlistOpen   : '<!ATTLIST' -> pushMode(DECLARATION);
EntityOpen    : '<!ENTITY' -> pushMode(DECLARATION);
NotationOpen  : '<!NOTATION' -> pushMode(DECLARATION);
PEReference   : PEREF;
SubsetClose   : ']' -> popMode;
SubsetPIOpen  : '<?' NAME -> more, pushMode(INSTRUCTION);
SubsetComment : COMMENT -> type(Comment), channel(HIDDEN);
SubsetSpace   : SPACE -> channel(HIDDEN);
SubsetMalformed : ('<?' [xX] [mM] [lL] [ \t\r\n?] | '<!' [A-Z]+ ~[ \t\r\n]) -> type(Malformed);
