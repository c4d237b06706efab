#!/bin/sh
# print --ndjson, --csv and --tsv: every recording in tests/data/ok, line by line,
# carries what --json does; and their options go together where that makes sense.
#
# usage: ndjson.sh JFREC SOURCE_ROOT LINES [RECORDING...]
#
# LINES is the program of lines.c.  With RECORDINGs only their lines are compared,
# what the options make of them as far as the first 2000 events.

jfrec=$1
root=$2
lines=$3
ok=$root/tests/data/ok
. "$2/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Is each event of a recording a line that another parser reads?
reads_lines()   # RECORDING
{
	events=$("$jfrec" print --count "$1" 2>/dev/null)
	wrong=
	for options in '' --flat '--stack id' --raw-ticks '--fields startTime --stack string'; do
		got=$("$jfrec" print --ndjson $options "$1" 2>/dev/null | "$lines" 2>&1)
		[ "$got" = "${events:-0}" ] || wrong="$options: $got, not $events events"
	done
	if [ -z "$wrong" ]; then
		result ok "lines of ${1##*/}"
	else
		result not-ok "lines of ${1##*/}"
		echo "# $wrong"
	fi
}

# Do they carry what --json does?
same_values()   # RECORDING [LIMIT]
{
	report=$(python3 "$root/tests/cli/ndjson.py" "$jfrec" "$@" 2>&1)
	if [ $? -eq 0 ]; then
		result ok "values of ${1##*/}"
	else
		result not-ok "values of ${1##*/}"
		printf '%s\n' "$report" | sed 's/^/# /' | cut -c 1-300
	fi
}

# Both, for each of these recordings.
compare_all()   # LIMIT RECORDING...
{
	events_compared=$1
	shift
	for recording; do
		reads_lines "$recording"
		command -v python3 >/dev/null && same_values "$recording" $events_compared
	done
	command -v python3 >/dev/null || result ok 'values # SKIP no python3'
}

shift 3
if [ $# -gt 0 ]; then
	compare_all 2000 "$@"
	finish
fi

# The exit status, and a part of what is said on stderr.
refuses()       # NAME WORDS ARGUMENT...
{
	name=$1
	words=$2
	shift 2
	said=$("$jfrec" print "$@" 2>&1 >/dev/null)
	status=$?
	case $status:$said in
	2:*"$words"*) result ok "$name" ;;
	*)
		result not-ok "$name"
		printf '# exit %s: %s\n' "$status" "$said"
		;;
	esac
}

# What is printed, with \r shown.
prints()        # NAME EXPECTED ARGUMENT...
{
	name=$1
	expected=$2
	shift 2
	got=$("$jfrec" print "$@" 2>&1 | tr '\r' '~')
	if [ "$got" = "$expected" ]; then
		result ok "$name"
	else
		result not-ok "$name"
		printf '%s\n' "$got" | sed 's/^/# /' | head -n 5
	fi
}

refuses flat_needs_ndjson '--flat needs --ndjson' --flat "$ok/made-order.jfr"
refuses flat_is_what_tables_are 'tables are flat' --csv --flat "$ok/made-order.jfr"
refuses raw_ticks_need_ndjson '--raw-ticks needs --ndjson' --raw-ticks --json "$ok/made-order.jfr"
refuses raw_ticks_stay_with_their_chunk '--sort time' \
	--raw-ticks --ndjson --sort time "$ok/made-order.jfr"
refuses stack_needs_lines_or_tables '--stack needs' --stack id "$ok/made-order.jfr"
refuses fields_need_lines_or_tables '--fields needs' \
	--fields startTime --xml "$ok/made-order.jfr"
refuses tables_have_no_frames 'string or none' --csv --stack frames "$ok/made-order.jfr"
refuses unknown_form_of_stacks 'takes frames, string, id or none' \
	--ndjson --stack full "$ok/made-order.jfr"
refuses two_formats 'only one format' --ndjson --csv "$ok/made-order.jfr"
refuses table_of_several_types 'made.Point' --csv "$ok/made-order.jfr"
refuses unknown_field 'did you mean startTime?' --ndjson --fields starttime "$ok/made-order.jfr"
refuses empty_field 'an empty name' --ndjson --fields startTime, "$ok/made-order.jfr"
refuses no_column 'no other column' --csv --fields stackTrace --stack none -e CPUTimeSample "$ok/trace-25.jfr"

