const U = require('terser')
console.log(U.minify('function f(a, b) { if (a) { return b + 1 } else { return b - 1 } } f(1, 2)').code)
const r = U.minify('function f( { return }'); if (r.error) throw r.error
