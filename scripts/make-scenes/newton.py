#!/usr/bin/env python3
"""Machines of NVIDIA Newton's routed tendons, from their public description (pull request 4132 and the tests and examples
around it): python3 scripts/make-scenes/newton.py writes them to scenes/. `reeve reproduce newton` measures them."""
from kit import *

Z = [0, 0, 1]

def path(t):
    """Where the table is to be, m: four figures of 2.5 s each."""
    a, phi = 0.05, 2 * pi * (t % 2.5) / 2.5
    if t < 2.5: return a * sin(phi), 0.0
    if t < 5.0: return 0.0, a * sin(phi)
    if t < 7.5: return a * sin(phi), a * sin(phi)
    if t < 10.0: return a * (1 - cos(phi)), a * sin(phi)
    return 0.0, 0.0

def xyTable():
    r, small, knots = 0.030, 0.015, [k / 60 for k in range(601)]
    # All spans run along the axes: left of the left drive the cable is 0.325 m + x - y long, right of the other 0.325 m - x - y.
    target = lambda sign: table(*[(t, (path(t)[0] + sign * path(t)[1]) / r) for t in knots], smooth=False)
    disc = lambda on, x, y, radius, mass, half: wheel([x, y, 0], radius, mass, on=on, axis=Z, width=2 * half, inertia=0.5 * mass * radius ** 2, color=STEEL)
    rotors = {"guide%d" % i: disc("slider", x, y, small, 0.05, 0.005) for i, (x, y) in enumerate([(-0.045, -0.045), (-0.045, 0.045), (0.045, 0.045), (0.045, -0.045)])}
    rotors["top"] = disc("table", 0, 0.195, r, 0.05, 0.005)
    rotors["left"], rotors["right"] = disc("world", -0.19, 0, r, 0.08, 0.006), disc("world", 0.19, 0, r, 0.08, 0.006)
    bodies = {"slider": {"density": 2700, "shapes": [box(0.15, 0.10, 0.01, position=[0, 0, -0.006])], "collides": False, "color": GREEN},
              "table": {"density": 2700, "shapes": [box(0.025, 0.45, 0.01, position=[0, 0, -0.003])], "collides": False, "color": SAND}}
    route = [attach("table", [-0.03, -0.225, 0]), roll("guide0"), roll("left", "cw"), roll("guide1"), roll("top", "cw"), roll("guide2"), roll("right", "cw"), roll("guide3"), attach("table", [0.03, -0.225, 0])]
    tol = 2.6e-4
    expect = [at(t, "bodies.table.position.%s" % c, path(t)[k], "the path, to a tenth of the 2.6 mm that Newton reports", within=tol)
              for t in (0.625, 1.875, 3.125, 5.625, 8.125, 8.75, 10) for k, c in enumerate("xy")]
    expect += [at(t, "bodies.slider.position.y", 0, "it slides along x alone", within=1e-9) for t in (3.125, 8.75)]
    write("newton-xy-table", "cable-driven XY table", "One cable from the table over seven wheels and back to it; the two wheels on the frame are driven, and the table goes along a figure in x and y. A machine of NVIDIA Newton's routed tendons (example tendon_xy_table), which tracks this path with 2.6 to 2.8 mm RMS at 32 substeps of 64 iterations. Here the drives follow the angles that the path needs.",
          {"gravity": [0, 0, 0], "dt": "1/240 s", "seconds": 10}, bodies=bodies, rotors=rotors,
          joints={"x": {"type": "slider", "b": "slider", "axis": [1, 0, 0], "lower": -0.11, "upper": 0.11}, "y": {"type": "slider", "a": "slider", "b": "table", "axis": [0, 1, 0], "lower": -0.11, "upper": 0.11}},
          motors={"left drive": {"on": "left", "drive": "position", "target": target(-1)}, "right drive": {"on": "right", "drive": "position", "target": target(1)}},
          cables={"cable": {"route": route, "compliance": 3e-5, "tension": 20, "material": {"damping": 6e-7}, "color": RED}}, expect=expect,
          plots=[plot("Table", "m", "bodies.table.position.x", "bodies.table.position.y"), plot("Tension", "N", *tensions("cable", 8))],
          view={"from": [0, -0.3, 1]})

def outline(points):
    """A prism on a body that turns about y, and how a cable runs on it."""
    return {"type": "prism", "length": 0.02, "polygon": [list(p) for p in points], "orientation": {"axis": [1, 0, 0], "angle": "-90 deg"}}

