// INI files and what is like them: configurations of git, systemd, desktop
// entries, Python, PHP and MySQL; Java properties. There is no specification.
// Below a section are its entries; below an entry are the indented lines that
// follow it: they continue its value in some of these formats.
//
// Left out: keys and values that are divided by white space.
parser grammar INIParser;

options { tokenVocab = INILexer; }

file          : indentedEntry* entry* section* EOF;
section       : header indentedEntry* entry*;
header        : Section;

entry         : Key assignment? indentedEntry*;
indentedEntry : IndentedKey assignment?;
assignment    : Separator value?;
value         : Value NextLine* | NextLine+;
