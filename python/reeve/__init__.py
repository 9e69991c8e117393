"""Cables, ropes, chains, belts and tendons with the bodies they move.

    import reeve

    scene = reeve.Scene("winch", settings={"dt": "1/240 s"})
    scene.body("load", position=[0.2, 0, 1], mass="250 kg", inertia=[10, 10, 10])
    scene.rotor("drum", position=[0, 0, 4], radius="20 cm", mass=20)
    scene.motor("winch", on="drum", drive="velocity")
    scene.cable("rope", route=[reeve.link("spool", on="drum", stored=3), reeve.link("attach", on="load")])
    world = scene.build()
    world.motor("winch").command(-2.0)
    world.step(240)
    print(world.body("load").position)
"""

import pathlib as _pathlib

from . import _reeve
from ._reeve import Batch, Body, Cable, Edit, Error, Extremes, Joint, Motor, Parameter, Particle, Quantity, Rotor, State, World
from . import env, views
from .problem import problem as _problem
from .scene import Scene, link, shape

__version__ = "0.1.0"


def load(path):
    """A world from a scene file."""
    path = _pathlib.Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise _problem(str(path), error.strerror, "give the path of a scene file") from None
    try:
        return World(text, path.stem)
    except Error as error:
        raise _at(error, path) from None


def _at(error, path):
    """The same error with the file's name in front."""
    named = Error(f"{path}: {error}")
    named.path, named.reason, named.remedy = error.path, error.reason, error.remedy
    return named


def loads(text, name="scene"):
    """A world from the text of a scene file."""
    return World(text, name)


def plot(trajectory, paths, ax=None):
    """Draws columns of a trajectory (see record) over time, with matplotlib where it is installed."""
    from .plotting import plot as draw

    return draw(trajectory, paths, ax)


def record(world, paths, seconds):
    """Steps a world for so long and returns a dict of arrays: 'time' and every path."""
    import numpy

    quantities = [world.quantity(path) for path in paths]
    count = round(seconds / world.dt)
    table = numpy.empty((len(paths) + 1, count + 1))
    for i in range(count + 1):
        if i > 0 and world.step() == 0:
            table = table[:, :i]
            break
        table[0, i] = world.time
        for k, quantity in enumerate(quantities):
            table[k + 1, i] = quantity()
    return dict(zip(["time", *paths], table))


__all__ = [
    "Batch", "Body", "Cable", "Edit", "Error", "Extremes", "Joint", "Motor", "Parameter", "Particle", "Quantity", "Rotor", "Scene", "State", "World",
    "env", "link", "load", "loads", "plot", "record", "shape",
]  # fmt: skip
