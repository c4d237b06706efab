#!/bin/sh
# What a user reads is plain English: the README, the pages, the help of each command, the messages
# of the library and the tool, and the comments of the public headers contain none of the phrases
# below.  Each phrase comes with a better one; synonyms of it are no improvement.  The first comment
# of every source file, which a contributor reads first, is held to those that begin with !.
#
# usage: prose.sh JFREC SOURCE_ROOT

jfrec=$1
root=$2
. "$root/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ERE, for a text in small letters with single blanks | write this instead
cat >"$work/phrases" <<'END'
!\<(is|are|was|were) no\>|is not a, has no, there is no
!\<(is|are|was|were) none\>|is not one of
!\<parted\>|separated by
!\<(is|are|was|be) (said|told)\>|name who reports it: a message says, jfrec reports
!\<without a word to\>|silently; without attaching
\<(it|that|this) takes? the rights?\>|this needs permission to
\<rights? that (it|they) takes?\>|the permissions that they need
\<what is missed\>|missed goals
!\<behind\>|after
!\<in front of\>|before
\<of ours\>|built-in, jfrec's
\<so (much|long|often)\>|this much, for this long, at this interval
!\<again and again\>|repeatedly, at this interval
!\<every so often\>|at this interval
!\<(whoever|nobody|somebody|anybody)\>|say who: the user, a process, another tool
!\<(he|his|him)\>|they, their, that user's
!\<(bring|brings|bringing|brought)\>|fetch, copy, write
\<(go|goes|went|going) on\>|continue
!\<(break|breaks|broke|broken) off\>|is cut short
!\<cut off\>|truncated
\<lengths? of time\>|duration
!\<anew\>|again
\<stands? (in|on|at|there|beside|below|under|above|for itself)\>|is, are
!\<(is|are) there (twice|already|too|and)\>|occurs twice, exists
\<of one's own\>|of your own
!\<(to|of) whom\>|name the user
\<for which [a-z_ ]*holds\>|is true
\<do(es)? not answer\>|does not reply, does not respond
\<makes? no sense\>|is invalid
\<has it made\>|makes it create
\<(may|can) be root\>|can act as root
\<knows (itself|nobody|them)\>|say what depends on what
\<to choose from what\>|select
\<go(es)? with\>|needs, can be combined with
\<(taken|takes?|taking) away\>|removed, redacted
\<looked (for|at)\>|searched for, examined, read
\<hunted\>|searched for
!\<for ever\>|forever
\<(what|which) [a-z ]{1,20} weighs?\>|the weight of
!\<at hand\>|current
\<for its own sake\>|say why
\<(wanted|chosen)\>|selected, needed, requested
\<(it|that|which) is none\>|is not one
!\<mends?\>|fix
!\<is told\>|is reported
!\<nothing but\>|only
\<(have|has|had) .{1,25} (carried out|dumped)\>|run, dump
\<stays? as (it|they) (is|are|was|were)\>|does not change
\<so (many|much)\>|this many, at most N
END

# FILE LINE: the text may stay, and why.  An ERE for "file: text".
cat >"$work/allowed" <<'END'
left behind|idiom: files left behind
\<as nobody\>|the user of that name
is nobody, and confined|the user of that name
nobody\.[ch]|a file
leaves? [a-z ]*behind|idiom: it leaves nothing behind
END

