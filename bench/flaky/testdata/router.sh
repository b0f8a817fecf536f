#!/bin/sh
# The order of a map: two runs print different routes.
export GO111MODULE=off GOFLAGS= GOCACHE="${GOCACHE:-/tmp/gocache}"
go build -o router router.go 2>&1 || exit 125
one=$(timeout 5 ./router 2>&1) && two=$(timeout 5 ./router 2>&1) && [ "$one" != "$two" ]
