"""Scenes of the strand model, after Sueda and others, Large-Scale Dynamic Simulation of Highly Constrained Strands (2011)."""
from kit import *

G = 9.81
FINE = {"dt": "1/1000 s"}
def strand(route, mass=0.1, color=ROPE, **more):
    material = {"mass": mass, **more.pop("material", {})}
    return {"model": "strand", "route": route, "material": material, "color": color, **more}
def node(point, **more): return {"type": "node", "point": point, **more}
def end(point, on="world"): return {"type": "attach", "on": on, "point": point, "hold": "free"}
def guide(shape, start, end=None, on="world", **more):
    return {"type": "guide", "guide": shape, "on": on, "start": start, **({"end": end} if end is not None else {}), **more}
def tube(on, *path, **more): return {"type": "sheath", "on": on, "path": [list(p) for p in path], **more}
def ride(on, **more): return {"type": "ride", "on": on, **more}
def conserved(t, value, share=0.01, because="nothing takes energy out"): return at(t, "energy.total", value, because, within=abs(share))
def material(name, length): return at("end", "cables.%s.length" % name, length, "material is neither made nor lost", within=1e-10)

def weigh(rho, *points):
    """Potential energy of a strand along straight pieces."""
    return sum(rho * G * dist(a, b) * (a[2] + b[2]) / 2 for a, b in zip(points, points[1:]))

def tableEdge():
    L, x0, g, t = 1.0, 0.2, 10.0, 0.48
    w = sqrt(g / L)
    write("table-edge", "a strand slides off a table", "A rope on a table is drawn over the edge by the part that hangs, faster and faster: x0 cosh(t sqrt(g/L)) while x < L/2; beyond that it would leave the edge. The edge is an Eulerian node. Strands paper, figure 2c, without its poles.",
          {"gravity": [0, 0, -g], **FINE, "seconds": t},
          bodies={"table": {"motion": "static", "position": [-0.45, 0, -0.02], "shapes": [box(0.9, 0.4, 0.04)], "collides": False, "color": SAND}},
          cables={"rope": strand([guide("line", [-(L - x0)], flows=False, axis=[1, 0, 0]), pinhole(point=[0, 0, 0]), guide("line", [x0], flows=False, axis=[0, 0, -1])], 0.5)},
          expect=[at(s, "cables.rope.spans.1.length", x0 * cosh(w * s), "x0 cosh(t sqrt(g/L))", relative=5e-3) for s in (0.2, 0.4, t)] +
                 [at(t, "cables.rope.spans.0.tension", 0.25 * (L - x0 * cosh(w * t)) * w * w * x0 * cosh(w * t), "what lies on the table times its acceleration at the edge, nothing at the end: a segment's tension is the mean", relative=0.01), material("rope", L)],
          plots=[plot("Hanging", "m", "cables.rope.spans.1.length"), plot("Tension", "N", "cables.rope.spans.0.tension", "cables.rope.spans.1.tension")], view={"from": [0.4, -1, 0.35], "at": 0.3})

def peg():
    r, d, g = 0.05, 0.9, 10.0
    x0 = 0.05 * (2 * d + pi * r)
    L = 2 * d + pi * r
    w = sqrt(2 * g / L)
    t = acosh(0.35 * L / x0) / w
    write("peg", "a heavy rope runs off a peg", "A rope over a frictionless peg, a little longer on one side: it runs off as x0 cosh(t sqrt(2g/L)). At 0.354 L from balance it would lift off the peg.",
          {"gravity": [0, 0, -g], **FINE, "seconds": t}, bodies={"peg": {"motion": "static", "shapes": [disc(r, 0.2)], "collides": False, "color": STEEL}},
          cables={"rope": strand([end([-r, 0, -d + x0]), post("peg", [0, 0, 0], r, friction=0), end([r, 0, -d - x0])], 0.4)},
          expect=[at(s, "cables.rope.spans.1.length", d + x0 * cosh(w * s), "half the free length + x0 cosh(t sqrt(2g/L))", within=0.005 * x0 * cosh(w * s)) for s in (0.3 * t, 0.7 * t, t)] + [material("rope", L)],
          plots=[plot("Length", "m", "cables.rope.spans.0.length", "cables.rope.spans.1.length"), plot("Tension", "N", *tensions("rope", 2))], view={"from": [0.3, -1, 0.2], "at": 0.5 * t})

def whirl():
    rho, l0, w0, v, t = 0.5, 1.0, 2.0, 0.3, 1.0
    l = l0 - v * t
    w = w0 * (l0 / l) ** 3
    write("whirl", "a whirled strand is drawn in through a hole", "A strand whirls about a hole and is drawn in through it, faster and faster: angular momentum is kept, so the turn rate grows with the inverse cube of what is left outside. Without the quadratic-velocity terms it comes out 30 % too slow.",
          {"gravity": [0, 0, 0], **FINE, "seconds": t}, bodies={"puller": {"motion": "kinematic", "position": [0, 0, -0.5], "shapes": [ball(0.03)], "collides": False, "prescribed": {"along": [0, 0, -1], "travel": {"rate": v}}, "color": RED}},
          cables={"rope": strand([attach("puller"), pinhole(point=[0, 0, 0]), node([l0, 0, 0], velocity=[-v, w0 * l0, 0])], rho)},
          expect=[at("end", "energy.kinetic", rho * l ** 3 * w ** 2 / 6 + rho * (0.5 + l0) * v * v / 2, "rate (l0/l)^3: rho l^3 rate^2 / 6, and what the puller moves", relative=5e-3),
                  at("end", "cables.rope.spans.1.length", l, "what the puller left outside", within=1e-9), material("rope", l0 + 0.5)],
          plots=[plot("Energy", "J", "energy.kinetic"), plot("Tension", "N", *tensions("rope", 2))], view={"from": [0.3, -0.6, 1], "at": 0.9})

