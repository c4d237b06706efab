#!/bin/sh
# Each folder of the tool and the library has a README.md, whose part "Files" has one line for each
# source file, in the words of the file's own first line: "name.c - what it is for".  A header has a
# line of its own where there is no .c file of its name.
#
# usage: map.sh SOURCE_ROOT [--write]
#
# --write brings these parts up to date; a new folder gets a README.md with a heading to be filled.

cd "$1" || exit
. tests/cli/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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

folders()
{
	cut -f1 "$work/entries" | sed 's|/[^/]*$||' | LC_ALL=C sort -u
}

# The README.md of a folder, with the list of its files made anew.
made()          # FOLDER
{
	{ cat "$1/README.md" 2>/dev/null || printf '# %s: \n\n' "$1"; } |
		awk '/^## Files$/ { exit } { print }'
	printf '## Files\n\n'
	awk -F'\t' -v folder="$1" '
	index($1, folder "/") == 1 && substr($1, length(folder) + 2) !~ /\// {
		printf "- `%s`: %s\n", substr($1, length(folder) + 2), $2
	}' "$work/entries"
}

sources | said >"$work/entries"
mkdir "$work/made"
folders | while read -r folder; do
	made "$folder" >"$work/made/$(echo "$folder" | tr / -)"
done

if [ "$2" = --write ]; then
	folders | while read -r folder; do
		cmp -s "$work/made/$(echo "$folder" | tr / -)" "$folder/README.md" ||
			cp "$work/made/$(echo "$folder" | tr / -)" "$folder/README.md"
	done
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
folders | while read -r folder; do
	head -n 1 "$folder/README.md" 2>/dev/null | grep -q "^# $folder: [A-Za-z]" || echo "$folder/README.md"
done >"$work/untitled"
none "every folder has a README.md that begins with what the folder is for" "$work/untitled"
awk 'length > 102 { print FILENAME ": " $0 }' "$work/made"/* >"$work/long"
none "what a file is for fits in its line" "$work/long"
folders | while read -r folder; do
	cmp -s "$work/made/$(echo "$folder" | tr / -)" "$folder/README.md" || echo "$folder/README.md"
done >"$work/diff"
none "each README.md has each file once, in its own words (map.sh SOURCE_ROOT --write)" "$work/diff"
find cli lib -name README.md | sed 's|/README.md$||' | LC_ALL=C sort >"$work/readmes"
folders | LC_ALL=C comm -13 - "$work/readmes" | grep -v bindings >"$work/empty"
none "no README.md is left without a file" "$work/empty"
finish
