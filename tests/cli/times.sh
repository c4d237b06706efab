#!/bin/sh
# Times: what --from and --to take, in which zone, and what is said when nothing is in between.
#
# usage: times.sh JFREC SOURCE_ROOT

jfrec=$1
ok=$2/tests/data/ok
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
some=$ok/jvm-25.jfr     # 22:55:18.149 to 22:55:18.269 on 2026-11-20, eleven hours before UTC

events()        # OPTION...: how many there are
{
	"$jfrec" print --count "$@" "$some" 2>"$dir/err"
}

all=$(events)
wanted=$(events --from 2026-11-20T11:55:18.2Z)
works "the recording's middle is a middle: $wanted of $all" [ "$wanted" -gt 0 -a "$wanted" -lt "$all" ]

# The same time, in all the ways that it can be written.
for time in 22:55:18.2 '2026-11-20T22:55:18.2' '2026-11-20 22:55:18.2' '22:55:18.2 (2026-11-20)' \
	'2026-11-20T22:55:18.2+11:00' '2026-11-20T11:55:18.200Z' 1795175718.2; do
	works "--from $time" [ "$(events --from "$time")" = "$wanted" ]
done
works '--utc: as it is shown then' [ "$(events --utc --from 11:55:18.2)" = "$wanted" ]
works '--tz: as it is shown then' [ "$(events --tz Europe/Berlin --from 12:55:18.2)" = "$wanted" ]
works '--tz: an offset' [ "$(events --tz +02:00 --from 13:55:18.2)" = "$wanted" ]
printf 'time-zone: UTC\n' >"$dir/config.yaml"
works 'the zone of the configuration' [ "$("$jfrec" --config "$dir/config.yaml" print --count --from 11:55:18.2 "$some")" = "$wanted" ]

# What print shows can be given back.
first=$("$jfrec" print --exact "$some" | sed -n 's/^  startTime = //p' | sort | sed -n 40p)
works "what text shows is a time: $first" [ -n "$first" -a "$(events --from "$first")" -gt 0 ]
iso=$("$jfrec" print --ndjson "$some" | sed -n '40s/.*"startTime":"\([^"]*\)".*/\1/p')
works "what JSON shows is a time: $iso" [ -n "$iso" -a "$(events --from "$iso")" -gt 0 ]

# filter and merge mean the same.
for command in filter merge; do
	for option in '--from 22:55:18.2' '--utc --from 11:55:18.2' '--tz Europe/Berlin --from 12:55:18.2'; do
		set -- "$command" $option
		[ $command = merge ] || set -- "$@" --no-context
		"$jfrec" "$@" --force "$some" -o "$dir/out.jfr" >/dev/null 2>&1
		works "$command $option" [ "$("$jfrec" print --count "$dir/out.jfr")" = "$wanted" ]
	done
done

# +SPAN and -SPAN.
works '--to +SPAN counts from the start' [ "$(events --to +50ms)" -gt 0 -a "$(events --to +50ms)" -lt "$all" ]
works '--to +SPAN counts from a --from that is a time' [ \
	"$(events --from 22:55:18.2 --to +20ms)" = "$(events --from 22:55:18.2 --to 22:55:18.22)" ]
works '... or before the end' [ \
	"$(events --from -50ms --to +20ms)" = "$(events --from -50ms --to -30ms)" ]
works '... and from the start beside one that does so' [ \
	"$(events --from +20ms --to +50ms)" -lt "$(events --to +50ms)" ]

# Times of a day that the recording does not have.
works 'a time of day before the recording' [ "$(events --from 09:30)" = "$all" ]
works 'a time of day after the recording' [ "$(events --to 23:30)" = "$all" ]

# What makes no sense.
refused()       # NAME STATUS WORDS COMMAND...
{
	name=$1 wanted_status=$2 words=$3
	shift 3
	"$jfrec" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	works "$name: exit status $status" [ $status = "$wanted_status" ]
	works "$name: says why" grep -q -e "$words" "$dir/err"
}

refused 'the end before the beginning' 2 'is not before --to' print --from 22:55:19 --to 22:55:18 "$some"
refused '09:3x' 2 '09:3x is not a time; write 09:30' print --from 09:3x "$some"
refused 'a carriage return' 2 '09:3^M is not a time' print --from "$(printf '09:3\r')" "$some"
refused 'an unknown zone' 2 'unknown time zone Nowhere; write UTC' filter --tz Nowhere "$some" -o "$dir/new.jfr"
says='no event in that time; the recording goes from 2026-11-20T22:55:1[0-9.]*+11:00 to 2026-11-20T22:55:1'
refused 'print of another day' 0 "$says" print --from 2026-11-21 "$some"
refused 'filter of another day' 1 "$says" filter --from 2026-11-21 "$some" -o "$dir/new.jfr"
refused 'merge of another day' 1 "$says" merge --from 2026-11-21 "$some" -o "$dir/new.jfr"
refused 'no such event' 1 'no such event in that time' filter --events nothing --from 22:55 "$some" -o "$dir/new.jfr"
refused 'in UTC' 0 'from 2026-11-20T11:55:1[0-9.]*Z to' print --utc --from 2026-11-21 "$some"
works 'no file was written' [ ! -e "$dir/new.jfr" ]

# A pipe is read once.
works 'a time with its zone on a pipe' sh -c '"$1" print --count --from 2026-11-20T11:55:18.2Z - <"$2" >/dev/null' sh "$jfrec" "$some"
works "the recording's zone, of a pipe" [ "$(cat "$some" | "$jfrec" print --count --from 2026-11-20T22:55:18.2 -)" = "$wanted" ]
works 'a zone that is given will do' [ "$(cat "$some" | "$jfrec" print --count --tz +11:00 --from 2026-11-20T22:55:18.2 -)" = "$wanted" ]

finish
