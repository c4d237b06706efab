#!/bin/sh
# The map at the top of cli/main.c has one line for each source file of the tool and the
# library, in the words of the file's own first line: "name.c - what it is for".
# A header has a line of its own where there is no .c file of its name.
#
# usage: map.sh SOURCE_ROOT [--write]
#
# --write brings the map up to date.  A new folder needs its heading first.

cd "$1" || exit
. tests/cli/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')

sources()
{
	find cli lib -name '*.c' -o -name '*.h' | LC_ALL=C sort | awk '
	{ is[$0]; all[NR] = $0 }
	END {
		for (i = 1; i <= NR; i++) {
			c = all[i]
			sub(/\.h$/, ".c", c)
			if (c == all[i] || !(c in is))
				print all[i]
		}
	}'
}

# Each file with what its first lines say; nothing is said where these have another form.
said()
{
	xargs awk '
	function name(path) { sub(/.*\//, "", path); return path }
	FNR == 1 { if (file) print file "\t" text; file = FILENAME; text = "" }
	FNR <= 3 && !text {
		at = index($0, name(FILENAME) " - ")
		if (at && substr($0, 1, at - 1) ~ /^(\/\*| \*) ([a-z]+\/)?$/) {
			text = substr($0, at + length(name(FILENAME)) + 3)
			sub(/ \*\/$/, "", text)
		}
	}
	{ seen[FILENAME] }
	END {
		if (file)
			print file "\t" text
		for (i = 1; i < ARGC; i++)
			if (!(ARGV[i] in seen))
				print ARGV[i] "\t"
	}'
}

# cli/main.c with the lines below each heading (" * lib/base: ...") made anew.
made()          # ENTRIES
{
	awk -F'\t' '
	function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
	function name(path) { sub(/.*\//, "", path); return path }
	NR == FNR {
		lines[folder($1)] = lines[folder($1)] sprintf(" *   %-19s %s\n", name($1), $2)
		next
	}
	/\*\// && FNR > 1 { after = 1 }
	after || !/^ \*   [a-z_0-9-]+\.[ch] / { print }
	!after && /^ \* (cli|lib)[a-z\/]*: / {
		path = $0
		gsub(/^ \* |: .*/, "", path)
		printf "%s", lines[path]
		delete lines[path]
	}
	END {
		for (path in lines)
			print path >"/dev/stderr"
	}' "$1" cli/main.c
}

sources | said >"$work/entries"
made "$work/entries" >"$work/main.c" 2>"$work/folders"

if [ "$2" = --write ]; then
	sed 's/^/no heading for the folder /' "$work/folders" >&2
	cmp -s "$work/main.c" cli/main.c || cat "$work/main.c" >cli/main.c
	exit
fi

none()          # NAME FILE: its lines are what is wrong
{
	works "$1" [ ! -s "$2" ]
	sed 's/^/# /' "$2"
}

works "there are files to look at" [ "$(wc -l <"$work/entries")" -gt 200 ]
awk -F'\t' '!$2 { print $1 }' "$work/entries" >"$work/silent"
none "every file begins with its name and what it is for" "$work/silent"
none "every folder has a heading in the map" "$work/folders"
sed '/\*\/$/{1!q}' "$work/main.c" | awk 'length > 100' >"$work/long"
none "each line of the map fits in 100 columns" "$work/long"
awk '/^ \* (cli|lib)[a-z\/]*: / { if (empty) print empty; empty = $2 } /^ \*   / { empty = "" }
	/\*\// && FNR > 1 { exit }' cli/main.c >"$work/empty"
none "no heading is left without a file" "$work/empty"
awk -F'\t' '
	FNR == NR && /^ \* lib\/[a-z]*: / { sub(/^ \* lib\//, ""); sub(/: .*/, ""); place[$0] = FNR }
	FNR != NR && !/^(#|cli\t)/ {
		n = split($2, uses, / +/)
		for (i = 1; i <= n; i++)
			if (uses[i] in place && place[uses[i]] >= place[$1])
				print $1 " includes " uses[i] ", which is below it"
	}' cli/main.c tests/folders.tsv >"$work/order"
none "a folder of lib/ includes only folders above it" "$work/order"
diff cli/main.c "$work/main.c" >"$work/diff"
none "the map has each file once, in the file's own words (map.sh SOURCE_ROOT --write)" "$work/diff"
finish
