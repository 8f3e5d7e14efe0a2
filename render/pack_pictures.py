#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Packs a picture, or several as an animation, into a small WebP: pack_pictures.py OUT.webp IN.png...; needs Pillow."""
import argparse

from PIL import Image


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--quality", type=int, default=80)
    parser.add_argument("--fps", type=float, default=24)
    options = parser.parse_args()
    first, *more = [Image.open(path).convert("RGB") for path in options.pictures]
    moving = {"save_all": True, "append_images": more, "duration": round(1000 / options.fps), "loop": 0} if more else {}
    first.save(options.out, quality=options.quality, method=6, **moving)


if __name__ == "__main__":
    main()