def helix():
    a, rise, turns, EI = 0.05, 0.3, 4, 2e-3
    l = hypot(a * 2 * pi * turns, rise)
    u = lambda f: [2 * pi * turns * f, rise * f]
    V = 0.5 * EI * (a * (2 * pi * turns) ** 2 / l ** 2) ** 2 * l
    one = lambda f: guide("cylinder", u(f), axis=[0, 0, 1], radius=a, flows=False, on="shaft")
    write("helix", "four turns, four nodes", "A strand wound four times round a shaft straightens toward the axis and comes to rest: bending drives it, drag stops it. Four nodes on the cylinder, three helical segments between them. Strands paper, figures 2d and 5c.",
          {"gravity": [0, 0, 0], **FINE, "seconds": 12}, bodies={"shaft": {"motion": "static", "shapes": [{"type": "cylinder", "radius": a - 0.004, "length": 1.6, "position": [0, 0, 0.15]}], "collides": False, "color": STEEL}},
          cables={"wire": strand([one(0), one(1 / 3), one(2 / 3), one(1)], 0.05, BLUE, material={"bending": EI, "drag": 0.1, "radius": 0.004})},
          expect=[at(0.001, "energy.elastic", V, "EI kappa^2 l / 2 with kappa = a (turn/l)^2", relative=0.01), at("end", "energy.elastic", None, "it has straightened", below=0.02 * V)] +
                 [at(t, "cables.wire.spans.%d.length" % k, l / 3, "it does not stretch", within=1e-9) for t in (1, 5, "end") for k in range(3)] + [material("wire", l)],
          plots=[plot("Energy", "J", "energy.elastic", "energy.kinetic")], view={"from": [1, -0.6, 0.3], "at": 0.3})

def beadOnString():
    c, s = 0.08 * cos(0.32), 0.08 * sin(0.32)
    E0 = 0.05 * G * -0.15 + weigh(0.02, [-0.8, 0, 0.1], [-0.3 - c, 0, -0.15 + s], [-0.3 + c, 0, -0.15 - s], [0.8, 0, -0.1])
    write("bead-on-string", "a pen slides on a string", "A pen slides and swings on a string that runs through its barrel. Eulerian nodes sit at the two mouths, so the string bends sharply there whichever of its points is there, and the pen slides without bouncing. Strands paper, figure 2a.",
          {**FINE, "seconds": 10}, bodies={"pen": {"position": [-0.3, 0, -0.15], "orientation": {"axis": Y, "angle": "0.32 rad"}, "mass": 0.05, "shapes": [{"type": "cylinder", "radius": 0.012, "length": 0.16, "orientation": {"axis": Y, "angle": "90 deg"}}], "collides": False, "color": BLUE}},
          cables={"string": strand([attach(point=[-0.8, 0, 0.1]), tube("pen", [-0.08, 0, 0], [0.08, 0, 0]), attach(point=[0.8, 0, -0.1])], 0.02)},
          expect=[at(t, "cables.string.spans.0.tension", None, "it hangs on it", above=0) for t in (2, 5, "end")] +
                 [at(t, "energy.total", E0, "as at the start, within 1 % of what moves at most", within=0.01 * 0.05) for t in (2, 5, "end")],
          plots=[plot("Place", "m", "bodies.pen.position.x", "bodies.pen.position.z"), plot("Tension", "N", *tensions("string", 2)), plot("Energy", "J", "energy.total", "energy.kinetic")], view={"from": [0.2, -1, 0.2], "at": 1})

def necklace():
    bodies, route, n = {}, [attach(point=[-0.6, 0, 0])], 13
    for i in range(n):
        f = (i + 0.5) / n
        x, z = -0.6 + 1.2 * f, -1.0 * (1 - (2 * f - 1) ** 2) * 0.7
        slope = 1.0 * 0.7 * 4 * (2 * f - 1) / 1.2
        size = 0.03 + 0.015 * (i % 3)
        bodies["bead%d" % (i + 1)] = {"position": [x, 0, z], "orientation": {"axis": Y, "angle": -atan(slope)}, "mass": 0.02 + 0.02 * (i % 3), "shapes": [box(0.06, size, size)], "collides": False, "color": [BLUE, RED, GREEN][i % 3], "velocity": [0, 0.3, 0] if i == 6 else [0, 0, 0]}
        route.append(tube("bead%d" % (i + 1), [-0.03, 0, 0], [0.03, 0, 0]))
    route.append(attach(point=[0.6, 0, 0]))
    write("necklace", "thirteen beads, no place of its own", "Thirteen beads fall into a hanging loop on their string. The strand has no place of its own: 26 flows through the mouths of the beads, and the rest is the motion of the beads. Strands paper, figure 2b.",
          {**FINE, "seconds": 3}, bodies=bodies, cables={"string": strand(route, 0.05)},
          expect=[at(t, "cables.string.spans.0.tension", None, "the beads hang on it", above=0) for t in (1, 2)] +
                 [at(1, "cables.string.lagrangian", 0, "Eulerian nodes only: no place of its own", within=0), at(1, "cables.string.eulerian", 26, "a flow through each mouth of thirteen beads", within=0)],
          plots=[plot("Height", "m", *["bodies.bead%d.position.z" % i for i in (1, 4, 7, 10, 13)]), plot("Energy", "J", "energy.total", "energy.kinetic")], view={"from": [0.5, -1, 0.3], "at": 1})

