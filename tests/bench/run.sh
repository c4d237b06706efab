#!/bin/sh
# Measures jfrec beside the `jfr` of each JDK given, and prints tables.
#
# usage: run.sh [-d DIRECTORY] [-J JAVA] [-n RUNS] [-t SECONDS] [-s SECTIONS] [JFR...]
#
#    -d  where recordings, build and results are kept (default: $TMPDIR/jfrec-bench)
#    -J  the command that runs Java and makes the recordings (default: $JAVA_HOME's or java)
#    -n  runs of each command (default: 5)
#    -t  a command that took SECONDS in all is not run again (default: 30)
#    -s  some of: small large filter start ends scaling cores rewrite counts views (default: all)
#    JFR the JDKs to compare with, such as /usr/lib/jvm/java-25/bin/jfr (default: jfr)
#
# README.md tells what the tables mean.

usage()         # STATUS
{
	sed -n '2,13s/^# \{0,1\}//p' "$0"
	exit "$1"
}

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
dir=${TMPDIR:-/tmp}/jfrec-bench
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
runs=5
seconds=30
sections='small large filter start ends scaling cores rewrite counts views'
while getopts hd:J:n:t:s: letter; do
	case $letter in
	d)	dir=$OPTARG ;;
	J)	java=$OPTARG ;;
	n)	runs=$OPTARG ;;
	t)	seconds=$OPTARG ;;
	s)	sections=$OPTARG ;;
	h)	usage 0 ;;
	*)	usage 2 >&2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- jfr

# Commands come unquoted: they are words parted by blanks.
set -f
mkdir -p "$dir" || exit
dir=$(cd "$dir" && pwd)
tab=$(printf '\t')
build=$dir/build
jfrec=$build/jfrec
largest_xml=20000000    # bytes; beyond that the JDK's XML runs out of memory
copied=4294967296       # bytes that memcpy() is given

say()
{
	echo "$*" >&2
}

die()
{
	say "run.sh: $*"
	exit 1
}

have()
{
	command -v "$1" >/dev/null
}

# ---- programs --------------------------------------------------------------

build()
{
	say "building in $build"
	# The directory may have been another tree's.
	[ "$(cat "$dir/tree" 2>/dev/null)" = "$root" ] || rm -rf "$build"
	echo "$root" >"$dir/tree"
	[ -d "$build" ] || meson setup -Dman=disabled --buildtype=debugoptimized "$build" "$root" >"$dir/build.log" ||
		die "meson failed: $dir/build.log"
	ninja -C "$build" jfrec libjfrec.a >>"$dir/build.log" || die "the build failed: $dir/build.log"
	libs=$(PKG_CONFIG_PATH=$build/meson-uninstalled pkg-config --static --libs libjfrec) || exit
	for name in decode floor jobs measure; do
		# Statically, as the tool is; -ljfrec then has nothing left to give.
		${CC:-cc} -O2 -D_GNU_SOURCE -I"$root/lib" -o "$build/$name" "$here/$name.c" "$build/libjfrec.a" \
			-Wl,--as-needed $libs ||
			die "$name.c does not compile"
	done
}

# The version of a `jfr`.  Before JDK 21 it does not know it, but the java beside it does.
version()       # COMMAND...
{
	v=$("$@" --version 2>/dev/null | head -n 1)
	case $v in
	[1-9][0-9]*)
		echo "$v"
		return ;;
	esac
	"$(dirname "$(readlink -f "$(command -v "$1")")")/java" -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p'
}

# $dir/jdks has a line for each: version, command.
find_jdks()     # JFR...
{
	: >"$dir/jdks"
	for jfr; do
		v=$(version $jfr)
		[ -n "$v" ] || die "$jfr is not a JDK's jfr"
		printf '%s\t%s\n' "$v" "$jfr" >>"$dir/jdks"
	done
}

# ---- recordings ------------------------------------------------------------

