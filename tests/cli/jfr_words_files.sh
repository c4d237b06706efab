# jfr_words_files.sh - the files that jfr_words.tsv speaks of; for the scripts that source it

prepare_files() # DIRECTORY RECORDING
{
	rm -f "$1"/*.jfc "$1"/a_*.jfr "$1"/a-scrubbed.jfr "$1"/x.jfr "$1"/xx.jfr
	[ ! -e "$1/a.jfr" ] || return 0
	cp "$2" "$1/a.jfr"
	cp "$2" "$1/other.name"
	: >"$1/empty.jfr"
	mkdir "$1/dir" "$1/emptydir" "$1/several" "$1/GC"
	cp "$2" "$1/several/1.jfr"
}
