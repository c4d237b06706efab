# SPDX-License-Identifier: MIT
"""Read Parquet files, as far as jfrec writes them: a second opinion that needs no package.

read_parquet(path) -> ({column: (kind, values)}, {key: value} of the file's metadata)
"""

import ctypes
import ctypes.util
import struct

from varint import varint


def zstd():
    """The library, or None."""
    name = ctypes.util.find_library("zstd") or "libzstd.so.1"
    try:
        library = ctypes.CDLL(name)
    except OSError:
        return None
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p,
                                        ctypes.c_size_t]
    return library


LIBRARY = zstd()


def unpack(data, size):
    to = ctypes.create_string_buffer(size)
    got = LIBRARY.ZSTD_decompress(to, size, data, len(data))
    assert got == size, f"a page has {got} bytes, not {size}"
    return to.raw


# Thrift's compact protocol ----------------------------------------------------------------------

def signed(data, at):
    value, at = varint(data, at)
    return value >> 1 ^ -(value & 1), at


def thrift_value(data, at, kind):
    if kind in (1, 2):
        return kind == 1, at
    if kind == 3:
        return data[at], at + 1
    if kind in (4, 5, 6):
        return signed(data, at)
    if kind == 8:
        length, at = varint(data, at)
        return data[at:at + length], at + length
    if kind == 9:
        count, inner = data[at] >> 4, data[at] & 15
        at += 1
        if count == 15:
            count, at = varint(data, at)
        items = []
        for _ in range(count):
            item, at = thrift_value(data, at, inner)
            items.append(item)
        return items, at
    assert kind == 12, f"type {kind}"
    return thrift_struct(data, at)


def thrift_struct(data, at):
    """{number: value} of a struct, and where it ends."""
    fields, last = {}, 0
    while data[at]:
        head = data[at]
        at += 1
        if head >> 4:
            last += head >> 4
        else:
            last, at = signed(data, at)
        fields[last], at = thrift_value(data, at, head & 15)
    return fields, at + 1


# Encodings --------------------------------------------------------------------------------------

def hybrid(data, at, end, bits, count):
    values = []
    while len(values) < count:
        header, at = varint(data, at)
        if header & 1:
            size = (header >> 1) * bits
            word = int.from_bytes(data[at:at + size], "little")
            mask = (1 << bits) - 1
            values += [word >> i * bits & mask for i in range((header >> 1) * 8)]
        else:
            size = (bits + 7) // 8
            values += [int.from_bytes(data[at:at + size], "little")] * (header >> 1)
        at += size
    assert at <= end, "values go beyond their page"
    return values[:count]


