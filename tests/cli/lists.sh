#!/bin/sh
# Every list that is written by hand names what there is, no more and no less: commands in the
# README and in SEE ALSO, exit codes, pages, operands, output formats, words that options take.  (face.sh compares the
# commands and options of --help, pages and completions.)
#
# usage: lists.sh JFREC SOURCE_ROOT

jfrec=$1
root=$2
man=$root/man
. "$root/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

same()          # NAME WANTED FOUND
{
	works "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || printf '# wanted: %s\n# found:  %s\n' "$2" "$3"
}

words()         # of standard input, sorted, on one line
{
	tr ' ' '\n' | sed '/^$/d' | LC_ALL=C sort -u | tr '\n' ' '
}

section()       # PAGE HEADING
{
	awk -v heading="# $2" '/^# / { here = $0 == heading; next } here' "$1"
}

commands=$("$jfrec" --help | awk '/^  [a-z]+  / && $1 != "help" { print $1 }')
works 'there are commands' [ -n "$commands" ]

# Commands -----------------------------------------------------------------------------------------

in_readme()     # COMMAND: as `jfrec COMMAND`, `COMMAND`, or among "also threads, histogram"
{
	grep -qE "jfrec $1( |\`|\$)|\`$1\`|also ([a-z]+, )*$1(,|\$)" "$root/README.md"
}

for command in $commands; do
	works "README.md names $command" in_readme "$command"
done
same 'cli/main.c lists what --help does' "$(echo "$commands" | words)" \
	"$(sed -n 's/^	&cmd_\([a-z]*\),$/\1/p' "$root/cli/main.c" | words)"

in_commands()   # PAGE
{
	section "$1" COMMANDS | sed -n 's/^\*\([a-z]*\)\*$/\1/p' | words
}

same 'COMMANDS of jfrec(1) has all commands' "$(echo "$commands" | words)" \
	"$(in_commands "$man/jfrec.1.scd")"
grep -vx '\*filter\*' "$man/jfrec.1.scd" >"$work/planted.scd"
works 'one that is missing there is found' \
	[ "$(in_commands "$work/planted.scd")" != "$(echo "$commands" | words)" ]

# Pages --------------------------------------------------------------------------------------------

pages=$(for page in "$man"/*.scd; do basename "$page" .scd; done | words)
same 'SEE ALSO of jfrec(1) has all pages' "$(echo "$pages" | tr ' ' '\n' | grep -vx jfrec.1 | words)" \
	"$(section "$man/jfrec.1.scd" 'SEE ALSO' | grep -oE '\*jfrec-[a-z]+\*\([1-9]\)' |
		sed 's/^\*//; s/\*(/./; s/)//' | words)"
same 'meson.build installs all pages' "$pages" \
	"$(sed -n "s/^	\['\(jfrec[a-z-]*\)', '\([1-9]\)'\],\$/\1.\2/p" "$root/meson.build" | words)"

refers()        # PAGE: to pages that there are
{
	for name in $(grep -ohE '\*jfrec(-[a-z]+)?\*\([1-9]\)' "$1" | sed 's/^\*//; s/\*(/./; s/)//'); do
		[ -f "$man/$name.scd" ] || { echo "# $name"; return 1; }
	done
}

for page in "$man"/*.scd; do
	works "$(basename "$page" .scd) refers to pages that there are" refers "$page"
done

# Topics -------------------------------------------------------------------------------------------

for command in $commands; do
	works "fish offers $command after help" grep -qE "__jfrec_is help' -a '(.* )?$command " "$root/completions/jfrec.fish"
done

# Operands: where SYNOPSIS has one line, it is the line of --help -------------------------------------

usage()         # COMMAND
{
	"$jfrec" "$1" --help | sed -n '1s/^Usage: //p'
}

for command in $commands; do
	synopsis=$(section "$man/jfrec-$command.1.scd" SYNOPSIS | sed '/^$/d' | tr -d '*_\\')
	case $synopsis in
	*'
'* | *++) ;;
	*'[OPTION...]'*) same "$command: SYNOPSIS is the usage" "$(usage "$command")" "$synopsis" ;;
	esac
done

# Exit codes ---------------------------------------------------------------------------------------

codes=$(sed -n 's/^	EXIT_[A-Z_]* = \([0-9]*\),.*/\1/p' "$root/cli/base/command.h" | words)
works 'there are exit codes' [ -n "$codes" ]
same 'jfrec(1) has all exit codes' "$codes" \
	"$(section "$man/jfrec.1.scd" 'EXIT STATUS' | sed -n 's/^\*\([0-9]*\)\*$/\1/p' | words)"
same 'docs/tour.md has all exit codes' "$codes" \
	"$(sed -n 's/^| \([0-9]\{1,3\}\) |.*/\1 \1/p; s/^| \([0-9]*\) to \([0-9]*\) |.*/\1 \2/p' \
		"$root/docs/tour.md" | while read -r from to; do seq "$from" "$to"; done | words)"

# Output formats -----------------------------------------------------------------------------------

formats=$(sed -n 's/.*{ \.info = { JFREC_[A-Z]*, "\([a-z]*\)".*/\1/p' "$root/lib/print/formats.c" |
	grep -vx text)
works 'there are formats' [ -n "$formats" ]
for format in $formats; do
	works "print has --$format" eval '"$jfrec" print --help | grep -qE -- "--$format +[a-z]"'
	works "jfrec-print(1) has --$format" grep -qE "^\*.*--$format\*" "$man/jfrec-print.1.scd"
done

# Words that options take ----------------------------------------------------------------------------

completions=$root/completions
tab=$(printf '\t')
"$jfrec" --dump-options >"$work/options"
works 'there are options with words to choose from' \
	[ "$(cut -f 5 "$work/options" | grep -c .)" -ge 10 ]
same 'the options of all commands are those of --help' \
	"$(for command in $commands; do "$jfrec" "$command" --help; done |
		sed -nE 's/^  (-[A-Za-z],|   ) (--[a-z-]*).*/\2/p' | grep -vx -e --help | words)" \
	"$(awk -F'\t' '$1 !~ / / { print $3 }' "$work/options" | words)"

offers()        # FILE PATTERN WORDS
{
	grep -E -e "$2" "$1" | grep -qF -e "$3"
}

while IFS=$tab read -r line; do
	command=$(printf '%s' "$line" | cut -f 1)
	option=$(printf '%s' "$line" | cut -f 3)
	choices=$(printf '%s' "$line" | cut -f 5)
	[ -n "$choices" ] || continue
	works "$command $option: bash offers $choices" \
		offers "$completions/jfrec.bash" '_jfrec_offer ' "offer $choices"
	works "$command $option: zsh offers $choices" \
		offers "$completions/_jfrec" "'$option\\[" "($choices)"
	works "$command $option: fish offers $choices" \
		offers "$completions/jfrec.fish" "__jfrec_is[a-z ]* $command.* -l ${option#--} " "-a '$choices'"
done <"$work/options"

finish
