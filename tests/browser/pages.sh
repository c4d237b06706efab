#!/bin/sh
# The pages of `jfrec report` of all recordings in directories, in Chromium: valid HTML, nothing that
# axe-core finds, no message on the console, no request, nothing wider than the window.
#
# usage: pages.sh JFREC SOURCE_ROOT [SHOTS|- [DIRECTORY|RECORDING...]]
#
# SHOTS is a directory for pictures of the pages: light, dark, telephone, paper, and wide. Without
# recordings, those of tests/data/ok are taken. Needs what report.sh says.

. "$2/tests/browser/browser.sh"

[ "$shots" != - ] || shots=
[ $# -le 3 ] || shift 3
[ "$jfrec" != "$(realpath "$1")" ] || set -- "$root/tests/data/ok"
find "$@" -name '*.jfr*' -type f | sort | while read -r recording
do
	name=$(basename "$recording" | tr -c 'A-Za-z0-9._\n-' _)
	"$jfrec" report --utc --force "$recording" -o "$work/${name%.jfr}.html" 2>"$work/message"
	# A page is written of what could be read; a file that is no recording gives none.
	[ -e "$work/${name%.jfr}.html" ] || echo "# $name: $(head -1 "$work/message")"
done
. "$root/tests/browser/validator.sh"
drive pages.js
