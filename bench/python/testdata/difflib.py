a = ['one\n', 'two\n', 'three\n']
b = ['ore\n', 'tree\n', 4, 'emu\n']
print(''.join(unified_diff(['a\n'], ['b\n'])))
print(list(Differ().compare(a, b)))
