const acorn = require('acorn')
console.log(acorn.parse('let x = async () => { await f`a${1}`; class A extends B { p() {} } }', { ecmaVersion: 2020, sourceType: 'module' }).body.length)
acorn.parse('const x = (a, b) => { return { ...a, [b]: 1 }; let y = 0x; }', { ecmaVersion: 2018 })
