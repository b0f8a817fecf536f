// LLVM assembly, after the "LLVM Language Reference Manual", as clang and opt 14
// to 16 print it, and with the constructs of 19: typed and opaque pointers, debug
// information, debug records, summaries of ThinLTO.
//
// Exact about instructions, their lists and brackets. Generous about words: an
// attribute, flag, linkage, ordering or predicate is any word.
// Left out: types that fit, values that are defined, blocks without a label.
grammar llvm;

module          : entity* EOF;

entity          : sourceFilename
                | target
                | moduleAsm
                | typeDefinition
                | comdat
                | globalVariable
                | alias
                | declaration
                | definition
                | attributeGroup
                | metadataDefinition
                | useListOrder
                | summary
                ;

// --- Entities
sourceFilename  : 'source_filename' '=' STRING;
target          : 'target' ('triple' | 'datalayout') '=' STRING;
moduleAsm       : 'module' 'asm' STRING;
typeDefinition  : defines=LOCAL '=' 'type' ('opaque' | type);
comdat          : defines=COMDAT '=' 'comdat' WORD;
globalVariable  : defines=GLOBAL '=' (('external' | 'extern_weak') attribute* ('global' | 'constant') type | attribute* ('global' | 'constant') type value)
                  (',' (attribute | attachment))* groupReference*;
alias           : defines=GLOBAL '=' attribute* ('alias' | 'ifunc') type ',' type? (GLOBAL | expression) (',' (attribute | attachment))*;
declaration     : 'declare' attachment* header;
definition      : 'define' header body;
attributeGroup  : 'attributes' defines=ATTRIBUTES '=' '{' attribute* '}';
metadataDefinition
                : defines=METADATA '=' 'distinct'? metadata;
useListOrder    : 'uselistorder' typedValue ',' '{' INTEGER (',' INTEGER)* '}'
                | 'uselistorder_bb' GLOBAL ',' LOCAL ',' '{' INTEGER (',' INTEGER)* '}'
                ;
summary         : defines=SUMMARY '=' summaryField;
summaryField    : LABEL? (WORD? SUMMARY | INTEGER | STRING | WORD | 'external' | 'extern_weak' | '(' (summaryField (',' summaryField)*)? ')');

// --- Functions
header          : 'extern_weak'? attribute* type defines=GLOBAL '(' (parameter (',' parameter)*)? ')' (attribute | groupReference | functionData | attachment)*;
parameter       : type attribute* defines=LOCAL? | '...';
functionData    : ('prefix' | 'prologue' | 'personality') typedValue;
body            : '{' instruction* block* useListOrder* '}';
block           : defines=LABEL instruction*;

// --- Instructions
instruction     : ((defines=LOCAL '=')? operation | effect) (',' attachment)*;
effect
    : ('ret' | 'br' | 'resume') attribute* typedValue
    | 'ret' 'void'
    | 'br' typedValue ',' typedValue ',' typedValue
    | 'switch' typedValue ',' typedValue '[' case* ']'
    | 'indirectbr' typedValue ',' '[' (typedValue (',' typedValue)*)? ']'
    | 'unreachable'
    | 'store' attribute* typedValue ',' typedValue attribute* (',' attribute)*
    | 'fence' attribute+
    | 'catchret' 'from' value 'to' typedValue
    | 'cleanupret' 'from' value 'unwind' unwind
    | DEBUG_RECORD '(' metadata (',' metadata)* ')'
    ;
operation
    : ('fneg' | 'freeze') attribute* typedValue
    | binaryOperator attribute* type value ',' value
    | ('icmp' | 'fcmp') attribute+ type value ',' value
    | castOperator attribute* typedValue 'to' type
    | 'phi' attribute* type incoming (',' incoming)*
    | 'select' attribute* typedValue ',' typedValue ',' typedValue
    | 'alloca' attribute* type (',' typedValue)? (',' attribute)*
    | 'load' attribute* type ',' typedValue attribute* (',' attribute)*
    | 'cmpxchg' attribute* typedValue ',' typedValue ',' typedValue attribute+ (',' attribute)*
    | 'atomicrmw' attribute* binaryOperator? typedValue ',' typedValue attribute+ (',' attribute)*
    | 'getelementptr' attribute* type (',' typedValue)+
    | 'extractvalue' typedValue (',' INTEGER)+
    | 'insertvalue' typedValue ',' typedValue (',' INTEGER)+
    | 'extractelement' typedValue ',' typedValue
    | ('insertelement' | 'shufflevector') typedValue ',' typedValue ',' typedValue
    | 'va_arg' typedValue ',' type
    | ('tail' | 'musttail' | 'notail')? 'call' call
    | 'invoke' call 'to' typedValue 'unwind' typedValue
    | 'callbr' call 'to' typedValue '[' (typedValue (',' typedValue)*)? ']'
    | 'landingpad' type 'cleanup'? clause*
    | 'catchswitch' 'within' value '[' typedValue (',' typedValue)* ']' 'unwind' unwind
    | ('catchpad' | 'cleanuppad') 'within' value '[' (argument (',' argument)*)? ']'
    ;

