const s = require('semver')
console.log(s.satisfies('1.2.3', '>=1.0.0 <2'), s.inc('1.2.3', 'minor'), s.maxSatisfying(['1.0.0', '1.4.0'], '^1.1'))
console.log(new s.Range('^1.2 || ~3').test('3.0.4'), s.minVersion('>2.3').version)
console.log(s.compare('1.0', '2.x.y'))