# Text from standard input, wrapped as its author likes: a paragraph on a line, "FILE:LINE: text".
paragraphs()            # NAME
{
	awk -v name="$1" '
		function flush() { if (text) print name ":" line ": " text; text = "" }
		/^[[:space:]]*$/ || /^```/ { flush(); next }
		/^[ \t]*[*.-] / || /^  [a-z]/ || /^ +-/ { flush() }
		{ if (!text) line = NR; gsub(/^[[:space:]]+/, ""); text = text " " $0 }
		END { flush() }'
}

# String literals of C files, adjacent ones joined, and with "comments" the comments instead.
literals()              # literals|comments FILE...
{
	awk -v want="$1" '
	function flush() { if (text ~ / /) print file ":" at ": " text; text = "" }
	FNR == 1 { flush(); state = "code"; file = FILENAME }
	{
		n = length($0)
		for (i = 1; i <= n; i++) {
			two = substr($0, i, 2); c = substr($0, i, 1)
			if (state == "comment") {
				if (two == "*/") { state = "code"; i++; if (want == "comments") flush() }
				else if (want == "comments") text = text c
			} else if (state == "string") {
				if (c == "\\") {
					if (want == "literals") text = text (two == "\\n" ? " " : two)
					i++
				} else if (c == "\"") state = "code"
				else if (want == "literals") text = text c
			} else if (two == "/*") {
				state = "comment"; i++; at = want == "comments" ? FNR : at
			} else if (c == "\"") {
				state = "string"; if (want == "literals" && !text) at = FNR
			} else if (two == "\047\"" ) { i += 2
			} else if (want == "literals" && c !~ /[[:space:]]/ && substr($0, i) !~ /^(PRI|[A-Za-z0-9]*[ \t]*(PRI[A-Za-z0-9]*)?[ \t]*$)/) flush()
		}
		if (state == "comment" && want == "comments") text = text " "
	}
	END { flush() }' $(shift; echo "$@")
}

help_of()               # WORDS...
{
	"$jfrec" "$@" --help </dev/null | paragraphs "jfrec $* --help"
}

cd "$root" || exit
{
	for page in README.md docs/*.md SECURITY.md CONTRIBUTING.md settings/README.md tests/bench/README.md man/*.scd; do
		[ ! -f "$page" ] || paragraphs "$page" <"$page"
	done
	help_of
	for command in $("$jfrec" --help | awk '/^  [a-z]+  / && $1 != "help" { print $1 }'); do
		help_of "$command"
		for sub in $("$jfrec" "$command" --help |
			awk '/^[A-Z]/ { here = $1 == "Commands:" } here && /^  [a-z]+  / { print $1 }'); do
			help_of "$command" "$sub"
		done
	done
	literals literals $(find lib cli -name '*.c')
	literals comments lib/jfrec.h lib/jfrec/*.h
} >"$work/texts"
literals comments $(find lib cli -name '*.[ch]' ! -path 'lib/bindings/*') |
	awk -F: '$2 <= 3' >"$work/heads"

# Small letters, single blanks, no markup; "there is no" and what is allowed are taken out.
plain()                 # FILE: its text, line by line
{
	tr 'A-Z\t' 'a-z ' <"$1" |
		sed -E 's/_no_/"no"/g; s/[ *_]*[*][ *_]*/ /g; s/[_`]//g; s/  +/ /g; s/there (is|are|was|were) no(ne)?\>/there lacks/g
			s/\<is no (longer|more)\>/ceases/g' >"$work/next"
	while IFS='|' read -r allowed why; do
		sed -E -i "s/$allowed/allowed/g" "$work/next"
	done <"$work/allowed"
	cat "$work/next"
}
plain "$work/texts" >"$work/plain"
plain "$work/heads" >"$work/plain_heads"
cat "$work/texts" "$work/heads" >"$work/all_texts"
cat "$work/plain" "$work/plain_heads" >"$work/all_plain"

works 'there are texts to look at' [ "$(wc -l <"$work/plain")" -gt 2000 ]
works 'there are heads of files to look at' [ "$(wc -l <"$work/plain_heads")" -gt 1000 ]
while IFS= read -r row; do
	phrase=${row%|*} better=${row##*|} among=
	case $phrase in
	!*) phrase=${phrase#!} among=all_ ;;
	esac
	grep -nE "$phrase" "$work/${among}plain" >"$work/hits"
	works "none says: $phrase" [ ! -s "$work/hits" ]
	sed 's/:.*//' "$work/hits" | head -n "${JFREC_PROSE_LINES:-20}" | while read -r number; do
		sed -n "${number}p" "$work/${among}texts" | cut -c 1-"${JFREC_PROSE_WIDTH:-200}" | sed 's/^/# /'
	done
	[ ! -s "$work/hits" ] || echo "# better: $better"
done <"$work/phrases"
finish
