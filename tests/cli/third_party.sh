#!/bin/sh
# The table of what others wrote that is in the static file: each row is whole, has a licence that
# allows giving the file away, and what builds it; and the bill of materials that is made of it.
#
# usage: third_party.sh SOURCE_ROOT

LC_ALL=C
export LC_ALL
cd "$1" || exit
. tests/cli/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
table=tools/third-party.tsv
tab=$(printf '\t')
grep -v '^#' $table >"$work/rows"

# No addresses: which mirror has it is the matter of the system.
is_whole()
{
	awk -F'\t' 'NF != 10 || $7 !~ /^[0-9a-f]{64}$/ && length($7) != 64 || $9 !~ /^(linked|patches|tool)$/ ||
		/:\/\// { print; bad = 1 } END { exit bad }' "$work/rows"
}

# Nothing that is GPL only. What is LGPL comes with what it asks for: tools/third-party/bundle.sh.
has_allowed_licences()
{
	cut -f 8 "$work/rows" | grep -vxE '(MIT|Zlib|BSD-[23]-Clause|0BSD|bzip2-1.0.6|blessing)' |
		grep -vxE 'LGPL-2.1-or-later|LGPL-3.0-or-later OR GPL-2.0-or-later' >"$work/others"
	cat "$work/others"
	! [ -s "$work/others" ]
}

# Each has a file that builds it and a text of its licence, and none is left over.
has_builders()
{
	grep "${tab}linked$tab" "$work/rows" | cut -f 1 | sort >"$work/linked"
	grep -l '^build_' tools/third-party/*.sh | sed 's|.*/||; s/\.sh$//' | sort >"$work/built"
	diff "$work/linked" "$work/built" || return
	. tools/third-party/bundle.sh
	while read -r library; do
		[ "$(licences_of "$library")" ] || { echo "$library has no licence"; return 1; }
	done <"$work/linked"
}

is_a_bill()
{
	echo program >"$work/jfrec"
	for i in 1 2; do
		SOURCE_DATE_EPOCH=86400 python3 tools/third-party/sbom.py $table 0.9.0 amd64 "$work/jfrec" >"$work/$i"
	done
	cmp "$work/1" "$work/2" && grep -q '"created": "1970-01-02T00:00:00Z"' "$work/1" &&
		python3 -m json.tool "$work/1" >"$work/said"
}

# What was fetched is looked at: a file that was changed is not taken, and what comes is named.
refuses_another_file()
{
	mkdir -p "$work/cache" "$work/bin"
	for tool in apt-get python3; do
		printf '#!/bin/sh\nexit 1\n' >"$work/bin/$tool"
		chmod +x "$work/bin/$tool"
	done
	first=$(head -n 1 "$work/rows" | cut -f 6)
	echo tampered >"$work/cache/$first"
	! DEBIAN_MIRROR=none PATH="$work/bin:$PATH" sh tools/fetch "$work/cache" >"$work/out" 2>&1 &&
		! [ -e "$work/cache/$first" ]
}

works 'each row is whole' is_whole
works 'licences are those that are allowed' has_allowed_licences
works 'each is built, and has a licence' has_builders
works 'the bill of materials' is_a_bill
works 'a file that was changed is not taken' refuses_another_file
for script in tools/fetch tools/build-static tools/third-party/*.sh; do
	works "$script can be read" sh -n "$script"
done
finish
