for f in *.c; do
	echo "$f" | sed 's/a/b/' # note
done
cat <<EOF
 text $x
EOF
