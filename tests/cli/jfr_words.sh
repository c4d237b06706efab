#!/bin/sh
# By the name jfr: right and wrong command lines, and what JDK 25 says of each on the first
# line of standard error; jfr_words.tsv has them, and live/jdk_names.sh asks the JDK itself.
#
# usage: jfr_words.sh JFREC SOURCE_ROOT

jfrec=$(realpath "$1")
table=$(realpath "$2")/tests/cli/jfr_words.tsv
. "$2/tests/cli/tap.sh"
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$jfrec" "$work/bin/jfr"
recording=$(realpath "$2")/tests/data/ok/jvm-25.jfr
unset JFREC_JFR_VERSION

# What the command lines of the table are about.
. "$2/tests/cli/jfr_words_files.sh"

answers()       # STATUS SENTENCE WORD...
{
	wanted=$1
	sentence=$2
	shift 2
	prepare_files "$work/here" "$recording"
	(cd "$work/here" && "$work/bin/jfr" "$@" >"$work/out" 2>"$work/err" </dev/null)
	status=$?
	first=$(head -n 1 "$work/err")
	[ "$status" -eq "$wanted" ] && [ "$first" = "$sentence" ] && return
	echo "exit status $status, not $wanted: $first"
	return 1
}

# Wrong usage comes with how it is typed, what fails in another way does not.
has_usage()     # STATUS COMMAND
{
	if [ "$1" -eq 2 ] && [ "${2#-}" = "$2" ] && grep -q "^jfr $2: " "$work/err"; then
		grep -q '^Usage:$' "$work/err" && grep -q "^ jfr $2 " "$work/err"
	else
		! grep -q '^Usage:' "$work/err"
	fi
}

tab=$(printf '\t')
while IFS="$tab" read -r line status sentence; do
	eval "set -- $line"
	sentence=$(echo "$sentence" | sed "s,@here@,$work/here,g")
	works "jfr $line" answers "$status" "$sentence" "$@"
	works "jfr $line: usage" has_usage "$status" "$1"
done <"$table"

jfr=$work/bin/jfr
cd "$work" || exit

prints()        # TEXT COMMAND...
{
	text=$1
	shift
	"$@" >out 2>err && grep -qF -e "$text" out
}

works 'the version' prints 25.0.3 "$jfr" version
works 'another version' prints 21.0.9 env JFREC_JFR_VERSION=21.0.9 "$jfr" --version
works 'options of the JVM are dropped' prints 25.0.3 "$jfr" -J-Xmx64m version -J-Dx=y
works '-J alone' eval '! "$jfr" -J version >out 2>err && grep -q "should not be followed by a space" err'
works 'help of version' prints 'Display version of the jfr tool' "$jfr" help version
works 'how version is typed' prints ' jfr version (alias --version)' "$jfr" help version

# In the bin of a JDK.
mkdir -p jdk/bin jdk/lib/jfr
printf 'IMPLEMENTOR="x"\nJAVA_VERSION="17.0.99"\n' >jdk/release
cat >jdk/lib/jfr/default.jfc <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0" label="Ours" provider="Test">
  <event name="jdk.CPULoad"><setting name="period">77 s</setting></event>
</configuration>
END
ln -s "$jfrec" jdk/bin/jfr
works 'the version of the JDK that it stands in' prints 17.0.99 jdk/bin/jfr version
works 'found by the path' prints 17.0.99 env PATH="$work/jdk/bin:$PATH" jfr version
works 'configure takes its default.jfc' prints 'written successfully' jdk/bin/jfr configure --output x.jfc
works 'which it changes' grep -q '77 s' x.jfc
rm jdk/release
works 'a bin that is none of a JDK' prints 25.0.3 jdk/bin/jfr version

# Without a recording, the types of JDK 25; the texts that describe them are the JDK's own.
"$jfr" metadata >types
works 'metadata without a recording' [ "$(grep -c '^@Name("jdk\.' types)" -gt 150 ]
works 'begins as the JDK does' eval '[ "$(head -n 1 types)" = "class boolean {" ]'
works 'is what jfrec has' eval '"$jfrec" metadata --jdk 25 | cmp - types'
works 'of some events' prints '@Name("jdk.CPULoad")' "$jfr" metadata --events CPULoad,GarbageCollection
works 'and no others' eval '[ "$(grep -c ^@Name out)" -eq 2 ]'
works 'of another JDK' prints '@Name("jdk.CPULoad")' "$jfr" metadata --jdk 17 --events CPULoad
works 'options of ours' prints '"jdk.DoubleFlag"' "$jfr" print --ndjson --events DoubleFlag "$recording"

# By the name jcmd.
ln -s "$jfrec" bin/jcmd
works 'jcmd: -J in front of -l' "$work/bin/jcmd" -J-Xmx64m -l
works 'jcmd: -J in front of -h' prints 'Usage: jcmd' "$work/bin/jcmd" -J-Dx=y -h
works 'jcmd: -J and a pid' eval '! "$work/bin/jcmd" -J-Dx=y 4194305 VM.version 2>err >out && grep -q "^4194305:" out'
finish
