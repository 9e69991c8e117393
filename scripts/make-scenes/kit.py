"""Small words for writing Reeve scenes, and a JSON printer that keeps one thing on one line."""
import json, os
from math import *

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scenes")
ROPE, STEEL, RED, BLUE, GREEN, SAND, DARK = "#8a5a2b", "#7d8894", "#c0392b", "#2e6da4", "#3c8d5a", "#d9c8a5", "#444b54"
Y = [0, 1, 0]

def num(x):
    if isinstance(x, float):
        x = 0.0 if abs(x) < 1e-12 else float("%.15g" % x)  # sin(pi) is nothing
        return int(x) if x == int(x) and abs(x) < 1e15 else x
    if isinstance(x, (list, tuple)): return [num(v) for v in x]
    if isinstance(x, dict): return {k: num(v) for k, v in x.items()}
    return x

def show(x, depth=0):
    flat = json.dumps(x, ensure_ascii=False)
    if depth >= 3 or (len(flat) < 120 and depth > 0) or not isinstance(x, (dict, list)) or not x: return flat
    pad = "  " * (depth + 1)
    if isinstance(x, list): return "[\n" + ",\n".join(pad + show(v, depth + 1) for v in x) + "\n" + "  " * depth + "]"
    return "{\n" + ",\n".join(pad + json.dumps(k) + ": " + show(v, depth + 1) for k, v in x.items()) + "\n" + "  " * depth + "}"

def write(file, name, about, settings, view=None, expect=(), plots=(), **parts):
    scene = {"reeve": 1, "name": name, "about": about, "settings": settings}
    for key in ("bodies", "rotors", "particles", "joints", "motors", "couplings", "forces", "cables", "events"):
        if parts.get(key): scene[key] = parts[key]
    scene["expect"] = list(expect)
    if plots: scene["plots"] = list(plots)
    scene["view"] = view or {"from": [0, -1, 0]}
    with open(os.path.join(OUT, file + ".json"), "w") as f: f.write(show(num(scene)) + "\n")

def attach(on="world", point=None): return {"type": "attach", "on": on, **({"point": point} if point else {})}
def roll(on, side="ccw", **more): return {"type": "roll", "on": on, **({"side": side} if side != "ccw" else {}), **more}
def post(on, point, radius, side="ccw", **more): return roll(on, side, point=point, radius=radius, axis=Y, **more)
def pinhole(on="world", point=None, **more): return {"type": "pinhole", "on": on, **({"point": point} if point else {}), **more}
def spool(on, stored, side="ccw", kind="spool", **more): return {"type": kind, "on": on, **({"side": side} if side != "ccw" else {}), "stored": stored, **more}
def wheel(position, radius, mass=None, **more): return {"position": position, "radius": radius, **({"mass": mass} if mass else {}), **more}
def box(*size, **more): return {"type": "box", "size": list(size), **more}
def disc(radius, length, **more): return {"type": "cylinder", "radius": radius, "length": length, "orientation": {"axis": [1, 0, 0], "angle": "90 deg"}, **more}
def ball(radius, **more): return {"type": "sphere", "radius": radius, **more}
def weight(position, mass, size=0.3, color=BLUE, **more): return {"position": position, "mass": mass, "shapes": [box(size, size, size)], "color": color, **more}
def table(*knots, smooth=True): return {"table": [list(k) for k in knots], **({"smooth": True} if smooth else {})}
def spline(*knots): return {"table": [list(k) for k in knots], "spline": True}
def event(at=None, name=None, do=(), **more): return {**({"name": name} if name else {}), **({"at": at} if at is not None else {}), **more, "do": [{"action": a, "on": on, **rest} for a, on, rest in do]}
def at(time, observe, equals=None, because="", **more): return {"at": time, "observe": observe, **({"equals": equals} if equals is not None else {}), **more, "because": because}
def plot(title, unit, *observe): return {"title": title, "observe": list(observe), "unit": unit}
def tensions(cable, n): return ["cables.%s.spans.%d.tension" % (cable, i) for i in range(n)]
GROUND = {"motion": "static", "shapes": [{"type": "half-space"}]}
