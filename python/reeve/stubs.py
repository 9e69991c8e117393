"""Writes scene.pyi from the declaration of the fields: python -m reeve.stubs > reeve/scene.pyi"""

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


if __name__ == "__main__":
    print(text(), end="")
