#!/usr/bin/env python3
"""Scenes of rigid and particle chains: python3 scripts/make-scenes/chains.py writes them to scenes/;
chains.py pendulum N writes pendulum-N for any number of segments."""
import sys
from kit import *

CHAIN = "slategray"

def end(on="world", point=(0, 0, 0), hold=None):
    return {"type": "attach", "on": on, "point": list(point), **({"hold": hold} if hold else {})}

def pendulum(n):
    l = 0.5
    write("pendulum-%d" % n, "pendulum %d" % n, "A load of 10 t swings on a cable of %d rigid segments of 1 kg, let go from horizontal: ten thousand times a segment's mass, with bending and twist, at 1/60 s. The load is clamped to the cable's end. scripts/make-scenes/chains.py makes it for any number of segments. *Rigid body cable for virtual environments*, section VIII." % n,
          {"gravity": [0, 0, -10], "dt": "1/60 s", "seconds": 10},
          bodies={"load": {"position": [l * n, 0, 0], "mass": "10 t", "inertia": [400, 400, 400], "shapes": [box(0.6, 0.6, 0.6)], "color": "goldenrod"}},
          cables={"cable": {"model": "chain", "route": [end(), end("load", hold="clamped")], "segments": n,
                            "material": {"mass": "2 kg/m", "radius": "2 cm", "axial": "3000 MN", "bending": "50 N m^2", "torsion": "40 N m^2"}, "color": CHAIN}},
          expect=[at(0, "energy.total", 0, "it starts at rest at the height of the pivot", within=1e-6),
                  at("end", "energy.total", 0, "1 % of M g L after 10 s of swing", within=1000.0 * l * n),
                  at("end", "cables.cable.length", l * n, "%d segments of 0.5 m" % n, within=1e-9)],
          plots=[plot("Energy", "J", "energy.kinetic", "energy.potential", "energy.total"), plot("Tension", "N", "cables.cable.spans.0.tension")],
          view={"from": [0, -1, 0], "at": 1.5})

def particleChains():
    """Models (a) to (e) of section III, side by side."""
    link, load = 1e-8, 100.0
    particles, joints, cables = {}, {}, {}
    for row, model in enumerate("abcde"):
        y = 0.8 * row
        names = ["%s%d" % (model, i) for i in range(1, 6)]
        for i, name in enumerate(names):
            particles[name] = {"position": [i + 1, y, 0], "mass": load if i == 4 else 1, "radius": 0.12 if i == 4 else 0.05}
        route = [end(point=[0, y, 0])] + [{"type": "attach", "on": n} for n in names]
        if model == "e":
            cables["e"] = {"model": "chain", "route": route, "compliance": link, "material": {"bending": 1e4}, "color": CHAIN}
            continue
        for i in range(4 if model == "d" else 5):
            joints["%s-link%d" % (model, i + 1)] = {"type": "distance", **({"a": names[i - 1]} if i else {}), "b": names[i], "anchor": [i, y, 0], "anchor_b": [i + 1, y, 0], "compliance": link}
        if model == "c":
            joints["c-support"] = {"type": "distance", "b": names[4], "anchor": [0, y, 0], "anchor_b": [5, y, 0], "compliance": 1e-12}
        if model in "bd":
            for l in route[1:5]: l["type"] = "pinhole"
            cables[model] = {"route": route, "compliance": 1e-9 / 5, "color": RED}
    write("particle-chains", "five chains of particles swing", "Five chains of five links of 1 m swing from horizontal, light particles of 1 kg and a load of 100 kg on each. (a) links alone, (b) with a massless cable through all of them, (c) with a link from the first point to the load, (d) with that cable instead of the last link, (e) with bending: a chain through named points. They are rows like all others: any particle, body, joint and cable may be part of such a chain.",
          {"gravity": [0, 0, -10], "dt": "1/60 s", "seconds": 6}, particles=particles, joints=joints, cables=cables,
          expect=[at(0, "energy.total", 0, "they start at rest at the height of the pivots", within=1e-6),
                  at("end", "energy.total", below=250, because="nothing comes in: less than 1 % of M g L of all five"),
                  at("end", "energy.total", above=-1250, because="5 %: where light particles whip, the step takes some")]
                 + [at("end", "joints.%s.error" % j, below=1e-4, because="twice the largest tension of the swing, 3 M g, times the compliance: 6e-5 m") for j in ("a-link1", "b-link1", "c-link1", "d-link1")]
                 + [at("end", "joints.c-support.error", below=1e-6, because="what holds the load is stiffer still")]
                 + [at("end", "cables.%s.length" % c, 5, "five metres, whatever it does", within=1e-3) for c in "bde"],
          plots=[plot("Height of the loads", "m", *["particles.%s5.position.z" % m for m in "abcde"]), plot("Energy", "J", "energy.kinetic", "energy.potential", "energy.total")],
          view={"from": [0.35, -1, 0.9], "at": 0.9})

