#!/bin/sh
# print --ndjson, --csv and --tsv: every recording in tests/data/ok, line by line,
# carries what --json does; and their options go together where that makes sense.
#
# usage: ndjson.sh JFREC SOURCE_ROOT

jfrec=$1
root=$2
ok=$root/tests/data/ok
. "$2/tests/cli/tap.sh"

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

refuses flat_needs_ndjson '--flat goes with' --flat "$ok/made-order.jfr"
refuses flat_is_what_tables_are 'tables are flat' --csv --flat "$ok/made-order.jfr"
refuses raw_ticks_need_ndjson '--raw-ticks goes with' --raw-ticks --json "$ok/made-order.jfr"
refuses raw_ticks_stay_with_their_chunk '--sort time' \
	--raw-ticks --ndjson --sort time "$ok/made-order.jfr"
refuses stack_needs_lines_or_tables '--stack goes with' --stack id "$ok/made-order.jfr"
refuses fields_need_lines_or_tables '--fields goes with' \
	--fields startTime --xml "$ok/made-order.jfr"
refuses tables_have_no_frames 'string or none' --csv --stack frames "$ok/made-order.jfr"
refuses unknown_form_of_stacks 'takes frames, string, id or none' \
	--ndjson --stack full "$ok/made-order.jfr"
refuses two_formats 'only one format' --ndjson --csv "$ok/made-order.jfr"
refuses table_of_several_types 'made.Point' --csv "$ok/made-order.jfr"
refuses unknown_field 'near it: startTime' --ndjson --fields starttime "$ok/made-order.jfr"
refuses empty_field 'has a field' --ndjson --fields startTime, "$ok/made-order.jfr"

prints fields_choose_and_order \
	'{"type":"Mark","eventThread.group.name":null,"startTime":"2023-11-14T22:13:20.000000001Z"}' \
	--ndjson --fields eventThread.group.name,startTime -e Mark --limit 1 --utc \
	"$ok/made-order.jfr"
prints table_without_rows 'startTime,duration~' \
	--csv --fields startTime,duration -e Limited --to 0 "$ok/fields-25.jfr"
prints no_types_no_table '' --csv -e no.Such "$ok/made-order.jfr"
prints csv_ends_lines_with_cr_lf 'gcId,name~
1,Pause Mark Start (Major)~' --csv --fields gcId,name -e GCPhasePause --limit 1 "$ok/jvm-25.jfr"
prints tsv_ends_lines_with_lf 'gcId	name
1	Pause Mark Start (Major)' --tsv --fields gcId,name -e GCPhasePause --limit 1 "$ok/jvm-25.jfr"

if ! command -v python3 >/dev/null; then
	result ok 'values # SKIP no python3'
else
	for recording in "$ok"/*.jfr; do
		report=$(python3 "$root/tests/cli/ndjson.py" "$jfrec" "$recording" 2>&1)
		if [ $? -eq 0 ] && [ "$report" = "${report#not ok}" ]; then
			result ok "values of ${recording##*/}"
		else
			result not-ok "values of ${recording##*/}"
		fi
		[ -z "$report" ] || printf '%s\n' "$report" | sed 's/^/# /' | cut -c 1-300
	done
fi

finish
