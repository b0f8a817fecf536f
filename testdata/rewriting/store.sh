#!/bin/sh
node store.js 2>&1 | grep -q "Cannot read properties of undefined (reading 'trim')"
