echo "machine $(uname -s -m 2>/dev/null)"
echo "libc $(getconf GNU_LIBC_VERSION 2>/dev/null || ldd --version 2>&1 | head -n 1)"
echo "clock $(date +%s)"
(: >/tmp/whittle-probe.$$) 2>/dev/null && rm -f /tmp/whittle-probe.$$ && echo "has /tmp"
test -r /etc/passwd && echo "has /etc"
test -r /proc/self/stat && echo "has /proc"
for p; do
	command -v "$p" >/dev/null 2>&1 || continue
	case $p in
	cc | c++ | gcc* | g++* | clang* | rustc* | python* | node | javac | ghc | tcc | llc* | opt* | ld | as)
		echo "tool $p $("$p" --version 2>&1 </dev/null | head -n 1)" ;;
	*) echo "tool $p" ;;
	esac
done
