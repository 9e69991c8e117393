"""Scenes from keyword arguments, with the field names and units of scene files."""

import difflib
import json

from . import _reeve

_RECORDS = _reeve.fields()
_SECTIONS = {
    "body": "bodies",
    "rotor": "rotors",
    "particle": "particles",
    "joint": "joints",
    "motor": "motors",
    "force": "forces",
    "cable": "cables",
}


def _plain(value):
    """What JSON knows: arrays become lists, tuples too."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if value != value:
            return "nan"  # no field takes it, and the error names the field
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"a scene cannot hold {value!r}; give numbers, strings, lists or dicts") from None


def _checked(record, fields):
    """The fields of a record, or a TypeError that names the one that is not."""
    known = [key for key, *_ in _RECORDS[record][1]]
    for key in fields:
        if key in known:
            continue
        near = difflib.get_close_matches(key, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else "it has " + ", ".join(known)
        raise TypeError(f"a {record} has no field {key!r}; {hint}")
    for key, _, _, needed in _RECORDS[record][1]:
        if needed and key not in fields:
            raise TypeError(f"a {record} needs {key!r}")
    return {key: _plain(value) for key, value in fields.items()}


def _documentation(record):
    about, fields = _RECORDS[record]
    return "\n".join([about, "", *(f"{key}: {words}. {what}" for key, words, what, _ in fields)])


def link(type="attach", **fields):
    return _checked("link", {"type": type, **fields})


def shape(type, **fields):
    return _checked("shape", {"type": type, **fields})


link.__doc__ = _documentation("link")
shape.__doc__ = _documentation("shape")


class Scene:
    """A scene to be filled by keyword arguments and built into a world.

    Every field has the name it has in scene files, and takes units as they do: mass="2 t", dt="1/240 s".
    """

    def __init__(self, name="scene", about="", settings=None):
        self._scene = {"reeve": 1, "name": name}
        if about:
            self._scene["about"] = about
        if settings:
            self._scene["settings"] = _checked("settings", settings)

    def _add(self, record, name, fields):
        section = self._scene.setdefault(_SECTIONS[record], {})
        if name in section:
            raise ValueError(f"there is a {record} {name!r} already; give this one another name")
        section[name] = _checked(record, fields)
        return self

    @property
    def dict(self):
        """What a scene file would say."""
        return json.loads(json.dumps(self._scene))

    def text(self):
        """The text of a scene file."""
        return json.dumps(self._scene, indent=2)

    def build(self):
        """A world, or reeve.Error with the path, what is wrong there, and a remedy."""
        return _reeve.World(json.dumps(self._scene), self._scene["name"])

    def __repr__(self):
        parts = [f"{len(items)} {section}" for section, items in self._scene.items() if section in _SECTIONS.values()]
        return f"<reeve.Scene {self._scene['name']!r}: {', '.join(parts) or 'empty'}>"


def _adder(record):
    def add(self, name, **fields):
        return self._add(record, name, fields)

    add.__name__ = record
    add.__qualname__ = f"Scene.{record}"
    add.__doc__ = _documentation(record)
    return add


for _record in _SECTIONS:
    setattr(Scene, _record, _adder(_record))