def rollers(friction=0.3):
    # A plane cuts a round bar aslant in an ellipse, of which Reeve takes 96 corners; a prism has up to 64.
    tilt, arc = acos(0.045 / 0.08), 61
    bar = {"type": "cylinder", "radius": 0.045, "length": 0.3, "orientation": {"axis": [-cos(tilt), sin(tilt), 0], "angle": "90 deg"}}
    sector = [(0.0, 0.0)] + [(0.08 * cos(-1 + 2 * k / arc), 0.08 * sin(-1 + 2 * k / arc)) for k in range(arc + 1)]
    ramp = table(*[(t, 1 - exp(-8 * t)) for t in [k / 60 for k in range(121)]], (3, 1), smooth=False)
    bodies, rotors, joints, cables, forces = {}, {}, {}, {}, {}
    for i, name in enumerate(["circle", "ellipse", "sector"]):
        x = 0.42 * (i - 1)
        bodies["hand-" + name] = {"motion": "kinematic", "position": [x - 0.12, 0, 0.7], "shapes": [ball(0.009)], "collides": False, "color": GREEN,
                                  "prescribed": {"along": [0, 0, -1], "travel": {"offset": 0.04, "amplitude": -0.04, "frequency": 0.25, "phase": pi / 2}}}
        bodies["load-" + name] = {"position": [x + 0.12, 0, 0.7], "mass": 0.1, "inertia": [1e-5] * 3, "shapes": [box(0.024, 0.016, 0.032)], "drag": 0.5, "collides": False, "color": RED}
        joints["rail-" + name] = {"type": "slider", "b": "load-" + name, "anchor": [x + 0.12, 0, 0.7], "axis": Z}
        forces["pull-" + name] = {"on": "load-" + name, "force": [0, 0, -3], "scale": ramp}
        if i == 0:
            rotors[name] = wheel([x, 0, 1.0], 0.06, inertia=2e-4, damping=0.005, color=BLUE)
            over = roll(name, friction=friction)
        else:
            bodies[name] = {"position": [x, 0, 1.0], "orientation": {"axis": Y, "angle": -0.4 * i}, "mass": 0.1, "inertia": [2e-4] * 3, "center": [0, 0, 0], "shapes": [bar if i == 1 else outline(sector)], "collides": False, "color": BLUE}
            joints["axle-" + name] = {"type": "hinge", "b": name, "anchor": [x, 0, 1.0], "axis": Y, "viscous": 0.005}
            over = roll(name, shape=0, axis=Y, friction=friction)
        cables[name] = {"route": [attach("hand-" + name), over, attach("load-" + name)], "compliance": 1e-5, "material": {"damping": 1e-5}, "color": ROPE}
    slant = atan2(0.12, 0.3) - asin(0.06 / hypot(0.12, 0.3))
    expect = [at(4, "cables.circle.spans.1.tension", (3 + 0.1 * 0.04 * (pi / 2) ** 2) / cos(slant), "the load and its inertia, along a span that slants", relative=1e-4)]
    expect += [at(t, "joints.axle-%s.error" % n, 0, "the axle holds; Newton allows 10 um", within=1e-9) for t in (2, 4, 8) for n in ("ellipse", "sector")]
    write("newton-rollers", "round, elliptic and sector rollers", "Three rollers that turn freely under a cable drawn up and down on one side, with 3 N on the other: a circle, an ellipse and a sector. A machine of NVIDIA Newton's routed tendons (example roller_profiles, steps of 1/600 s). Without friction the circle must not turn.",
          {"gravity": [0, 0, 0], "dt": "1/600 s", "seconds": 8}, bodies=bodies, rotors=rotors, joints=joints, forces=forces, cables=cables, expect=expect,
          plots=[plot("Angle", "rad", "rotors.circle.angle", "joints.axle-ellipse.coordinate", "joints.axle-sector.coordinate"), plot("Tension", "N", *["cables.%s.spans.1.tension" % c for c in ("circle", "ellipse", "sector")])],
          view={"from": [0, -1, 0]})

