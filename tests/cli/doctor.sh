#!/bin/sh
# jfrec doctor, without a JVM: this host, and processes that look like a JVM.
#
# usage: doctor.sh JFREC SOURCE_ROOT

jfrec=$1
command=doctor
. "$2/tests/cli/tap.sh"
. "$2/tests/cli/pretend.sh"

says 'a process that is no JVM' 3 'is not a JVM' $$
says 'a pid that no process has' 3 'there is no process 2147483647' 2147483647
says 'a name that fits nothing' 3 'no JVM matches no.such.Main' no.such.Main
says 'two names' 2 'give one JVM' a b
says 'an empty name' 2 'an empty name would select every JVM' ''
says '--attach of nothing' 2 '--attach needs a JVM' --attach
says 'a time that is none' 2 'invalid timeout soon' --timeout soon

# Other JVMs of this machine may have something wrong with them, which is not ours to judge.
"$jfrec" doctor >"$work/host" 2>&1
status=$?
for check in proc rights namespace yama kernel cleaner; do
	if [ $status -le 1 ] && grep -qE "^(ok|note) +$check " "$work/host"; then
		result ok "the host: $check"
	else
		result not-ok "the host: $check"
		sed 's/^/# /' "$work/host"
	fi
done
if "$jfrec" doctor --json | grep -qx '  "host": \['; then
	result ok 'the host in JSON'
else
	result not-ok 'the host in JSON'
fi

if command -v python3 >/dev/null; then
	pretend libj9vm29.so
	says 'OpenJ9' 1 '^wrong +process .*OpenJ9' $pretender
	pretend libjvm.so
	sleep 2
	says 'a JVM that would die of SIGQUIT' 1 '^wrong +signal .*does not handle SIGQUIT' $pretender
	says 'it is not asked' 1 '^unknown answer .*not asked' $pretender
	says 'not even with --attach' 1 '^unknown answer .*not asked' --attach $pretender
	says 'the same in JSON' 1 '"exitCode": 5' --json $pretender
	kill -STOP $pretender
	sleep 0.2
	says 'a JVM that is stopped' 1 "to fix it: kill -CONT $pretender\$" $pretender
	kill -CONT $pretender
	if kill -0 $pretender; then
		result ok 'it is still there'
	else
		result not-ok 'it is still there'
	fi
else
	result ok 'processes that look like a JVM # SKIP no python3'
fi

finish
