# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Keys and hashes of an Alembic file, found without the library and without our own reader."""
import struct

DATA_BIT = 1 << 63
ARRAY_TYPES = (2, 3)


class Walker:
    """hashes: object path -> 32 bytes; keys: property path -> keys of the samples stored, in order."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        assert self.bytes[:8] == b"Ogawa\xff\0\1"
        self.hashes, self.keys = {}, {}
        root = self.group(struct.unpack_from("<Q", self.bytes, 8)[0])
        self._object(root[2], "")

    def group(self, word):
        if word == 0:
            return []
        (count,) = struct.unpack_from("<Q", self.bytes, word)
        return struct.unpack_from(f"<{count}Q", self.bytes, word + 8)

    def data(self, word):
        assert word & DATA_BIT
        offset = word & (DATA_BIT - 1)
        if offset == 0:
            return b""
        (count,) = struct.unpack_from("<Q", self.bytes, offset)
        return self.bytes[offset + 8:offset + 8 + count]

    def _object(self, word, path):
        children = self.group(word)
        self._compound(children[0], path)
        headers = self.data(children[-1])
        self.hashes[path or "/"] = headers[-32:]
        at, number = 0, 1
        while at < len(headers) - 32:
            (size,) = struct.unpack_from("<I", headers, at)
            name = headers[at + 4:at + 4 + size].decode()
            at += 4 + size
            at += 1 if headers[at] != 255 else 5 + struct.unpack_from("<I", headers, at + 1)[0]
            self._object(children[number], f"{path}/{name}")
            number += 1

    def _compound(self, word, path):
        children = self.group(word)
        if not children:
            return
        headers, at, number = self.data(children[-1]), 0, 0
        while at < len(headers):
            (info,) = struct.unpack_from("<I", headers, at)
            at += 4
            kind, width = info & 3, 1 << (info >> 2 & 3)

            def sized():
                nonlocal at
                at += width
                return int.from_bytes(headers[at - width:at], "little")

            stored = 1
            if kind:
                samples = sized()
                first, last = (sized(), sized()) if info & 0x200 else (0, 0) if info & 0x800 else (1, samples - 1)
                stored = 0 if samples == 0 else 1 if last <= 0 else last - first + 2
                if info & 0x100:
                    sized()
            size = sized()
            name = headers[at:at + size].decode()
            at += size
            if info >> 20 & 255 == 255:
                at += sized()
            if kind == 0:
                self._compound(children[number], f"{path}/{name}")
            else:
                step = 2 if kind in ARRAY_TYPES else 1
                words = self.group(children[number])[:stored * step:step]
                self.keys[f"{path}/{name}"] = [self.data(w)[:16] for w in words]
            number += 1
