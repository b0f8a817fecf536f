// XML documents, after "Extensible Markup Language (XML) 1.0 (Fifth Edition)",
// with the names of its rules. A document with an internal DTD subset is read as
// a non-validating parser does.
//
// Left out, because they are no matter of grammar: that the names of both tags
// are the same, that attributes and entities are declared once, that character
// references are characters. Left out, because they are no documents: external
// subsets and entities. Characters are in UTF-8 or in an encoding like it.
parser grammar XMLParser;

options { tokenVocab = XMLLexer; }

document       : xmlDecl? pi* (doctypedecl pi*)? element pi* EOF;

xmlDecl        : '<?xml' VersionInfo EncodingDecl? SDDecl? XMLDeclClose;
pi             : PI;

// --- Elements
element        : '<' Name attribute* ('/>' | TagClose content '</' Name TagClose);
attribute      : Name '=' AttValue;
content        : (element | charData | reference | cdSect | pi)*;
charData       : CharData;
reference      : EntityRef | CharRef;
cdSect         : CDSect;

// --- The document type declaration
doctypedecl    : '<!DOCTYPE' name externalID? ('[' intSubset ']')? DeclClose;
externalID     : 'SYSTEM' systemLiteral
               | 'PUBLIC' pubidLiteral systemLiteral
               ;
intSubset      : (elementdecl | attlistDecl | entityDecl | notationDecl | pi | peReference)*;
peReference    : PEReference;

elementdecl    : '<!ELEMENT' name contentspec DeclClose;
contentspec    : 'EMPTY' | 'ANY' | mixed | children;
mixed          : '(' '#PCDATA' ('|' name)* ')' '*'
               | '(' '#PCDATA' ')'
               ;
children       : group quantifier?;
group          : '(' (cp ('|' cp)+ | cp (',' cp)*) ')';
cp             : (name | group) quantifier?;
quantifier     : '?' | '*' | '+';

attlistDecl    : '<!ATTLIST' name attDef* DeclClose;
attDef         : name attType defaultDecl;
attType        : 'CDATA'
               | 'ID' | 'IDREF' | 'IDREFS'
               | 'ENTITY' | 'ENTITIES'
               | 'NMTOKEN' | 'NMTOKENS'
               | 'NOTATION' '(' name ('|' name)* ')'
               | '(' nmtoken ('|' nmtoken)* ')'
               ;
defaultDecl    : '#REQUIRED' | '#IMPLIED' | '#FIXED'? attValue;

entityDecl     : '<!ENTITY' name (entityValue | externalID nDataDecl?) DeclClose
               | '<!ENTITY' '%' name (entityValue | externalID) DeclClose
               ;
nDataDecl      : 'NDATA' name;
notationDecl   : '<!NOTATION' name (externalID | publicID) DeclClose;
publicID       : 'PUBLIC' pubidLiteral;

// --- Names and literals
name           : Name
               | 'SYSTEM' | 'PUBLIC' | 'NDATA' | 'EMPTY' | 'ANY' | 'CDATA' | 'ID' | 'IDREF' | 'IDREFS'
               | 'ENTITY' | 'ENTITIES' | 'NMTOKEN' | 'NMTOKENS' | 'NOTATION'
               ;
nmtoken        : name | Nmtoken;
pubidLiteral   : PlainLiteral | PubidLiteral;
attValue       : PlainLiteral | PubidLiteral | ValueLiteral | AttValue;
entityValue    : PlainLiteral | ValueLiteral | EntityLiteral;
systemLiteral  : PlainLiteral | PubidLiteral | ValueLiteral | AttValue | EntityLiteral | SystemLiteral;
