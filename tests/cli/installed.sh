#!/bin/sh
# What `meson install` puts down is enough for a program of somebody else: it
# finds the library by pkg-config, includes jfrec.h, and sees only jfrec_* of it.
#
# usage: installed.sh JFREC SOURCE_ROOT [BUILD_ROOT]

jfrec=$1
source=$2
build=${3:-$(dirname "$1")}
. "$source/tests/cli/tap.sh"
work=$(mktemp -d)
dest=$work/dest
trap 'rm -rf "$work"' EXIT

# Symbols that others can link to, less those that may be there.
foreign_symbols()
{
	nm -D --defined-only "$library" | awk '{ print $3 }' |
		sed 's/@.*//' | grep -v -e '^jfrec_' -e '^JFREC_'
}

only_own_symbols()
{
	nm -D --defined-only "$library" | grep -q ' T jfrec_reader_open' &&
		! foreign_symbols
}

# The umbrella, the headers that it includes, and no others.
headers_are_installed()
{
	include=$(dirname "$(find "$dest" -name jfrec.h)")
	sed -n 's/^#include "\(jfrec\/.*\)"$/\1/p' "$include/jfrec.h" | sort >"$work/included"
	(cd "$include" && find . -name '*.h' | sed 's,^\./,,' | grep -vx -e jfrec.h -e jfrec-recorder.h | sort) >"$work/installed"
	[ "$(wc -l <"$work/included")" -gt 15 ] && diff "$work/included" "$work/installed"
}

schemas_are_installed()
{
	diff -r "$source/settings/schema" "$(find "$dest" -path "*/jfrec/schema")"
}

# Each can be included alone.
headers_stand_alone()   # COMPILER LANGUAGE
{
	command -v "$1" >/dev/null || { echo "no $1"; return 0; }
	while read -r header; do
		echo "#include <$header>" |
			"$1" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x "$2" $(pkg-config --cflags libjfrec) - || return
	done <"$work/installed"
}

is_sorted()
{
	sort -rn "$dest/out" | cmp - "$dest/out"
}

has_ten_lines()
{
	[ "$(grep -c '^[0-9]* ns jdk\.[A-Za-z]* ' "$dest/out")" -eq 10 ]
}

first_is_longest()
{
	"$jfrec" print --json "$recording" |
		grep -o '"duration": "PT[0-9.]*S"' | grep -o '[0-9.]*' | sort -rn |
		awk 'NR == 1 { printf "%.0f\n", $1 * 1e9 }' >"$dest/longest"
	[ "$(cut -d ' ' -f 1 "$dest/out" | head -n 1)" = "$(cat "$dest/longest")" ]
}

# Functions of programs may have any name that does not begin with jfrec_.
links_statically()
{
	[ -e "$(dirname "$library")/libjfrec.a" ] || { echo 'no libjfrec.a was built: b_lto'; return 0; }
	{
		cat "$source/tests/unit/longest.c"
		nm -g --defined-only -P "$build/libjfrec_internal.a" | awk 'NF > 1 { print $1 }' |
			grep -v -e '^jfrec_' -e '^__' | sort -u | sed 's/.*/char &;/'
	} >"$work/clash.c"
	[ "$(grep -c '^char [a-z0-9_]*;' "$work/clash.c")" -gt 500 ] &&
		cc -o "$work/clash" "$work/clash.c" $sanitize $(pkg-config --cflags libjfrec) \
			"$(dirname "$library")/libjfrec.a" $(pkg-config --static --libs libjfrec | sed 's/-ljfrec//') &&
		"$work/clash" "$recording" | cmp - "$dest/out"
}

# The second program's rows, by what the tool prints.
counts_threads()
{
	"$dest/threads" "$recording" "$dest/busiest.jfr" >"$dest/threads.out" || return
	"$jfrec" print --ndjson "$recording" | python3 -c '
import collections, json, sys
rows = collections.Counter((json.loads(l)["values"].get("eventThread") or {}).get("javaName") or "-" for l in sys.stdin)
print("\n".join(f"{n} {name}" for n, name in sorted(((n, t) for t, n in rows.items()))))' >"$dest/wanted"
	sort -k 1n -k 2 "$dest/threads.out" | diff "$dest/wanted" - && [ "$(wc -l <"$dest/threads.out")" -gt 3 ]
}