def noLumping():
    inside = lambda u: guide("line", [u], flows=False, on="tube", axis=[1, 0, 0])
    for file, lumped in (("no-lumping-a", False),):
        write(file, "a tube on a wire stays level", "A tube on a wire stays level, with a node of the wire somewhere inside it. The mass of the wire is integrated along it, so the tube is in balance wherever that node is; lumped at the nodes (lumped: true) the tube would tip. Strands paper, figure 4a.",
              {**FINE, "seconds": 2}, bodies={"tube": {"position": [0, 0, -0.3], "mass": 0.02, "inertia": [1e-5, 1e-4, 1e-4], "shapes": [{"type": "cylinder", "radius": 0.015, "length": 0.4, "orientation": {"axis": Y, "angle": "90 deg"}}], "collides": False, "color": GREEN}},
              cables={"wire": strand([attach(point=[-0.5, 0, 0]), pinhole("tube", [-0.2, 0, 0]), inside(-0.12), pinhole("tube", [0.2, 0, 0]), attach(point=[0.5, 0, 0])], 0.2, lumped=lumped)},
              expect=[at("end", "bodies.tube.orientation.y", 0, "level wherever the node is", within=1e-9), at("end", "bodies.tube.position.z", -0.3, "and at rest", within=1e-9)],
              plots=[plot("Tilt", "", "bodies.tube.orientation.y")], view={"from": [0.2, -1, 0.2]})
    # b: a catenary with a weightless bead in the middle.
    span, length, n = 1.0, 1.3, 15
    lo, hi = 0.01, 10.0
    for _ in range(200):
        c = (lo + hi) / 2
        if 2 * c * sinh(span / (2 * c)) > length: lo = c
        else: hi = c
    sag = c * (cosh(span / (2 * c)) - 1)
    write("no-lumping-b", "a bead does not straighten a strand", "A bead of almost no weight sits in the middle of a hanging strand, and the strand sags. With the mass integrated along the segments it bends at the bead; with lumped mass it would not. Strands paper, figure 4b.",
          {"dt": "1/240 s", "seconds": 12}, bodies={"bead": {"position": [0, 0, -sag], "mass": 1e-5, "inertia": [1e-9, 1e-9, 1e-9], "shapes": [ball(0.012)], "collides": False, "color": RED, "angular_drag": 1e-6}},
          cables={"strand": strand([attach(point=[-span / 2, 0, 0]), pinhole("bead"), attach(point=[span / 2, 0, 0])], 0.1, nodes=n, slack=length - 2 * hypot(span / 2, sag), material={"drag": 0.15})},
          expect=[at("end", "bodies.bead.position.z", -sag, "sag of the catenary of this length", within=0.005 * sag),
                  at("end", "cables.strand.spans.0.tension", 0.1 * G * hypot(c, length * (0.5 - 1 / 4 / (n + 1))), "rho g sqrt(c^2 + s^2) in the middle of the first segment", relative=0.005), material("strand", length)],
          plots=[plot("Height", "m", "bodies.bead.position.z")], view={"from": [0.2, -1, 0.2], "at": 10})

def sheath():
    for kind, mass, color in (("light", 0.01, "#8fc6a2"), ("heavy", 1.0, GREEN)):
        n, x0, x1 = 7, -0.5, 0.5
        casing = strand([attach(point=[x0, 0, 0]), end([x1, 0, 0])], mass, color, nodes=n, material={"bending": 2e-3, "drag": 4 * mass, "radius": 0.012})
        filament = strand([attach(point=[x0 - 0.2, 0, 0]), ride("casing"), pinhole(point=[x1 + 0.2, 0, 0]), attach("weight", [0, 0, 0.05])], 0.01, BLUE, material={"radius": 0.004, "drag": 0.02})
        sag = {"light": 0.0, "heavy": 0.0}[kind]
        expect = [at("end", "cables.casing.spans.0.end.z", None, "the light casing follows the straight filament", above=-0.03)] if kind == "light" else \
                 [at("end", "cables.casing.spans.0.end.z", None, "the heavy casing bends the filament", below=-0.03)]
        write("sheath-" + kind, "a filament in a %s casing" % kind, "A filament, drawn straight by a weight, runs through a casing that is a strand itself. The filament's nodes ride on the casing's, and material flows through them. A heavy casing bends the filament; a light one follows it. Strands paper, figure 3.",
              {"dt": "1/240 s", "seconds": 8}, bodies={"weight": {"position": [x1 + 0.2, 0, -0.5], "mass": 0.4, "shapes": [box(0.08, 0.08, 0.08)], "collides": False, "color": RED, "drag": 0.5, "angular_drag": 0.01}},
              cables={"casing": casing, "filament": filament}, expect=expect,
              plots=[plot("Casing's end", "m", "cables.casing.spans.0.end.z"), plot("Weight", "m", "bodies.weight.position.z")], view={"from": [0.3, -1, 0.2], "at": 7})

