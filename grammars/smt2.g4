// Scripts of SMT-LIB, after "The SMT-LIB Standard", versions 2.6 and 2.7, with
// the names of its rules, and what z3 and cvc5 read besides: datatypes of the
// old form, optimisation, names of commands as symbols, block comments, and any
// other command as s-expressions.
//
// Left out: that names are declared and sorts fit.
grammar smt2;

script          : command* EOF;

// --- Commands
command
    : '(' 'assert' term ')'
    | '(' ('assert-soft' | 'eval' | 'maximize' | 'minimize' | 'simplify') term attribute* ')'
    | '(' 'check-sat' term* ')'
    | '(' 'check-sat-assuming' '(' term* ')' ')'
    | '(' 'declare-const' symbol sort ')'
    | '(' ('declare-datatype' | 'declare-codatatype') symbol datatypeDec ')'
    | '(' ('declare-datatypes' | 'declare-codatatypes') '(' sortDec+ ')' '(' datatypeDec+ ')' ')'
    | '(' ('declare-datatypes' | 'declare-codatatypes') '(' symbol* ')' '(' oldDatatypeDec+ ')' ')'
    | '(' 'declare-fun' symbol '(' sort* ')' sort ')'
    | '(' 'declare-sort' symbol numeral? ')'
    | '(' 'define-const' symbol sort term ')'
    | '(' ('define-fun' | 'define-fun-rec') symbol '(' sortedVar* ')' sort term ')'
    | '(' 'define-funs-rec' '(' functionDec+ ')' '(' term+ ')' ')'
    | '(' 'define-sort' symbol '(' symbol* ')' sort ')'
    | '(' 'echo' STRING ')'
    | '(' ('get-info' | 'get-option') KEYWORD ')'
    | '(' 'get-value' '(' term+ ')' attribute* ')'
    | '(' ('push' | 'pop') numeral? ')'
    | '(' ('set-info' | 'set-option') attribute ')'
    | '(' 'set-logic' symbol ')'
    | '(' SIMPLE_SYMBOL sExpr* ')'
    ;

functionDec     : '(' symbol '(' sortedVar* ')' sort ')';
sortDec         : '(' symbol numeral ')';
datatypeDec     : '(' constructorDec+ ')'
                | '(' 'par' '(' symbol+ ')' '(' constructorDec+ ')' ')'
                ;
oldDatatypeDec  : '(' symbol constructorDec+ ')';
constructorDec  : symbol | '(' symbol selectorDec* ')';
selectorDec     : '(' symbol sort ')';

// --- Terms
term
    : specConstant
    | qualIdentifier
    | '(' qualIdentifier term+ ')'
    | '(' 'let' '(' varBinding* ')' term ')'
    | '(' ('forall' | 'exists' | 'lambda' | 'choice') '(' sortedVar+ ')' term ')'
    | '(' 'match' term '(' matchCase+ ')' ')'
    | '(' '!' term attribute+ ')'
    ;

varBinding      : '(' symbol term ')';
sortedVar       : '(' symbol sort ')';
matchCase       : '(' pattern term ')';
pattern         : variable | '(' symbol variable+ ')';
variable        : symbol | '_';
qualIdentifier  : identifier | '(' 'as' identifier sort ')';

// --- Sorts and identifiers
sort            : identifier | '(' identifier sort+ ')';
identifier      : symbol | '(' '_' symbol index+ ')';
index           : sExpr;

// --- Attributes
attribute       : KEYWORD attributeValue?;
attributeValue  : specConstant | symbol | '(' sExpr* ')';

// --- S-expressions
sExpr           : specConstant | symbol | reserved | KEYWORD | '(' sExpr* ')';
specConstant    : NUMERAL | DECIMAL | HEXADECIMAL | BINARY | STRING;
numeral         : NUMERAL;
symbol          : SIMPLE_SYMBOL | QUOTED_SYMBOL | commandName;

reserved        : '_' | '!' | 'as' | 'choice' | 'exists' | 'forall' | 'lambda' | 'let' | 'match' | 'par';
commandName     : 'assert' | 'assert-soft' | 'check-sat' | 'check-sat-assuming' | 'declare-codatatype'
                | 'declare-codatatypes' | 'declare-const' | 'declare-datatype' | 'declare-datatypes'
                | 'declare-fun' | 'declare-sort' | 'define-const' | 'define-fun' | 'define-fun-rec'
                | 'define-funs-rec' | 'define-sort' | 'echo' | 'eval' | 'get-info' | 'get-option' | 'get-value'
                | 'maximize' | 'minimize' | 'pop' | 'push' | 'set-info' | 'set-logic' | 'set-option' | 'simplify'
                ;

// --- Tokens
NUMERAL         : [0-9]+;
DECIMAL         : [0-9]+ '.' [0-9]+;
HEXADECIMAL     : '#x' [0-9a-fA-F]+;
BINARY          : '#b' [01]+;
STRING          : '"' (~["] | '""')* '"';
QUOTED_SYMBOL   : '|' (~[|\\] | '\\' .)* '|';
KEYWORD         : ':' WORD+;
SIMPLE_SYMBOL   : WORD+;
COMMENT         : ';' ~[\r\n]* -> channel(HIDDEN);
BLOCK_COMMENT   : '#|' .*? '|#' -> channel(HIDDEN);
WS              : [ \t\r\n\f\uFEFF]+ -> channel(HIDDEN);

fragment WORD   : ~[ \t\r\n\f"();|\uFEFF];
