#!/bin/sh
# A stranger's first day: wrong words, wrong files, closed pipes, full disks.
#
# usage: stranger.sh JFREC SOURCE_ROOT
#
# jfrec has to end at once, with exit status 0 (done), 1 (failed or damaged) or
# 2 (wrong usage), and to say in one sentence what is wrong with which file.

LC_ALL=C
export LC_ALL
. "$2/tests/cli/tap.sh"
jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
ok=$(cd "$2/tests/data/ok" && pwd) || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
tab=$(printf '\t')
newline='
'
limit=20        # seconds; nothing here takes one

# Tests ----------------------------------------------------------------------------------------------

run()           # ARGUMENT...: sets $status, leaves out and err
{
	timeout "$limit" "$jfrec" "$@" </dev/null >out 2>err
	status=$?
}

# What the last run did, where it is not what it should have done.
show()
{
	echo "# exit status $status, $(($(wc -c <out))) bytes of output; on stderr:"
	head -n 5 err | cut -c 1-300 | sed 's/^/# /'
}

ends()          # NAME STATUS PATTERN: with that status, and stderr begins so (case pattern)
{
	said=$(cat err)
	case $status:$said in
	$2:$3)	result ok "$1" ;;
	*)	result not-ok "$1"
		show ;;
	esac
}

# Exit status 2, a sentence, and where to look; nothing on stdout.
misused()       # NAME PATTERN ARGUMENT...
{
	name=$1 pattern=$2
	shift 2
	run "$@"
	[ ! -s out ] || status="$status and output"
	ends "$name" 2 "jfrec*: $pattern${newline}See \`jfrec*--help\`."
}

# Exit status 1, nothing on stdout and one line on stderr, from each command.
refused()       # NAME FILE PATTERN [FILE_AS_SHOWN]
{
	for command in print summary metadata; do
		run "$command" "$2"
		[ ! -s out ] || status="$status and output"
		[ "$(wc -l <err)" -eq 1 ] || status="$status and not one line"
		ends "$1: $command" 1 "jfrec: ${4-$2}: $3"
	done
}

# Exit status 1, and no sentence without the file's name.
damaged()       # NAME FILE
{
	for command in print summary metadata; do
		run "$command" "$2"
		! grep -qv "^jfrec: $2: " err || status="$status and a line without name"
		ends "$1: $command" 1 '?*'
	done
}

