#!/bin/sh
# Two violations of the schema and no others: a price with a comma, and a part, in
# a part, that uses one that is not there.
LC_ALL=C xmllint --nonet --noout --schema "$WHITTLE_TEST_DIR/schema.xsd" input.xml 2>out.txt
[ $? = 3 ] || [ $? = 4 ] || exit 1
[ "$(grep -c 'Schemas validity error' out.txt)" = 2 ] || exit 1
grep -q "'12,50' is not a valid value of the atomic type 'xs:decimal'" out.txt || exit 1
grep -q "No match found for key-sequence \['p404'\] of keyref 'uses'" out.txt || exit 1
xmllint --nonet --xpath 'boolean(//part//part/use[@part = "p404"])' input.xml 2>/dev/null | grep -qx true
