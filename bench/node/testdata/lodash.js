const _ = require('lodash')
console.log(_.chain([3, 1, 2]).sortBy().map(x => x * 2).take(2).value(), _.get({ a: [{ b: 2 }] }, 'a[0].b'), _.merge({ a: { b: 1 } }, { a: { c: 2 } }))
console.log(_.template('hello <%= user.name %>')({ user: undefined }))
