"""Plots with matplotlib where it is installed, and plain ones without it."""


def plot(trajectory, paths, ax=None):
    """Draws columns of a trajectory over time; returns the axes."""
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("reeve.plot needs matplotlib; install it, or use the arrays as they are") from None
    if ax is None:
        _, ax = pyplot.subplots()
    for path in paths:
        ax.plot(trajectory["time"], trajectory[path], label=path)
    ax.set_xlabel("time, s")
    ax.legend()
    return ax


def svg(file, time, panels, width=720, height=220):
    """Writes plots over time, one below the other, as SVG without matplotlib. panels: (label, array) each; an array of two
    dimensions has a line per column."""
    import numpy

    colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933"]
    left, top, gap = 70, 14, 40
    time = numpy.asarray(time, dtype=float)
    every = max(1, len(time) // 1000)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{len(panels) * height}" font-family="sans-serif" font-size="12">']
    parts.append('<rect width="100%" height="100%" fill="#ffffff"/>')
    for i, (label, values) in enumerate(panels):
        values = numpy.asarray(values, dtype=float).reshape(len(time), -1)
        low, high = float(values.min()), float(values.max())
        span = (high - low) or 1.0
        x = left + (width - left - 20) * (time - time[0]) / ((time[-1] - time[0]) or 1.0)
        base, room = i * height + height - gap, height - gap - top
        parts.append(f'<rect x="{left}" y="{base - room}" width="{width - left - 20}" height="{room}" fill="none" stroke="#999999"/>')
        for value, y in ((high, base - room), (low, base)):
            parts.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{value:.3g}</text>')
        parts.append(f'<text x="{left}" y="{base - room - 3}">{label}</text>')
        for k in range(values.shape[1]):
            y = base - room * (values[:, k] - low) / span
            points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x[::every], y[::every]))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colors[k % len(colors)]}" stroke-width="1.2"/>')
        if i + 1 == len(panels):
            parts.append(f'<text x="{left}" y="{base + 18}">{time[0]:.3g} s</text>')
            parts.append(f'<text x="{width - 20}" y="{base + 18}" text-anchor="end">{time[-1]:.3g} s</text>')
    with open(file, "w", encoding="utf-8") as out:
        out.write("\n".join(parts + ["</svg>"]) + "\n")
