#!/bin/sh
# filter: what is written has the events that print shows with the same options, in
# files, in pipes and compressed; and nothing is ever written over.
#
# usage: filter.sh JFREC SOURCE_ROOT

jfrec=$1
ok=$2/tests/data/ok
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT

# Filter, and compare what is printed of both.
same_events()   # NAME RECORDING OPTION...
{
	name=$1
	recording=$2
	shift 2
	rm -f "$dir/out.jfr"
	"$jfrec" filter --no-context "$@" "$recording" -o "$dir/out.jfr" >"$dir/report" 2>&1 ||
		{ result not-ok "$name"; sed 's/^/# /' "$dir/report"; return; }
	"$jfrec" print --json --stack-depth 64 "$@" "$recording" >"$dir/wanted" 2>/dev/null
	"$jfrec" print --json --stack-depth 64 "$dir/out.jfr" >"$dir/got" 2>/dev/null
	works "$name" cmp "$dir/wanted" "$dir/got"
}

for recording in "$ok"/*.jfr; do
	file=${recording##*/}
	type=$("$jfrec" print --ndjson --limit 1 "$recording" | sed 's/^{"type":"\([^"]*\)".*/\1/')
	same_events "$file: all" "$recording"
	same_events "$file: --events" "$recording" --events "$type"
	same_events "$file: --where" "$recording" \
		--where 'startTime >= +1ms and (thread is null or event =~ "*a*")'
	same_events "$file: none" "$recording" --events nothing
done

some=$ok/jvm-25.jfr
out=$dir/out.jfr
same_events 'a span of time' "$some" --from +20ms --to -20ms
same_events 'categories' "$some" --categories JVM
same_events 'threads' "$some" --threads 'm*,*1'
same_events 'other threads' "$some" --exclude-threads main

# Which JVM it is stays in the recording, unless event types are chosen.
context=ActiveSetting
count() { "$jfrec" print --count "$@"; }
active=$ok/settings-17.jfr
"$jfrec" filter --force --from 18:19:46 --to +100ms "$active" -o "$out" >/dev/null
works 'a span of time: events of that time' [ "$(count --exclude-threads none --where 'event != "ActiveSetting" and event != "ActiveRecording"' "$out")" = \
	"$(count --from 18:19:46 --to +100ms --where 'event != "ActiveSetting" and event != "ActiveRecording"' "$active")" ]
works 'a span of time: and what says of which JVM' [ "$(count --events "$context" "$out")" -gt 0 -a \
	"$(count --events "$context" --from 18:19:46 --to +100ms "$active")" = 0 ]
works 'settings active knows them' sh -c '"$1" settings active "$2" | grep -q threshold' sh "$jfrec" "$out"
"$jfrec" filter --force --where 'duration > 1ms' "$active" -o "$out" >/dev/null
works '--where keeps them' [ "$(count --events "$context" "$out")" = "$(count --events "$context" "$active")" ]
"$jfrec" filter --force --no-context --where 'duration > 1ms' "$active" -o "$out" >/dev/null
works '--no-context does not' [ "$(count --events "$context" "$out")" = 0 ]
"$jfrec" filter --force --events ThreadSleep "$active" -o "$out" >/dev/null
works '--events keeps these types and no others' [ "$(count --events "$context" "$out")" = 0 ]
"$jfrec" filter --force --context --events ThreadSleep "$active" -o "$out" >/dev/null
works '--context keeps them then, too' [ "$(count --events "$context" "$out")" = "$(count --events "$context" "$active")" ]
"$jfrec" filter --force --where 'event = "JavaMonitorWait"' "$active" -o "$out" >/dev/null
works 'a chunk without a chosen event has none of them' [ "$(count --events "$context" "$out")" -gt 0 -a \
	"$(count --events "$context" "$out")" -lt "$(count --events "$context" "$active")" ]

