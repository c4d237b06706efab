#!/bin/sh
# jfrec snapshot of JVMs that run, stand still, end at each step, and name files of others.
#
# usage: snapshot.sh JFREC SOURCE_ROOT

exec python3 "$2/tests/live/snapshot.py" "$@"