# The events of the first row with a name, and no others.
writes_busiest()
{
	grep -v ' -$' "$dest/threads.out" | {
		read -r count thread
		[ "$("$jfrec" print --count "$dest/busiest.jfr")" = "$count" ] &&
			[ "$("$jfrec" print --count --where "eventThread.javaName == \"$thread\"" "$dest/busiest.jfr")" = "$count" ]
	}
}

for tool in meson pkg-config cc nm; do
	if ! command -v "$tool" >/dev/null; then
		echo "1..0 # SKIP no $tool"
		exit 0
	fi
done

works 'meson install' meson install -C "$build" --no-rebuild --quiet --destdir "$dest"
library=$(find "$dest" -name libjfrec.so)
PKG_CONFIG_PATH=$(dirname "$(find "$dest" -name libjfrec.pc)")
PKG_CONFIG_SYSROOT_DIR=$dest
LD_LIBRARY_PATH=$(dirname "$library")
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH

# A library with sanitizers wants a program with them.
sanitize=
nm -D "$library" | grep -q __asan_init && sanitize=-fsanitize=address,undefined

works 'pkg-config knows the version' \
	[ "$(pkg-config --modversion libjfrec)" = "$("$jfrec" --version | cut -d ' ' -f 2)" ]
# Debian's own pkg-config fails if one is listed that is not installed.
works 'it asks for nothing that is loaded when it is needed' \
	sh -c '! grep -i xml "$1"' sh "$(find "$dest" -name libjfrec.pc)"
works 'a program builds without warnings' \
	cc -std=c11 -Wall -Wextra -Wpedantic -Werror $sanitize -o "$dest/longest-events" \
	"$source/tests/unit/longest.c" $(pkg-config --cflags --libs libjfrec)

recording=$source/tests/data/ok/jvm-25.jfr
"$dest/longest-events" "$recording" >"$dest/out" 2>"$dest/err"
status=$?
works 'the program runs' [ "$status" -eq 0 ]
works 'it finds no damage' [ ! -s "$dest/err" ]
works 'it prints ten events' has_ten_lines
works 'they are sorted' is_sorted
works 'the first is the longest of all' first_is_longest
"$dest/longest-events" "$dest/out" >/dev/null 2>"$dest/err"
works 'the static library takes no names from programs' links_statically
works 'what is no recording is told' grep -q 'is not a recording' "$dest/err"

works 'a program that writes a recording builds without warnings' \
	cc -Wall -Wextra -Werror $sanitize -o "$dest/orders" "$source/tests/unit/orders.c" \
	$(pkg-config --cflags --libs libjfrec)
works 'it has 80 lines at most' [ "$(wc -l <"$source/tests/unit/orders.c")" -le 80 ]
works 'it writes one' "$dest/orders" "$dest/orders.jfr"
works 'its events can be counted' \
	[ "$("$jfrec" print --count --events shop.Order "$dest/orders.jfr")" = 10 ]
works 'its labels can be read' \
	sh -c '"$1" metadata --events shop.Order "$2" | grep -q "@Label(\"Rebate\")"' \
	sh "$jfrec" "$dest/orders.jfr"
works 'it does not replace one' sh -c '! "$1" "$2"' sh "$dest/orders" "$dest/orders.jfr"
works 'it writes to a pipe' sh -c '"$1" | cmp - "$2"' sh "$dest/orders" "$dest/orders.jfr"

works 'a program that reads memory builds without warnings' \
	cc -std=c11 -Wall -Wextra -Wpedantic -Werror $sanitize -o "$dest/threads" \
	"$source/tests/unit/threads.c" $(pkg-config --cflags --libs libjfrec)
