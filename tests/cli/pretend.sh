# pretend.sh - processes that look like a JVM, and what a command says of them; for the
# scripts here, which source it after tap.sh, with $jfrec and $command set

LC_ALL=C
export LC_ALL
work=$(mktemp -d)
children=
trap 'kill -9 $children 2>/dev/null; rm -rf "$work"' EXIT

# A process that maps a file of that name, and says so in $work/NAME.
pretend()       # NAME
{
	mkdir -p "$work/files"
	echo x >"$work/files/$1"
	python3 -c 'import mmap, sys, time
file = open(sys.argv[1], "rb")
mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
open(sys.argv[2], "w").close()
time.sleep(60)' "$work/files/$1" "$work/$1" &
	pretender=$!
	children="$children $pretender"
	for i in 1 2 3 4 5 6 7 8 9 10; do
		[ -e "$work/$1" ] && break
		sleep 0.2
	done
}

# What $command says of these arguments, on either side, and its status. TEXT is a
# regular expression.
says()          # NAME STATUS TEXT ARGUMENT...
{
	name=$1 want=$2 text=$3
	shift 3
	"$jfrec" $command "$@" >"$work/said" 2>&1
	status=$?
	if [ $status -eq "$want" ] && grep -qE -- "$text" "$work/said"; then
		result ok "$name"
	else
		result not-ok "$name"
		echo "# status $status; wanted $want and: $text"
		sed 's/^/# /' "$work/said"
	fi
}
