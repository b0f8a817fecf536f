#!/bin/bash
# Reduces programs that fail with an exception: bench/node/run.sh [PACKAGE…]. A program of testdata uses a package of npm;
# esbuild makes one file of both. WHITTLE is the program; LIMIT is the most tests. Each line of the table has the tokens,
# the tests, and the result. Needs Node.js and npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$here/package.json" .
npm install --silent --no-audit --no-fund
cp "$here"/testdata/*.js .
packages=${*:-$(ls -- *.js | sed 's/\.js$//')}
for package in $packages; do
	rm -rf run && mkdir run
	npx --no-install esbuild "$package.js" --bundle --platform=node --log-level=error --outfile=run/program.js
	(cd run && ${WHITTLE:-whittle} reduce -j 1 --fresh --no-journal --max-tests "${LIMIT:-1500}" -o small.js --stats stats.json program.js -- node program.js >out 2>log </dev/null || tail -2 log)
	node - "$package" <<-'P'
		const { readFileSync } = require('fs')
		const s = JSON.parse(readFileSync('run/stats.json')), text = readFileSync('run/small.js', 'utf8')
		const small = text.length < 200 ? '`' + text.trim().replace(/\s+/g, ' ') + '`' : text.length + ' bytes'
		console.log(`| ${process.argv[2]} | ${s.tokens_before} → ${s.tokens_after} | ${s.tests_run} | ${small} |`)
	P
done
