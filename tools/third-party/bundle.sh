# SPDX-License-Identifier: MIT
#
# bundle.sh - the archive with the static file: sourced by build-static
#
# What is in it lies as below /usr/local: bin, share, lib/systemd. With the program come its pages,
# completions and units, and in share/doc/jfrec the licences of all that is linked in.

# Which texts of a source are its licence.
licences_of()   # NAME
{
	case $1 in
	zstd | zlib | bzip2 | jansson | mimalloc) echo LICENSE ;;
	lz4) echo lib/LICENSE ;;
	xz) echo COPYING.0BSD ;;
	libyaml) echo License ;;
	libxml2) echo Copyright ;;
	sqlite) echo LICENSE.md ;;
	elfutils) echo COPYING-LGPLV3 COPYING ;;
	augeas) echo COPYING ;;
	musl) echo COPYRIGHT ;;
	esac
}

# What the LGPL asks for, in version 2.1 (section 6) and 3 (section 4).
print_rights()  # NAME
{
	cat <<-END

		This is linked under the GNU Lesser General Public License, the text of which is below. You may
		change it, link jfrec with what you changed, and reverse engineer jfrec to find out what goes
		wrong then. Everything that this takes is there for everybody: the source of jfrec, under the
		MIT license, has tools/build-static, which makes this file, and takes a changed library by
		\`--with $1=DIRECTORY\`. The source named above is the one that was used, without changes; a
		Debian mirror has it, and who maintains jfrec hands it out on request for three years after the
		release.
	END
}

print_licence() # NAME VERSION LICENCE WHAT FILE SHA256
{
	printf '\n%s\n%s %s\n\n' "$(printf '%72s' '' | tr ' ' =)" "$1" "$2"
	printf 'Licence: %s\nLinked: %s\nSource: %s\nSHA-256: %s\n' "$3" "$4" "$5" "$6"
	case $3 in
	LGPL*) print_rights "$1" ;;
	esac
}

third_party()
{
	echo "What is linked into jfrec $jfrec_version for Linux on $arch beside its own source, which LICENSE is for."
	echo 'Each source is named as in the source packages of Debian, with its SHA-256.'
	grep '	linked	' "$table" | while IFS='	' read -r name version _ _ _ file sum licence _ what; do
		print_licence "$name" "$version" "$licence" "$what" "$file" "$sum"
		for text in $(licences_of "$name"); do
			echo
			cat "$work/$name/$text"
		done
	done
	grep '	tool	' "$table" | while IFS='	' read -r name version _ _ _ file sum licence _; do
		print_licence "$name" "$version" "$licence" 'its C library, musl, and compiler-rt' "$file" "$sum"
		for text in LICENSE lib/libc/musl/COPYRIGHT; do
			echo
			cat "$zig/ziglang/$text"
		done
	done
}

put()           # FILE DIRECTORY [NAME]
{
	install -D -m 644 "$1" "$tree/$2/${3:-${1##*/}}"
}

lay_out()
{
	install -D -m 755 "$work/jfrec/jfrec" "$tree/bin/jfrec"
	for page in "$work/jfrec/man/"*.[1357]; do
		put "$page" "share/man/man${page##*.}"
	done
	put "$source/completions/jfrec.bash" share/bash-completion/completions jfrec
	put "$source/completions/jfrec.fish" share/fish/vendor_completions.d
	put "$source/completions/_jfrec" share/zsh/site-functions
	for profile in "$source"/settings/*.yaml; do
		put "$profile" share/jfrec/settings
	done
	put "$source/settings/collect/collect.yaml" share/jfrec
	for unit in "$source"/settings/collect/*.service "$source"/settings/collect/*.timer; do
		put "$unit" lib/systemd/system
		sed -i 's,@bindir@,/usr/local/bin,' "$tree/lib/systemd/system/${unit##*/}"
	done
	for text in README.md LICENSE CHANGELOG.md SECURITY.md; do
		put "$source/$text" share/doc/jfrec
	done
	third_party >"$tree/share/doc/jfrec/THIRD-PARTY"
	python3 "$tools/third-party/sbom.py" "$table" "$jfrec_version" "$arch" "$tree/bin/jfrec" \
		>"$tree/share/doc/jfrec/sbom.spdx.json"
}

bundle()
{
	jfrec_version=$(sed -n "s/^	version: '\(.*\)',/\1/p" "$source/meson.build")
	bundle=jfrec-$jfrec_version-linux-$arch
	tree=$work/$bundle
	rm -rf "$tree"
	lay_out
	tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--mtime="@$SOURCE_DATE_EPOCH" -C "$work" -cf - "$bundle" | gzip -9n >"$out/$bundle.tar.gz"
}