# What is known of a recording is kept beside it, as NAME.FACT, and goes with it.
forget()        # NAME
{
	find "$dir" -maxdepth 1 -type f -name "$1.*" -exec rm -f {} +
}

record()        # NAME LOAD EVENTS MEGABYTES LARGEST_CHUNK
{
	[ -s "$dir/$1.jfr" ] && return
	say "recording $1"
	forget "$1"
	rm -rf "$dir/repository"
	mkdir "$dir/repository"
	$java -Xmx1g "-XX:FlightRecorderOptions=repository=$dir/repository,maxchunksize=$5" \
		"$here/Load.java" "$2" "$3" "$dir/$1.part" "$4" "$dir/repository" >"$dir/$1.log" 2>&1 ||
		die "no recording: $dir/$1.log"
	rm -rf "$dir/repository"
	mv "$dir/$1.part" "$dir/$1.jfr"
}

size()          # FILE
{
	echo $(($(wc -c <"$1")))
}

# A file of facts, made when it is missing: what the command prints.
fact()          # NAME.FACT COMMAND...
{
	fact_file=$dir/$1
	shift
	[ -s "$fact_file" ] || "$@" >"$fact_file" || die "no $fact_file"
	cat "$fact_file"
}

# How many chunks, and the bytes of the largest: their headers hold the size.
count_chunks()  # FILE
{
	at=0
	end=$(size "$1")
	while [ "$at" -lt "$end" ]; do
		bytes=$(od -An -tu1 -j $((at + 8)) -N 8 "$1" |
			awk '{ for (i = 1; i <= NF; i++) n = n * 256 + $i } END { printf "%.0f\n", n }')
		[ "$bytes" -gt 0 ] || die "$1 has an unfinished chunk"
		echo "$bytes"
		at=$((at + bytes))
	done | awk '$1 > max { max = $1 } END { printf "%d %.0f\n", NR, max }'
}

chunks()        # NAME
{
	fact "$1.chunks" count_chunks "$dir/$1.jfr" | cut -d ' ' -f 1
}

largest_chunk() # NAME
{
	fact "$1.chunks" count_chunks "$dir/$1.jfr" | cut -d ' ' -f 2
}

count_events()  # FILE
{
	"$jfrec" summary "$1" | awk 'NF == 3 && $2 $3 ~ /^[0-9]+$/ { n += $2 } END { printf "%.0f\n", n }'
}

events()        # NAME
{
	fact "$1.events" count_events "$dir/$1.jfr"
}

# ---- commands --------------------------------------------------------------

# The words of a mode, for both tools: $words
words_of()      # MODE
{
	case $1 in
	summary)	words=summary ;;
	metadata)	words=metadata ;;
	text)		words=print ;;
	json)		words='print --json' ;;
	xml)		words='print --xml' ;;
	# The JDK decodes all events before it looks at their names.
	decode)		words='print --events jdk.CPULoad' ;;
	*)		die "no such mode: $1" ;;
	esac
}

# Our command of a mode, up to the recording: $ours
ours_of()       # MODE
{
	case $1 in
	decode)	ours=$build/decode ;;
	*)	words_of "$1"
		ours="$jfrec $words" ;;
	esac
}

measure()
{
	"$build/measure" -n "$runs" -t "$seconds" "$@"
}

count_output()  # COMMAND...
{
	"$build/measure" -n 1 -p 1048576 -- "$@" | cut -f 6
}

# Bytes that a mode prints of a recording.
output_size()   # NAME MODE
{
	case $2 in
	decode)	echo 0 ;;
	*)	ours_of "$2"
		fact "$1.$2.bytes" count_output $ours "$dir/$1.jfr" ;;
	esac
}

# ---- each mode beside each JDK ---------------------------------------------

