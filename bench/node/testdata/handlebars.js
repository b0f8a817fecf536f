const H = require('handlebars/dist/cjs/handlebars').default
H.registerHelper('up', s => String(s).toUpperCase())
console.log(H.compile('{{#each items}}{{up name}}, {{/each}}{{#if ok}}yes{{else}}no{{/if}}')({ items: [{ name: 'a' }], ok: 1 }))
console.log(H.compile('{{#each items}}{{> part}}{{/each}} {{missing.helper 1 x=2}}')({ items: [1] }))