case            : typedValue ',' typedValue;
incoming        : '[' value ',' value ']';
call            : attribute* type callee '(' (argument (',' argument)*)? ')' (attribute | groupReference)* bundles?;
callee          : value | assembly;
assembly        : 'asm' (WORD | 'unwind')* STRING ',' STRING;
argument        : type attribute* value | 'metadata' metadata | '...';
bundles         : '[' bundle (',' bundle)* ']';
bundle          : STRING '(' (argument (',' argument)*)? ')';
clause          : ('catch' | 'filter') typedValue;
unwind          : 'to' 'caller' | typedValue;

binaryOperator  : 'add' | 'sub' | 'mul' | 'udiv' | 'sdiv' | 'urem' | 'srem' | 'shl' | 'lshr' | 'ashr' | 'and' | 'or' | 'xor'
                | 'fadd' | 'fsub' | 'fmul' | 'fdiv' | 'frem'
                ;
castOperator    : 'trunc' | 'zext' | 'sext' | 'fptrunc' | 'fpext' | 'fptoui' | 'fptosi' | 'uitofp' | 'sitofp'
                | 'ptrtoint' | 'inttoptr' | 'bitcast' | 'addrspacecast'
                ;

// --- Types
type            : type '*'
                | type 'addrspace' '(' INTEGER ')' '*'?
                | type '(' ((type | '...') (',' (type | '...'))*)? ')'
                | 'void' | 'label' | 'metadata' | 'token' | 'ptr'
                | 'half' | 'bfloat' | 'float' | 'double' | 'x86_fp80' | 'fp128' | 'ppc_fp128' | 'x86_mmx' | 'x86_amx'
                | INTEGER_TYPE
                | LOCAL
                | '[' INTEGER 'x' type ']'
                | '<' ('vscale' 'x')? INTEGER 'x' type '>'
                | '{' (type (',' type)*)? '}'
                | '<' '{' (type (',' type)*)? '}' '>'
                | 'target' '(' STRING (',' (type | INTEGER))* ')'
                ;

// --- Values
typedValue      : type value;
value           : LOCAL
                | GLOBAL
                | INTEGER
                | FLOAT
                | CSTRING
                | 'true' | 'false' | 'null' | 'none' | 'undef' | 'poison' | 'zeroinitializer'
                | '[' (typedValue (',' typedValue)*)? ']'
                | '{' (typedValue (',' typedValue)*)? '}'
                | '<' (typedValue (',' typedValue)*)? '>'
                | '<' '{' (typedValue (',' typedValue)*)? '}' '>'
                | expression
                | 'blockaddress' '(' GLOBAL ',' LOCAL ')'
                | ('splat' | 'ptrauth') '(' typedValue (',' typedValue)* ')'
                | ('dso_local_equivalent' | 'no_cfi') GLOBAL
                ;
expression      : ( binaryOperator | castOperator | 'getelementptr' | 'select' | 'icmp' | 'fcmp' | 'fneg'
                  | 'extractelement' | 'insertelement' | 'shufflevector' | 'extractvalue' | 'insertvalue' )
                  WORD* ('inrange' '(' INTEGER ',' INTEGER ')')? '(' operand (',' operand)* ')'
                ;
operand         : (WORD | 'inrange')? type (value ('to' type)?)? | INTEGER;

// --- Attributes: also linkage, calling conventions, flags, orderings, predicates
attribute       : WORD ('(' (attributeValue (',' attributeValue)*)? ')' | '=' INTEGER)?
                | 'align' (INTEGER | '(' INTEGER ')' | '=' INTEGER)
                | 'addrspace' '(' INTEGER ')'
                | 'cc' INTEGER
                | 'comdat' ('(' COMDAT ')')?
                | ('section' | 'partition' | 'gc' | 'code_model') STRING
                | STRING ('=' STRING)?
                ;
groupReference  : ATTRIBUTES;
attributeValue  : LABEL? (type | INTEGER | STRING | WORD | 'none' | '(' (attributeValue (',' attributeValue)*)? ')')+;

// --- Metadata
attachment      : METADATA metadata;
metadata        : METADATA fields?
                | '!' STRING
                | '!' '{' (element (',' element)*)? '}'
                | typedValue
                ;
element         : metadata | 'null';
fields          : '(' (field (',' field)*)? ')';
field           : LABEL? (metadata | INTEGER | STRING | 'true' | 'false' | 'null' | WORD ('|' WORD)* | '{' (element (',' element)*)? '}');

// --- Tokens
INTEGER_TYPE    : 'i' [0-9]+;
INTEGER         : '-'? [0-9]+;
FLOAT           : [-+]? [0-9]+ '.' [0-9]* ([eE] [-+]? [0-9]+)? | '0x' [KLMHR]? [0-9a-fA-F]+;
STRING          : '"' ~["]* '"';
CSTRING         : 'c' STRING;
GLOBAL          : '@' (NAME | STRING);
LOCAL           : '%' (NAME | STRING);
COMDAT          : '$' (NAME | STRING);
ATTRIBUTES      : '#' [0-9]+;
SUMMARY         : '^' [0-9]+;
METADATA        : '!' [-a-zA-Z$._0-9\\]+;
DEBUG_RECORD    : '#dbg_' [a-z_]+;
LABEL           : (NAME | STRING) ':';
WORD            : [a-zA-Z_] [-a-zA-Z$._0-9]*;
COMMENT         : ';' ~[\r\n]* -> channel(HIDDEN);
WS              : [ \t\r\n\uFEFF\u0000]+ -> channel(HIDDEN);

fragment NAME   : [-a-zA-Z$._0-9]+;