# Appends lines of name, mode, sizes and measurements to $dir/modes.tsv.
measure_mode()  # NAME MODE
{
	name=$1 mode=$2
	file=$dir/$name.jfr
	in=$(size "$file")
	facts="$name$tab$mode$tab$in$tab$(output_size "$name" "$mode")$tab$(largest_chunk "$name")"
	say "$name, $mode"
	cp "$dir/jdks" "$dir/compared"
	if [ "$mode" = xml ] && [ "$in" -gt $largest_xml ]; then
		: >"$dir/compared"
	fi
	words_of "$mode"
	set --
	while IFS=$tab read -r v command; do
		set -- "$@" -- $command $words "$file"
	done <"$dir/compared"
	ours_of "$mode"
	measure "$@" -- $ours "$file" >"$dir/measured" 2>"$dir/measured.log"
	tail -n 1 "$dir/measured" >"$dir/measured.jfrec"
	[ -s "$dir/compared" ] || echo "-$tab" >"$dir/compared"
	cut -f 1 "$dir/compared" | paste - "$dir/measured" | head -n "$(wc -l <"$dir/compared")" |
	while read -r line; do
		[ "${line%%"$tab"*}" != - ] || line="-${tab}0${tab}0${tab}0${tab}0${tab}0${tab}0"
		printf '%s\t%s\t%s\n' "$facts" "$line" "$(cat "$dir/measured.jfrec")"
	done >>"$dir/modes.tsv"
}

# The goals: at least so many times less CPU time and wall time than JDK 25; at most so much
# memory, fixed and for each byte of the largest chunk; at least so many MB/s; at most so
# many seconds.
print_modes()
{
	awk -F '\t' '
	function goal(kind, mode, cpu, wall, fixed, per_chunk, rate, time) {
		goals[kind, mode] = cpu " " wall " " fixed " " per_chunk " " rate " " time
	}
	function seconds(s) { return s < 0.1 ? sprintf("%.1f ms", s * 1000) : sprintf("%.2f s", s) }
	function megabytes(n) { return n < 99.5e6 ? sprintf("%.1f", n / 1e6) : sprintf("%.0f", n / 1e6) }
	function check(ok, text) { if (!ok) failed = failed (failed ? ", " : "") text }
	BEGIN {
		goal("start", "summary",  0, 60,   8, 0, 0, 0.004)
		goal("start", "text",     0, 60,   8, 0, 0, 0.004)
		goal("start", "json",     0, 60,   8, 0, 0, 0.004)
		goal("start", "xml",      0, 60,   8, 0, 0, 0.004)
		goal("start", "metadata", 0, 60,   8, 0, 0, 0.004)
		goal("start", "decode",   0, 60,   8, 0, 0, 0.004)
		goal("compile", "summary",  40, 25,   8, 0,    0, 0)
		goal("compile", "text",     30, 25, 128, 0,    0, 0)
		goal("compile", "json",     45, 30,  64, 2,    0, 0)
		goal("compile", "xml",      45, 30,  64, 2,    0, 0)
		goal("compile", "decode",    0,  0,  32, 2, 1000, 0)
		goal("server", "summary",   20, 10,   8, 0,    0, 0)
		goal("server", "text",      30, 25, 128, 0,    0, 0)
		goal("server", "json",      45, 30,  64, 2,    0, 0)
		goal("server", "xml",        0,  0,  64, 2,    0, 0)
		goal("server", "decode",     0,  0,  32, 2,  800, 0)
		print "| recording | mode | JDK | JDK CPU | wall | memory | jfrec CPU | wall | memory" \
			" | CPU ratio | wall ratio | MB/s in | MB/s out | memory allowed | goals |"
		print "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|"
	}
	{
		kind = $1
		sub(/-.*/, "", kind)
		jdk = $6 != "-"; wall = $7; cpu = $8; rss = $9 * 1024; status = $10
		our_wall = $13; our_cpu = $14; our_rss = $15 * 1024; our_status = $16
		known = (kind, $2) in goals
		split(known ? goals[kind, $2] : "0 0 0 0 0 0", g, " ")
		allowed = g[3] * 1e6 + g[4] * $5
		rate = $3 / our_cpu / 1e6
		failed = ""
		check(our_status == 0, "jfrec ends with " our_status)
		check(!known || our_rss <= allowed, "memory")
		check(rate >= g[5], "MB/s " g[5])
		check(!g[6] || our_wall < g[6], "under " g[6] * 1000 " ms")
		if (jdk && $6 ~ /^25/ && status == 0) {
			check(cpu >= g[1] * our_cpu, "CPU " g[1])
			check(wall >= g[2] * our_wall, "wall " g[2])
		}
		verdict = failed ? "not met: " failed : known ? "met" : "none"
		if (jdk && $6 !~ /^25/)
			verdict = ""
		theirs = (jdk ? "fails" : "") " | | "
		ratios = " | "
		if (jdk && status == 0) {
			theirs = seconds(cpu) " | " seconds(wall) " | " megabytes(rss)
			ratios = sprintf("%.1f | %.1f", cpu / our_cpu, wall / our_wall)
		}
		out = $4 > 0 ? sprintf("%.0f", $4 / our_cpu / 1e6) : ""
		memory = known ? megabytes(allowed) : ""
		printf "| %s, %s MB | %s | %s | %s | %s | %s | %s | %s | %.0f | %s | %s | %s |\n",
			$1, megabytes($3), $2, $6, theirs,
			seconds(our_cpu), seconds(our_wall), megabytes(our_rss),
			ratios, rate, out, memory, verdict
	}' "$dir/modes.tsv"
}