def fourBar():
    start, l = radians(50), 0.4
    tip = lambda x: [x + l * cos(start), 0, l * sin(start)]
    b, c = tip(0), tip(0.5)
    middle = [(b[k] + c[k]) / 2 for k in range(3)]
    groove = [middle[0], 0, middle[2] + 0.4]
    pulley = [groove[0] + 0.6, 0, groove[2]]
    slider = [pulley[0], 0, pulley[2] - 0.55]
    eyes = [[groove[0] + 0.06 * cos(radians(a)), 0, groove[2] + 0.06 * sin(radians(a))] for a in (200, 167.5, 135, 102.5, 70)]
    def bar(p, q):
        m, length = 0.2, dist(p, q)
        angle = atan2(q[2] - p[2], q[0] - p[0])
        turn = {"axis": [0, 1, 0], "angle": pi / 2 - angle}
        return {"position": [(p[k] + q[k]) / 2 for k in range(3)], "mass": m, "inertia": [m * length ** 2 / 12] * 3, "center": [0, 0, 0],
                "shapes": [{"type": "capsule", "radius": 0.014, "length": length - 0.028, "orientation": turn}], "collides": False, "color": STEEL}
    pin = lambda a, b, at: {"type": "hinge", **({"a": a} if a else {}), "b": b, "anchor": at, "axis": Y}
    joints = {"A": {**pin(None, "left", [0, 0, 0]), "lower": "-10 deg", "upper": "30 deg"}, "B": pin("left", "coupler", b), "C": pin("coupler", "right", c), "D": pin(None, "right", [0.5, 0, 0]),
              "rail": {"type": "slider", "b": "slider", "anchor": slider, "axis": Z}}
    hole = lambda p: pinhole("world", p, friction=0.2)
    expect = [at(3, "joints.A.coordinate", -pi / 18, "lifted to its limit", within=1e-6)]
    expect += [at(t, "joints.%s.error" % j, 0, "the loop stays closed; Newton allows 20 mm", within=1e-6) for t in (1, 3, 5) for j in "ABCD"]
    write("newton-four-bar", "cable-driven four-bar linkage", "A force of up to 30 N on a slider draws a cable over a fixed pulley and through a groove of five eyes, all with friction 0.2, and lifts a four-bar linkage from one joint limit to the other. A machine of NVIDIA Newton's routed tendons (example tendon_fourbar, steps of 1/480 s), without its friction at one joint that grows with the joint's load.",
          {"dt": "1/240 s", "seconds": 6},
          bodies={"left": bar([0, 0, 0], b), "coupler": bar(b, c), "right": bar([0.5, 0, 0], c), "slider": {"position": slider, "mass": 0.1, "shapes": [ball(0.025)], "collides": False, "color": RED}},
          joints=joints, forces={"actuator": {"on": "slider", "force": [0, 0, -30], "scale": table((0, 0), (3, 1), (6, 0), smooth=False)}},
          cables={"cable": {"route": [attach("coupler")] + [hole(p) for p in eyes] + [roll("world", point=pulley, radius=0.06, axis=Y, friction=0.2), attach("slider")], "compliance": 1e-4, "color": RED}},
          expect=expect, plots=[plot("Angle", "rad", "joints.A.coordinate"), plot("Tension", "N", "cables.cable.spans.0.tension", "cables.cable.spans.6.tension")])

def loadedWheel():
    d, r, c, inertia, preload, v = 0.4, 0.1, 1e-3, 0.01, 10.0, 2.0
    wrap = 2 * asin(r / d)
    w2 = 2 * r * r / (c * inertia)
    slip = c * preload * tanh(wrap / 2) / r
    peak = slip + (v * v - w2 * slip * slip) / (2 * w2 * slip)
    stuck = asin(slip * sqrt(w2) / v) / sqrt(w2)
    stop = stuck + v * cos(stuck * sqrt(w2)) / (w2 * slip)
    write("newton-loaded-wheel", "wheel in a preloaded cable", "A wheel on its axle holds a cable that is stretched between two walls with 10 N, friction 1, and is set turning at 2 rad/s. The cable sticks, then slips, and stops the wheel at %.5f rad. A test of NVIDIA Newton's routed tendons (stopping angle within 4 %% at 1 ms and 2 %% at 0.5 ms)." % peak,
          {"gravity": [0, 0, 0], "dt": "1 ms", "seconds": 0.1}, rotors={"wheel": wheel([0, 0, 0], r, inertia=inertia, rate=v, color=STEEL)},
          cables={"cable": {"route": [attach("world", [-d, 0, 0]), roll("wheel", friction=1.0), attach("world", [d, 0, 0])], "compliance": c, "tension": preload, "color": RED}},
          expect=[at("%.6f s" % stop, "rotors.wheel.angle", peak, "stuck to the slip angle, then stopped evenly; a twentieth of what Newton allows", relative=2e-3)],
          plots=[plot("Angle", "rad", "rotors.wheel.angle"), plot("Tension", "N", *tensions("cable", 2))])

def usedUp():
    """Middle eyes at one place: a span without length must not keep tensions apart."""
    points = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2 + 1e-6, 0, 0], [3, 0, 0], [4, 0, 0]]
    rest = [0.5, 0.5, 1e-6, 0.9, 0.9]
    slacks = [q - abs(points[i + 1][0] - points[i][0]) for i, q in enumerate(rest)]
    T = 300.0  # EA such that all of it, stretched alike, pulls so: a span without length has no give
    write("newton-used-up", "a span that is used up", "A cable through four eyes, two of them at one place, stretched unevenly at the start: without friction all spans must pull alike, also past the one that has no length. After a test of NVIDIA Newton's routed tendons (300 N to within 1 N), with the stiffness per length instead of per span.",
          {"gravity": [0, 0, 0], "dt": "1/60 s", "seconds": 0.5},
          cables={"cable": {"route": [attach("world", points[0])] + [pinhole("world", p) for p in points[1:-1]] + [attach("world", points[-1])], "slacks": slacks,
                            "material": {"radius": "0.1 um", "axial": T * sum(rest) / (4 - sum(rest))}, "color": RED}},
          expect=[at("end", "cables.cable.spans.%d.tension" % i, T, "EA times strain of the whole", relative=1e-6) for i in (0, 1, 3, 4)])

def dist(p, q): return sqrt(sum((p[k] - q[k]) ** 2 for k in range(3)))

if __name__ == "__main__":
    xyTable(); rollers(); fourBar(); loadedWheel(); usedUp()
