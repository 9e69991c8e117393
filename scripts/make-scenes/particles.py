"""Scenes of the particle cables: python3 scripts/make-scenes/particles.py [folder]. Writes what make.py does not."""
import json
import math
import sys
from pathlib import Path

G = 9.81


def line(value):
    return json.dumps(value, ensure_ascii=False)


def write(file, scene):
    """Sections on lines of their own, their members one to a line."""
    out = []
    for key, value in scene.items():
        if isinstance(value, dict) and key in ("bodies", "cables", "forces", "joints"):
            rows = ",\n".join(f"    {line(name)}: {line(item)}" for name, item in value.items())
            out.append(f"  {line(key)}: {{\n{rows}\n  }}")
        elif isinstance(value, list):
            rows = ",\n".join(f"    {line(item)}" for item in value)
            out.append(f"  {line(key)}: [\n{rows}\n  ]")
        else:
            out.append(f"  {line(key)}: {line(value)}")
    file.write_text("{\n" + ",\n".join(out) + "\n}\n")


def rounded(points):
    return [[round(x, 5) for x in p] for p in points]


def drop_on_sphere():
    return {
        "reeve": 1,
        "name": "a cable falls on a ball",
        "about": "A cable falls on a ball, drapes itself over it and stays. Physical Experiments in School with Unity: Cable Simulation, section 3.4.1.",
        "settings": {"dt": "1/240 s", "seconds": 4},
        "bodies": {
            "ball": {"motion": "static", "position": [0, 0, 0.3], "shapes": [{"type": "sphere", "radius": "30 cm"}], "friction": 0.6, "color": "steelblue"},
            "ground": {"motion": "static", "shapes": [{"type": "half-space"}]},
        },
        "cables": {
            "cable": {
                "model": "particles",
                "route": [
                    {"type": "attach", "point": [-0.35, 0, 0.8], "hold": "free"},
                    {"type": "attach", "point": [0.35, 0, 0.8], "hold": "free"},
                ],
                "segments": 40,
                "material": {"mass": "100 g/m", "radius": "8 mm", "friction": 0.6},
                "particles": {"way": "xpbd", "substeps": 4, "iterations": 10, "self": True, "drag": 1.2},
            }
        },
        "expect": [
            {"at": "end", "observe": "cables.cable.spans.20.start.z", "equals": 0.608, "within": 0.002, "because": "it lies on the top of the ball: 0.6 m and its own radius"},
            {"at": "end", "observe": "cables.cable.spans.20.start.x", "equals": 0, "within": 0.03, "because": "dropped in the middle, held by friction"},
            {"at": "end", "observe": "energy.kinetic", "below": 1e-5, "because": "it has come to rest"},
            {"at": "end", "observe": "cables.cable.length", "equals": 0.7, "within": 1e-9, "because": "its rest length"},
        ],
        "view": {"from": [0.4, -1, 0.3], "at": 4},
    }


def table():
    v, mu = 1.0, 0.4
    return {
        "reeve": 1,
        "name": "a cable slides on a table and stops",
        "about": "A cable slides over a table and comes to rest after v^2/(2 mu g): Coulomb friction. The thesis' own friction is `law: depth`.",
        "settings": {"dt": "1/240 s", "seconds": 1},
        "bodies": {"table": {"motion": "static", "position": [0, 0, -0.02], "shapes": [{"type": "box", "size": [1.6, 1, 0.04]}], "friction": mu, "color": "burlywood"}},
        "cables": {
            "cable": {
                "model": "particles",
                "route": [
                    {"type": "attach", "point": [-0.6, -0.2, 0.006], "hold": "free"},
                    {"type": "attach", "point": [-0.5, 0.3, 0.006], "hold": "free"},
                ],
                "shape": [[-0.45, -0.1, 0.006], [-0.6, 0.1, 0.006]],
                "segments": 40,
                "material": {"mass": "80 g/m", "radius": "6 mm", "friction": mu},
                "particles": {"way": "xpbd", "substeps": 4, "iterations": 10, "velocity": [v, 0, 0]},
            }
        },
        "expect": [
            {"at": "end", "observe": "cables.cable.spans.0.start.x", "equals": round(-0.6 + v * v / (2 * mu * G), 5), "within": 0.003, "because": "slid v^2/(2 mu g) = 1/(2*0.4*9.81)"},
            {"at": "end", "observe": "cables.cable.spans.39.end.x", "equals": round(-0.5 + v * v / (2 * mu * G), 5), "within": 0.003, "because": "and so did the other end"},
            {"at": "end", "observe": "energy.kinetic", "below": 1e-9, "because": "it lies still"},
        ],
        "view": {"from": [0.3, -1, 0.8], "target": [-0.1, 0, -0.05], "height": "1.2 m", "at": 0.3},
    }


