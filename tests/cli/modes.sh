#!/bin/sh
# Who may read what is written: recordings are their owner's alone, what has no secrets follows the
# umask, and what is replaced keeps its permissions.
#
# usage: modes.sh JFREC SOURCE_ROOT

jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
data=$(cd "$2" && pwd)/tests/data/ok
. "$2/tests/cli/tap.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
umask 027
ln -s "$jfrec" jfr

has_mode()      # MODE FILE...
{
	want=$1
	shift
	for file; do
		[ "$(stat -c %a "$file")" = "$want" ] || { stat -c '%n: %a' "$file"; return 1; }
	done
}

makes()         # MODE FILE COMMAND...
{
	mode=$1
	file=$2
	shift 2
	rm -f "$file"
	"$@" >out 2>err || { cat err; return 1; }
	has_mode "$mode" "$file"
}

cp "$data/frames-25.jfr" a.jfr
mkdir repository
cp a.jfr repository/2026_11_20_09_47_05.jfr
for command in merge filter repair; do
	works "$command" makes 600 out.jfr "$jfrec" $command a.jfr -o out.jfr
	works "$command --mode" makes 644 out.jfr "$jfrec" $command a.jfr -o out.jfr --mode 644
	works "$command --force" eval 'chmod 640 out.jfr &&
		"$jfrec" $command a.jfr -o out.jfr --force >out && has_mode 640 out.jfr'
	works "$command --force --mode" eval \
		'"$jfrec" $command a.jfr -o out.jfr --force --mode 0604 >out && has_mode 604 out.jfr'
done
works 'split' makes 600 a_0.jfr "$jfrec" split a.jfr
works 'split --mode' makes 440 a_0.jfr "$jfrec" split a.jfr --mode 440
works 'dump of a repository' makes 600 out.jfr "$jfrec" dump repository/ -o out.jfr
works 'compressed' makes 600 out.jfr.gz "$jfrec" merge a.jfr -o out.jfr.gz

works 'scrub follows the umask' makes 640 out.jfr "$jfrec" scrub a.jfr -o out.jfr
works 'its report, too' makes 640 report "$jfrec" scrub a.jfr -o out2.jfr --report report
works 'scrub --mode' makes 600 out.jfr "$jfrec" scrub a.jfr -o out.jfr --mode 600
works 'settings follow the umask' makes 640 s.jfc "$jfrec" settings set minimal -o s.jfc
works 'settings set --mode' makes 400 s.jfc "$jfrec" settings set minimal -o s.jfc --mode 400

works 'jfr scrub follows the umask' makes 640 out.jfr ./jfr scrub a.jfr out.jfr
"$jfrec" merge --plain a.jfr "$data/fields-25.jfr" -o two.jfr >out
works 'jfr disassemble' makes 640 two_1.jfr ./jfr disassemble --max-chunks 1 two.jfr
mkdir parts
cp a.jfr parts
works 'jfr assemble' makes 640 out.jfr ./jfr assemble parts out.jfr
works 'jfr configure' makes 640 c.jfc ./jfr configure --input s.jfc --output c.jfc

for mode in '' 8 888 1000 -1 u+r 0x1ff 00600; do
	works "--mode '$mode' is refused" eval \
		'"$jfrec" merge a.jfr -o no.jfr --mode "$mode" 2>err; [ $? -eq 2 ]'
	works 'with a sentence' grep -q -e "--mode takes permissions in octal, for example 640, not '$mode'" err
done
works 'and writes nothing' [ ! -e no.jfr ]

# Where a file system has no nameless files, a killed run leaves one, which the next one removes.
if command -v flock >/dev/null; then
	: >.out.jfr.jfrec-00c0ffee
	: >.held.jfr.jfrec-00c0ffee
	exec 9<.held.jfr.jfrec-00c0ffee
	flock 9
	works 'a run beside what another left' makes 600 out.jfr "$jfrec" merge a.jfr -o out.jfr
	works 'removes that' [ ! -e .out.jfr.jfrec-00c0ffee ]
	for command in flame report; do
		: >.page.html.jfrec-00c0ffee
		works "$command, too" eval '"$jfrec" $command "$data/jvm-17.jfr" -o page.html --force && [ ! -e .page.html.jfrec-00c0ffee ]'
	done
	works 'but not what is being written' [ -e .held.jfr.jfrec-00c0ffee ]
	exec 9<&-
else
	result ok 'what killed runs left # SKIP no flock'
fi

# kill -9 in the middle of writing
mkfifo pipe
exec 9<>pipe
"$jfrec" merge a.jfr pipe -o late.jfr >out 2>err 9>&- &
merger=$!
sleep 0.3
kill -9 $merger
wait $merger 2>/dev/null
exec 9>&-
works 'a run that is killed leaves no file' eval '[ ! -e late.jfr ] && ! ls -A | grep late'

finish
