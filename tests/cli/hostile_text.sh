#!/bin/sh
# Texts of others: what terminals would obey, and what spreadsheets would run.
#
# usage: hostile_text.sh JFREC SOURCE_ROOT

jfrec=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
ok=$(cd "$2/tests/data/ok" && pwd)
. "$2/tests/cli/tap.sh"

dir=$(mktemp -d) || exit
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
LC_ALL=C
export LC_ALL
override=$(printf '\342\200\256')       # U+202E: what follows is shown from right to left
control=$(printf '\302\233')            # U+009B: as ESC [
bare=$(printf '\233')                   # the same to terminals of 8 bits
instead=$(printf '\357\277\275')

# A recording in which the thread main has another name, of as many bytes.  Its length stands in front.
named()         # FOUR_BYTES
{
	sed "s/\x03\x04main/\x03\x04$1/g" "$ok/jvm-25.jfr" >named.jfr
}

on_terminal()   # ARGUMENT...
{
	script -qec "'$jfrec' $*" /dev/null </dev/null >out 2>&1
}

# Messages, wherever they go.
for text in "a${override}b" "a${control}b" "a${bare}b"; do
	"$jfrec" summary "$text" 2>err
	works 'a name in a message' grep -qx "jfrec: a${instead}b: cannot open: .*" err
	"$jfrec" print --limit "$text" x.jfr 2>err
	works 'a value in a message' grep -q "not a${instead}b$" err
done
"$jfrec" print --from "$(printf '1\r')" x.jfr 2>err
works 'a carriage return in a message' grep -q ': 1^M is not a time' err

# Output.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	for bytes in "a$override" "ab$control" "abc$bare"; do
		named "$bytes"
		for command in 'print --events ThreadSleep' 'print --json --events ThreadSleep' 'metadata'; do
			"$jfrec" $command named.jfr >piped 2>/dev/null
			on_terminal "$command named.jfr"
			works "$command on a terminal: nothing to obey" \
				sh -c '! grep -q -e "$1" -e "$2" out' sh "$override" "$control"
			tr -d '\r' <out | sed "s/$instead//g" >shown
			sed "s/$override//g; s/$control//g; s/$instead//g" piped >wanted
			works "$command on a terminal: all else" cmp shown wanted
		done
	done
	named "a$override"
	works 'a file gets what was recorded' sh -c '"$1" print --events ThreadSleep named.jfr | grep -q "$2"' sh "$jfrec" "$override"
else
	result ok 'terminals # SKIP script(1) is missing or has no terminal'
fi

# Tables.
cell()          # OPTION...: the name of the thread
{
	"$jfrec" print --events ThreadSleep --fields eventThread.javaName "$@" named.jfr | sed -n 2p | tr -d '\r'
}

for bytes in =1+2 +1+2 -1+2 @SUM; do
	named "$bytes"
	works "$bytes in --csv is exact" [ "$(cell --csv)" = "$bytes" ]
	works "$bytes in --csv --escape-formulas" [ "$(cell --csv --escape-formulas)" = "'$bytes" ]
	works "$bytes in --tsv --escape-formulas" [ "$(cell --tsv --escape-formulas)" = "'$bytes" ]
done
named 'a=-1'
works 'what is none stays' [ "$(cell --csv --escape-formulas)" = 'a=-1' ]
"$jfrec" print --csv --events Amounts "$ok/fields-25.jfr" >plain 2>/dev/null
"$jfrec" print --csv --escape-formulas --events Amounts "$ok/fields-25.jfr" >escaped 2>/dev/null
works 'numbers below zero stay numbers' cmp plain escaped
"$jfrec" print --json --escape-formulas named.jfr >out 2>err
works 'only tables have them' [ $? = 2 ]

finish
