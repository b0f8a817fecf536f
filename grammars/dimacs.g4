// Formulas in conjunctive normal form, after "Satisfiability: Suggested Format"
// (DIMACS, 1993), without a header, too. A clause may span lines.
//
// Left out: formulas with weights or groups.
grammar dimacs;

formula  : header? clause* literal* EOF;
header   : FORMAT number number;
clause   : literal* END;
literal  : '-'? variable;
variable : NUMBER;
number   : NUMBER | END;

FORMAT   : 'p' [ \t]+ 'cnf';
END      : '0';
NUMBER   : [1-9] [0-9]*;
COMMENT  : 'c' ~[\r\n]* -> channel(HIDDEN);
REST     : '%' .* -> channel(HIDDEN);     // the end of the files of SATLIB
WS       : [ \t\r\n\uFEFF]+ -> channel(HIDDEN);
