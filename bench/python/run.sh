#!/bin/bash
# Reduces programs that fail with an exception: bench/python/run.sh [MODULE…]. A program is a module of the library of
# Python 3.11, followed by a use of it in testdata. WHITTLE is the program; LIMIT is the most tests. Each line of the
# table has the tokens, the tests, and the result.
set -eu
here=$(cd "$(dirname "$0")" && pwd)/testdata
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
modules=$*
for module in ${modules:-$(cd "$here" && ls | sed 's/\.py$//')}; do
	library=$(python3 -c "import importlib.util as u; print(u.find_spec('$module').origin)")
	{
		sed '/^if __name__ == .__main__.:/,$d' "$library"
		echo
		cat "$here/$module.py"
	} >program.py
	${WHITTLE:-whittle} reduce -j 1 --fresh --no-journal --max-tests "${LIMIT:-1500}" -o small.py --stats stats.json program.py -- python3 program.py >out 2>log </dev/null || tail -2 log
	python3 - "$module" <<-'P'
		import json, sys
		s, text = json.load(open('stats.json')), open('small.py').read()
		print('| %s | %s → %s | %s | `%s` |' % (sys.argv[1], f"{s['tokens_before']:,}", s['tokens_after'], s['tests_run'],
		                                    '; '.join(' '.join(l.split()) for l in text.splitlines())))
	P
	rm -f small.py*
done
