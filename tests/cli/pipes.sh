#!/bin/sh
# A recording that comes through a pipe: every command that reads it answers as it does for the file,
# also where it has to read it twice.  What it stores for that is limited, and leaves nothing behind.
#
# usage: pipes.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
. "$2/tests/cli/tap.sh"
some=$(realpath "$2")/tests/data/ok/jvm-25.jfr
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
mkfifo fifo
cp "$some" recording.jfr

# Its name, and what its zone shows, differ where the pipe cannot be read twice.
plain()
{
	sed 's/recording\.jfr/NAME/g; s/standard input/NAME/g; s/"-"/"NAME"/g; s/ -$/ NAME/; s/^fifo /NAME /
		s/fifo/NAME/g; s/recording_/NAME_/g; s/^- ->/NAME ->/; s/-> -$/-> NAME/; s/^-: /NAME: /' "$1"
}

# The recording is larger than a pipe, so it is written when the command has opened the FIFO.
through_fifo()  # COMMAND
{
	exec 9<>fifo 8>fifo
	(
		exec 8>&- 9>&- </dev/null
		eval "$1"
	) &
	timeout 20 cat "$some" >&8
	exec 8>&- 9>&-
	wait $!
}

same()          # ARGUMENT...: @ stands for the recording
{
	name=$*
	for how in recording.jfr - fifo; do
		words=
		for word; do
			[ "$word" = @ ] && word=$how
			words="$words '$word'"
		done
		rm -rf out.jfr out.html
		case $how in
		-) cat "$some" | eval "TZ=UTC '$jfrec' $words" >answer 2>said ;;
		fifo) through_fifo "TZ=UTC '$jfrec' $words" >answer 2>said ;;
		*) eval "TZ=UTC '$jfrec' $words" >answer 2>said </dev/null ;;
		esac
		status=$?
		plain answer >plain
		[ $how = recording.jfr ] && mv plain wanted
		if [ $status -eq 0 ] && { [ $how = recording.jfr ] || cmp -s plain wanted; }; then
			result ok "$name ($how)"
		else
			result not-ok "$name ($how)"
			{ head -n 5 said; [ $how = recording.jfr ] || diff plain wanted | cut -c 1-200 | head -n 10; } | sed 's/^/# /'
		fi
	done
}

same report @ -o out.html
same report --json --title x @
same diff @ recording.jfr
same diff recording.jfr @
same diff --json @ recording.jfr
same diff --before +0s..+50ms --after +50ms..+100ms @
same merge @ -o out.jfr
same filter --from -50ms @ -o out.jfr
same scrub @ -o out.jfr
same repair @ -o out.jfr
same print --from -50ms @
same print --where 'startTime > -50ms' @
same print --json --from +1ms --to +20ms @
same summary @
same metadata @
same view gc @
same view --from -50ms gc @
same query 'SELECT COUNT(*) FROM GCHeapSummary' @
same query 'SELECT RATE(*) FROM GCHeapSummary' @
same query 'SELECT COUNT(*) FROM GCHeapSummary WHERE startTime > -50ms' @
same flame --from -50ms @ -o out.html
same settings cost @
mkdir out
same split --force -o out --json --chunks 9 @
works 'split: a pipe without a name gives one' sh -c "cat '$some' | '$jfrec' split - && [ -f recording_0.jfr ] &&
	[ -f recording_1.jfr ] && cat recording_0.jfr recording_1.jfr | cmp - recording.jfr"
if "$jfrec" sql "$some" 'SELECT 1' 2>&1 | grep -q 'built without SQLite'; then
	skip sql 'built without SQLite'
else
	same sql @ 'SELECT count(*) FROM GCPhasePause'
	same sql --tables @
	same export --format sqlite -o out.jfr @
fi

# Limits -------------------------------------------------------------------------------------------

refused()       # NAME WORDS COMMAND: with the recording through a pipe
{
	said=$(eval "$3" 2>&1 >/dev/null)
	status=$?
	case $status:$said in
	1:*$2*) result ok "$1" ;;
	*) result not-ok "$1: $status: $said" ;;
	esac
}

for command in 'report -o out.html -' 'merge -o out.jfr -' 'scrub -o out.jfr -' 'diff - recording.jfr' \
	'print --from -10s -' 'split -o out -' 'query "SELECT RATE(*) FROM GCHeapSummary" -'; do
	rm -f out.html out.jfr
	refused "${command%% *}: more than --max-spool" 'more than 50 KiB*--max-spool SIZE' \
		"cat recording.jfr | '$jfrec' $command --max-spool 50k"
	works 'and no output is left' [ ! -e out.html ] && [ ! -e out.jfr ]
done
works 'of what is compressed, what it decompresses to counts' sh -c "
	! gzip -c recording.jfr | '$jfrec' report - -o out.html --max-spool 150k && [ ! -e out.html ]"
works 'a file has no such limit' "$jfrec" report recording.jfr -o out.html --max-spool 1k --force
if unshare -m true 2>/dev/null; then
	refused 'a full disk' 'cannot be stored in a temporary file*No space left' "unshare -m sh -c '
		mount -t tmpfs -o size=64k none /var/tmp && cat recording.jfr | \"$jfrec\" report - -o full.html'"
	works 'and no page is left' [ ! -e full.html ]
else
	skip 'a full disk' 'no mount namespaces'
fi

# An end ahead of time -----------------------------------------------------------------------------

# The shell has background jobs ignore SIGINT, which env undoes.
before=$(find /var/tmp -name '.jfrec*' 2>/dev/null | wc -l)
exec 9<>fifo
env --default-signal=INT "$jfrec" report fifo -o late.html >said 2>&1 9>&- &
pid=$!
timeout 20 cat recording.jfr >&9
sleep 0.5
kill -INT $pid
wait $pid
works 'Ctrl-C while the pipe is stored' [ $? -eq 130 ]
exec 9>&-
works 'leaves nothing' [ "$(find . /var/tmp -name '*late*' -o -name '.jfrec*' 2>/dev/null | wc -l)" -eq "$before" ]
finish