def socket():
    compliance, segments, rate, force = 1e-4, 20, 0.02, 15.0
    # Two chains of double distances lie beside the segments.
    doubled = 1e-3
    at = force * segments / (1 / compliance + 4 / doubled) / rate
    return {
        "reeve": 1,
        "name": "a lead is pulled out of its socket and plugged in",
        "about": "A lead is pulled out of a socket that lets go at 15 N, hangs free, and is plugged in again. Cable simulation thesis, figure 3.32.",
        "settings": {"dt": "1/240 s", "seconds": 8, "gravity": [0, 0, 0]},
        "bodies": {
            "wall": {"motion": "static", "position": [-0.05, 0, 0], "shapes": [{"type": "box", "size": [0.1, 0.4, 0.4]}], "color": "lightgray"},
            "hand": {"motion": "kinematic", "position": [0.6, 0, 0], "prescribed": {"along": [1, 0, 0], "travel": {"table": [[0, 0], [2, 0.04], [3, 0.2], [6, -0.1]]}}, "shapes": [{"type": "sphere", "radius": "3 cm"}], "collides": False, "color": "salmon"},
        },
        "cables": {
            "lead": {
                "model": "particles",
                "route": [
                    {"type": "attach", "on": "wall", "point": [0.05, 0, 0], "lets_go": f"{force:g} N", "plugs_in": "2 cm"},
                    {"type": "attach", "on": "hand"},
                ],
                "segments": segments,
                "compliance": compliance,
                "material": {"mass": "60 g/m", "radius": "4 mm", "damping": "10 ms"},
                "particles": {"way": "xpbd", "iterations": 3, "direct": True, "doubles": "straight", "double_compliance": 1e-3, "drag": 200, "skin_drag": 20},
            }
        },
        "expect": [
            {"at": round(0.95 * at, 3), "observe": "cables.lead.links.0.holds", "equals": 1, "because": "pulled with less than 15 N"},
            {"at": round(0.95 * at, 3), "observe": "cables.lead.links.0.force.x", "equals": 0.95 * force, "relative": 0.02, "because": "2 cm/s over 20 segments of 1e-4 m/N and the doubles beside them"},
            {"at": round(1.05 * at, 3), "observe": "cables.lead.links.0.holds", "equals": 0, "because": "pulled with more"},
            {"at": "end", "observe": "cables.lead.links.0.holds", "equals": 1, "because": "pushed back in"},
        ],
        "plots": [{"title": "Pull at the socket", "observe": ["cables.lead.links.0.force.x"], "unit": "N"}],
        "view": {"from": [0, -1, 0.2], "at": 3},
    }


def stiffness_grid():
    return {
        "reeve": 1,
        "name": "a bent cable that straightens",
        "about": "A cable held at its top and bent to one side straightens and swings: 2 % stretched at the start, with double distances that straighten it. `reeve reproduce \"001 fig 3.37\"` runs it with 1, 12 and 25 iterations at 20, 2 and 0.2 ms and all three ways; here XPBD with a compliance of 10 mm/N a segment, 12 iterations at 2 ms.",
        "settings": {"dt": "2 ms", "seconds": 0.5},
        "cables": {
            "cable": {
                "model": "particles",
                "route": [{"type": "attach", "point": [0, 0, 0]}, {"type": "attach", "point": [-0.02, 0, -0.35], "hold": "free"}],
                "shape": [[-0.13, 0, -0.05], [-0.18, 0, -0.15], [-0.14, 0, -0.27]],
                "length": 0.4758,
                "segments": 20,
                "compliance": 0.01,
                "material": {"mass": "100 g/m", "radius": "6 mm"},
                "particles": {"way": "xpbd", "iterations": 12, "doubles": "straight", "double_compliance": 0.5},
            }
        },
        "expect": [
            {"at": 0.25, "observe": "cables.cable.spans.10.start.x", "below": 0.0, "because": "the middle of the soft cable has not swung to the other side: weight alone takes longer"},
            {"at": 0.25, "observe": "cables.cable.spans.19.end.z", "below": -0.35, "because": "it falls"},
        ],
        "view": {"from": [0, -1, 0], "at": 0.25},
    }


