#!/bin/sh
# What looks at other processes touches their files by lib/process alone (opener.h), also the tool's
# cli/collect and cli/top, which know no more than the public API: no other object file may open, look at, list, remove or connect to anything by name, but for what stands here.
#
# usage: touches.sh JFREC SOURCE_ROOT

LC_ALL=C
export LC_ALL
library=$(dirname "$(realpath "$1")")/libjfrec.a
objects=$(realpath "$1").p
. "$2/tests/cli/tap.sh"

command -v nm >/dev/null || { echo "1..0 # SKIP no nm"; exit 0; }
[ -e "$library" ] || { echo "1..0 # SKIP no libjfrec.a"; exit 0; }
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# OBJECT SYMBOL..., and why.
cat >allowed <<'EOF'
doctor_cleaner open scandir				/etc/tmpfiles.d of this host
doctor_host access fopen readlink stat		/proc, /sys and /etc of this host
doctor_jvm readlink readlinkat			links of /proc/PID/ns
doctor_outside fdopendir open openat			/proc, /proc/PID/task, control groups
process_find access open opendir			/proc
attach_handshake faccessat fdopendir fstatat openat unlinkat	the trigger and /proc/PID/task, in the helper
attach_helper_main openat unlinkat			what the helper makes and removes, as the JVM's user
jfr_start fstatat				/dev/null of the JVM, not opened
process_loaded openat					/proc/PID/maps
jfr_disk_space fdopendir fstatat openat			sizes in a directory that the helper opened
load_stat openat					/proc/PID/stat
load_threads fdopendir openat				/proc/PID/task
top_inquiry open					/dev/null
repository_crash_file open				the memory that is an operand of repair
repository_leftover open					directories that the configuration names
repository_owners open openat opendir readlink		/proc, and descriptors in reserve
EOF
touching='f?open(at|at2|dir)?|fdopendir|l?stat|fstatat|statx|readlink(at)?|unlink(at)?|rmdir|connect|rename(at)?2?|f?access(at)?|realpath|scandir|name_to_handle_at|mkfifo(at)?|mknod(at)?|mkdir(at)?|truncate|chmod|l?chown|fchownat|fchmodat'

# "attach_find opendir" for each such symbol that an object of those folders imports.
imports()
{
	{
		nm -A -u "$library"
		nm -A -u "$objects"/cli_collect_*.o | sed 's/cli_collect_/lib_collect_/'
		nm -A -u "$objects"/cli_top_*.o | sed 's/cli_top_/lib_top_/'
	} 2>/dev/null |
		sed -nE 's/^.*[:/]lib_((attach|load|repository|stream|doctor|jfr|top)_[a-z_]*|process_(attach_socket|backoff|cmdline|container|counters|find|hsperf|jdk|jvm|jvm_root|loaded|probe|rights|signal_safety|user|version)|collect_(collect|dead|living|pass|recorders?))\.c\.o: *U (__)?([a-z0-9_]+)$/\1 \6/p' |
		sed -E 's/(64)?(_chk|_2)?$//' | grep -E " ($touching)\$" | sort -u
}

only_what_is_allowed()
{
	imports >found
	[ "$(ls "$objects"/cli_collect_* | grep -c .)" -ge 10 ] || { echo 'no object of cli/collect was found'; return 1; }
	[ -s found ] || { echo 'no object of those folders was found'; return 1; }
	awk 'NR == FNR { for (i = 2; i <= NF; i++) ok[$1 " " $i] = 1; next }
	     !(($1 " " $2) in ok) { print $1 ".c uses " $2 "(): use lib/process/opener.h"; bad = 1 }
	     END { exit bad }' allowed found
}

works 'only lib/process touches what belongs to other processes' only_what_is_allowed
finish