# A way to be somebody else: root may read everything.
as_nobody()
{
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# Words ----------------------------------------------------------------------------------------------

cp "$ok/made-names.jfr" small.jfr
cp "$ok/jvm-25.jfr" large.jfr

run
[ ! -s out ] || status="$status and output"
ends 'no arguments' 2 'Usage: jfrec COMMAND*'
for help in --help -h help; do
	run $help
	grep -q '^  summary ' out || status="$status without commands"
	ends "jfrec $help" 0 ''
done
for version in --version -V version; do
	run $version
	grep -q '^jfrec [0-9]*\.[0-9]*\.[0-9]*$' out || status="$status without version"
	ends "jfrec $version" 0 ''
done
for command in print summary metadata; do
	run $command --help
	grep -q "^Usage: jfrec $command " out || status="$status without usage"
	ends "$command --help" 0 ''
	run help $command
	grep -q "^Usage: jfrec $command " out || status="$status without usage"
	ends "help $command" 0 ''
	misused "$command: no file" 'name the recording *' $command
	misused "$command: unknown option" 'unknown option --wibble' $command --wibble small.jfr
	misused "$command: unknown letter" 'unknown option -Z' $command -Z small.jfr
	misused "$command: mistyped option" 'unknown option --jsno; did you mean --json?' \
		$command --jsno small.jfr
done
misused 'unknown command' 'unknown command frobnicate' frobnicate
run print --events 'GarbageColection,ThreadSleep,*Heap*' "$ok/jvm-17.jfr"
ends 'mistyped event' 0 '*: no event type is called GarbageColection; did you mean jdk.GarbageCollection?*'
run print --events '*Heap*,GarbageCollection' "$ok/jvm-17.jfr"
ends 'events that are there' 0 ''
misused 'mistyped command' 'unknown command pritn; did you mean print?' pritn small.jfr
misused 'what changes a JVM is not suggested for what asks to look' 'unknown command topp; did you mean top?' topp
misused 'but for what begins as it does' 'unknown command stpo; did you mean stop?' stpo
misused 'mistyped command of help' 'unknown command or topic sumary; did you mean summary?' help sumary
misused 'unknown option' 'unknown option --wibble' --wibble
misused 'mistyped option' 'unknown option --hlep; did you mean --help?' --hlep
misused 'a file instead of a command' 'unknown command small.jfr' small.jfr
misused 'an empty command' 'unknown command ' ''
misused '--json and --xml' 'only one * can be given' print --json --xml small.jfr
misused '--xml and --exact' 'only one * can be given' print --xml --exact small.jfr
misused '--events twice' '--events can be given only once*' print --events a --events b small.jfr
misused '--categories twice' '--categories can be given only once*' metadata -c a --categories b small.jfr
misused '--events without a value' 'option --events needs a value' print small.jfr --events
misused '--json with a value' 'option --json takes no value' print --json=yes small.jfr
misused 'an abbreviated option' \
	'unknown option --categor; options cannot be abbreviated: did you mean --categories?' \
	print --categor GC small.jfr
misused 'an abbreviation of one letter' 'unknown option --j*' summary --j small.jfr
misused 'an abbreviated option with a value' \
	'unknown option --event; options cannot be abbreviated: did you mean --events?' \
	print --event=CPULoad small.jfr
misused 'a letter without its value' 'option -e needs a value' print small.jfr -e
for depth in -1 x '' 1x 99999999999999999999; do
	misused "--stack-depth $depth" "--stack-depth takes a number from 0 on, not $depth" \
		print --stack-depth "$depth" small.jfr
done
run print small.jfr --json
grep -q '^{' out || status="$status without JSON"
ends 'an option behind the file' 0 ''
run print -je NoPackage small.jfr
mv out expected
for words in '-jeNoPackage' '-j --events=NoPackage' '--events NoPackage --json --'; do
	# shellcheck disable=SC2086 # these are several words
	run print $words small.jfr
	cmp -s out expected || status="$status with other output"
	ends "options in another form: $words" 0 ''
done
POSIXLY_CORRECT=1
export POSIXLY_CORRECT
run print small.jfr --json
ends 'with POSIXLY_CORRECT options end at the first operand' 1 '*--json: cannot open*'
unset POSIXLY_CORRECT
run summary small.jfr -- --json
ends 'what follows -- is an operand' 1 '*--json: cannot open*'

# Names ----------------------------------------------------------------------------------------------

run summary small.jfr
mv out expected
for name in 'two words' '-dash.jfr' "new${newline}line" "tab$tab" 'no-suffix' 'x.txt' '$(false)' '%s%n' "$(printf '\351')"; do
	cp small.jfr "./$name"
	run summary -- "$name"
	cmp -s out expected || status="$status with other output"
	ends "a file named so: $(printf %s "$name" | tr "$newline$tab" '??')" 0 ''
	rm -f "./$name"
done
refused 'a name of two lines' "a${newline}b" 'cannot open: *' 'a^Jb'
refused 'a name that colours the terminal' "$(printf '\033[31m')" 'cannot open: *' '^\[[31m'
refused 'a name that is printed' '%s%s%n' 'cannot open: *'
ln -s small.jfr link.jfr
run summary link.jfr
cmp -s out expected || status="$status with other output"
ends 'a symbolic link' 0 ''
rm -f expected

# What is no recording -------------------------------------------------------------------------------

refused 'no such file' missing.jfr 'cannot open: No such file or directory'
refused 'no name' '' 'cannot open: No such file or directory'
mkdir empty
refused 'a directory' empty 'is a directory without recordings'
refused 'no such directory' small.jfr/x 'cannot open: Not a directory'
for device in /dev/zero /dev/null /dev/full; do
	[ -c "$device" ] && refused "$device" "$device" 'is a device; *'
done
mkfifo fifo
refused 'a FIFO' fifo 'is a pipe without a writer'
if perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) && bind(S, sockaddr_un("socket")) or die' 2>/dev/null; then
	refused 'a socket' socket 'is a socket; *'
else
	skip 'a socket' 'no perl to make one'
