"""Plots with matplotlib, where it is installed."""


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
