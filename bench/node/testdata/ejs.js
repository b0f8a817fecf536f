const ejs = require('ejs')
console.log(ejs.render('<% for (const x of list) { %><li><%= x %></li><% } %>', { list: [1, '<'] }))
console.log(ejs.render('a\n<% if (user) { %>\n<%= user.name.first %>\n<% } %>', { user: {} }))