def tangent(p, c, r):
    """Where the tangent from p touches the circle about c, on the right of the way to c."""
    d = [c[0] - p[0], c[1] - p[1]]
    far, a = hypot(*d), asin(r / hypot(*d))
    way = [d[0] * cos(a) + d[1] * sin(a), d[1] * cos(a) - d[0] * sin(a)]
    return [p[i] + way[i] / far * sqrt(far * far - r * r) for i in (0, 1)]

def columns():
    r, x = 0.1, 0.4
    sine = r / x  # of the angle of the tangent to both
    write("columns", "a cable round two columns", "A cable slides up and down two columns as the weight at its end is pulled; it runs against the one and the other and leaves both along their tangents. Its nodes have two coordinates each on the cylinders. Strands paper, figure 7d.",
          {**FINE, "seconds": 6}, bodies={
              **{"column%d" % (i + 1): {"motion": "static", "position": [sx * x, 0, 0], "shapes": [{"type": "cylinder", "radius": r - 0.004, "length": 1.6}], "collides": False, "color": SAND} for i, sx in enumerate((-1, 1))},
              "weight": {"position": [1.0, 0.15, -0.5], "mass": 0.5, "shapes": [box(0.1, 0.1, 0.1)], "collides": False, "color": RED, "angular_drag": 0.01, "drag": 0.5}},
          forces={"pull": {"on": "weight", "force": [0, 0, -10], "scale": {"amplitude": 0.4, "frequency": 0.5, "offset": 0.4}}},
          cables={"cable": strand([attach(point=[-1.0, -0.15, 0]), guide("cylinder", [4.4, 0.02], [5.3, 0.02], on="column1", axis=[0, 0, 1], radius=r), guide("cylinder", [2.1, 0.02], [1.2, 0.02], on="column2", axis=[0, 0, 1], radius=r),
                                   pinhole(point=[1.0, 0.15, 0]), attach("weight", [0, 0, 0.05])], 0.3, material={"radius": 0.004, "drag": 0.1})},
          expect=[at(t, "cables.cable.spans.0.tension", None, "it stays taut", above=0) for t in (1, 3, "end")] +
                 [at(t, "cables.cable.spans.%d.end.%s" % (span, axis), value, why, within=1e-9) for t in (0.5, 1, 2.25, 3.75, "end")
                  for span, touch, why in ((0, tangent([-1.0, -0.15], [-x, 0], r), "from its end to the first column along the tangent, at any height"), (1, [x - r * sine, r * sqrt(1 - sine * sine)], "across to the second along the tangent to both")) for axis, value in zip("xy", touch)] +
                 [at(t, "cables.cable.spans.0.end.z", None, "drawn hard it slides up", above=z) for t, z in ((2.25, -0.15), (4.25, -0.1))] +
                 [at(t, "cables.cable.spans.0.end.z", None, "let out it slides down", below=z) for t, z in ((3.75, -0.25), (5.75, -0.35))],
          plots=[plot("Height on the columns", "m", "cables.cable.spans.0.end.z", "cables.cable.spans.3.end.z"), plot("Tension", "N", *tensions("cable", 3))], view={"from": [0.5, -1, 0.6], "at": 1})

def cableClimb():
    r, h = 0.1, 0.8
    wrap = lambda y: [attach(point=[r, y, 2.0]), {"type": "roll", "on": "drum", "point": [0, y, 0], "radius": r, "axis": Y, "turns": 1, "side": "cw"}, attach(point=[r, y, -1.0])]
    write("cable-climb", "a cylinder climbs two cables", "A cylinder climbs two cables that are wound once round it and never slip, and comes down again, turned by a motor with feedback. Strands paper, figure 7a.",
          {"dt": "1/240 s", "seconds": 8}, bodies={"carriage": {"position": [0, 0, 0], "mass": 0.5, "shapes": [box(0.06, 0.5, 0.06)], "collides": False, "color": SAND},
                                                   "drum": {"position": [0, 0, 0], "mass": 1.0, "shapes": [disc(r - 0.004, 0.4)], "collides": False, "color": BLUE}},
          joints={"rail": {"type": "slider", "b": "carriage", "anchor": [0, 0, 0], "axis": [0, 0, 1]}, "axle": {"type": "hinge", "a": "carriage", "b": "drum", "anchor": [0, 0, 0], "axis": [0, -1, 0]}},
          motors={"climb": {"on": "axle", "drive": "feedback", "observe": "bodies.carriage.position.z", "target": table([0, 0], [0.5, h], [4, h], [4.5, 0.2], smooth=False), "proportional": 30, "max_speed": 12, "max_force": 20}},
          cables={"left": strand(wrap(-0.15), 0.05, material={"axial": 2e5}), "right": strand(wrap(0.15), 0.05, material={"axial": 2e5})},
          expect=[at(3.9, "bodies.carriage.position.z", h, "it has reached the height it was told", within=5e-3), at("end", "bodies.carriage.position.z", 0.2, "and the other", within=5e-3)],
          plots=[plot("Height", "m", "bodies.carriage.position.z"), plot("Torque", "N m", "motors.climb.force")], view={"from": [1, -0.7, 0.3], "at": 2})

