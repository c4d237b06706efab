#!/usr/bin/env python3
# Runs a command where / is a real root directory, in a mount namespace of its own.
#
# usage: apart.py COMMAND [ARGUMENT...]
#
# Within a chroot nobody can make a user namespace, and `unshare --mount` fails, since / is no mount
# point there. So this makes one of it, and enters that with pivot_root, as containers do. Nothing
# outside of the command sees any of it. Processes are seen as before: jfrec does less in a pid
# namespace of its own, where it cannot see who else has a file.
#
# Some tests act as other users. Where these cannot enter the working directory, since it lies in
# root's home, the command runs in a mount of it that they can enter.
#
# The exit status is that of the command; 125 and a sentence if it cannot be run like that.
import ctypes
import os
import pathlib
import signal
import stat
import sys
import tempfile

CLONE_NEWNS = 0x20000
MS_NOSUID, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 8, 4096, 16384, 1 << 18
AT_EMPTY_PATH, AT_RECURSIVE, OPEN_TREE_CLONE = 0x1000, 0x8000, 1
MOVE_MOUNT_EMPTY_PATHS = 4 | 0x40
MNT_DETACH = 2
PR_SET_PDEATHSIG = 1
OPEN_TREE, MOVE_MOUNT = 428, 429
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

libc = ctypes.CDLL(None, use_errno=True)


def must(what, result):
    if result < 0:
        raise OSError(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def mount(source, target, kind, flags, data=None):
    as_bytes = [None if s is None else s.encode() for s in (source, target, kind, data)]
    return libc.mount(*as_bytes[:3], ctypes.c_ulong(flags), as_bytes[3])


def take_root():
    """What is / becomes a mount of its own, and the root of the mount namespace."""
    must("unshare", libc.unshare(CLONE_NEWNS))
    root = os.open("/", os.O_PATH | os.O_DIRECTORY)
    mounts = os.open("/proc/self/ns/mnt", os.O_RDONLY)
    must("setns", libc.setns(mounts, CLONE_NEWNS))
    must("mount --make-rprivate /", mount(None, "/", None, MS_REC | MS_PRIVATE))
    tree = must("open_tree", libc.syscall(OPEN_TREE, root, b"",
                                          OPEN_TREE_CLONE | AT_EMPTY_PATH | AT_RECURSIVE))
    must("move_mount", libc.syscall(MOVE_MOUNT, tree, b"", root, b"", MOVE_MOUNT_EMPTY_PATHS))
    os.fchdir(tree)
    must("pivot_root", libc.syscall(PIVOT_ROOT[os.uname().machine], b".", b"."))
    must("umount", libc.umount2(b".", MNT_DETACH))
    os.chdir("/")
    for fd in (root, mounts, tree):
        os.close(fd)


def mount_terminals():
    if not os.path.exists("/dev/pts/ptmx"):
        # Without it there are no terminals; a test less.
        if mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "ptmxmode=0666") == 0:
            mount("/dev/pts/ptmx", "/dev/ptmx", None, MS_BIND)


def mount_shared_memory():
    """As every system has it; what a killed program leaves there is looked for by tests."""
    with open("/proc/mounts") as mounts:
        if any(line.split()[1:3] == ["/dev/shm", "tmpfs"] for line in mounts):
            return
    if os.path.isdir("/dev/shm"):
        mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID, "mode=1777")


def for_all(directory):
    """Where other users can enter it: itself, or a mount of it, if it is in root's home."""
    for parent in pathlib.Path(directory, "x").parents:
        if not parent.stat().st_mode & stat.S_IXOTH:
            break
    else:
        return directory
    elsewhere = tempfile.mkdtemp(prefix="jfrec-tests-")
    os.chmod(elsewhere, 0o755)
    must(f"mount {elsewhere}", mount(directory, elsewhere, None, MS_BIND))
    return elsewhere


def status_of(ended):
    return os.WEXITSTATUS(ended) if os.WIFEXITED(ended) else 128 + os.WTERMSIG(ended)


def run(command):
    directory = os.getcwd()
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    take_root()
    mount_terminals()
    mount_shared_memory()
    entered = for_all(directory)
    os.chdir(entered)
    os.environ["PWD"] = entered     # which shells believe
    child = os.fork()
    if child == 0:
        os.execvp(command[0], command)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: os.kill(child, signal.SIGTERM))
    status = status_of(os.waitpid(child, 0)[1])
    if entered != directory:
        os.chdir("/")
        must(f"umount {entered}", libc.umount2(entered.encode(), MNT_DETACH))
        os.rmdir(entered)
    return status


try:
    sys.exit(run(sys.argv[1:]))
except OSError as reason:
    print(f"apart.py: {reason}", file=sys.stderr)
    sys.exit(125)