prints fields_choose_and_order \
	'{"type":"Mark","eventThread.group.name":null,"startTime":"2023-11-14T22:13:20.000000001Z"}' \
	--ndjson --fields eventThread.group.name,startTime -e Mark --limit 1 --utc \
	"$ok/made-order.jfr"
# Field `name` is GCPhasePause's, of the second recording; `nobody` has none.
two=Mark,GCPhasePause
prints field_of_a_later_file '{"type":"jdk.GCPhasePause","name":"Pause Mark Start (Major)"}' \
	--ndjson --fields name -e "$two" --from 2024-01-01 --limit 1 "$ok/made-order.jfr" "$ok/jvm-25.jfr"
refuses field_of_no_file 'no event type that is printed has a field nobody' \
	--ndjson --fields name,nobody -e "$two" "$ok/made-order.jfr" "$ok/jvm-25.jfr"

# A pipe cannot be looked ahead: what the first chunk lacks is told, and may come.
pipes()         # NAME STATUS WORDS ARGUMENT...: made-order.jfr and jvm-25.jfr through a pipe
{
	name=$1
	want=$2
	words=$3
	shift 3
	said=$(cat "$ok/made-order.jfr" "$ok/jvm-25.jfr" | "$jfrec" print "$@" - 2>&1 >/dev/null)
	status=$?
	case $status:$said in
	$want:$words) result ok "$name" ;;
	*)
		result not-ok "$name"
		printf '# exit %s: %s\n' "$status" "$said"
		;;
	esac
}

pipes field_of_a_later_chunk 0 '*has a field name; *it stays empty until *' \
	--ndjson --fields name -e "$two"
pipes field_of_no_chunk 2 '*has a field nobody; it stays *has a field nobody' \
	--ndjson --fields startTime,nobody -e "$two"
pipes field_that_may_come 0 '*has a field nobody; it stays *' \
	--ndjson --fields startTime,nobody -e "$two" --limit 1
got=$(cat "$ok/made-order.jfr" "$ok/jvm-25.jfr" |
	"$jfrec" print --ndjson --fields name -e "$two" - 2>/dev/null | tail -n 1)
case $got in
'{"type":"jdk.GCPhasePause","name":"'*) result ok field_that_came ;;
*) result not-ok "field_that_came: $got" ;;
esac
if command -v gzip >/dev/null; then
	gzip -c "$ok/jvm-25.jfr" >"$work/packed"
	want=$("$jfrec" print --count --from -100ms "$ok/jvm-25.jfr")
	got=$("$jfrec" print --count --from -100ms - <"$work/packed")
	[ "$got" = "$want" ] && result ok end_of_a_packed_file || result not-ok end_of_a_packed_file
else
	result ok 'end_of_a_packed_file # SKIP no gzip'
fi

prints fields_with_blanks_and_the_type '{"type":"jdk.GCPhasePause","gcId":1,"name":"Pause Mark Start (Major)"}' \
	--ndjson --fields 'type, gcId, name' -e GCPhasePause --limit 1 "$ok/jvm-25.jfr"
prints table_without_rows "startTime,duration~
jfrec: $ok/fields-25.jfr: no such event in that time; the recording goes from 2026-11-20T08:25:16.443-03:30 to 2026-11-20T08:25:16.555-03:30" \
	--csv --fields startTime,duration -e Limited --to 0 "$ok/fields-25.jfr"
prints no_types_no_table "jfrec: $ok/made-order.jfr: no event type is called no.Such" --csv -e no.Such "$ok/made-order.jfr"
prints csv_ends_lines_with_cr_lf 'gcId,name~
1,Pause Mark Start (Major)~' --csv --fields gcId,name -e GCPhasePause --limit 1 "$ok/jvm-25.jfr"
prints tsv_ends_lines_with_lf 'gcId	name
1	Pause Mark Start (Major)' --tsv --fields gcId,name -e GCPhasePause --limit 1 "$ok/jvm-25.jfr"

compare_all "" "$ok"/*.jfr
finish
