// MLIR after its language reference: the generic form of operations, and the
// custom forms of the dialects as sequences of operands, types, symbols,
// attributes, regions and words.
//
// Left out: which operands, types and regions an operation has.
grammar mlir;

module          : entity* EOF;

entity          : attributeAlias | typeAlias | container | function | global | operation | RESOURCES;

attributeAlias  : defines=HASH '=' attribute;
typeAlias       : defines=BANG '=' type;
container       : ('module' | 'builtin.module' | 'gpu.module' | 'spirv.module') (WORD | HASH angles? | SYMBOL)* attributes? '{' entity* '}' location?
                | '"builtin.module"(' ')' properties? '(' '{' entity* '}' ')' dictionary? ':' functionType location?
                ;
global          : ('memref.global' | 'llvm.mlir.global' | 'ml_program.global') visibility* defines=SYMBOL (needed=part | dictionary)* ('=' attribute)? location?;

// --- Functions
function        : ('func.func' | 'llvm.func' | 'gpu.func' | 'spirv.func') visibility* defines=SYMBOL '(' (parameter (',' parameter)*)? ')'
                  results? (STRING | WORD group?)* attributes? region? location?
                | ('"func.func"(' | '"llvm.func"(' | '"gpu.func"(') ')' ('<' '{' functionEntry (',' functionEntry)* '}' '>')? '(' region ')'
                  ('{' functionEntry (',' functionEntry)* '}')? ':' functionType location?
                ;
functionEntry   : 'sym_name' '=' defines=STRING | entry;
visibility      : STRING | WORD;
parameter       : (defines=VALUE ':')? type dictionary? location? | '...';
attributes      : 'attributes' dictionary;
region          : '{' operation* block* '}';
block           : header operation*;
header          : defines=BLOCK ('(' (parameter (',' parameter)*)? ')')? ':';

// --- Operations
operation       : assigned? generic location?
                | assigned (OPERATION | WORD | 'call') induction? (needed=part | attributes | dictionary)* location?
                | (OPERATION | 'return' | 'call') induction? (needed=part | attributes | dictionary)* location?
                | OPERATION successor dictionary? location?
                ;
assigned        : needed=result (',' needed=result)* '=';
result          : defines=VALUE (':' INTEGER)?;
generic         : GENERIC operands? ')' successors? properties? regions? dictionary? ':' functionType;
operands        : needed=operand (',' needed=operand)*;
successors      : '[' needed=successor (',' needed=successor)* ']';
regions         : '(' needed=region (',' needed=region)* ')';
properties      : '<' dictionary '>';
induction       : parameterName '=' (INTEGER | operand | HASH | 'min' | 'max' | 'affine_map' angles);
part            : call
                | (',' | WORD) successor
                | cases
                | '(' needed=parameterName (',' needed=parameterName)* ')' ('=' | 'in')
                | bindings
                | type
                | results
                | region
                | group
                | angles
                | WORD '='
                | operand
                | SYMBOL | HASH | STRING | INTEGER | FLOAT | WORD | 'min' | 'max' | 'default' | 'in' | 'affine_map' | 'dense' | 'array'
                | ',' | ':' | '::' | '-' | '+' | '*' | '?'
                ;
parameterName   : defines=VALUE;
bindings        : '(' needed=binding (',' needed=binding)* ')';
binding         : defines=VALUE '=' operand;
call            : callee '(' (argument (',' argument)*)? ')' ':' '(' (argumentType (',' argumentType)*)? ')' results;
callee          : SYMBOL ('::' SYMBOL)*;
argument        : operand;
argumentType    : type;
operand         : VALUE;
successor       : BLOCK arguments?;
arguments       : '(' argument (',' argument)* ':' argumentType (',' argumentType)* ')';
cases           : '[' 'default' ':' successor (',' case)* ']';
case            : '-'? INTEGER ':' successor;
group           : '(' needed=inner* ')' | '[' needed=inner* ']';
inner           : group | angles | dictionary | operand | type | ~('(' | ')' | '[' | ']' | '{' | '}' | '<' | '>');
angles          : '<' needed=angle* '>';
angle           : angles | '(' needed=angle* ')' | '[' needed=angle* ']' | '{' needed=angle* '}' | ~('(' | ')' | '[' | ']' | '{' | '}' | '<' | '>');

// --- Types
type            : INTEGER_TYPE | FLOAT_TYPE | 'index' | 'none'
                | needed=shape neededAngles=angles
                | BANG angles?
                | functionType
                ;
shape           : 'memref' | 'tensor' | 'vector' | 'complex' | 'tuple';
functionType    : '(' (needed=type (',' needed=type)*)? ')' results;
results         : '->' (type | '(' (needed=resultType (',' needed=resultType)*)? ')');
resultType      : type dictionary?;

// --- Attributes
dictionary      : '{' (entry (',' entry)*)? '}';
entry           : (WORD | OPERATION | STRING | 'sym_name' | 'in' | 'min' | 'max' | 'default') ('=' attribute)?;
attribute       : needed=attributePart neededMore=attributeMore*;
attributeMore   : attributePart | ':' | '::' | '->';
attributePart   : location | attributeList | needed=attributeName neededAngles=angles | attributeName | dictionary | '(' neededAngle=angle* ')' | type | SYMBOL | STRING
                | '-'? (INTEGER | FLOAT);
attributeName   : HASH | WORD | OPERATION | 'min' | 'max' | 'affine_map' | 'dense' | 'array' | 'none';
attributeList   : '[' (attribute (',' attribute)*)? ']';
location        : 'loc' '(' needed=angle* ')';

// --- Tokens
VALUE           : '%' ([0-9]+ | [a-zA-Z_$.\-] [a-zA-Z0-9_$.\-]*) ('#' [0-9]+)?;
SYMBOL          : '@' ([a-zA-Z_] [a-zA-Z0-9_$.]* | STRING);
BLOCK           : '^' [a-zA-Z0-9_$.\-]+;
HASH            : '#' ([0-9]+ | [a-zA-Z_] [a-zA-Z0-9_$.]*);
BANG            : '!' [a-zA-Z_] [a-zA-Z0-9_$.]*;
INTEGER_TYPE    : [su]? 'i' [0-9]+;
FLOAT_TYPE      : 'bf16' | 'tf32' | 'f' [0-9]+ ('E' [0-9]+ 'M' [0-9]+ [A-Z0-9]*)?;
GENERIC         : '"' [a-zA-Z_] [a-zA-Z0-9_$]* '.' [a-zA-Z0-9_$.]+ '"(';
STRING          : '"' ('\\' . | ~["\\])* '"';
FLOAT           : [0-9]+ '.' [0-9]* ([eE] [-+]? [0-9]+)?;
INTEGER         : [0-9]+ | '0x' [0-9a-fA-F]+;
OPERATION       : [a-zA-Z_] [a-zA-Z0-9_$]* ('.' [a-zA-Z0-9_$]+)+;
WORD            : [a-zA-Z_$] [a-zA-Z0-9_$]*;
RESOURCES       : '{-#' .*? '#-}';
OTHER           : '==' | '>=' | '<=' | '/' | '|' | ';' | '...';
COMMENT         : '//' ~[\r\n]* -> channel(HIDDEN);
WS              : [ \t\r\n]+ -> channel(HIDDEN);
