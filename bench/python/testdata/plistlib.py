data = dumps({'a': [1, 2.5, b'xyz', True], 'b': {'c': datetime.datetime(2020, 1, 1)}})
print(loads(data))
print(dumps({'a': {'n': [1, None]}}, fmt=FMT_XML))
