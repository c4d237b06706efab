# tap.sh - counting tests and saying how each went; for the scripts here, which source it

tests=0
failed=0

result()        # ok|not-ok NAME
{
	tests=$((tests + 1))
	if [ "$1" = ok ]; then
		echo "ok $tests - $2"
	else
		echo "not ok $tests - $2"
		failed=1
	fi
}

# A test: does the command succeed?  If not, what it says is shown.  $label, if it is set, comes in
# front of the name.  Not in a subshell: commands may set variables and wait for children.
works()         # NAME COMMAND...
{
	name=${label:+$label: }$1
	shift
	if "$@" >"${work:-$dir}/said" 2>&1; then
		result ok "$name"
	else
		result not-ok "$name"
		head -n 20 "${work:-$dir}/said" | sed 's/^/# /'
	fi
}

skip()          # NAME REASON
{
	result ok "${label:+$label: }$1 # SKIP $2"
}

# Only root outside of containers sees that nobody writes to a repository: owners.c. For others the
# last chunk of a dead JVM must have been left alone for a minute, and nothing is deleted.
sees_all_processes()
{
	[ "$(id -u)" -eq 0 ] && [ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ]
}

# Until what a dead JVM was writing can be taken.
wait_for_quiet()
{
	sees_all_processes || sleep 61
}

# The plan, and the script's exit status.
finish()
{
	echo "1..$tests"
	exit $failed
}
