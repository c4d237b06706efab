# SPDX-License-Identifier: MIT
#
# cross.sh - a compiler for another system, and the libraries of others compiled by it: sourced
#
# The caller has said where things are ($tools, $cache, $work, $jobs) and for what ($target, as the
# compiler names it; $cpu; $code, the flags of position-independent code), and has a function fail.
# With $own it names a library whose sources are in $own_source. Then prepare_compiler sets $cc and
# $ar, build_libraries fills $prefix, and write_cross_file tells meson of both.
table=$tools/third-party.tsv
prefix=$work/prefix
own=${own-}
native_cc=${CC:-cc}
unset CC CFLAGS CPPFLAGS LDFLAGS
. "$tools/third-party/build.sh"

# It keeps the C library that it compiles for the target when that is first needed.
prepare_compiler()
{
	wheel=$(grep '	tool	' "$table" | cut -f 6)
	zig=$cache/zig-$(grep '	tool	' "$table" | cut -f 2)
	if [ ! -e "$zig" ]; then
		rm -rf "$zig.tmp"
		python3 -m zipfile -e "$cache/$wheel" "$zig.tmp"
		chmod +x "$zig.tmp/ziglang/zig"
		mv "$zig.tmp" "$zig"
	fi
	ZIG_GLOBAL_CACHE_DIR=$cache/zig-cache ZIG_LOCAL_CACHE_DIR=$cache/zig-cache
	export ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR
	ar="$zig/ziglang/zig ar"
	# Two questions of meson's have to be answered for it: what links, and what the compiler defines.
	cat >"$work/cc" <<-END
		#!/bin/sh
		case " \$* " in
		*' -Wl,--version '*) echo 'LLD (compatible with GNU linkers)'; exit ;;
		*' - ') set -- -x c "\$@" ;;
		esac
		exec "$zig/ziglang/zig" cc -target $target "\$@"
	END
	chmod +x "$work/cc"
	cc=$work/cc
	# The same for all that is linked (meson.build has its own for jfrec itself). No paths, no times.
	common="-O2 -g0 $code -ffunction-sections -fdata-sections -fno-sanitize=undefined
		-fstack-protector-strong -ftrivial-auto-var-init=zero -Wno-error=date-time
		-ffile-prefix-map=$work=. -ffile-prefix-map=$source=. -ffile-prefix-map=$zig=zig"
	case $cpu in
	x86_64) common="$common -fstack-clash-protection -fcf-protection" ;;
	aarch64) common="$common -fstack-clash-protection -mbranch-protection=standard" ;;
	esac
	compile=$(echo $cc $common -w)
	# For jfrec itself: clang takes less into one function than gcc, and goes over events by more calls.
	inline='-mllvm -inline-threshold=600'
}

unpack()        # NAME: into the current directory
{
	if [ "$1" = "$own" ]; then
		cp -R "$own_source/." .
		return
	fi
	grep "^$1	.*	linked	" "$table" | cut -f 6 | while read -r file; do
		tar xf "$cache/$file" --strip-components=1
	done
	grep "^$1	.*	patches	" "$table" | cut -f 6 | while read -r file; do
		tar xf "$cache/$file" debian/patches
		grep -v '^#' debian/patches/series | while read -r patch _; do
			[ -z "$patch" ] || patch -s -p1 <"debian/patches/$patch"
		done
	done
}

build_library() # NAME VERSION
{
	name=$1 version=$2
	mkdir -p "$work/$name"
	cd "$work/$name"
	unpack "$name"
	. "$tools/third-party/$name.sh"
	"build_$name"
	cd "$work"
}

# The names of all that a static file has in it.
linked()
{
	grep '	linked	' "$table" | cut -f 1
}

# Those named, one at a time and in the order of the table: later ones include headers of earlier ones.
build_libraries() # NAME...
{
	mkdir -p "$prefix/lib/pkgconfig" "$prefix/include"
	compile="$compile -isystem $prefix/include"
	grep '	linked	' "$table" | while IFS='	' read -r name version _; do
		case " $* " in *" $name "*) ;; *) continue ;; esac
		[ ! -e "$work/$name/.done" ] || [ "$name" = "$own" ] || continue
		echo "$name $version"
		rm -rf "${work:?}/$name"
		(build_library "$name" "$version") # no ||, with which the shell would not stop within
		: >"$work/$name/.done"
	done
}

quoted()        # WORD...: as a list of meson
{
	printf "'%s', " "$@"
}

write_cross_file() # LINKER_ARGUMENT...
{
	cat >"$work/cross.ini" <<-END
		[binaries]
		c = [$(quoted $cc)]
		ar = [$(quoted $ar)]
		pkgconfig = 'pkg-config'
		[properties]
		pkg_config_libdir = '$prefix/lib/pkgconfig'
		needs_exe_wrapper = true
		[built-in options]
		c_args = [$(quoted $common $inline -I"$prefix/include/instead" -isystem "$prefix/include")]
		c_link_args = [$(quoted "$@" -s -Wl,--gc-sections -Wl,--build-id=none -L"$prefix/lib")]
		[host_machine]
		system = 'linux'
		cpu_family = '$cpu'
		cpu = '$cpu'
		endian = 'little'
	END
}
