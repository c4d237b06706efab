"""The memory that a killed program leaves, for tests of libjfrec-recorder."""


def keeps_memory():
    """A recorder leaves its memory on a tmpfs only: a disk would make writers wait."""
    with open('/proc/mounts') as mounts:
        return any(line.split()[1:3] == ['/dev/shm', 'tmpfs'] for line in mounts)