def robotArm():
    write("robot-arm", "an arm whose cable runs through the axis", "A robot turns about its column and lifts its arm. The cable of the arm goes through a small hole in the axis of the column, so turning does not move the arm. Strands paper, figures 1b and 7b.",
          {"dt": "1/1000 s", "seconds": 8},
          bodies={"base": {"position": [0, 0, 0], "mass": 5, "shapes": [{"type": "cylinder", "radius": 0.15, "length": 0.1, "position": [0, 0, 0.05]}, box(0.05, 0.05, 0.6, position=[-0.1, 0, 0.4])], "collides": False, "color": SAND},
                  "arm": {"position": [-0.1, 0, 0.4], "mass": 0.8, "shapes": [box(0.5, 0.05, 0.05, position=[0.25, 0, 0])], "collides": False, "color": BLUE},
                  "lever": {"position": [0.6, 0, -0.3], "mass": 0.5, "shapes": [box(0.04, 0.04, 0.3, position=[0, 0, 0.0])], "collides": False, "color": RED}},
          joints={"turntable": {"type": "hinge", "b": "base", "anchor": [0, 0, 0], "axis": [0, 0, 1]}, "shoulder": {"type": "hinge", "a": "base", "b": "arm", "anchor": [-0.1, 0, 0.4], "axis": Y, "viscous": 0.3},
                  "handle": {"type": "hinge", "b": "lever", "anchor": [0.6, 0, -0.45], "axis": Y}},
          rotors={"corner": wheel([0.04, 0, -0.26], 0.04, 0.05), "top": wheel([-0.03, 0, 0.65], 0.03, 0.05, on="base")},
          motors={"steer": {"on": "turntable", "drive": "position", "target": table([0, 0], [1, 0], [4, 2.5], [5, 2.5])}, "lift": {"on": "handle", "drive": "position", "target": table([0, 0], [5.5, 0], [6.5, 0.4], [8, 0.4])}},
          cables={"tendon": strand([attach("lever", [0, 0, 0]), roll("corner", "cw"), pinhole(point=[0, 0, 0]), pinhole("base", [0, 0, 0.1]), roll("top"), attach("arm", [0.3, 0, 0.025])], 0.02, material={"radius": 0.003})},
          expect=[at(0.9, "cables.tendon.spans.4.rest", sqrt(0.23 ** 2 + 0.225 ** 2 - 0.03 ** 2), "tangent from the wheel to the arm", within=1e-6),
                  at(5, "cables.tendon.spans.4.rest", sqrt(0.23 ** 2 + 0.225 ** 2 - 0.03 ** 2), "the robot has turned by 2.5 rad; the cable runs through the axis", within=1e-6),
                  at(5, "joints.shoulder.coordinate", 0, "so the arm has not moved", within=1e-6), at("end", "joints.shoulder.coordinate", None, "the lever lifts it", below=-0.1), at(5, "joints.turntable.coordinate", 2.5, "turned", within=1e-6)],
          plots=[plot("Angle", "rad", "joints.turntable.coordinate", "joints.shoulder.coordinate", "joints.handle.coordinate"), plot("Free cable", "m", "cables.tendon.spans.4.rest")], view={"from": [0.5, -1, 0.4], "at": 3})

def chainDrive():
    for file, stages in (("chain-drive-8", 3), ("chain-drive-4", 2)):
        r, gap, rotors, cables = 0.06, 0.45, {}, {}
        for i in range(stages + 1): rotors["shaft%d" % i] = {"position": [gap * i, 0, 0], "axis": Y, "radius": 2 * r if i else r, "inertia": 0.002 * (4 ** i if i else 1), "damping": 0.002 if i == stages else 0}
        for i in range(stages):
            cables["chain%d" % (i + 1)] = strand([roll("shaft%d" % i, radius=r), roll("shaft%d" % (i + 1), radius=2 * r)], 0.2, [RED, BLUE, GREEN][i], closed=True, tension=50, material={"axial": 1e6, "radius": 0.006, "damping": 1e-3})
        ratio = 2 ** stages
        turn = 40.0
        write(file, "chain drive %d to 1" % ratio, "%d chain drives of 2 to 1 in a row. The first shaft is driven forth, and half of the way back; the last turns %d times slower. Strands paper, figures 1c and 7c." % (stages, ratio),
              {"dt": "1/1000 s", "seconds": 6}, rotors=rotors, motors={"drive": {"on": "shaft0", "drive": "position", "target": table([0, 0], [2.5, 2 * turn], [5, turn], [6, turn])}}, cables=cables,
              expect=[at("end", "rotors.shaft%d.angle" % i, turn / 2 ** i, "%d to 1" % 2 ** i, relative=1e-6) for i in range(1, stages + 1)] + [at(2.5, "rotors.shaft%d.angle" % stages, 2 * turn / ratio, "before it turns back", relative=1e-4)],
              plots=[plot("Angle", "rad", *["rotors.shaft%d.angle" % i for i in range(stages + 1)]), plot("Tension", "N", *["cables.chain%d.spans.%d.tension" % (i + 1, k) for i in range(stages) for k in (0, 1)])], view={"from": [0.3, -1, 0.4], "at": 1})

