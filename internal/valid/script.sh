d=$(mktemp -d "${TMPDIR:-/tmp}/whittle.XXXXXX") || exit 125
mkdir "$d/bin"
wrap() {
	added=$1
	shift
	for c; do
		printf '#!/bin/sh\n: >"%s/used"\nexec %s "$@" %s\n' "$d" "$c" "$added" >"$d/bin/${c##*/}"
	done
}
