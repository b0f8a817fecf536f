jar = SimpleCookie()
jar.load('a=1; Path=/; b="x y"; HttpOnly')
for name, value in [('session', 'abc'), ('bad name', '1')]:
    jar[name] = value
    jar[name]['max-age'] = 60
print(jar.output())
