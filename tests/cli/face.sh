#!/bin/sh
# What jfrec says of itself is the same everywhere: --help, the manual pages
# and the completions of bash, zsh and fish know the same commands and options.
#
# usage: face.sh JFREC SOURCE_ROOT

jfrec=$1
man=$2/man
completions=$2/completions
. "$2/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

works_if_found()        # TOOL NAME COMMAND...
{
	if command -v "$1" >/dev/null; then
		shift
		works "$@"
	else
		result ok "$2 # SKIP no $1"
	fi
}

same()          # NAME WORDS_OF_HELP OTHER_WORDS
{
	works "$1" [ "$2" = "$3" ]
	[ "$2" = "$3" ] || printf '# --help: %s\n# here:   %s\n' "$2" "$3"
}

# Words from standard input, sorted, on one line.
words()
{
	tr ' ' '\n' | sed '/^$/d' | LC_ALL=C sort -u | tr '\n' ' '
}

# The commands, each way. "help" has no page and no options of its own.

help_commands()
{
	help jfrec | awk '/^  [a-z]+  / && $1 != "help" { print $1 }' | words
}

page_commands()
{
	ls "$man" | sed -n 's/^jfrec-\([a-z]*\)\.1\.scd$/\1/p' | words
}

case_commands() # FILE, for bash and zsh
{
	sed -n 's/^	\([a-z]*\)) options=.*/\1/p' "$1" |
		grep -vx -e jfrec -e help | words
}

fish_commands() # FILE
{
	sed -n 's/.*__fish_use_subcommand -a \([a-z]*\).*/\1/p' "$1" |
		grep -vx help | words
}

sub_commands()  # COMMAND
{
	help "$1" | awk '/^[A-Z]/ { here = $1 == "Commands:" }
		here && /^  [a-z]+  / { print $1 }' | words
}

# The options of a command, each way; "jfrec" stands for the program itself.

help()          # COMMAND, or "COMMAND SUBCOMMAND"
{
	[ "$1" != jfrec ] || set -- ''
	"$jfrec" $1 --help
}

help_options()  # COMMAND
{
	help "$1" |
		sed -nE 's/^  (-[A-Za-z],|   ) (--[a-z-]*).*/\1 \2/p' |
		tr , ' ' | words
}

# Those of a sub-command stand below a heading of their own, without --help.
page_options()  # FILE [SUBCOMMAND]
{
	awk -v sub_command="$2" '
		/^# / { options = $2 == "OPTIONS"; sub_here = "" }
		/^## / { sub_here = $2 }
		options && sub_here == sub_command && /^\*-/' "$1" |
		grep -o '\*-[A-Za-z-]*\*' | tr '*' ' ' | words
}

case_options()  # COMMAND FILE, for bash and zsh
{
	awk -v start="^\t$1\\\\) options=" '
		$0 ~ start { here = 1 }
		here { print }
		/;;$/ { here = 0 }' "$2" |
		sed 's/([^)]*)//' |     # zsh: what excludes the option
		grep -oE '(^|[^A-Za-z-])--?[A-Za-z][A-Za-z-]*' |
		sed 's/^[^-]//' | words
}

fish_options()  # COMMAND FILE
{
	case $1 in
	jfrec) condition='__fish_use_subcommand' ;;
	*) condition="__jfrec_is( [a-z-]+)* $1[ ';]" ;;
	esac
	grep -E -e "-n '?$condition" "$2" | grep -oE -e ' -(s [A-Za-z]|l [a-z-]+)' |
		sed 's/ -s /-/; s/ -l /--/' | words
}

fits()          # TEXT
{
	! printf '%s\n' "$1" | grep -E '^.{81}'
}

commands=$(help_commands)
works 'jfrec --help lists commands' [ -n "$commands" ]
same 'each command has a page' "$commands" "$(page_commands)"
same 'bash knows the commands' "$commands" \
	"$(case_commands "$completions/jfrec.bash")"
same 'zsh knows the commands' "$commands" \
	"$(case_commands "$completions/_jfrec")"
same 'jfrec(1) describes the commands' "$commands" \
	"$(awk '/^# / { here = $2 == "COMMANDS" } here && /^\*[a-z]+\*$/' "$man/jfrec.1.scd" |
		tr -d '*' | grep -vx help | words)"
for page in "$man"/*.scd; do
	name=$(basename "$page" .scd)
	[ "$name" = jfrec.1 ] || works "jfrec(1) refers to $name" \
		grep -qF "*${name%.*}*(${name##*.})" "$man/jfrec.1.scd"
done
same 'fish knows the commands' "$commands" \
	"$(fish_commands "$completions/jfrec.fish")"

same_face()     # COMMAND OPTIONS_OF_HELP OPTIONS_OF_PAGE NAME_IN_COMPLETIONS
{
	works "$1: --help succeeds" help "$1"
	works "$1: --help fits 80 columns" fits "$(help "$1")"
	works "$1: --help names --help" [ "${2#*--help}" != "$2" ]
	same "$1: options of the page" "$2" "$3"
	same "$1: options in bash" "$2" "$(case_options "$4" "$completions/jfrec.bash")"
	same "$1: options in zsh" "$2" "$(case_options "$4" "$completions/_jfrec")"
	same "$1: options in fish" "$2" "$(fish_options "$4" "$completions/jfrec.fish")"
}

for command in jfrec $commands; do
	case $command in
	jfrec) page=$man/jfrec.1.scd ;;
	*) page=$man/jfrec-$command.1.scd ;;
	esac
	same_face "$command" "$(help_options "$command")" "$(page_options "$page")" "$command"
	[ "$command" != jfrec ] || continue
	for sub in $(sub_commands "$command"); do
		works "$command $sub: the page has it" grep -qx "## $sub" "$page"
		same_face "$command $sub" "$(help_options "$command $sub")" \
			"$({ page_options "$page" "$sub"; page_options "$page"; } | words)" \
			"$command-$sub"
	done
done

for page in "$man"/*.scd; do
	works_if_found scdoc "${page##*/} is valid" \
		sh -c 'scdoc <"$1" >/dev/null' sh "$page"
done
works_if_found bash 'jfrec.bash parses' bash -n "$completions/jfrec.bash"
works_if_found shellcheck 'jfrec.bash passes shellcheck' \
	shellcheck -s bash "$completions/jfrec.bash"
works_if_found zsh '_jfrec parses' zsh -n "$completions/_jfrec"
works_if_found fish 'jfrec.fish parses' fish -n "$completions/jfrec.fish"

finish
