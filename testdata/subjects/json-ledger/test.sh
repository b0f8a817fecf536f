#!/bin/sh
PATH=/usr/bin:$PATH python3 -I -S "$WHITTLE_TEST_DIR/ledger.py" 2>/dev/null