def overhand_knot():
    # A long trefoil: (t^3 - 3t, t^4 - 4t^2, t^5 - 10t), its ends running off along the third axis.
    s, points = 0.013, []
    n = 33
    for i in range(n):
        t = -2.16 + 4.32 * i / (n - 1)
        points.append([0.28 * s * (t**5 - 10 * t), s * (t**3 - 3 * t), s * (t**4 - 4 * t * t)])
    ends = [[-0.5, points[0][1], points[0][2]], [0.5, points[-1][1], points[-1][2]]]
    return {
        "reeve": 1,
        "name": "an overhand knot is pulled tight",
        "about": "An overhand knot is pulled tight with 100 N. Segments meet each other along all of their path, so no part passes through another.",
        "settings": {"dt": "1/240 s", "seconds": 1.5, "gravity": [0, 0, 0]},
        "bodies": {"grip": {"position": ends[1], "mass": "1 kg", "inertia": [0.001, 0.001, 0.001], "drag": 20, "angular_drag": 0.1, "shapes": [{"type": "sphere", "radius": "2 cm"}], "collides": False, "color": "salmon"}},
        "joints": {"slide": {"type": "slider", "a": "world", "b": "grip", "anchor": ends[1], "axis": [1, 0, 0]}},
        "forces": {"pull": {"on": "grip", "force": [100, 0, 0], "scale": {"table": [[0, 0.02], [0.8, 1]], "smooth": True}}},
        "cables": {
            "rope": {
                "model": "particles",
                "route": [{"type": "attach", "point": ends[0]}, {"type": "attach", "on": "grip"}],
                "shape": rounded(points),
                "segments": 180,
                "material": {"mass": "60 g/m", "radius": "4 mm", "friction": 0.5, "axial": "5 kN", "damping": "1 ms"},
                "particles": {"way": "xpbd", "substeps": 40, "iterations": 20, "direct": True, "self": True, "drag": 20, "skin_drag": 5},
            }
        },
        "expect": [
            {"at": "end", "observe": "cables.rope.links.0.force.x", "equals": 100, "relative": 0.02, "because": "the knot holds the pull"},
            {"at": "end", "observe": "bodies.grip.position.x", "above": 0.7, "because": "the knot has drawn together"},
            {"at": "end", "observe": "bodies.grip.position.x", "below": 0.88, "because": "but it is still a knot: 1.384 m of rope, 2 % longer under 100 N, would reach to 0.91"},
        ],
        "plots": [{"title": "Pull", "observe": ["cables.rope.links.0.force.x"], "unit": "N"}],
        "view": {"from": [0.2, -1, 0.5], "target": [0.07, 0, 0.03], "height": "24 cm", "at": 0.4},
    }


def washing_line():
    mass, d, cd, u, span, length = 0.12, 0.012, 1.2, 12.0, 4.0, 4.15
    drag = 0.5 * 1.225 * d * cd * u * u
    tilt = math.atan2(drag, mass * G)
    # Sag of a catenary of this length: a from 2 a sinh(span/2a) = length.
    low, high = 0.1, 1e3
    for _ in range(200):
        a = 0.5 * (low + high)
        low, high = (a, high) if 2 * a * math.sinh(span / (2 * a)) > length else (low, a)
    sag = a * (math.cosh(span / (2 * a)) - 1)
    return {
        "reeve": 1,
        "name": "a washing line in the wind",
        "about": "A washing line in a steady wind swings out until drag and weight together pull along its plane: tan(angle) = drag/weight per meter.",
        "settings": {"dt": "1/240 s", "seconds": 30},
        "bodies": {
            "left": {"motion": "static", "position": [-2, 0, 0], "shapes": [{"type": "cylinder", "radius": "3 cm", "length": 2.4}], "color": "gray"},
            "right": {"motion": "static", "position": [2, 0, 0], "shapes": [{"type": "cylinder", "radius": "3 cm", "length": 2.4}], "color": "gray"},
        },
        "cables": {
            "line": {
                "model": "particles",
                "route": [{"type": "attach", "on": "left", "point": [0, 0, 1]}, {"type": "attach", "on": "right", "point": [0, 0, 1]}],
                "length": length,
                "segments": 60,
                "material": {"mass": mass, "radius": d / 2},
                "particles": {"way": "xpbd", "direct": True, "iterations": 4, "drag": cd, "skin_drag": 0.02, "wind": [0, u, 0], "gust": {"table": [[0, 0], [2, 1]], "smooth": True}},
            }
        },
        "expect": [
            {"at": "end", "observe": "cables.line.spans.30.start.y", "equals": round(sag * math.sin(tilt), 4), "relative": 0.03, "because": f"sag {sag:.4f} m, swung out by {math.degrees(tilt):.2f} deg"},
            {"at": "end", "observe": "cables.line.spans.30.start.z", "equals": round(1 - sag * math.cos(tilt), 4), "within": 0.02, "because": "and lifted by it"},
        ],
        "view": {"from": [0.5, -1, 0.25], "at": 30},
    }


