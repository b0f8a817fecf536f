const yaml = require('js-yaml')
console.log(JSON.stringify(yaml.load('a: 1\nb: [1, 2, {c: d}]\nt: !!set {x, y}\ns: |\n  hello\n  you\n')))
console.log(yaml.dump({ a: [1, 'x', { y: null }], d: new Date(0) }))
console.log(yaml.load('key: [1, 2\nother: "x'))