compare()       # TITLE NAME...
{
	title=$1
	shift
	: >"$dir/modes.tsv"
	for recording; do
		for m in summary metadata text json xml decode; do
			measure_mode $recording $m
		done
	done
	echo "## $title"
	echo
	print_modes
}

section_small()
{
	record start server default 0 12m
	record compile compile all 12 2g
	record compile-many compile all 12 1m
	compare 'Each mode, small recordings' start compile compile-many
}

section_large()
{
	record server server all 80 12m
	record server-one server all 80 2g
	compare 'Each mode, large recordings' server server-one
}

# ---- choosing events -------------------------------------------------------

# A recording of some of the events, beside `jfr scrub`, which JDK 21 and later have.
compare_filter()        # OPTION...
{
	say "filter $*"
	file=$dir/server.jfr
	while IFS=$tab read -r v command; do
		measure -- $command scrub "$@" "$file" "$dir/scrubbed.jfr" \
			-- "$jfrec" filter --force "$@" "$file" -o "$dir/filtered.jfr" |
		awk -F '\t' -v what="filter $* | $v" '
		NR == 1 { wall = $1; cpu = $2; rss = $3; status = $4 }
		NR == 2 {
			if (status != 0) {
				printf "| %s | fails | | | %.2f s | %.2f s | %.1f | | |\n", what, $2, $1, $3 / 976.6
				exit
			}
			verdict = cpu >= 20 * $2 ? "" : "CPU 20"
			if (rss < 5 * $3)
				verdict = verdict (verdict ? ", " : "") "memory 5"
			printf "| %s | %.2f s | %.2f s | %.0f | %.2f s | %.2f s | %.1f | %.1f | %s |\n", what,
				cpu, wall, rss / 976.6, $2, $1, $3 / 976.6, cpu / $2,
				verdict ? "not met: " verdict : "met"
		}'
	done <"$dir/jdks"
	rm -f "$dir/scrubbed.jfr" "$dir/filtered.jfr"
}

# Events that are only counted: what an expression costs.
measure_where() # EXPRESSION
{
	say "where $1"
	measure -- "$jfrec" print --count "$dir/server.jfr" -- "$jfrec" print --count --where "$1" "$dir/server.jfr" |
	awk -F '\t' -v what="$1" -v events="$(events server)" '
	NR == 1 { all = $2 }
	NR == 2 { printf "| `%s` | %.1f ms | %.1f ms | %.1f |\n", what, all * 1000, $2 * 1000, ($2 - all) / events * 1e9 }'
}

