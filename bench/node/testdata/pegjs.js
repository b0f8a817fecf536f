const peg = require('pegjs')
const p = peg.generate('start = a:num "+" b:start { return a + b } / num\nnum = d:[0-9]+ { return +d.join("") }')
console.log(p.parse('1+2+33'))
console.log(peg.generate('start = x:undefinedRule "y"\n other = start').parse('x'))
