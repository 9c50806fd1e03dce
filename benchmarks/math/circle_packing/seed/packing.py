"""Twenty-six circles in the unit square: places first, then the largest radii that fit there."""

# EVOLVE-BLOCK-START
import numpy as np


def construct_packing():
    """Choose 26 centers and give every circle the radius it may have.

    Returns the centers, shape (26, 2), the radii, shape (26,), and the sum of the radii.
    """
    centers = np.zeros((26, 2))

    # One circle in the middle.
    centers[0] = [0.5, 0.5]

    # A ring of eight around it.
    for i in range(8):
        angle = 2 * np.pi * i / 8
        centers[i + 1] = [0.5 + 0.3 * np.cos(angle), 0.5 + 0.3 * np.sin(angle)]

    # A ring of sixteen outside; one more circle is left over and stays in the corner.
    for i in range(16):
        angle = 2 * np.pi * i / 16
        centers[i + 9] = [0.5 + 0.7 * np.cos(angle), 0.5 + 0.7 * np.sin(angle)]

    # The outer ring is wider than the square: pull everything inside.
    centers = np.clip(centers, 0.01, 0.99)

    radii = compute_max_radii(centers)
    return centers, radii, np.sum(radii)


def compute_max_radii(centers):
    """Shrink radii of one until every circle is inside the square and no two overlap."""
    n = centers.shape[0]
    radii = np.ones(n)

    for i in range(n):
        x, y = centers[i]
        radii[i] = min(x, y, 1 - x, 1 - y)

    for i in range(n):
        for j in range(i + 1, n):
            distance = np.sqrt(np.sum((centers[i] - centers[j]) ** 2))
            if radii[i] + radii[j] > distance:
                scale = distance / (radii[i] + radii[j])
                radii[i] *= scale
                radii[j] *= scale

    return radii
# EVOLVE-BLOCK-END


def run_packing():
    """What the evaluator calls: the packing as it stands."""
    centers, radii, sum_radii = construct_packing()
    return centers, radii, sum_radii


if __name__ == "__main__":
    print(f"sum of radii: {run_packing()[2]:.6f}")