fi
ln -s nowhere dangling
refused 'a dangling link' dangling 'cannot open: No such file or directory'
ln -s circle circle
refused 'a link to itself' circle 'cannot open: *'

mkdir -m 755 shared
cp "$jfrec" shared/jfrec
cp small.jfr shared/secret.jfr
chmod 000 shared/secret.jfr
chmod 711 .
if as_nobody ./shared/jfrec --version >out 2>err; then
	as_nobody ./shared/jfrec print shared/secret.jfr >out 2>err
	status=$?
	ends 'a file one may not read' 1 'jfrec: shared/secret.jfr: cannot open: Permission denied'
else
	skip 'a file one may not read' 'cannot become somebody who may not'
fi
rm -rf shared

: >empty.jfr
refused 'an empty file' empty.jfr 'is empty'
printf 'F' >short.jfr
refused 'a file of one byte' short.jfr 'is not a recording: *'
printf 'FLR\0' >magic.jfr
refused 'four bytes' magic.jfr 'is truncated after 4 bytes*'
head -c 60 small.jfr >header.jfr
refused 'half a header' header.jfr 'is truncated after 60 bytes*'
echo 'Not every file is a recording.' >text.jfr
refused 'a text' text.jfr 'is not a recording: *'
printf 'PK\003\004%0500d' 0 >zip.jfr
refused 'a ZIP archive' zip.jfr 'is a zip archive without recordings that can be read: *'
{ printf '%0257d' 0; printf 'ustar%0400d' 0; } >tar.jfr
refused 'a tar archive' tar.jfr 'is a tar archive; *tar *'
gzip -c tar.jfr >tar.jfr.gz
refused 'a compressed tar archive' tar.jfr.gz 'is a tar archive; *tar *'
printf 'BZh91AY&SY' >bz2.jfr
refused 'bzip2' bz2.jfr 'cannot be read: the bzip2 data is truncated'
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n' >lfs.jfr
refused 'a pointer of Git LFS' lfs.jfr 'is a pointer of Git LFS*git lfs pull*'
printf 'RkxSAAAC%%%%' >base64.jfr
refused 'base64' base64.jfr 'is truncated after 6 bytes*'
printf '<!DOCTYPE html>\n<title>Sign in</title>' >page.jfr
refused 'a web page' page.jfr 'is a web page, *'
printf '{"message":"Not Found"}' >json.jfr
refused 'the answer of a server' json.jfr 'is JSON, *'
gzip -c text.jfr >packed.jfr 2>/dev/null
refused 'a compressed text' packed.jfr 'is not a recording: *'
{ printf 'FLR\0\0\0\0\011'; head -c 1000 /dev/zero; } >old.jfr
damaged 'a recording of Oracle JDK 7 or 8 without its types' old.jfr

