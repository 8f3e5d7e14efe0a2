# SPDX-FileCopyrightText: The Repose authors
# SPDX-License-Identifier: Apache-2.0
"""Sand is poured on a stretched cloth: the angle of the pile against friction. python pile_angles.py [picture.png]"""
import sys

import numpy as np
import repose


def pile(friction: float) -> repose.Scene:
    """A canvas that is held at its rim, and grains that fall on its middle."""
    scene = repose.Scene(frames=(1, 60))
    rim = [k for k in range(21 * 21) if k % 21 in (0, 20) or k // 21 in (0, 20)]
    scene.add_cloth("canvas", {"shape": "grid", "size": [0.7, 0.7], "divisions": [20, 20]}, density=2,
                    friction=friction).pin(points=rim)
    scene.add_grains("sand", radius=0.012, radiusvariance=0.2, friction=friction, emitters=[
        {"shape": "cylinder", "radius": 0.04, "height": 0.05, "rate": 500, "velocity": [0, -1, 0], "spread": 0.1,
         "transform": {"translate": [0, 0.5, 0]}, "frames": [1, 25]}])
    return scene


def angle(friction: float) -> float:
    """Of the pile's side, in degrees: a line through the highest grains around the middle."""
    sim = pile(friction).simulate()
    sim.run(59)
    x, y, z = sim["sand"].positions.T
    ring = (np.hypot(x, z) / 0.02).astype(int)
    heights = [y[ring == k].max() for k in range(7) if (ring == k).any()]
    slope = np.polyfit(0.02 * np.arange(len(heights)), heights, 1)[0]
    return float(np.degrees(np.arctan(-slope)))


if __name__ == "__main__":
    import matplotlib.pyplot as plt

    frictions = [0.2, 0.3, 0.35, 0.4]
    angles = [angle(friction) for friction in frictions]
    print(*(f"friction {f}: {a:.1f} degrees" for f, a in zip(frictions, angles)), sep="\n")
    plt.plot(frictions, angles, "o-")
    plt.xlabel("friction")
    plt.ylabel("angle of the pile [degrees]")
    plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "pile_angles.png")