def solved(moment, growth):
    """The angle with C dC/dangle = moment, C = angle (1 + growth angle^2): energy is C^2/2."""
    low, high = 0.0, moment
    for _ in range(100):
        x = 0.5 * (low + high)
        if x * (1 + growth * x * x) * (1 + 3 * growth * x * x) < moment: low = x
        else: high = x
    return x

def chainShapes():
    """Rest shape, bend law, crossed twist: in weightlessness."""
    material = {"mass": "1 kg/m", "radius": "1 cm", "axial": "1 MN", "bending": "10 N m^2", "torsion": "8 N m^2", "damping": "0.3 s"}
    n, L, EI, GJ, M, a = 8, 2.0, 10.0, 8.0, 15.0, 2.0
    l = L / n
    angle, x, z = 0.0, 0.0, 0.0
    for i in range(n):
        angle += solved(M * (l / 2 if i == 0 else l) / EI, a)
        x, z = x + l * cos(angle), z + l * sin(angle)
    turn = angle + solved(M * l / 2 / EI, a)
    # Points on a quarter of a circle; the chain runs straight between them, the middle of its last segment is here:
    m = 12
    arc = [[sin(pi / 2 * i / m), 0, 1 - cos(pi / 2 * i / m)] for i in range(m + 1)]
    last = [(p + q) / 2 for p, q in zip(arc[-2], arc[-1])]
    tip = lambda p: {"position": p, "mass": "1 kg", "inertia": [0.02, 0.02, 0.02], "shapes": [box(0.12, 0.12, 0.12)], "collides": False, "color": RED}
    write("chain-shapes", "chain shapes", "What a chain may be told about its bending and twist, without weight. In front: an arc that is its own rest shape stays one. In the middle: a rod under a moment whose joints store E I C^2/2l with C = angle (1 + 2 angle^2). At the back: a rod with the paper's crossed measure of twist under a torque.",
          {"gravity": [0, 0, 0], "dt": "1/120 s", "seconds": 12},
          bodies={"bent": tip([L, 1, 0]), "wrung": tip([L, 2, 0])},
          cables={"arc": {"model": "chain", "route": [end(hold="clamped"), end(point=arc[-1], hold="free")], "shape": arc[1:-1], "segments": m, "preformed": True, "material": material, "color": CHAIN},
                  "rod": {"model": "chain", "route": [end(point=[0, 1, 0], hold="clamped"), end("bent", hold="clamped")], "segments": n, "bend_growth": a, "material": material, "color": CHAIN},
                  "wire": {"model": "chain", "route": [end(point=[0, 2, 0], hold="clamped"), end("wrung", hold="clamped")], "segments": n, "twist": "crossed", "material": material, "color": CHAIN}},
          forces={"moment": {"on": "bent", "torque": [0, -M, 0], "scale": table([0, 0], [3, 1])}, "torque": {"on": "wrung", "torque": [4, 0, 0], "scale": table([0, 0], [3, 1])}},
          expect=[at("end", "cables.arc.spans.%d.end.x" % (m - 1), last[0], "its rest shape: nothing moves", within=1e-6),
                  at("end", "cables.arc.spans.%d.end.z" % (m - 1), last[2], "its rest shape: nothing moves", within=1e-6),
                  at("end", "bodies.bent.position.x", x, "the polyline with C dC/dangle = M l/(E I) at seven joints and half of l at the ends, C = angle (1 + 2 angle^2)", within=1e-3),
                  at("end", "bodies.bent.position.z", z, "the same; a linear law would bend it further", within=1e-3),
                  at("end", "bodies.bent.orientation.w", cos(turn / 2), "all of these angles together", within=1e-3),
                  at("end", "cables.wire.links.1.wrap", 4 * L / GJ, "torque L/(G J)", within=1e-3)],
          plots=[plot("End of the bent rod", "m", "bodies.bent.position.x", "bodies.bent.position.z"), plot("Twist", "rad", "cables.wire.links.1.wrap")],
          view={"from": [0.35, -1, 0.35], "at": 12})