section_filter()
{
	record server server all 80 12m
	echo '## Some of the events'
	echo
	echo '| | JDK | scrub, CPU | wall | MB | jfrec, CPU | wall | MB | CPU ratio | goals |'
	echo '|---|---|--:|--:|--:|--:|--:|--:|--:|---|'
	compare_filter
	compare_filter --exclude-events SocketRead
	compare_filter --include-events 'jdk.GC*'
	compare_filter --include-threads main
	compare_filter --exclude-threads main
	echo
	echo '| print --count | without, CPU | with --where | ns per event more |'
	echo '|---|--:|--:|--:|'
	measure_where 'event = "SocketRead"'
	measure_where 'duration > 10ms'
	measure_where 'eventThread.javaName =~ "*-1*"'
	measure_where 'stackTrace =~ "*HashMap*"'
}

# ---- start-up --------------------------------------------------------------

section_start()
{
	echo '## Start-up, by hyperfine'
	echo
	have hyperfine || {
		echo 'Skipped: no hyperfine.'
		return
	}
	record start server default 0 12m
	file=$dir/start.jfr
	for m in summary metadata text json xml; do
		say "start-up, $m"
		words_of $m
		set --
		while IFS=$tab read -r v command; do
			set -- "$@" -n "$m$tab$v" "$command $words '$file'"
		done <"$dir/jdks"
		hyperfine -N --warmup 2 --runs 10 --style none --export-csv "$dir/theirs.csv" "$@" >"$dir/hyperfine.log" 2>&1 &&
		hyperfine -N --warmup 5 --runs 50 --style none --export-csv "$dir/ours.csv" -n ours \
			"$jfrec $words '$file'" >>"$dir/hyperfine.log" 2>&1 ||
			die "hyperfine failed: $dir/hyperfine.log"
		tail -n 1 "$dir/ours.csv" | cat - "$dir/theirs.csv" | awk -F , '
			$1 == "ours" { ours = $4; least = $7; next }
			$1 != "command" { print $1 "\t" $4 * 1000 "\t" ours * 1000 "\t" least * 1000 "\t" $4 / ours }'
	done >"$dir/start.tsv"
	echo '| mode | JDK | JDK, median | jfrec, median | jfrec, least | wall ratio |'
	echo '|---|---|--:|--:|--:|--:|'
	awk -F '\t' '{ printf "| %s | %s | %.0f ms | %.2f ms | %.2f ms | %.0f |\n", $1, $2, $3, $4, $5, $6 }' "$dir/start.tsv"
}

# ---- memory, file, pipe ----------------------------------------------------

compare_ends()  # WHAT GOAL_IN_PERCENT BYTES < two lines of measure: ours, the other's
{
	awk -F '\t' -v what="$1" -v goal="$2" -v bytes="$3" '
	NR == 1 { ours = $1 } NR == 2 { other = $1 }
	END {
		percent = other / ours * 100
		verdict = percent >= goal ? "met" : "not met: " goal " %"
		printf "| %s | %.0f | %.0f | %.0f %% | %s |\n", what, bytes / ours / 1e6, bytes / other / 1e6,
			percent, verdict
	}'
}

# Speed to /dev/null beside memcpy()'s.
compare_copy()  # NAME MODE
{
	bytes=$(output_size "$1" "$2")
	ours_of "$2"
	measure -- $ours "$dir/$1.jfr" -- "$build/floor" pieces $copied -- "$build/floor" whole $copied |
	awk -F '\t' -v what="$1, $2" -v bytes="$bytes" -v copied=$copied '
	NR == 1 { ours = bytes / $2 }
	NR == 2 { pieces = copied / $2 }
	NR == 3 { whole = copied / $2 }
	END {
		printf "| %s | %.0f | %.0f | %.0f | %.0f %% | %.0f %% |\n", what, ours / 1e6, pieces / 1e6, whole / 1e6,
			ours / pieces * 100, ours / whole * 100
	}'
}

