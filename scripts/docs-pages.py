#!/usr/bin/env python3
"""docs-pages.py REEVE SCENES PAGES: the generated pages of the site: gallery, options, observables."""
import json
import pathlib
import re
import subprocess
import sys

reeve, scenes, pages = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def output(*arguments):
    return subprocess.run([reeve, *arguments], check=True, capture_output=True, text=True).stdout


def questions():
    """Of questions.md, by the first scene that answers it: the question and the answer."""
    text = (pages / "questions.md").read_text(encoding="utf-8")
    found = {}
    for question, answer in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        scene = re.search(r"`reeve run ([a-z0-9-]+)`", answer)
        if scene:
            found[scene.group(1)] = (question, answer.strip())
    for question, scene in re.findall(r"^\| (.*?\?.*?) \| \[([a-z0-9-]+)\]", text, re.M):
        found.setdefault(scene, (question, ""))
    return found


def gallery():
    text = ("# Gallery\n\nEvery shipped scene: first those that answer what people ask most, then all others. "
            "`reeve run NAME` runs one, `reeve film NAME -o x.gif` films it.\n")
    (pages / "pictures").mkdir(exist_ok=True)
    asked = questions()
    files = {file.stem: file for file in sorted(scenes.glob("*.json")) if file.name != "schema.json"}
    for stem in [*asked, *(stem for stem in files if stem not in asked)]:
        file = files[stem]
        scene = json.loads(file.read_text(encoding="utf-8"))
        picture = f"pictures/gallery-{stem}.svg"
        output("picture", str(file), "-o", str(pages / picture))
        title, words = asked.get(stem, (scene.get("name", stem), ""))
        text += f"\n<a id=\"{stem}\"></a>\n\n## {title}\n{words}\n\n`{stem}`: {scene.get('about', '')}\n\n![{stem}]({picture})\n"
    (pages / "gallery.md").write_text(text, encoding="utf-8")


def options():
    commands = re.findall(r"^  ([a-z]+)  +[A-Z]", output("--help"), re.M)
    text = "# Options of every command\n\nWhat `reeve COMMAND --help` prints.\n"
    for command in dict.fromkeys(commands):
        text += f"\n## `reeve {command}`\n```text\n{output(command, '--help').rstrip()}\n```\n"
    (pages / "options.md").write_text(text, encoding="utf-8")


def observables():
    """The paths of scenes that have every kind of thing, with names and numbers left open."""
    found = {}
    for name in ["crane", "chain-winch", "overhand-knot", "bead-on-string", "long-span", "belt", "pile", "elevator-brake", "tendon-finger"]:
        for line in output("check", str(scenes / f"{name}.json"), "--observables").splitlines():
            row = re.fullmatch(r"([a-z_]+(?:\.[^ ]+)?)  \S+ ?(.*)", line)
            if not row:
                continue
            parts = row.group(1).split(".")
            if len(parts) > 2 and parts[0] in ("bodies", "rotors", "particles", "joints", "motors", "cables", "couplings", "events"):
                parts[1] = "NAME"
            units, _ = found.setdefault(".".join("N" if p.isdigit() else p for p in parts), (set(), name))
            units.add(row.group(2))
    text = ("# Observables\n\nWhat `expect`, `plots`, `--columns`, studies and programs can name. NAME is yours, N a number from 0. "
            "Two units: of what turns and of what slides. `reeve check SCENE --observables` lists those of a scene.\n\n"
            "| path | unit | for example in |\n|---|---|---|\n")
    text += "".join(f"| `{path}` | {' or '.join(sorted(u for u in units if u))} | `{name}` |\n" for path, (units, name) in sorted(found.items()))
    (pages / "observables.md").write_text(text, encoding="utf-8")


gallery()
options()
observables()
