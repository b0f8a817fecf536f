has() { LC_ALL=C grep -q -E -e "$1" whittle.out; }

plain() {
  e=$(printf '\033') b=$(printf '\007')
  LC_ALL=C sed "s/$e\[[0-9;:?]*[A-Za-z]//g; s/$e][^$e$b]*\($b\|$e.\)//g; s/$e(*.//g" whittle.out >whittle.plain
  mv whittle.plain whittle.out
}

lines() { LC_ALL=C grep -c -E -e "$1" whittle.out; }
