const { JSONPath } = require('jsonpath-plus')
console.log(JSONPath({ path: '$.a[?(@.b>1)].c', json: { a: [{ b: 2, c: 3 }] } }))
console.log(JSONPath({ path: '$.a[?(@.b.c.d>1)]', json: { a: [{ b: 2, c: 3 }] } }))
