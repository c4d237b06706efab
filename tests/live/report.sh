#!/bin/sh
# report of a running JVM: recorded for this, and from what it has on disk, without attaching.
#
# usage: report.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
live=$(realpath "$2")/tests/live
. "$2/tests/cli/tap.sh"
live_sources=$live/Shares.java
. "$live/live.sh"
LC_ALL=C
export LC_ALL
cd "$work" || exit
program=Shares
arguments=hot

# The page knows the program, and which method takes the CPU.
is_of_shares()  # FILE
{
	grep -q '<dt>Program</dt><dd>Shares' "$1" && grep -q 'Shares\.forty' "$1" && grep -q '<svg' "$1"
}

recorded()
{
	rm -f page.html
	exits 0 "$jfrec" report --duration 10s -o page.html "$pid" && is_of_shares page.html
}

nothing_left()
{
	! "$jfrec" check "$pid" 2>/dev/null | grep -q 'jfrec'
}

# The command that starts a recording is named where there is none.
names_start()
{
	exits 8 "$jfrec" report -o none.html "$pid" || exits 1 "$jfrec" report -o none.html "$pid"
	grep -q 'jfrec start' "$work/err" && [ ! -e none.html ]
}

has_json()
{
	"$jfrec" report --json --max-age 5m "$pid" >report.json 2>"$work/err" &&
		grep -q "\"pid\":$pid," report.json && grep -q '"name":"Shares' report.json
}

has_markdown()
{
	"$jfrec" report --format markdown "$pid" >report.md 2>"$work/err" &&
		grep -q '^- Program: Shares' report.md && grep -q '^## Findings' report.md &&
		grep -q 'Shares\.forty' report.md
}

without_attaching()
{
	rm -f disk.html
	exits 0 "$jfrec" report -o disk.html "$pid" && is_of_shares disk.html
}

try_jdk()
{
	start_jvm
	works 'report --duration 10s' recorded
	works 'no recording is left' nothing_left
	works 'where nothing is recorded, the command is named that starts it' names_start
	if [ "$feature" -ge 17 ]; then
		"$jfrec" start --settings profile --name shares "$pid" >/dev/null
		sleep 5
		works 'from disk, without attaching' becomes without_attaching
		works '--json' has_json
		works '--format markdown' has_markdown
	else
		skip 'from disk' 'JDK 17 and later flush what they record'
	fi
	end_jvm
}

for_each_jdk try_jdk
finish
