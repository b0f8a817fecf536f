const m = require('moment')
console.log(m.utc(0).format('YYYY-MM-DD HH:mm'), m.duration(90, 'minutes').humanize(), m.utc('2020-01-31').add(1, 'month').format('ll'))
m.updateLocale('en', { relativeTime: { future: x => y.z } })
console.log(m.utc().add(3, 'days').fromNow())
