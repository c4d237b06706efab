#!/bin/sh
# Copies the static library for others to link: every global name that is not public begins with
# jfrec__ in the copy, so that it cannot clash with a name in their programs.
#
# usage: prefix.sh NM OBJCOPY AR SYMBOLS INTERNAL.a OUTPUT.a
#
# SYMBOLS is libjfrec.sym: the public names.  The objects stay apart, so a program takes those that
# it needs; names that begin with __ belong to the compiler.

set -e
nm=$1 objcopy=$2 ar=$3 symbols=$4 internal=$5 output=$6
work=$output.d
rm -rf "$work" "$output"
mkdir "$work"
trap 'rm -rf "$work"' EXIT

sed -n 's/^[[:space:]]*\(jfrec_[a-z0-9_]*\);.*/\1/p' "$symbols" >"$work/public"
"$nm" -g --defined-only -P "$internal" |
	awk 'NR == FNR { public[$1] = 1; next }
	     NF > 1 && !($1 in public) && $1 !~ /^__/ && !seen[$1]++ {
			print $1, "jfrec__" $1
	     }' "$work/public" - >"$work/names"

# Builds keep only references to objects in archives that they do not install: this copies them.
printf 'CREATE %s\nADDLIB %s\nSAVE\nEND\n' "$work/copy.a" "$internal" | "$ar" -M
"$objcopy" --redefine-syms="$work/names" "$work/copy.a" "$output"