def delta(data, at, bits):
    block, at = varint(data, at)
    parts, at = varint(data, at)
    count, at = varint(data, at)
    value, at = signed(data, at)
    values, half = [value][:count], 1 << bits - 1
    while len(values) < count:
        least, at = signed(data, at)
        widths, at = data[at:at + parts], at + parts
        for width in widths:
            if len(values) == count:
                break
            size = block // parts * width // 8
            word = int.from_bytes(data[at:at + size], "little")
            at += size
            for i in range(min(block // parts, count - len(values))):
                value += least + (word >> i * width & (1 << width) - 1)
                value = (value + half) % (2 * half) - half
                values.append(value)
    return values


def plain(data, at, kind, count):
    if kind == 0:
        return [bool(data[at + i // 8] >> (i & 7) & 1) for i in range(count)]
    if kind == 6:
        values = []
        for _ in range(count):
            length = int.from_bytes(data[at:at + 4], "little")
            values.append(data[at + 4:at + 4 + length])
            at += 4 + length
        return values
    code = {1: "i", 2: "q", 4: "f", 5: "d"}[kind]
    return list(struct.unpack_from(f"<{count}{code}", data, at))


# Files ------------------------------------------------------------------------------------------

def pages(data, at, end):
    while at < end:
        header, at = thrift_struct(data, at)
        yield header, unpack(data[at:at + header[3]], header[2])
        at += header[3]


def list_levels(page):
    """Where the repetitions end, and the levels after them."""
    at = 4 + int.from_bytes(page[:4], "little")
    end = at + 4 + int.from_bytes(page[at:at + 4], "little")
    return at, end


def list_entries(data, meta, kind):
    """(repetition, level, value) of a column in lists, in one row group."""
    begin = meta.get(11, meta[9])
    entries, dictionary = [], None
    for header, page in pages(data, begin, begin + meta[7]):
        if header[1] == 2:
            dictionary = plain(page, 0, kind, header[7][1])
            continue
        count, encoding = header[5][1], header[5][2]
        at, end = list_levels(page)
        repeats, levels = hybrid(page, 4, at, 1, count), hybrid(page, at + 4, end, 2, count)
        filled = levels.count(3)
        if encoding == 8:
            got = iter([dictionary[n] for n in hybrid(page, end + 1, len(page), page[end], filled)])
        else:
            got = iter(plain(page, end, kind, filled))
        entries += [(r, n, next(got) if n == 3 else None) for r, n in zip(repeats, levels)]
        assert next(got, None) is None, "a page has more values than levels"
    assert len(entries) == meta[5], f"{len(entries)} entries, not {meta[5]}"
    assert sum(n < 3 for _, n, _ in entries) == meta[12][3], "the number of nulls is wrong"
    return entries


def lists_of(parts):
    """From {part: entries} to lists of structs; None is a list that is null."""
    rows, names = [], list(parts)
    for entries in zip(*parts.values()):
        repeats, level = entries[0][0], entries[0][1]
        assert {e[0] for e in entries} == {repeats}, "parts begin their lists in different places"
        if not repeats:
            rows.append([] if level else None)
        if level >= 2:
            rows[-1].append({n: e[2].decode() if isinstance(e[2], bytes) else e[2]
                             for n, e in zip(names, entries)})
    return rows


def leaves_of(elements):
    """[(path, leaf)] of a schema."""
    def walk(at, path):
        element = elements[at]
        children, at = element.get(5, 0), at + 1
        path = path + [element[4]]
        if not children:
            found.append((path, element))
        for _ in range(children):
            at = walk(at, path)
        return at

    found = []
    at = 1
    for _ in range(elements[0][5]):
        at = walk(at, [])
    assert at == len(elements), "the schema has elements of no group"
    return found


def column_values(data, meta, kind):
    """All values of a column in one row group."""
    begin = meta.get(11, meta[9])
    values, dictionary = [], None
    for header, page in pages(data, begin, begin + meta[7]):
        if header[1] == 2:
            dictionary = plain(page, 0, kind, header[7][1])
            continue
        count, encoding = header[5][1], header[5][2]
        at = 4 + int.from_bytes(page[:4], "little")
        there = hybrid(page, 4, at, 1, count)
        filled = sum(there)
        if encoding == 8:
            numbers = hybrid(page, at + 1, len(page), page[at], filled)
            got = iter([dictionary[n] for n in numbers])
        elif encoding == 5:
            got = iter(delta(page, at, 32 if kind == 1 else 64))
        else:
            got = iter(plain(page, at, kind, filled))
        values += [next(got) if t else None for t in there]
        assert next(got, None) is None, "a page has more values than rows"
    assert len(values) == meta[5], f"{len(values)} values, not {meta[5]}"
    return values


def check_statistics(meta, kind, values, is_unsigned):
    """What the file says of the values must be true: engines leave row groups out by it."""
    there = [v for v in values if v is not None]
    said = meta[12]
    assert said[3] == len(values) - len(there), "the number of nulls is wrong"
    if 5 not in said or not there:
        return
    if kind == 6:
        least, most = said[6], said[5]
    elif kind == 0:
        least, most = bool(said[6][0]), bool(said[5][0])
    else:
        code = {1: "i", 2: "q", 4: "f", 5: "d"}[kind]
        code = code.upper() if is_unsigned else code
        least, = struct.unpack("<" + code, said[6])
        most, = struct.unpack("<" + code, said[5])
    assert min(there) == least and max(there) == most, "the limits are wrong"


def read_parquet(path):
    with open(path, "rb") as f:
        data = f.read()
    assert data[:4] == data[-4:] == b"PAR1", "no Parquet file"
    length = int.from_bytes(data[-8:-4], "little")
    footer, end = thrift_struct(data[:-8], len(data) - 8 - length)
    assert end == len(data) - 8, "the footer is longer or shorter"
    columns, lists = {}, {}
    for i, (path, leaf) in enumerate(leaves_of(footer[2])):
        name, kind = path[0].decode(), leaf[1]
        if len(path) > 1:
            entries = []
            for group in footer[4]:
                meta = group[1][i][3]
                assert meta[3] == path, "the path is another column's"
                entries += list_entries(data, meta, kind)
            lists.setdefault(name, {})[path[-1].decode()] = entries
            continue
        is_unsigned = 10 in leaf and 10 in leaf[10] and not leaf[10][10][2]
        all_values = []
        for group in footer[4]:
            meta = group[1][i][3]
            assert meta[3] == [leaf[4]], "the path is another column's"
            values = column_values(data, meta, kind)
            if is_unsigned:
                values = [v if v is None else v % (1 << (32 if kind == 1 else 64)) for v in values]
            check_statistics(meta, kind, values, is_unsigned)
            all_values += values
        if kind == 6:
            all_values = [v if v is None else v.decode() for v in all_values]
        assert len(all_values) == footer[3], f"{name} has {len(all_values)} rows, not {footer[3]}"
        assert name not in columns, f"{name} is there twice"
        columns[name] = ("time" if 10 in leaf and 8 in leaf[10] else
                         {0: "bool", 6: "text", 4: "float32", 5: "float"}.get(kind, "int"),
                         all_values)
    for name, parts in lists.items():
        columns[name] = ("list", lists_of(parts))
        assert len(columns[name][1]) == footer[3], f"{name} has {len(columns[name][1])} rows"
    pairs = {p[1].decode(): p[2].decode() for p in footer.get(5, [])}
    return columns, pairs
