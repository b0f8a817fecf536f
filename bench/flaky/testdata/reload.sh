#!/bin/sh
# A pointer is checked, and used after another thread has cleared it. Without threads the program ends well.
tcc -pthread -o reload reload.c 2>&1 || exit 125
timeout 5 setarch -R ./reload >/dev/null 2>&1; [ $? = 139 ] || exit 1
sed 's/pthread_create *([^,]*, *[^,]*, *\([^,]*\), */(void)\1(/; s/pthread_join *(/(void)(/' reload.c >alone.c
tcc -pthread -o alone alone.c 2>&1 || exit 125
timeout 5 setarch -R ./alone >/dev/null