put_byte()      # FILE OFFSET BYTE: in octal
{
	printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

cp small.jfr future.jfr
put_byte future.jfr 5 003
refused 'a version to come' future.jfr 'is a recording of a version newer than 2.x*'
cp small.jfr fixed.jfr
put_byte fixed.jfr 67 000
refused 'uncompressed integers' fixed.jfr 'is a recording with uncompressed integers*'

# Large and damaged ----------------------------------------------------------------------------------

limit=5         # seconds for what looks like 5 GB; the time of a glance
if truncate -s 5G sparse.jfr 2>/dev/null; then
	refused '5 GB of zeros' sparse.jfr 'is not a recording: *'
	head -c 68 small.jfr >sparse.jfr
	truncate -s 5G sparse.jfr
	damaged 'a header and 5 GB of zeros' sparse.jfr
	put_byte sparse.jfr 11 001      # 4 GB more
	damaged 'a header that promises 4 GB of zeros' sparse.jfr
	cp small.jfr sparse.jfr
	truncate -s 5G sparse.jfr
	damaged 'a recording and 5 GB of zeros' sparse.jfr
	run print small.jfr
	mv out expected
	run print sparse.jfr
	cmp -s out expected || status="$status with other events"
	ends 'its events are printed' 1 '?*'
	rm -f sparse.jfr
else
	skip 'files of 5 GB' 'no sparse files here'
fi
limit=20

size=$(($(wc -c <large.jfr)))
head -c $((size * 2 / 3)) large.jfr >cut.jfr
damaged 'a recording that was cut off' cut.jfr
cat small.jfr cut.jfr >half.jfr
run print small.jfr
mv out expected
run print half.jfr
head -c "$(wc -c <expected)" out | cmp -s - expected || status="$status with other events"
ends 'a good chunk before a bad one' 1 'jfrec: half.jfr: ?*'
cat small.jfr small.jfr >twice.jfr
run summary twice.jfr
grep -q ' Chunks: 2$' out || status="$status without two chunks"
ends 'two recordings joined with cat' 0 ''

# Where the output goes ------------------------------------------------------------------------------

for arguments in print 'print --json' 'print --xml' 'view all-views' 'view --json gc' summary 'summary --json' metadata 'metadata --json'; do
	# The pipe is closed after a line; a quick tool may be done by then, a slow one is not.
	{ timeout $limit "$jfrec" $arguments large.jfr 2>err; echo $? >status; } | head -n 1 >out
	status=$(cat status)
	ends "$arguments | head -n 1" 0 ''
	if [ -c /dev/full ]; then
		timeout $limit "$jfrec" $arguments large.jfr >/dev/full 2>err
		status=$?
		ends "$arguments to a full disk" 1 'jfrec: cannot write standard output: No space left on device'
	else
		skip "$arguments to a full disk" 'no /dev/full'
	fi
	timeout $limit "$jfrec" $arguments large.jfr 2>err >&-
	status=$?
	ends "$arguments with stdout closed" 1 'jfrec: cannot write standard output: Bad file descriptor'
	timeout $limit "$jfrec" $arguments cut.jfr >out 2>&-
	status=$?
	: >err
	ends "$arguments with stderr closed" 1 ''
done
if [ -c /dev/full ]; then
	timeout $limit "$jfrec" --help >/dev/full 2>err
	status=$?
	ends '--help to a full disk' 1 'jfrec: cannot write standard output: *'
fi

# Nobody reads the pipe any further: the tool hangs in write() until Ctrl-C.  A pipe
# may hold a megabyte.
if env --default-signal=INT true 2>/dev/null; then
	exec 9<>fifo
	: >out
	timeout --preserve-status -s INT -k 10 1 \
		env --default-signal=INT "$jfrec" print --json $(printf 'large.jfr %.0s' 1 2 3 4 5 6 7 8) >&9 2>err
	status=$?
	exec 9>&-
	ends 'Ctrl-C' 130 ''
	for arguments in 'flame -o page.html' analyze 'report -o page.html'; do
		: >out
		{
			cat "$ok/jvm-17.jfr"
			sleep 2
		} | timeout --preserve-status -s INT -k 10 1 env --default-signal=INT "$jfrec" $arguments - 2>err
		status=$?
		ends "$arguments: Ctrl-C" 130 ''
	done
	result "$([ -e page.html ] && echo not-ok || echo ok)" 'Ctrl-C leaves no page'
else
	skip 'Ctrl-C' 'env knows no --default-signal'
fi

# How many control bytes but those of lines; \302 and another byte is one in UTF-8.
control_bytes()
{
	tr -d '\r\n\t' | od -An -v -to1 | tr -s ' ' '\n' | awk '
		/./ && ($0 < "040" || $0 == "177" || (before == "302" && $0 >= "200" && $0 < "240")) { n++ }
		{ before = $0 }
		END { print n + 0 }'
}

printf '\033[2J\177\302\233' | control_bytes >out
if [ "$(cat out)" -ne 3 ]; then
	result not-ok 'this test finds control bytes'
elif script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	for arguments in print 'print --exact' 'print --json' 'print --xml' summary metadata 'metadata --json'; do
		script -qec "'$jfrec' $arguments '$ok/text-25.jfr'" /dev/null </dev/null >out 2>err
		status=$?
		[ "$(control_bytes <out)" -eq 0 ] || status="$status with control bytes"
		[ -s out ] || status="$status without output"
		ends "$arguments on a terminal" 0 ''
	done
	run print "$ok/text-25.jfr"
	[ "$(control_bytes <out)" -gt 0 ] || status="$status without control bytes"
	ends 'a file gets what was recorded' 0 ''
else
	skip 'control bytes on a terminal' 'script(1) is missing or has no terminal'
fi

finish
