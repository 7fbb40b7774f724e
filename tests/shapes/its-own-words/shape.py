"""Take a pack of costumes away."""

import os
import shutil


def take_away(pack, wardrobe):
    with open(os.path.join(pack, "shared.txt")) as f:
        shared = set(f.read().splitlines())
    with open(os.path.join(pack, "parts.txt")) as f:
        parts = f.read().splitlines()
    for part in parts:
        if part not in shared:
            shutil.rmtree(os.path.join(wardrobe, part))