def school_bench():
    return {
        "reeve": 1,
        "name": "a lead is plugged in by hand",
        "about": "A lead on a school bench: plugged into one instrument, a hand carries its other end to the second one, plugs it in, and lets go.",
        "settings": {"dt": "1/240 s", "seconds": 6},
        "bodies": {
            "bench": {"motion": "static", "position": [0, 0, -0.02], "shapes": [{"type": "box", "size": [1.6, 0.8, 0.04]}], "color": "burlywood"},
            "supply": {"motion": "static", "position": [-0.5, 0.1, 0.08], "shapes": [{"type": "box", "size": [0.24, 0.2, 0.16]}], "color": "slategray"},
            "meter": {"motion": "static", "position": [0.5, 0.1, 0.08], "shapes": [{"type": "box", "size": [0.24, 0.2, 0.16]}], "color": "darkseagreen"},
            "hand": {"motion": "kinematic", "position": [0.0, -0.2, 0.25], "prescribed": {"along": [0.8883, 0.3516, -0.2961], "travel": {"table": [[0, 0], [1, 0], [3, 0.535], [3.5, 0.535], [5, 0.1], [6, 0.1]], "smooth": True}}, "shapes": [{"type": "sphere", "radius": "2 cm"}], "collides": False, "color": "salmon"},
        },
        "cables": {
            "lead": {
                "model": "particles",
                "route": [
                    {"type": "attach", "on": "supply", "point": [0, -0.1, 0.01], "lets_go": "30 N"},
                    {"type": "attach", "on": "hand", "lets_go": "3 N"},
                    {"type": "attach", "on": "meter", "point": [0, -0.1, 0.01], "active": False, "lets_go": "30 N", "plugs_in": "5 cm"},
                ],
                "shape": [[-0.5, -0.15, 0.05], [-0.55, -0.3, 0.01], [-0.3, -0.35, 0.01], [-0.2, -0.1, 0.01], [-0.05, -0.3, 0.03], [0, -0.2, 0.25], [0.02, -0.19, 0.25]],
                "segments": 90,
                "material": {"mass": "40 g/m", "radius": "3 mm", "friction": 0.4, "axial": "2 kN", "damping": "5 ms"},
                "particles": {"way": "xpbd", "substeps": 4, "iterations": 4, "direct": True, "self": True, "drag": 2, "doubles": "straight", "double_compliance": 0.02},
            }
        },
        "expect": [
            {"at": 0.5, "observe": "cables.lead.links.2.holds", "equals": 0, "because": "its end is still in the hand"},
            {"at": 3.5, "observe": "cables.lead.links.2.holds", "equals": 1, "because": "the hand brought it within 5 cm of the socket"},
            {"at": "end", "observe": "cables.lead.links.0.holds", "equals": 1, "because": "nobody pulled at 30 N"},
            {"at": "end", "observe": "cables.lead.links.1.holds", "equals": 0, "because": "the hand let go when it moved away"},
            {"at": "end", "observe": "cables.lead.links.2.holds", "equals": 1, "because": "the plug stays in"},
        ],
        "view": {"from": [0.3, -1, 0.6], "at": 6},
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "scenes"
    for scene in (drop_on_sphere, table, socket, stiffness_grid, overhand_knot, washing_line, school_bench):
        write(folder / (scene.__name__.replace("_", "-") + ".json"), scene())
