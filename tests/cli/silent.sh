#!/bin/sh
# JVMs that do not answer are asked at once: many of them cost one timeout.
#
# usage: silent.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
source=$(realpath "$2")
. "$source/tests/cli/tap.sh"

for tool in python3 bash; do
	command -v $tool >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done

# More than can be asked one after the other in the time that they are given.
count=8
work=$(mktemp -d /tmp/jfrec-silent-XXXXXX) || exit
pids=
trap 'end_all; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

end_all()
{
	for pid in $pids; do
		kill -9 "$pid" 2>/dev/null
		rm -f "/tmp/.java_pid$pid"
	done
	pids=
}

# By a name that no other JVM has.
main=silent-$$.py
cp "$source/tests/attacks/fakejvm.py" "$work/$main"
# Not what starts it by another name, as pyenv does; called java, it would not find its modules.
python=$(python3 -c 'import sys; print(sys.executable)')
home=$(python3 -c 'import sys; print(sys.base_prefix)')

start_all()
{
	for n in $(seq $count); do
		PYTHONHOME=$home bash -c 'exec -a java "$@"' - "$python" "$work/$main" "$work/$n" silent &
		pids="$pids $!"
	done
	for n in $(seq $count); do
		waited=0
		while [ ! -e "$work/$n/ready" ]; do
			waited=$((waited + 1))
			[ $waited -lt 300 ] || return 1
			sleep 0.1
		done
	done
}

# All are named in $work/err, and that took less than two of their timeouts of 5 s.
ends_soon()     # COMMAND...
{
	began=$(date +%s%N)
	"$jfrec" "$@" --timeout 5s >"$work/out" 2>"$work/err"
	status=$?
	took=$((($(date +%s%N) - began) / 1000000))
	echo "it took $took ms, exit $status"
	head -3 "$work/err"
	[ $status -eq 6 ] && [ $took -ge 4900 ] && [ $took -lt 10000 ] &&
		[ "$(grep -c 'did not reply' "$work/err")" -eq $count ]
}

in_order()      # FILE PATTERN: what it takes out are the pids, rising
{
	sed -nE "s/$2/\1/p" "$1" >"$work/pids"
	[ "$(wc -l <"$work/pids")" -eq $count ] && sort -n -c "$work/pids"
}

lists()
{
	ends_soon list -r "$main" &&
		in_order "$work/out" '^ *([0-9]+) .*' && in_order "$work/err" '^[^0-9]*([0-9]+).*'
}

lists_json()
{
	ends_soon list -r --json "$main" && in_order "$work/out" '^ *"pid": ([0-9]+),.*' &&
		[ "$(grep -c '"recordings": null' "$work/out")" -eq $count ]
}

checks()
{
	ends_soon check --all "$main" && in_order "$work/err" '^jfrec: process ([0-9]+).*' &&
		[ "$(grep -c -e --timeout "$work/err")" -eq 1 ]
}

works "$count silent JVMs are there" start_all
works 'list -r asks them at once' lists
works 'in JSON, too' lists_json
works 'check --all asks them at once' checks

finish
