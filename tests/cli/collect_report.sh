#!/bin/sh
# jfrec collect with `report:`: which files get a page, what it costs of the limits, and what is
# there after it was killed at every step.
#
# usage: collect_report.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
jfrec=$(realpath "$1")
data=$(realpath "$2")/tests/data/ok
. "$2/tests/cli/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/jfrec-collect-report-XXXXXX") || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
umask 022

# Repositories of a user who has no JVM here: as root of one that nobody is.
uid=$(id -u)
[ "$uid" -ne 0 ] || uid=4194399
if "$jfrec" list --user "$uid" 2>/dev/null | grep -q '^ *[0-9]'; then
	echo '1..0 # SKIP this user has JVMs'
	exit 0
fi

exits()         # STATUS COMMAND...
{
	want=$1
	shift
	"$@" >out 2>err
	got=$?
	[ $got -eq "$want" ] || { echo "exit status $got, not $want"; cat out err; return 1; }
}

says()          # WORDS
{
	grep -qF -e "$1" out err || { cat out err; return 1; }
}

# The configuration, with these lines more.
configure()     # LINE...
{
	cat >c.yaml <<END
directory: $work/here
repositories: [ $work/dead ]
name: "%p.jfr"
jvms:
  - user: $uid
END
	printf '%s\n' "$@" >>c.yaml
}

leave()         # REPOSITORY SOURCE
{
	mkdir -p "dead/$1"
	cp "$data/$2.jfr" "dead/$1/2026_11_20_09_46_59.jfr"
	[ "$(id -u)" -ne 0 ] || chown -R "$uid" dead
	touch -d '2 hours ago' "dead/$1/2026_11_20_09_46_59.jfr" "dead/$1"
}

# No process can have these pids.
leave_all()
{
	rm -rf dead here
	mkdir here
	leave 2026_11_20_09_46_59_4194401 jvm-25
	leave 2026_11_20_09_47_11_4194402 contexts-25
}

collects()      # STATUS LINE...
{
	status=$1
	shift
	leave_all
	configure "$@"
	exits "$status" "$jfrec" collect -c c.yaml
}

has()           # NAMES
{
	[ "$(ls here | tr '\n' ' ')" = "$1 " ] || { ls -lA here; return 1; }
}

both='4194401.jfr 4194402.jfr'

# Which files get one -----------------------------------------------------------------------------

works 'a page for each file' collects 0 'report: html'
works 'is beside it' has '4194401.html 4194401.jfr 4194402.html 4194402.jfr'
works 'and is told' says '4194401.html: report written, '
works 'it is that of jfrec report' grep -q '<title>4194401.jfr' here/4194401.html
works 'nobody else can read it' [ "$(stat -c %a here/4194401.html)" = 600 ]
works 'nothing is half done' [ "$(ls -A here/.jfrec-collect)" = state ]
works 'the next pass has nothing to do' exits 0 "$jfrec" collect -c c.yaml
works 'and says nothing' [ ! -s out ]
works 'other formats' collects 0 'report: {format: json}'
works 'have their own suffix' python3 -m json.tool here/4194401.json /dev/null
works 'compressed recordings' collects 0 'report: markdown' 'compress: gzip'
works 'too' has '4194401.jfr.gz 4194401.md 4194402.jfr.gz 4194402.md'
works 'a name that is taken' eval 'leave_all; echo mine >here/4194401.html; configure "report: html"
	exits 0 "$jfrec" collect -c c.yaml'
works 'is left to its owner' has '4194401-2.html 4194401.html 4194401.jfr 4194402.html 4194402.jfr'
works 'only with an event' collects 0 'report: {on: "jdk.GCPhasePause[duration >= 0s]"}'
works 'that one has' [ "$(ls here | grep -c html)" -ge 1 ]
works 'which none has' collects 0 'report: {on: "jdk.GCPhasePause[duration > 1h]"}'
works 'gets none' has "$both"
works 'only with a warning' collects 0 'report: {finding: warning}'
works 'which none has, either' has "$both"
works 'only with an info' collects 0 'report: {finding: info}'
works 'there are such' [ "$(ls here | grep -c html)" -ge 1 ]
works 'a trial' eval 'leave_all; configure "report: html"; exits 0 "$jfrec" collect -c c.yaml -n'
works 'writes none' [ -z "$(ls here)" ]