section_ends()
{
	record compile compile all 12 2g
	record server server all 80 12m
	echo '## To memory, a file, a pipe'
	echo
	echo '| output to /dev/null | MB/s | memcpy in pieces | memcpy | of it in pieces | of it |'
	echo '|---|--:|--:|--:|--:|--:|'
	for recording in compile server; do
		for m in text json xml; do
			say "$recording, $m, beside memcpy"
			compare_copy $recording $m
		done
	done
	echo
	echo '| output elsewhere (wall) | jfrec MB/s | the other MB/s | ratio | goal |'
	echo '|---|--:|--:|--:|---|'
	for m in text json; do
		say "compile, $m, to a file and a pipe"
		file=$dir/compile.jfr
		bytes=$(output_size compile $m)
		ours_of $m
		$ours "$file" >"$dir/reference"
		measure -o "$dir/output" -- $ours "$file" -- cp "$dir/reference" "$dir/output" |
			compare_ends "$m to a file; cp" 70 "$bytes"
		rm -f "$dir/reference"
		measure -p 0 -- $ours "$file" -- "$build/floor" write "$bytes" |
			compare_ends "$m into a pipe; bare write" 80 "$bytes"
		measure -p 1048576 -- $ours "$file" -- "$build/floor" write "$bytes" |
			compare_ends "$m into a pipe of 1 MiB; bare write" 80 "$bytes"
	done
}

# ---- length and cores ------------------------------------------------------

section_scaling()
{
	lengths='1 4 16 64 256 1024'
	for mb in $lengths; do
		record server-$mb server all $mb 12m
	done
	echo '## Length'
	echo
	echo '| recording | chunks | events | mode | CPU | ns per event | MB/s in | memory | allowed |'
	echo '|---|--:|--:|---|--:|--:|--:|--:|--:|'
	for m in summary decode text json; do
		for mb in $lengths; do
			say "length $mb, $m"
			ours_of $m
			measure -- $ours "$dir/server-$mb.jfr" | awk -F '\t' -v mode=$m -v in_size="$(size "$dir/server-$mb.jfr")" \
				-v chunks="$(chunks server-$mb)" -v events="$(events server-$mb)" -v chunk="$(largest_chunk server-$mb)" '
			BEGIN {
				allowed["summary"] = 8e6
				allowed["decode"] = 32e6 + 2 * chunk
				allowed["text"] = 128e6
				allowed["json"] = 64e6 + 2 * chunk
			}
			{
				printf "| %.1f MB | %d | %d | %s | %.1f ms | %.1f | %.0f | %.1f | %.1f |\n", in_size / 1e6,
					chunks, events, mode, $2 * 1000, $2 / events * 1e9, in_size / $2 / 1e6,
					$3 * 1024 / 1e6, allowed[mode] / 1e6
			}'
		done
	done
}

section_cores()
{
	echo '## Cores (wall)'
	echo
	cores=$(nproc)
	if ! have taskset || [ "$cores" -eq 1 ]; then
		echo 'Skipped: no taskset, or one core.'
		return
	fi
	record compile compile all 12 2g
	file=$dir/compile.jfr
	echo "| compile, mode | JDK | JDK, 1 core | JDK, $cores cores | jfrec, 1 core | jfrec, $cores cores | ratio, 1 core | ratio, $cores cores |"
	echo '|---|---|--:|--:|--:|--:|--:|--:|'
	for m in summary text json; do
		say "cores, $m"
		words_of $m
		while IFS=$tab read -r v command; do
			measure -- taskset -c 0 $command $words "$file" -- $command $words "$file" \
				-- taskset -c 0 "$jfrec" $words "$file" -- "$jfrec" $words "$file" |
			awk -F '\t' -v what="$m | $v" '{ t[NR] = $1 } END {
				printf "| %s | %.2f s | %.2f s | %.1f ms | %.1f ms | %.0f | %.0f |\n", what,
					t[1], t[2], t[3] * 1000, t[4] * 1000, t[1] / t[3], t[2] / t[4]
			}'
		done <"$dir/jdks"
	done
}

