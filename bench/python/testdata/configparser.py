c = ConfigParser(interpolation=ExtendedInterpolation())
c.read_string("""
[a]
x = 1
y = ${b:z}
[b]
z = ${c:q} and more
[DEFAULT]
k = v
""")
for s in c.sections():
    for k in c[s]:
        print(s, k, c.get(s, k))
