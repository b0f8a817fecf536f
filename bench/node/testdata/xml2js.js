const { parseStringPromise } = require('xml2js')
parseStringPromise('<a x="1"><b>t</b><b/></a>').then(r => { console.log(JSON.stringify(r)); return parseStringPromise('<a><b></a>') }).catch(e => { console.error(e.stack); process.exit(1) })