# ---- rewriting -------------------------------------------------------------

# What brings its bytes to the disk is compared with a copy that does so, too, and what
# decodes events with `jfr scrub` of the first JDK that has it.
section_rewrite()
{
	echo '## Rewriting (wall, CPU, memory)'
	echo
	record server server all 80 12m
	file=$dir/server.jfr
	out=$dir/rewritten.jfr
	mkdir -p "$dir/pieces"
	command=$(cut -f 2 "$dir/jdks" | head -n 1)
	echo '| server | wall | CPU | memory | MB/s | speed of `cp` and `sync` |' \
		'CPU of `jfr scrub` | its wall | its memory | goals |'
	echo '|---|--:|--:|--:|--:|--:|--:|--:|--:|---|'
	say rewriting
	measure -- $command scrub "$file" "$out" \
		-- cp "$file" "$out" \
		-- sh -c 'cp "$1" "$2" && sync "$2"' sh "$file" "$out" \
		-- "$jfrec" merge "$file" -o "$out" --force \
		-- "$jfrec" split "$file" -o "$dir/pieces" --force \
		-- "$jfrec" repair "$file" -o "$out" --force \
		-- "$jfrec" merge --from +1s "$file" -o "$out" --force \
		-- "$jfrec" merge --compact "$file" -o "$out" --force \
		-- "$jfrec" filter -e '*' "$file" -o "$out" --force \
		-- "$jfrec" filter -e 'jdk.GC*' "$file" -o "$out" --force \
		-- "$jfrec" scrub --no-defaults "$file" -o "$out" --force \
		-- "$jfrec" scrub "$file" -o "$out" --force \
		-- "$jfrec" scrub --hosts --paths "$file" -o "$out" --force |
	awk -F '\t' -v bytes="$(size "$file")" '
		BEGIN {
			split("jfr scrub,cp,cp and sync,merge,split,repair,merge --from,merge --compact,filter of all," \
				"filter jdk.GC*,scrub --no-defaults,scrub,scrub --hosts --paths", name, ",")
		}
		NR == 1 { has_scrub = $4 == 0; scrub_wall = $1; scrub_cpu = $2; scrub_memory = $3 }
		NR == 3 { copy = $1 }
		{
			goal = ""
			if (name[NR] == "merge")
				goal = $1 <= 2 * copy ? "met" : "not met: half of cp"
			if (name[NR] ~ /^filter/ && has_scrub)
				goal = scrub_cpu < 20 * $2 ? "not met: CPU 20" : \
					scrub_memory < 5 * $3 ? "not met: memory 5" : "met"
			ratios = has_scrub && NR > 3 ? \
				sprintf("%.1f | %.1f | %.1f", scrub_cpu / $2, scrub_wall / $1, scrub_memory / $3) : " | | "
			printf "| %s | %.0f ms | %.0f ms | %.1f MB | %.0f | %s | %s | %s |\n", name[NR],
				$1 * 1000, $2 * 1000, $3 * 1024 / 1e6, bytes / $1 / 1e6,
				(NR > 2 ? sprintf("%.0f %%", 100 * copy / $1) : ""), ratios, goal
		}'
	rm -rf "$dir/pieces" "$out"
}

# ---- instructions ----------------------------------------------------------