def chainOptions():
    """Segments that merge, stiffness that grows with the load, bending that is softer where it is touched."""
    g, n, L, rho, EA, S, load = 10.0, 16, 2.0, 0.1, 2000.0, 100.0, 10.0
    l = L / n
    longer = 0.0
    for j in range(n + 1):
        f = (load + rho * (L - j * l)) * g
        longer += (l / 2 if j in (0, n) else l) * f / (EA * (1 + f / S))
    stiff = {"mass": "0.4 kg/m", "radius": "1 cm", "axial": "1 MN", "bending": "1 N m^2", "torsion": "1 N m^2", "damping": "0.2 s"}
    hung = lambda x, m: {"position": [x, 0, -L], "mass": m, "inertia": [0.1, 0.1, 0.1], "shapes": [ball(0.12)], "color": "goldenrod"}
    rod = lambda y, more: {"model": "chain", "route": [end(point=[2, y, 0], hold="clamped"), end(point=[4, y, 0], hold="free")], "segments": n, **more, "material": stiff, "color": CHAIN}
    write("chain-options", "chain options", "Left: a chain whose straight, taut segments merge, up to eight into one, while its load swings. Beside it one that stiffens: ten times a hundred newton of load makes it eleven times as stiff. Right: two rods over a post; one bends a twentieth as stiffly where it is touched, and its end hangs down further.",
          {"gravity": [0, 0, -g], "dt": "1/120 s", "seconds": 12},
          bodies={"swinging": {**hung(0, 50), "velocity": [0.5, 0, 0]}, "hanging": hung(1, load),
                  "post": {"motion": "static", "position": [3, 0.25, -0.2], "shapes": [disc(0.1, 1.2)], "color": SAND}},
          cables={"merging": {"model": "chain", "route": [end(), end("swinging")], "segments": n, "merges": 3, "merge_angle": 0.02, "material": {"mass": rho, "radius": "1 cm", "axial": "1 MN", "bending": "1 N m^2", "torsion": "1 N m^2"}, "color": CHAIN},
                  "stiffening": {"model": "chain", "route": [end(point=[1, 0, 0]), end("hanging")], "segments": n, "stiffens": S, "material": {"mass": rho, "radius": "1 cm", "axial": EA, "bending": "0.1 N m^2", "torsion": "0.1 N m^2", "damping": "0.05 s"}, "color": CHAIN},
                  "plain": rod(0, {}), "softened": rod(0.5, {"touched_bend": 0.05})},
          expect=[at("end", "cables.merging.length", L, "merged or not, its segments add up", within=1e-9),
                  at("end", "bodies.swinging.position.z", -L, "it swings by v/sqrt(g L) = 0.11 rad, which lifts it by at most 1.3 cm", within=0.014),
                  at("end", "bodies.hanging.position.z", -L - longer, "the sum of l f/(E A (1 + f/S)) of all joints", within=2e-4),
                  at("end", "cables.plain.spans.15.end.z", above=-0.8, because="it bends over the post as stiffly as elsewhere"),
                  at("end", "cables.softened.spans.15.end.z", below=-0.8, because="bent a twentieth as stiffly on the post its end hangs down, 0.93 m and nearly upright")],
          plots=[plot("Loads", "m", "bodies.swinging.position.x", "bodies.hanging.position.z"), plot("Ends of the rods", "m", "cables.plain.spans.15.end.z", "cables.softened.spans.15.end.z")],
          view={"from": [0.3, -1, 0.25], "at": 12})

if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "pendulum":
        pendulum(int(sys.argv[2]))
    else:
        pendulum(24)
        particleChains()
        chainShapes()
        chainOptions()
