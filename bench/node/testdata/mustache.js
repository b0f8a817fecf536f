const M = require('mustache')
console.log(M.render('{{#list}}{{name}} {{/list}}{{^none}}no{{/none}} {{{raw}}}', { list: [{ name: 'x' }], raw: '<b>' }))
console.log(M.render('Hello {{#a}} {{b}} {{/c}}', { a: 1 }))