# The same on any machine with the same compiler and C library, and no matter what else runs.
section_counts()
{
	echo '## Instructions, by callgrind'
	echo
	have valgrind || {
		echo 'Skipped: no valgrind.'
		return
	}
	record compile compile all 12 2g
	forget fixed
	cp "$root/tests/data/ok/jvm-25.jfr" "$dir/fixed.jfr" || exit
	echo '| recording | events | mode | instructions | per event |'
	echo '|---|--:|---|--:|--:|'
	for recording in fixed compile; do
		n=$(events $recording)
		for m in summary decode text json xml; do
			say "instructions, $recording, $m"
			ours_of $m
			valgrind --tool=callgrind "--callgrind-out-file=$dir/callgrind.$recording.$m" \
				$ours "$dir/$recording.jfr" 2>&1 >/dev/null |
			awk -v what="$recording | $n | $m" -v events="$n" '/Collected *:/ {
				printf "| %s | %.0f | %.0f |\n", what, $NF, $NF / events
			}'
		done
	done
}

# ---- views -----------------------------------------------------------------

# Beside the JDK's view: at least so many times less CPU, and wall time where that is not 0.
measure_view()  # NAME VIEW CPU WALL
{
	say "view, $1, $2"
	while IFS=$tab read -r v command; do
		case $v in
		25*)	;;
		*)	continue ;;
		esac
		measure -- $command view "$2" "$dir/$1.jfr" -- "$jfrec" view --jobs 1 "$2" "$dir/$1.jfr" |
		awk -F '\t' -v what="$1 | $2 | $v" -v least="$3" -v wall="$4" '
		NR == 1 { their_wall = $1; their_cpu = $2 }
		NR == 2 {
			verdict = their_cpu >= least * $2 ? "" : "CPU " least
			if (wall && their_wall < wall * $1)
				verdict = verdict (verdict ? ", " : "") "wall " wall
			printf "| %s | %.2f s | %.2f s | %.1f ms | %.1f ms | %.1f | %.0f | %.0f | %s |\n", what,
				their_cpu, their_wall, $2 * 1000, $1 * 1000, $3 / 976.6,
				their_cpu / $2, their_wall / $1, verdict ? "not met: " verdict : "met"
		}'
	done <"$dir/jdks"
}

# Two threads: at most 1.1 times the CPU time of one, and the busier one does at most 56 % of it.
measure_jobs()  # NAME
{
	say "threads, $1"
	"$build/jobs" "$dir/$1.jfr" "$runs" | awk -F '\t' -v name="$1" '{
		verdict = $2 <= 1.1 * $1 ? "" : "CPU 1.1"
		if ($3 > 0.56)
			verdict = verdict (verdict ? ", " : "") "56 %"
		printf "| %s | %.0f ms | %.0f ms | %.2f | %.0f %% | %.0f ms | %.0f ms | %s |\n", name, $1 * 1000,
			$2 * 1000, $2 / $1, $3 * 100, $4 * 1000, $5 * 1000, verdict ? "not met: " verdict : "met"
	}'
}

section_views()
{
	record compile compile all 12 2g
	record compile-many compile all 12 1m
	record server server all 80 12m
	echo '## Views'
	echo
	echo '| recording | view | JDK | its CPU | wall | jfrec, CPU | wall | MB | CPU ratio | wall ratio | goals |'
	echo '|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|'
	for view in gc hot-methods allocation-by-class; do
		measure_view compile $view 60 30
	done
	measure_view compile all-views 40 0
	for view in gc hot-methods; do
		measure_view server $view 15 0
	done
	echo
	echo '| all views of | one thread, CPU | two | ratio | busier one | wall, one | two | goals |'
	echo '|---|--:|--:|--:|--:|--:|--:|---|'
	measure_jobs compile-many
	measure_jobs server
}

# ---- all -------------------------------------------------------------------

build
find_jdks "$@"
{
	echo "# jfrec beside the JDK, $(date +%F)"
	echo
	echo "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1), $(nproc) cores, $(uname -sm);" \
		"$(git -C "$root" describe --always --dirty 2>/dev/null);" \
		"JDK $(cut -f 1 "$dir/jdks" | paste -s -d, - | sed 's/,/, /g');" \
		"load before: $(cut -d ' ' -f 1-3 /proc/loadavg)"
	for section in $sections; do
		echo
		"section_$section" || exit
	done
} >"$dir/table.md" || exit
cat "$dir/table.md"
