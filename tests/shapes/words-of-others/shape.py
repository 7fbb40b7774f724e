"""Take a pack of costumes away."""

import os
import shutil


def take_away(pack, troupes, wardrobe):
    with open(os.path.join(troupes, "used.txt")) as f:
        used = set(f.read().splitlines())
    with open(os.path.join(pack, "parts.txt")) as f:
        parts = f.read().splitlines()
    for part in parts:
        if part not in used:
            shutil.rmtree(os.path.join(wardrobe, part))  # want: delete-on-absence, missing-grace-period, reference-read-first