# The command comes after it ----------------------------------------------------------------------

cat >ship <<END
#!/bin/sh
ls "$work/here" | tr '\n' ' ' >>"$work/shipped"
echo "\${1##*/}" >>"$work/shipped"
[ ! -e "$work/fail" ]
END
chmod +x ship
works 'a command' collects 0 'report: html' "run: $work/ship"
works 'finds the page, and is not run for it' [ "$(cat shipped)" = "4194401.html $both 4194401.jfr
4194401.html 4194401.jfr 4194402.html 4194402.jfr 4194402.jfr" ]
touch fail
works 'one that fails' collects 1 'report: html' "run: $work/ship"
rm fail
works 'is run again' exits 0 "$jfrec" collect -c c.yaml
works 'with the same page' has '4194401.html 4194401.jfr 4194402.html 4194402.jfr'

# Limits ------------------------------------------------------------------------------------------

works 'pages are counted' collects 0 'report: html' 'limits: {files: 3}'
works 'as files' [ "$(ls here | wc -l)" -le 3 ]
works 'no room beside the recording' collects 1 'report: html' 'limits: {files: 1}'
works 'is said' says 'limits leave no room for a report of '
works 'and the recording stays' has 4194402.jfr
works 'too long' collects 1 'report: {timeout: 1ms}'
works 'is given up' says 'no report was written: it was not done in 0.001 s'
works 'and not tried again' exits 0 "$jfrec" collect -c c.yaml
works 'nor anything left' has "$both"
works 'an unknown field' collects 1 'report: {on: "jdk.GCPhasePause[speed > 1]"}'
works 'is said, too' says 'speed'
leave_all
printf '\377\377\377\377' | dd of=dead/2026_11_20_09_46_59_4194401/2026_11_20_09_46_59.jfr bs=1 seek=200 \
	conv=notrunc 2>/dev/null
configure 'report: html'
works 'a damaged recording' exits 0 "$jfrec" collect -c c.yaml
works 'has a page of what is whole' grep -q '</html>' here/4194401.html

# Mistakes ----------------------------------------------------------------------------------------

while IFS='|' read -r place line; do
	configure "$line"
	works "$line" exits 2 "$jfrec" collect -c c.yaml --check
	works "is refused" says "c.yaml: line 6, $place"
done <<'END'
column 9: report must be html, markdown or json|report: pdf
column 9: report is a map|report: [html]
column 10: there is no key fromat in report; did you mean format?|report: {fromat: html}
column 14: on must be an event|report: {on: "[x]"}
column 14: on must be an event|report: {on: "A[x"}
column 14: on: column |report: {on: "A[duration >]"}
column 19: finding must be info or warning|report: {finding: ok}
column 19: timeout must be a time|report: {timeout: 0s}
END

# Killed at every step ----------------------------------------------------------------------------

can_trace()
{
	command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null
}

# What is there is whole, and after another pass all of it.
is_whole()
{
	for page in here/*.md; do
		[ ! -e "$page" ] || cmp -s "$page" "whole/${page#here/}" || { echo "$page"; return 1; }
	done
}

survives()      # CALL
{
	number=1
	while [ $number -lt 60 ]; do
		leave_all
		strace -qq -o trace -e trace="$1" -e inject="$1":signal=KILL:when=$number \
			"$jfrec" collect -c c.yaml >out 2>&1
		[ $? -ne 137 ] && break
		is_whole && exits 0 "$jfrec" collect -c c.yaml && is_whole &&
			has '4194401.jfr 4194401.md 4194402.jfr 4194402.md' &&
			[ "$(ls -A here/.jfrec-collect)" = state ] ||
			{ echo "killed at $1 number $number"; return 1; }
		number=$((number + 1))
	done
	[ "$number" -gt 1 ] || { echo "there is no $1"; return 1; }
}

works 'pages for later' collects 0 'report: markdown'
rm -rf whole
cp -r here whole
if can_trace; then
	for call in memfd_create renameat2 linkat fsync unlinkat; do
		works "killed at each $call" survives $call
	done
else
	result ok 'killed at each step # SKIP no strace'
fi
finish