works 'it has 80 lines at most' [ "$(wc -l <"$source/tests/unit/threads.c")" -le 80 ]
works 'it counts the events of each thread' counts_threads
works 'it writes those of one' writes_busiest
works 'a program that asks a query builds without warnings' \
	cc -std=c11 -Wall -Wextra -Werror $sanitize -o "$dest/answer" \
	"$source/tests/unit/answer.c" $(pkg-config --cflags --libs libjfrec)
works 'it walks the table' sh -c '
	"$1" "SELECT name, COUNT(*) AS N FROM GCPhasePause GROUP BY name ORDER BY N DESC" "$2" |
		tr -d "\r" | sed "s/\t$//" | head -n 1 | grep -qP "^Pause .*\t7$"' sh "$dest/answer" "$recording"
works 'it says what is missing' sh -c '
	! "$1" "SELECT nope FROM CPULoad" "$2" 2>"$3" && grep -q nope "$3"' sh "$dest/answer" "$recording" "$dest/err"
for program in longest threads; do
	if command -v g++ >/dev/null; then
		works "$program.c is C++, too" g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror $sanitize \
			-o "$dest/$program-cpp" -x c++ "$source/tests/unit/$program.c" -x none \
			$(pkg-config --cflags --libs libjfrec)
	else
		result ok "$program.c is C++, too # SKIP no g++"
	fi
done
if command -v g++ >/dev/null; then
	"$dest/threads-cpp" "$recording" "$dest/cpp.jfr" >"$dest/cpp.out"
	works 'as C++ it says the same' cmp "$dest/threads.out" "$dest/cpp.out"
fi

works 'the library exports jfrec_* and nothing else' only_own_symbols
works 'the headers are installed' headers_are_installed
works 'the schemas are installed' schemas_are_installed
works 'each stands alone' headers_stand_alone cc c
works 'also in C++' headers_stand_alone c++ c++
works 'C++ takes the header' sh -c '
	command -v c++ >/dev/null || exit 0
	echo "#include <jfrec.h>" | c++ -Wall -Wextra -Werror -fsyntax-only -x c++ $(pkg-config --cflags libjfrec) -'

# For a user ----------------------------------------------------------------------------------------

# Directories that ld.so looks into, here already or not.
is_searched()   # DIRECTORY
{
	ldconfig -v -N 2>&1 | grep -qE -e "^$1:" -e "Can't stat $1:" ||
		{ echo "the library goes to $1, where ld.so does not look"; return 1; }
}

goes_where_ld_so_looks()        # [OPTION]: of meson
{
	rm -rf "$work/user"
	meson setup -Dman=disabled -Dbuildtype=release "$@" "$work/user" "$source" >"$work/setup" 2>&1 ||
		{ tail -n 5 "$work/setup"; return 1; }
	meson introspect --installed "$work/user" | tr ',' '\n' |
		sed -n 's/.*"\(\/.*\)\/libjfrec\.so".*/\1/p' | tail -n 1 >"$work/libdir"
	is_searched "$(cat "$work/libdir")" &&
		grep -qx "Libs: -L\${[a-z]*}[/a-z0-9_-]* -ljfrec" "$work/user/meson-private/libjfrec.pc"
}

builds_no_tests()
{
	! ninja -C "$work/user" -t targets all | grep -e 'test_' -e 'fuzz_' | head -n 5 | grep .
}

says_how_to_build_them()
{
	meson test -C "$work/user" --no-rebuild --list | grep -F 'meson configure -Dtests=true'
}

PATH=$PATH:/usr/sbin:/sbin
if [ -e /etc/debian_version ] && command -v ldconfig >/dev/null; then
	works 'the library goes where ld.so looks' goes_where_ld_so_looks
	works 'without dpkg-dev, too' goes_where_ld_so_looks --libdir lib64
	works 'a build for users has no tests' builds_no_tests
	works 'how to have them is said' says_how_to_build_them
else
	result ok 'where the library goes # SKIP this is not Debian'
fi

finish
