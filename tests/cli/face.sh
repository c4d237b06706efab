#!/bin/sh
# What jfrec says of itself is the same everywhere: --help, the manual pages
# and the completions of bash, zsh and fish know the same commands and options.
#
# usage: face.sh JFREC SOURCE_ROOT

jfrec=$1
man=$2/man
completions=$2/completions
. "$2/tests/cli/tap.sh"

works()         # NAME COMMAND...
{
	name=$1
	shift
	if said=$("$@" 2>&1); then
		result ok "$name"
	else
		result not-ok "$name"
		[ -z "$said" ] || echo "$said" | sed 's/^/# /'
	fi
}

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

# The options of a command, each way; "jfrec" stands for the program itself.

help()          # COMMAND
{
	[ "$1" != jfrec ] || set --
	"$jfrec" "$@" --help
}

help_options()  # COMMAND
{
	help "$1" |
		sed -nE 's/^  (-[A-Za-z],|   ) (--[a-z-]*).*/\1 \2/p' |
		tr , ' ' | words
}

page_options()  # FILE
{
	awk '/^# / { here = $2 == "OPTIONS" } here && /^\*-/' "$1" |
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
	*) condition="__fish_seen_subcommand_from [a-z ]*\<$1\>" ;;
	esac
	grep -e "-n '*$condition" "$2" | grep -oE -e ' -(s [A-Za-z]|l [a-z-]+)' |
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
same 'fish knows the commands' "$commands" \
	"$(fish_commands "$completions/jfrec.fish")"

for command in jfrec $commands; do
	case $command in
	jfrec) page=$man/jfrec.1.scd ;;
	*) page=$man/jfrec-$command.1.scd ;;
	esac
	options=$(help_options "$command")

	works "$command: --help succeeds" help "$command"
	works "$command: --help fits 80 columns" fits "$(help "$command")"
	works "$command: --help names --help" \
		[ "${options#*--help}" != "$options" ]
	same "$command: options of the page" "$options" "$(page_options "$page")"
	same "$command: options in bash" "$options" \
		"$(case_options "$command" "$completions/jfrec.bash")"
	same "$command: options in zsh" "$options" \
		"$(case_options "$command" "$completions/_jfrec")"
	same "$command: options in fish" "$options" \
		"$(fish_options "$command" "$completions/jfrec.fish")"
done

for page in "$man"/*.scd; do
	works_if_found scdoc "${page##*/} is valid" \
		sh -c 'scdoc <"$1" >/dev/null' sh "$page"
done
works_if_found bash 'jfrec.bash parses' bash -n "$completions/jfrec.bash"
works_if_found zsh '_jfrec parses' zsh -n "$completions/_jfrec"
works_if_found fish 'jfrec.fish parses' fish -n "$completions/jfrec.fish"

finish
