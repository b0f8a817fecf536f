const parse = require('csv-parse/lib/sync')
console.log(parse('a,b\n1,2\n3,"x ""y"""\n', { columns: true, trim: true }))
console.log(parse('a,b\n1,2,3\n', { columns: true }))
