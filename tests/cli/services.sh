#!/bin/sh
# The services of systemd are confined: `systemd-analyze security` says how much they could reach
# if jfrec had a hole, and each has the same limits.
#
# usage: services.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
units=$(cd "$2" && pwd)/settings/collect
. "$2/tests/cli/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# From 0.0 (nothing) to 10.0.
exposure()      # UNIT
{
	systemd-analyze security --offline=true --no-pager "$work/$1" 2>&1 | tee "$work/analysis" |
		sed -n 's/.*Overall exposure level.*: \([0-9.]*\) .*/\1/p'
}

is_confined()   # UNIT
{
	exposure "$1" | awk '{ found = 1; exit !($1 < 3.0) } END { if (!found) exit 1 }' ||
		{ grep '✗\|^→\|rror' "$work/analysis"; return 1; }
}

limits()        # UNIT
{
	sed -n '/^# What hostile/,/^TasksMax/p' "$units/$1"
}

have_same_limits()
{
	limits jfrec-collect.service >"$work/one"
	limits jfrec-collect-pass.service >"$work/other"
	[ "$(wc -l <"$work/one")" -gt 20 ] && diff "$work/one" "$work/other"
}

makes_directory()
{
	grep -x 'StateDirectory=jfrec' "$units/$1" && grep -x 'directory: /var/lib/jfrec' "$units/collect.yaml"
}

# A reader of hostile recordings confines itself further, and may be ended by the kernel.
lets_readers_be_confined()      # UNIT
{
	grep -x 'SystemCallFilter=landlock_create_ruleset landlock_add_rule landlock_restrict_self' "$units/$1" &&
		grep -x 'OOMPolicy=continue' "$units/$1"
}

for unit in jfrec-collect.service jfrec-collect-pass.service; do
	sed 's,@bindir@,/usr/bin,' "$units/$unit" >"$work/$unit"
	works "$unit makes the directory that collect.yaml has" makes_directory "$unit"
	works "$unit lets its readers be confined" lets_readers_be_confined "$unit"
	if ! command -v systemd-analyze >/dev/null; then
		result ok "$unit is confined # SKIP no systemd-analyze"
	elif ! systemd-analyze security --help 2>&1 | grep -q -e --offline; then
		result ok "$unit is confined # SKIP systemd-analyze is older than 250"
	else
		works "$unit is confined" is_confined "$unit"
	fi
done
works 'both have the same limits' have_same_limits
finish