def pulley(n, extra=0.0, rho=0.1, r=0.05, drop=1.0, g=10.0, load=1000.0):
    """Table 1: n sheaves, alternating between a beam that hangs on n falls and one that stands; the strand's own weight counted."""
    rotors, route = {}, [attach(point=[0, 0, 0])]
    for i in range(n):
        low, x = i % 2 == 0, r * (1 + 2 * i)
        rotors["p%d" % i] = {"on": "beam" if low else "world", "position": [x - r * n if low else x, 0, 0], "axis": Y, "radius": r, "inertia": 1e-3}
        route.append(roll("p%d" % i, "cw" if low else "ccw"))
    arc = pi * r * rho * g
    mw = (load * g + n // 2 * arc) / n / g * (1 + extra)
    bodies = {"beam": {"position": [r * n, 0, -drop], "mass": load, "inertia": [load] * 3, "shapes": [box(2 * r * n, 0.06, 0.04, position=[0, 0, -0.09])], "collides": False, "color": RED},
              "weight": {"position": [2 * r * n, 0, -drop], "mass": mw, "inertia": [0.1] * 3, "shapes": [box(0.1, 0.1, 0.1, position=[0, 0, -0.05])], "collides": False, "color": BLUE}}
    return dict(bodies=bodies, rotors=rotors, joints={"rail": {"type": "slider", "b": "beam", "anchor": [r * n, 0, -drop], "axis": [0, 0, 1]}}, cables={"rope": strand(route + [attach("weight")], rho)}), mw

def compoundPulley(n=16, file="compound-pulley"):
    parts, mw = pulley(n)
    write(file, "compound pulley, %s sheaves" % ("sixteen" if n == 16 else n), "A beam of 1000 kg hangs in balance on a strand over %s sheaves, with a weight of 1000/%d kg, and half a sheave's worth of its own. scripts/make-scenes/strands.py makes it for any number of sheaves. Strands paper, figures 1a and 8, table 1." % ("sixteen" if n == 16 else n, n),
          {"gravity": [0, 0, -10], "dt": "1/100 s", "seconds": 5}, **parts,
          expect=[at("end", "bodies.beam.position.z", -1, "in balance", within=1e-6), at("end", "bodies.weight.position.z", -1, "in balance", within=1e-5), at("end", "cables.rope.spans.0.tension", mw * 10 + 0.1 * 10, "the weight, and the fall below", relative=0.05)],
          plots=[plot("Height", "m", "bodies.beam.position.z", "bodies.weight.position.z"), plot("Tension", "N", *tensions("rope", min(n, 16) + 1))], view={"from": [0.3, -1, 0.2]})

def lineShaft():
    bodies = {"shaft": {"position": [0, 0, 2], "mass": 8, "inertia": [0.2, 0.05, 0.2], "shapes": [disc(0.04, 3.4)] + [disc(0.14, 0.03, position=[0, y, 0]) for y in (-1.5, -0.5, 0.5, 1.5)], "collides": False, "color": STEEL}}
    joints = {"bearing": {"type": "hinge", "b": "shaft", "anchor": [0, 0, 2], "axis": Y, "viscous": 0.02}}
    rotors, cables = {}, {}
    for i, (name, y) in enumerate((("pulley", -1.5), ("double", -0.5), ("elevator", 0.5), ("arm", 1.5))):
        phase = i * pi / 2
        pin = [0.1 * cos(phase), y, 2 + 0.1 * sin(phase)]
        rocker = name + "-rocker"
        foot, top = [0.8, y, 1.6], [0.8, y, 2.0]
        bodies[rocker] = {"position": foot, "mass": 0.6, "shapes": [box(0.04, 0.04, 0.8, position=[0, 0, 0.4])], "collides": False, "color": SAND}
        joints[name + "-pivot"] = {"type": "hinge", "b": rocker, "anchor": foot, "axis": Y, "viscous": 0.05}
        joints[name + "-rod"] = {"type": "distance", "a": "shaft", "b": rocker, "anchor": pin, "anchor_b": top}
        lead = name + "-lead"
        rotors[lead] = wheel([1.5, y, 2.35], 0.05, 0.1)
        out = [attach(rocker, [0, 0, 0.8]), roll(lead)]
        x = 1.55
        if name == "pulley":
            bodies["load"] = {"position": [x + 0.1, y, 1.2], "mass": 3, "shapes": [box(0.3, 0.1, 0.15, position=[0, 0, -0.2])], "collides": False, "color": RED, "drag": 2, "angular_drag": 0.5}
            rotors["low1"] = wheel([-0.05, 0, 0], 0.05, 0.1, on="load"); rotors["high"] = wheel([x + 0.15, y, 2.2], 0.05, 0.1); rotors["low2"] = wheel([0.15, 0, 0], 0.05, 0.1, on="load")
            out += [roll("low1", "cw"), roll("high"), roll("low2", "cw"), attach(point=[x + 0.3, y, 2.2])]
        elif name == "double":
            bodies["hook"] = {"position": [x + 0.05, y, 1.3], "mass": 2, "shapes": [box(0.12, 0.1, 0.15, position=[0, 0, -0.15])], "collides": False, "color": BLUE, "drag": 2, "angular_drag": 0.3}
            rotors["hook-sheave"] = wheel([0, 0, 0], 0.05, 0.1, on="hook")
            out += [roll("hook-sheave", "cw"), attach(point=[x + 0.1, y, 2.2])]
        elif name == "elevator":
            bodies["cage"] = {"position": [x, y, 1.2], "mass": 2, "shapes": [box(0.2, 0.2, 0.3, position=[0, 0, -0.15])], "collides": False, "color": GREEN}
            joints["guides"] = {"type": "slider", "b": "cage", "anchor": [x, y, 1.2], "axis": [0, 0, 1], "viscous": 2}
            out += [attach("cage")]
        else:
            bodies["forearm"] = {"position": [1.2, y, 1.4], "mass": 1, "shapes": [box(0.6, 0.05, 0.05, position=[0.3, 0, 0])], "collides": False, "color": "#c08a3e"}
            joints["elbow"] = {"type": "hinge", "b": "forearm", "anchor": [1.2, y, 1.4], "axis": Y, "viscous": 0.2}
            out += [attach("forearm", [0.35, 0, 0.025])]
        cables[name] = strand(out, 0.03, [ROPE, BLUE, GREEN, RED][i], material={"radius": 0.005})
    write("line-shaft", "a line shaft drives four machines", "One shaft drives four machines by rocker-crank linkages and strands: a compound pulley, a double pulley, an elevator and an arm. All are coupled: jam one and everything stops. Strands paper, figure 1d.",
          {"dt": "1/500 s", "seconds": 9}, bodies=bodies, joints=joints, rotors=rotors,
          motors={"engine": {"on": "bearing", "drive": "feedback", "observe": "bodies.shaft.angular_velocity.y", "target": {"offset": 1.5}, "proportional": 0.1, "integral": 3.0, "max_force": 40}}, cables=cables,
          expect=[at("end", "joints.bearing.coordinate", None, "it has turned, twice at least", above=12.6)] + [at(t, "cables.%s.spans.0.tension" % c, None, "every machine hangs on its strand", above=0) for c in cables for t in (3, 6, "end")],
          plots=[plot("Machines", "m", "bodies.load.position.z", "bodies.hook.position.z", "bodies.cage.position.z"), plot("Shaft", "rad/s", "bodies.shaft.angular_velocity.y"), plot("Torque", "N m", "motors.engine.force")], view={"from": [0.7, -1, 0.5], "at": 2})

def candidates():
    m, L, z0 = 0.5, 1.0, -0.6
    EA, load, crate, y, z = 2e4, 4.0, 1.5, 0.9, -0.2
    T = load * G
    # A crate thrown up beside it comes down on a second strand, which stretches: nothing is met before 0.59 s.
    up, high = 2.5, 0.33
    start = m * G * z0 + weigh(0.02, [0, 0, 0], [-0.8, 0, z0])
    spring = [[-0.7, y, z], [0.7, y, z], [0.7, y, z - 0.7]]
    start += crate * (G * (z + high) + up ** 2 / 2) + load * G * (z - 0.7) + weigh(0.05, *spring) + 0.5 * T ** 2 / EA * 2.1
    write("candidates", "strands meet a beam and a crate", "A bob swings on a strand, which comes to lie on the edges of a beam and leaves it again. Behind it a crate falls on a strand that stretches and draws its load up through a hole; the crate is thrown up again. The beam and the crate are candidates: where the strands touch them is found by the simulation. Where a strand lies there are Eulerian nodes on the edges; before and after there are none. The 20 g of strand that the beam stops lose their energy.",
          {**FINE, "seconds": 2.2}, bodies={"beam": {"motion": "static", "position": [0.06, 0, -0.5], "shapes": [box(0.1, 0.6, 0.1)], "collides": False, "color": SAND},
                                          "bob": {"position": [-0.8, 0, z0], "mass": m, "shapes": [ball(0.04)], "collides": False, "color": RED},
                                          "crate": {"position": [0, y, z + high], "velocity": [0, 0, up], "mass": crate, "shapes": [box(0.16, 0.16, 0.16)], "collides": False, "color": SAND},
                                          "load": {"position": [0.7, y, z - 0.7], "mass": load, "shapes": [ball(0.05)], "collides": False, "color": BLUE}},
          cables={"rope": strand([attach(point=[0, 0, 0]), attach("bob")], 0.02, candidates=["beam"], material={"radius": 0.003, "friction": 0}),
                  "net": strand([attach(point=spring[0]), pinhole(point=spring[1]), attach("load")], 0.05, candidates=["crate"], tension=T, material={"radius": 0.003, "friction": 0.2, "axial": EA})},
          expect=[at(0.5, "energy.total", start, "nothing is met yet", within=1e-4 * abs(start)),
                  at(0.92, "bodies.bob.position.z", z0, "turned round the beam, it rises as high as it was let go", within=0.01), at(0.92, "bodies.bob.position.x", None, "on the other side, beyond the beam", above=0.2),
                  at(1.0, "bodies.crate.position.z", None, "caught: it would have fallen 1.6 m below the strand", above=z - 0.7), at(1.0, "bodies.load.position.z", None, "drawn up by the crate", above=z - 0.65),
                  at(1.83, "bodies.bob.position.z", z0, "and back", within=0.01), at("end", "energy.total", None, "none is won", below=start), material("rope", L)],
          plots=[plot("Bob", "m", "bodies.bob.position.x", "bodies.bob.position.z"), plot("Crate", "m", "bodies.crate.position.z", "bodies.load.position.z"), plot("Tension", "N", "cables.rope.spans.0.tension", "cables.net.spans.0.tension"), plot("Energy", "J", "energy.total", "energy.kinetic")], view={"from": [0.3, -1, 0.25], "at": 0.9})

def torsion():
    I, GJ, L, w0 = 0.02, 0.05, 1.5, 20.0
    w = sqrt(GJ / (L * I))
    clamped = lambda on, point: {**attach(on, point), "hold": "clamped"}
    write("torsion", "a wire swings a disc back", "A disc turns at the lower end of a wire, and the wire, clamped at both ends, winds up by more than two turns and swings it back: I angle'' = -GJ angle / L.",
          {**FINE, "seconds": 10}, bodies={"disc": {"position": [0, 0, -L], "mass": 2, "inertia": [0.1, 0.1, I], "angular_velocity": [0, 0, w0], "shapes": [{"type": "cylinder", "radius": 0.15, "length": 0.03}, box(0.3, 0.02, 0.04)], "collides": False, "color": BLUE}},
          cables={"wire": strand([clamped("world", [0, 0, 0]), clamped("disc", [0, 0, 0])], 0.01, STEEL, nodes=3, material={"torsion": GJ, "radius": 0.002})},
          expect=[at(t, "bodies.disc.angular_velocity.z", w0 * cos(w * t), "w0 cos(t sqrt(GJ/(L I)))", within=2e-3 * w0) for t in (1, 2.4, 4.9, "end")[:3]] + [at(0.5 * pi / w, "energy.elastic", 0.5 * I * w0 ** 2, "all of it in the wire at the dead point", relative=2e-3)],
          plots=[plot("Turn rate", "rad/s", "bodies.disc.angular_velocity.z"), plot("Energy", "J", "energy.kinetic", "energy.elastic", "energy.total")], view={"from": [0.4, -1, 0.4], "at": 0.2})

def sliding():
    def pen(y, color): return {"position": [-0.3, y, -0.15], "orientation": {"axis": Y, "angle": "0.32 rad"}, "mass": 0.05, "shapes": [{"type": "cylinder", "radius": 0.012, "length": 0.16, "orientation": {"axis": Y, "angle": "90 deg"}}], "collides": False, "color": color}
    def string(name, y, color, **more): return strand([attach(point=[-0.8, y, 0.1]), tube(name, [-0.08, 0, 0], [0.08, 0, 0]), attach(point=[0.8, y, -0.1])], 0.02, color, **more)
    write("sliding", "two pens on strings", "Two pens slide on strings: the one in front smoothly, with Eulerian nodes at its mouths; the one behind is thrown about whenever a node passes a mouth, because its string has Lagrangian nodes only (sliding: true) and bends nowhere else. Strands paper, figure 2a.",
          {**FINE, "seconds": 3}, bodies={"smooth": pen(0, BLUE), "thrown": pen(0.4, RED)},
          cables={"eulerian": string("smooth", 0, BLUE), "lagrangian": string("thrown", 0.4, RED, nodes=8, sliding=True)},
          expect=[at("end", "cables.eulerian.length", SLIDING_LENGTH, "material is kept", within=1e-10), at("end", "cables.lagrangian.length", SLIDING_LENGTH, "by both", within=1e-9)],
          plots=[plot("Speed", "m/s", "bodies.smooth.velocity.z", "bodies.thrown.velocity.z"), plot("Turn rate", "rad/s", "bodies.smooth.angular_velocity.y", "bodies.thrown.angular_velocity.y")], view={"from": [0.25, -1, 0.25], "at": 1})

_c, _s = 0.08 * cos(0.32), 0.08 * sin(0.32)
SLIDING_LENGTH = dist([-0.8, 0, 0.1], [-0.3 - _c, 0, -0.15 + _s]) + 0.16 + dist([-0.3 + _c, 0, -0.15 - _s], [0.8, 0, -0.1])

def whipping():
    rho, L = 0.2, 1.0
    K = rho * L * G * L / 2
    write("whipping", "a free strand whips about", "Ten segments of a strand, held at one end and let go from the horizontal. What turns faster than a step can follow is damped, with the third power of the step and more: one substep of 1/1000 s would lose 30 % of the largest kinetic energy in 5 s, four lose less than 3 % in 10 s.",
          {**FINE, "substeps": 4, "seconds": 10}, cables={"whip": strand([attach(point=[0, 0, 0]), end([L, 0, 0])], rho, nodes=9)},
          expect=[at(t, "energy.total", 0, "as at the start, within 3 % of what hangs straight down could have", within=0.03 * K) for t in (2, 5, "end")] + [material("whip", L)],
          plots=[plot("Energy", "J", "energy.total", "energy.kinetic"), plot("End", "m", "cables.whip.spans.0.end.x", "cables.whip.spans.0.end.z")], view={"from": [0.2, -1, 0.2], "at": 0.4})

def strands():
    tableEdge(); peg(); whirl(); helix(); beadOnString(); necklace(); noLumping(); sheath(); columns(); cableClimb(); robotArm(); chainDrive(); compoundPulley(); lineShaft(); candidates(); torsion(); sliding(); whipping()

if __name__ == "__main__":
    import sys
    # strands.py compound-pulley N: that scene alone, with N sheaves, as compound-pulley-N.json where one is.
    if sys.argv[1:2] == ["compound-pulley"] and len(sys.argv) > 2:
        n = int(sys.argv[2])
        if n < 2 or n % 2: sys.exit("an even number of sheaves, 2 or more: the weight hangs down only then")
        compoundPulley(n, os.path.abspath("compound-pulley-%d" % n))
    else: strands()