# include and exclude are each other's contrary.
for what in events:'jdk.G*' categories:GC threads:main; do
	by=${what%%:*}
	"$jfrec" filter --no-context --force --include-$by "${what#*:}" "$some" -o "$out" >/dev/null
	in=$("$jfrec" print --count "$out")
	"$jfrec" filter --no-context --force --exclude-$by "${what#*:}" "$some" -o "$out" >/dev/null
	ex=$("$jfrec" print --count "$out")
	works "--include-$by and --exclude-$by: $in and $ex events" \
		[ "$in" -gt 0 -a "$ex" -gt 0 -a $((in + ex)) = "$("$jfrec" print --count "$some")" ]
done
"$jfrec" filter --force --include-events 'jdk.G*' --include-events '*Pause*' --exclude-events GCPhasePause \
	"$some" -o "$out" >/dev/null
works 'all filters must let an event pass' [ "$("$jfrec" print --count "$out")" = \
	"$("$jfrec" print --count --where 'event =~ "jdk.G*" and event =~ "*Pause*" and event != "GCPhasePause"' "$some")" ]

# The report.
"$jfrec" filter --force --json --events 'GC*' "$some" -o "$out" >"$dir/report"
if command -v jq >/dev/null; then
	works 'the report counts what is there' [ "$(jq .events "$dir/report")" = "$("$jfrec" print --count "$out")" ]
	works 'the report counts what is gone' [ "$(jq '.events + .removedEvents' "$dir/report")" = "$("$jfrec" print --count "$some")" ]
	works 'the report adds up' [ "$(jq '[.types[].removedEvents] | add' "$dir/report")" = "$(jq .removedEvents "$dir/report")" ]
	works 'the report has the size' [ "$(jq .bytes "$dir/report")" = "$(wc -c <"$out" | tr -d ' ')" ]
fi

# Outputs.
"$jfrec" filter --force --events 'GC*' "$some" -o "$out" >/dev/null
"$jfrec" filter --events 'GC*' "$some" -o - 2>"$dir/report" | cat >"$dir/piped.jfr"
works 'a pipe has the same events' [ "$("$jfrec" print --json "$dir/piped.jfr" | cksum)" = "$("$jfrec" print --json "$out" | cksum)" ]
works 'the report is on stderr then' grep -q ' total$' "$dir/report"
for suffix in gz zst; do
	"$jfrec" filter --events 'GC*' "$some" -o "$out.$suffix" >/dev/null
	works ".$suffix has the same events" [ "$("$jfrec" print --json "$out.$suffix" | cksum)" = "$("$jfrec" print --json "$out" | cksum)" ]
	works ".$suffix is smaller" [ $(wc -c <"$out.$suffix") -lt $(wc -c <"$out") ]
done

# Nothing is written over.
fails()         # NAME STATUS WORDS OPTION...
{
	name=$1
	wanted=$2
	words=$3
	shift 3
	"$jfrec" filter "$@" >"$dir/why" 2>&1
	status=$?
	works "$name" [ $status = "$wanted" ]
	works "$name: says why" grep -q -e "$words" "$dir/why"
}

cp "$some" "$dir/in.jfr"
ln -s in.jfr "$dir/link.jfr"
sum=$(cksum <"$dir/in.jfr")
fails 'a file that exists' 1 'exists' "$some" -o "$dir/in.jfr"
fails 'the input' 2 'replace an input' --force "$dir/in.jfr" -o "$dir/in.jfr"
fails 'a link to the input' 2 'replace an input' --force "$dir/in.jfr" -o "$dir/link.jfr"
works 'the input stays' [ "$(cksum <"$dir/in.jfr")" = "$sum" ]
rm -f "$dir/new.jfr"
fails 'a wrong expression' 2 'column 8: this quote' --where 'text = "x' "$some" -o "$dir/new.jfr"
fails 'an unknown field' 2 'has a field nobody' --where 'nobody = 1' "$some" -o "$dir/new.jfr"
fails 'no output' 2 'name the file to write' "$some"
works 'nothing was left behind' [ "$(ls "$dir" | grep -c new)" = 0 ]

finish
