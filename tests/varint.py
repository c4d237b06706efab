# SPDX-License-Identifier: MIT
"""The unsigned integers of Protocol Buffers and Thrift: seven bits a byte, the lowest first."""


def varint(data, at):
    """The number that begins there, and where the next one does."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, at
