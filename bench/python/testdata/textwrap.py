print(fill('a b c ' * 30, 20))
print(dedent('  a\n  b'), shorten('hello world and more', 12))
print(indent(fill('some text to wrap', 4, subsequent_indent='     ', max_lines=1), '  '))
