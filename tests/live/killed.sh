#!/bin/sh
# A JVM that is killed leaves a repository: repair gets out of it every event up to
# its last flush, which the JVM makes once in a second.
#
# usage: killed.sh JFREC SOURCE_ROOT

jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit

if ! command -v javac >/dev/null || ! javac -version 2>&1 | grep -qE ' (1[7-9]|[2-9][0-9])'; then
	result ok 'killed # SKIP no JDK from 17 on'
	finish
fi

works()         # NAME COMMAND...
{
	name=$1
	shift
	if said=$("$@" 2>&1); then
		result ok "$name"
	else
		result not-ok "$name"
		[ -z "$said" ] || echo "$said" | head -n 5 | sed 's/^/# /'
	fi
}

# Numbered events, and each 100 ms a line with how many there are.
cat >Busy.java <<'END'
import jdk.jfr.*;

public class Busy {
	@Name("app.Number") @StackTrace(false)
	static class Number extends Event { long n; }

	public static void main(String[] args) throws Exception {
		for (long n = 0;; n++) {
			Number e = new Number();
			e.n = n;
			e.commit();
			if (n % 500 == 499) {
				System.out.println(n + 1);
				Thread.sleep(100);
			}
		}
	}
}
END
mkdir repository
: >count
javac Busy.java || exit
java -XX:FlightRecorderOptions=repository=repository -XX:StartFlightRecording -cp . Busy >>count 2>log &
pid=$!
waited=0
while [ "$(grep -c '^[0-9]*$' count)" -lt 40 ] && [ $waited -lt 600 ]; do
	sleep 0.1
	waited=$((waited + 1))
done
# What is there now must be in the next flush but one.
before=$(grep '^[0-9]*$' count | tail -n 1)
sleep 2.5
kill -9 "$pid"
wait "$pid" 2>/dev/null
pid=

works 'repair' "$jfrec" repair repository/* -o whole.jfr
"$jfrec" print --csv --events app.Number --fields n whole.jfr |
	tr -d '\r' | sed 1d | sort -n >numbers
got=$(wc -l <numbers | tr -d ' ')
works "all $before events of 2.5 s before are there: $got" [ "$got" -ge "$before" ]
works 'none is missing, none is there twice' sh -c 'seq 0 $(($1 - 1)) | cmp - numbers' sh "$got"
works 'print of the repository shows no more' \
	[ "$("$jfrec" print --count --events app.Number repository/* 2>/dev/null)" -le "$got" ]
if command -v jfr >/dev/null; then
	works "the JDK's tool counts the same" sh -c \
		'[ "$(jfr summary whole.jfr | awk "\$1 == \"app.Number\" { print \$2 }")" = "$1" ]' sh "$got"
fi

finish
