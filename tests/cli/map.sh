#!/bin/sh
# map.sh - each folder of the tool and the library lists its files
#
# Each has a README.md, whose part "Folders" lists those in it, and whose part "Files" has one line
# for each source file, in the words of the file's own first line: "name.c - what it is for".  A
# header has a line of its own where there is no .c file of its name.
#
# usage: map.sh SOURCE_ROOT [--write]
#
# The folder's meson.build has the same .c files in its first list; those that are built only where
# a library is there stand below it.
#
# --write brings both up to date; a new folder gets a README.md with a heading to be filled.

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
		if (at && substr($0, 1, at - 1) ~ /^(\/\*| \*) ([a-z]+\/)*$/) {
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

# The folders in a folder that have sources, in the words of the headings of their README.md.
subfolders()    # FOLDER
{
	folders | grep "^$1/[^/]*$" | while read -r inner; do
		sed -n "1s|^# $1/\\([^:]*\\): |- \`\\1/\`: |p" "$inner/README.md"
	done
}

# The README.md of a folder, with the lists of its folders and files made anew.
made()          # FOLDER
{
	{ cat "$1/README.md" 2>/dev/null || printf '# %s: \n\n' "$1"; } |
		awk '/^## (Folders|Files)$/ { exit } { print }'
	subfolders "$1" | grep -q . && printf '## Folders\n\n%s\n\n' "$(subfolders "$1")"
	printf '## Files\n\n'
	awk -F'\t' -v folder="$1" '
	index($1, folder "/") == 1 && substr($1, length(folder) + 2) !~ /\// {
		printf "- `%s`: %s\n", substr($1, length(folder) + 2), $2
	}' "$work/entries"
}

# The meson.build of a folder, with its first list of files made anew.
built()         # FOLDER
{
	cut -f1 "$work/entries" | awk -v folder="$1" '
	NR == FNR {
		name = substr($0, length(folder) + 2)
		if (index($0, folder "/") == 1 && name ~ /^[^\/]*\.c$/)
			names[++n] = name
		next
	}
	/^(lib|cli)_sources \+= files\($/ && !list { list = FNR }
	list && !end && /^\)$/ { end = FNR }
	{ lines[FNR] = $0; last = FNR }
	(!list || end) && match($0, /\047[^\047\/]*\.c\047/) {
		elsewhere[substr($0, RSTART + 1, RLENGTH - 2)]
	}
	END {
		for (i = 1; i <= last; i++) {
			if (i <= list || i >= end)
				print lines[i]
			for (j = 1; i == list && j <= n; j++)
				if (!(names[j] in elsewhere))
					printf "\t\047%s\047,\n", names[j]
		}
	}' - "$1/meson.build"
}

sources | said >"$work/entries"
mkdir "$work/made"
mkdir "$work/built"
has_list()      # FOLDER
{
	grep -q '^\(lib\|cli\)_sources += files($' "$1/meson.build" 2>/dev/null
}
folders | while read -r folder; do
	made "$folder" >"$work/made/$(echo "$folder" | tr / -)"
	has_list "$folder" && built "$folder" >"$work/built/$(echo "$folder" | tr / -)"
done

if [ "$2" = --write ]; then
	folders | while read -r folder; do
		part=$(echo "$folder" | tr / -)
		cmp -s "$work/made/$part" "$folder/README.md" ||
			cp "$work/made/$part" "$folder/README.md"
		if has_list "$folder" && ! cmp -s "$work/built/$part" "$folder/meson.build"; then
			cp "$work/built/$part" "$folder/meson.build"
		fi
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
folders | while read -r folder; do
	has_list "$folder" || continue
	cmp -s "$work/built/$(echo "$folder" | tr / -)" "$folder/meson.build" || echo "$folder/meson.build"
done >"$work/diff"
none "each meson.build has each file once, in order (map.sh SOURCE_ROOT --write)" "$work/diff"
find cli lib -name README.md | sed 's|/README.md$||' | LC_ALL=C sort >"$work/readmes"
folders | LC_ALL=C comm -13 - "$work/readmes" | grep -v bindings >"$work/empty"
none "no README.md is left without a file" "$work/empty"
finish
