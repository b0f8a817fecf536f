def f(a, *b, c=1):
    if a:
        return [x for x in b]
    else: pass

	x = 1
