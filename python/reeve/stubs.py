"""Writes the type stubs: python -m reeve.stubs FOLDER writes scene.pyi, from the declaration of the fields, and _reeve.pyi,
from the signatures that the module has itself."""

import inspect
import pathlib
import re
import sys

from . import _reeve
from .scene import _SECTIONS

_HEAD = '''"""Scenes from keyword arguments. Written by reeve.stubs from the declaration of the fields."""

from typing import Any, Literal, Mapping, Optional, Sequence, Union

from ._reeve import World

Number = Union[float, str]
Numbers = Union[Sequence[float], Sequence[Number], Any]
'''


def _type(words):
    if words.startswith('"') and " or " not in words:
        return f"Literal[{words}]"
    for head, kind in (("true", "bool"), ("whole", "int"), ("integer", "int"), ("number", "Number"), ("text", "str")):
        if words.startswith(head):
            return kind
    if words == "direction":
        return "Numbers"
    return "Numbers" if words[:1].isdigit() or "numbers" in words else "Any"


def _function(record, head, indent):
    about, fields = _reeve.fields()[record]
    given = {"type"} if record in ("link", "shape") else set()
    lines = [f"{indent}def {head},"] if fields else [f"{indent}def {head}"]
    lines += [f"{indent}    {key}: {_type(words)} = ...," for key, words, _, _ in fields if key not in given]
    lines.append(f"{indent}) -> {'dict' if given else 'Scene'}:")
    lines.append(f'{indent}    """{about}')
    lines.append("")
    lines += [f"{indent}    {key}: {words}. {what}" for key, words, what, _ in fields]
    lines.append(f'{indent}    """')
    return "\n".join(lines)


def text():
    parts = [_HEAD]
    parts.append(_function("link", "link(\n    type: str = ...,\n    *", ""))
    parts.append(_function("shape", "shape(\n    type: str,\n    *", ""))
    parts.append("class Scene:")
    parts.append("    def __init__(self, name: str = ..., about: str = ..., settings: Optional[Mapping[str, Any]] = ...) -> None: ...")
    parts.append("    @property\n    def dict(self) -> dict: ...")
    parts.append("    def text(self) -> str: ...")
    parts.append("    def build(self) -> World: ...")
    for record in _SECTIONS:
        parts.append(_function(record, f"{record}(\n        self,\n        name: str,\n        *", "    "))
    return "\n\n".join(parts) + "\n"


_MODULE_HEAD = '''"""Worlds and their parts. Written by reeve.stubs from the signatures of the module."""

from typing import Any, Dict, List, Optional, Tuple, Union, overload

import numpy

class Error(ValueError):
    """What is wrong, where, and what to do."""

    path: str
    reason: str
    remedy: str
'''


def _signatures(doc):
    """[(arguments, result)] of what pybind11 writes into a docstring, and the words after them."""
    lines = (doc or "").strip().splitlines()
    pattern = re.compile(r"^(?:\d+\. )?\w*\((.*)\)(?: -> (.*))?$")
    found = [(pattern.match(line).group(1), pattern.match(line).group(2) or "None") for line in lines if pattern.match(line)]
    words = [line for line in lines if line and not pattern.match(line) and line != "Overloaded function."]
    several = [f for f, line in zip(found, [l for l in lines if pattern.match(l)]) if re.match(r"^\d+\. ", line)]
    return several or found[:1], " ".join(words)


def _plain(text):
    """A type in the words of typing."""
    text = text.replace("reeve._reeve.", "").replace("handle", "Any").replace("object", "Any").replace("sequence", "Any")
    text = re.sub(r"numpy\.ndarray\[[^\]]*\]", "numpy.ndarray", text)
    for kind in ("Dict", "List", "Optional", "Tuple", "Union"):
        text = text.replace(f"{kind.lower()}[", f"{kind}[")
    return re.sub(r"^self: \w+", "self", text)


def _method(name, function, indent="    "):
    signatures, words = _signatures(function.__doc__)
    lines = []
    for arguments, result in signatures:
        if len(signatures) > 1:
            lines.append(f"{indent}@overload")
        result = "None" if name == "__init__" else _plain(result)
        lines.append(f"{indent}def {name}({_plain(arguments)}) -> {result}:")
        lines.append(f'{indent}    """{words}"""' if words else f"{indent}    ...")
    return lines


def _class(name, kind):
    doc = (kind.__doc__ or "").strip()
    lines = [f"class {name}:", f'    """{doc}"""' if doc else "    ...", ""]
    for member, value in sorted(vars(kind).items()):
        if isinstance(value, property):
            signatures, _ = _signatures(value.fget.__doc__)
            result = _plain(signatures[0][1]) if signatures else "Any"
            lines += ["    @property", f"    def {member}(self) -> {result}:"]
            lines.append(f'        """{value.__doc__}"""' if value.__doc__ else "        ...")
            if value.fset is not None:
                lines += [f"    @{member}.setter", f"    def {member}(self, value: {result}) -> None: ..."]
        elif member in ("__init__", "__call__", "__len__", "__getitem__") or (callable(value) and not member.startswith("_")):
            lines += _method(member, value)
    return "\n".join(lines)


def module_text():
    parts = [_MODULE_HEAD]
    for name, value in sorted(vars(_reeve).items()):
        if inspect.isclass(value) and name != "Error":
            parts.append(_class(name, value))
    parts.append("def fields() -> Dict[str, Any]:\n" + f'    """{_signatures(_reeve.fields.__doc__)[1]}"""')
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("python -m reeve.stubs FOLDER")
    for file, content in (("scene.pyi", text()), ("_reeve.pyi", module_text())):
        (pathlib.Path(sys.argv[1]) / file).write_text(content, encoding="utf-8")
