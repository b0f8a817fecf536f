// Datalog as Soufflé reads it, after "The Program" of its documentation, to
// version 2.4: declarations, components, clauses; lines of the C preprocessor.
//
// Left out: which functors, types and relations there are, annotations.
grammar datalog;

program           : unit* EOF;

unit              : typeDeclaration
                  | relationDeclaration
                  | latticeDeclaration
                  | functorDeclaration
                  | componentDeclaration
                  | componentInit
                  | override
                  | directive
                  | pragma
                  | include
                  | clause
                  ;

// --- Types and relations
typeDeclaration   : '.type' identifier ('<:' qualifiedName | '=' (union | record | algebraic))?
                  | ('.number_type' | '.symbol_type') identifier
                  ;
union             : qualifiedName ('|' qualifiedName)*;
record            : '[' (attribute (',' attribute)*)? ']';
algebraic         : branch ('|' branch)*;
branch            : identifier '{' (attribute (',' attribute)*)? '}';
attribute         : identifier ':' qualifiedName ('<' '>')?;

relationDeclaration
                  : '.decl' identifier (',' identifier)* '(' (attribute (',' attribute)*)? ')' qualifier* choiceDomain?
                  | '.decl' identifier '=' '.debug_delta' '(' identifier ')' qualifier*
                  ;
qualifier         : 'brie' | 'btree' | 'btree_delete' | 'eqrel' | 'inline' | 'input' | 'magic' | 'no_inline'
                  | 'no_magic' | 'output' | 'overridable' | 'printsize'
                  ;
choiceDomain      : 'choice-domain' domain (',' domain)*;
domain            : identifier | '(' identifier (',' identifier)* ')';

latticeDeclaration: '.lattice' identifier '<' '>' '{' (latticeOperator (',' latticeOperator)*)? '}';
latticeOperator   : identifier '->' argument;

functorDeclaration: '.functor' identifier '(' (parameter (',' parameter)*)? ')' ':' qualifiedName 'stateful'?;
parameter         : (identifier ':')? qualifiedName;

// --- Components
componentDeclaration
                  : '.comp' componentType (':' componentType ((',' | ':') componentType)*)? '{' unit* '}';
componentInit     : '.init' identifier '=' componentType;
componentType     : identifier ('<' qualifiedName (',' qualifiedName)* '>')?;
override          : '.override' identifier;

// --- Directives
directive         : ('.input' | '.output' | '.printsize' | '.limitsize') qualifiedName (',' qualifiedName)* settings?;
settings          : '(' (setting (',' setting)*)? ')';
setting           : identifier '=' (identifier | 'true' | 'false' | STRING | NUMBER);
pragma            : '.pragma' STRING STRING?;
include           : '.include' STRING | '.once';

// --- Clauses: facts, rules, subsumption
clause            : atom ('<=' atom | (',' atom)*) (':-' body)? '.' queryPlan?;
queryPlan         : '.plan' plan (',' plan)*;
plan              : NUMBER ':' '(' (NUMBER (',' NUMBER)*)? ')';

body              : conjunction (';' conjunction)*;
conjunction       : literal (',' literal)*;
literal           : '!' literal
                  | atom
                  | constraint
                  | '(' body ')'
                  ;
constraint        : argument ('=' | '!=' | '<' | '<=' | '>' | '>=') argument
                  | 'true'
                  | 'false'
                  ;
atom              : qualifiedName '(' (argument (',' argument)*)? ')';

// --- Arguments
argument          : <assoc = right> argument '^' argument
                  | ('-' | 'bnot' | 'lnot') argument
                  | argument ('*' | '/' | '%') argument
                  | argument ('+' | '-') argument
                  | argument ('bshl' | 'bshr' | 'bshru') argument
                  | argument 'band' argument
                  | argument 'bxor' argument
                  | argument 'bor' argument
                  | argument 'land' argument
                  | argument 'lxor' argument
                  | argument 'lor' argument
                  | constant
                  | variable
                  | functorCall
                  | aggregate
                  | '[' (argument (',' argument)*)? ']'
                  | '$' (qualifiedName '(' (argument (',' argument)*)? ')')?
                  | '(' argument ')'
                  ;
constant          : NUMBER | FLOAT | ADDRESS | STRING;
variable          : IDENT;
functorCall       : '@'? identifier '(' (argument (',' argument)*)? ')';
aggregate         : ('count' | 'max' | 'mean' | 'min' | 'sum') (argument (',' argument)*)? ':' aggregateBody
                  | '@' '@' identifier (argument (',' argument)*)? ':' argument ',' aggregateBody
                  ;
aggregateBody     : atom | '{' body '}';

// --- Names
qualifiedName     : identifier ('.' identifier)*;
identifier        : IDENT | qualifier | 'count' | 'max' | 'mean' | 'min' | 'stateful' | 'sum';

// --- Tokens
IDENT             : [a-zA-Z_?] [a-zA-Z0-9_?]*;
NUMBER            : ([0-9]+ | '0x' [0-9a-fA-F]+ | '0b' [01]+) 'u'?;
FLOAT             : [0-9]+ '.' [0-9]+ ([eE] [-+]? [0-9]+)?;
ADDRESS           : [0-9]+ '.' [0-9]+ '.' [0-9]+ '.' [0-9]+;
STRING            : '"' (~["\\] | '\\' .)* '"';
COMMENT           : ('//' ~[\r\n]* | '/*' .*? '*/') -> channel(HIDDEN);
PREPROCESSOR      : '#' ('\\' '\r'? '\n' | ~[\r\n])* -> channel(HIDDEN);
WS                : [ \t\r\n\f\u000B\uFEFF]+ -> channel(HIDDEN);
