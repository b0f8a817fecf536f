o=detect_leaks=0:handle_abort=1:allocator_may_return_null=1:log_path=$d/report
ASAN_OPTIONS=$o UBSAN_OPTIONS=$o "$@" >"$d/out" 2>&1
cat "$d/out" "$d"/report.* >"$d/all" 2>/dev/null
cat "$d/all"
code=0
