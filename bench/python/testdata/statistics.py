data = {'a': [1, 2, 3.5], 'b': [2, 2, 4, 4], 'c': []}
for name, values in data.items():
    print(name, mean(values), variance(values) if len(values) > 1 else None)
