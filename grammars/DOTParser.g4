// Graphs in DOT, after "DOT Language" of the documentation of Graphviz and what
// its parser reads besides: lists of nodes with commas, several graphs in a
// file, lines that begin with #. Labels in <> are trees of elements.
//
// Left out: that edges fit the kind of graph, labels in <> whose tags do not pair.
parser grammar DOTParser;

options { tokenVocab = DOTLexer; }

file       : graph+ EOF;
graph      : Strict? (Graph | Digraph) id? '{' stmt* '}';

// --- Statements
stmt       : (assignment | attrStmt | edgeStmt) ';'?;
assignment : id '=' id;
attrStmt   : (Graph | Node | Edge) attrList+;
edgeStmt   : endpoint (edgeOp endpoint)* attrList*;         // a node, a subgraph, a chain of edges
endpoint   : subgraph | nodeId (',' nodeId)*;
edgeOp     : '->' | '--';
subgraph   : (Subgraph id?)? '{' stmt* '}';
nodeId     : id port?;
port       : ':' id (':' id)?;

// --- Attributes
attrList   : '[' attr* ']';
attr       : id '=' id (',' | ';')?;

// --- Identifiers
id         : Name
           | Numeral
           | String ('+' String)*
           | html
           ;

html       : HtmlOpen content HtmlClose;
content    : (element | Text)*;
element    : TagOpen TagName attribute* ('/>' | TagClose content '</' TagName TagClose);
attribute  : TagName '=' Value;
