#!/usr/bin/env python3
"""Writes the scenes of the cable joints paper and of everyday rigging to scenes/. Same input, same files."""
from kit import *
from hilbert import hilbert
from rigs import *
from strands import strands
from rigs2 import hand, gym, bow, cableCar, crane, seat
from machines import elevator, compensated, pegWithLoads, finger, zipline
from machines2 import mainsheet, ratchet, elevatorBrake, sling

def simple(file, density, seconds=4, compliance=None, drop=None):
    g, d = 10.0, density
    lower, upper, right, top = -4.5, -2.5, -3.0, 0.0
    bodies = {
        "lower": {"position": [-2.5, 0, lower], "density": d, "shapes": [box(1, 1, 1)], "color": BLUE},
        "upper": {"position": [-2.5, 0, upper], "density": d, "shapes": [box(1, 1, 1)], "color": BLUE},
        "right": {"position": [2.5, 0, right], "density": d, "shapes": [box(1, 2, 1)], "color": RED},
    }
    rotors = {"a": wheel([-2, 0, top], 0.5, 0.5 * d, width=0.6), "b": wheel([2, 0, top], 0.5, 0.5 * d, width=0.6)}
    cable = {"route": [attach("lower", [0, 0, 0.5]), attach("upper", [0, 0, 0.5]), roll("a"), roll("b"), attach("right", [0, 0, 0.5])], "color": ROPE}
    T = [10 * d, 20 * d, 20 * d, 20 * d]
    about = "Three boxes hang still on one cable over two wheels: two on the left, one below the other, one on the right. Each span carries the weight below it (g = 10 m/s^2, density %g kg/m^3). Cable joints paper, figure 12." % d
    name = "three boxes in balance, %g kg/m^3" % d
    more = {}
    if compliance:
        cable["compliance"] = compliance
        cable["material"] = {"damping": 0.15}
        for r in rotors.values(): r["damping"] = 4
        for b in bodies.values(): b["drag"] = 0.6; b["angular_drag"] = 0.5
        name = "three boxes on an elastic cable, %g m/N" % compliance
        about = "Three boxes bounce on an elastic cable over two wheels and come to rest; every span gives %g m/N. " % compliance
        if drop:
            bodies["lower"]["position"][2] = -3.5; bodies["upper"]["position"][2] = -1.5; bodies["right"]["position"][2] = -3.5
            bodies = {"ground": {**GROUND, "position": [0, 0, -4.0 - drop]}, **bodies}
            # Both outer bodies stand on the ground: 2 drop = compliance (Ta + 3 (Ta + 10)).
            Ta = (2 * drop / compliance - 30) / 4
            T = [Ta, Ta + 10, Ta + 10, Ta + 10]
            about += "It stretches so far that the outer boxes come to stand on the ground, which carries the rest of their weight. Cable joints paper, figure 15."
        else: about += "At rest every span is longer than its rest length by tension times compliance. Cable joints paper, figure 15."
    because = ["weight below the span", "both bodies on the left", "wheels turn freely", "the body on the right"]
    if drop: because = ["stretch of the whole cable is twice the drop, shared by four equal springs", "plus the upper body", "wheels turn freely", "wheels turn freely"]
    expect = [at("end", "cables.rope.spans.%d.tension" % i, T[i], because[i], relative=1e-3 if compliance else 1e-6) for i in range(4)]
    if not compliance: expect += [at("end", "bodies.right.position.z", right, "in balance: nothing moves", within=1e-6)]
    write(file, name, about, {"gravity": [0, 0, -g], "dt": "1/60 s", "seconds": seconds}, bodies=bodies, rotors=rotors, cables={"rope": cable},
          expect=expect, plots=[plot("Tension", "N", *tensions("rope", 4)), plot("Height", "m", "bodies.lower.position.z", "bodies.upper.position.z", "bodies.right.position.z")],
          view={"from": [0.25, -1, 0.12]})

simple("simple", 1); simple("simple-1000", 1000)
simple("elastic-001", 1, 30, 0.01); simple("elastic-01", 1, 40, 0.1, drop=2.0)

# gear: a stepped drum, radii 1 to 4
for file, m in (("gear", 4.0),):
    bodies = {"shaft": {"position": [0, 0, 4], "density": 300, "shapes": [disc(0.25, 0.4, position=[0, -0.3, 0]), disc(1.0, 0.3, position=[0, 0.15, 0])], "color": SAND},
              "heavy": weight([-0.25, -0.3, 2], 4 * 5.0, 0.5, RED, angular_drag=1), "light": weight([1.0, 0.15, 2], 5.0, 0.3, BLUE, angular_drag=1)}
    write(file, "two loads in balance on a stepped drum", "A load of 20 kg on the small radius of a stepped drum holds one of 5 kg on the large radius: radii one to four, masses four to one, nothing moves. Cable joints paper, figure 16.",
          {"dt": "1/240 s", "seconds": 10}, bodies=bodies, joints={"axle": {"type": "hinge", "b": "shaft", "anchor": [0, 0, 4], "axis": Y}},
          cables={"inner": {"route": [spool("shaft", 2, "cw", point=[0, -0.3, 0], radius=0.25, axis=Y), attach("heavy", [0, 0, 0.25])], "color": ROPE},
                  "outer": {"route": [spool("shaft", 4, point=[0, 0.15, 0], radius=1.0, axis=Y), attach("light", [0, 0, 0.15])], "color": ROPE}},
          expect=[at("end", "bodies.heavy.position.z", 2, "4 m g r = m g 4r: it stays", within=1e-6), at("end", "bodies.light.position.z", 2, "it stays", within=1e-6),
                  at("end", "cables.inner.spans.0.tension", 20 * 9.81, "the weight", relative=1e-6), at("end", "cables.outer.spans.0.tension", 5 * 9.81, "the weight", relative=1e-6)],
          plots=[plot("Height", "m", "bodies.heavy.position.z", "bodies.light.position.z"), plot("Tension", "N", "cables.inner.spans.0.tension", "cables.outer.spans.0.tension")],
          view={"from": [0.5, -1, 0.25], "at": 1})

tackle("pulley", "compound pulley", "A block and tackle of four falls lifts its load slowly: the load is four times what hangs on the rope's end, less a little. Six spans. Cable joints paper, figure 1.",
       lower=2, leads=1, r=0.25, load=40.0, counter=10.2, seconds=3, depth=3.0)
tackle("tackle-16", "tackle of twelve falls", "Twelve falls over sixteen sheaves: six in the moving block, six in the standing one, four that lead the rope away. Each sheave is a rotor with one coordinate, so all sixteen cost less than one hinged body each.",
       lower=6, leads=4, r=0.15, load=1200.0, counter=101.0, seconds=3, depth=4.0)
servin(); atwood(); capstan(); yoyo(); differential(); belt(); winch(); flips(); hybrid(); links(); skew(); splitMerge(); segments()
hand(); gym(); bow(); cableCar(); crane(); seat(); elevator(); compensated(); pegWithLoads(); finger(); zipline(); mainsheet(); ratchet(); elevatorBrake(); sling()
hilbert("hilbert2", 2, loose=False); hilbert("hilbert2-loose", 2, loose=True); hilbert("hilbert3", 3, loose=False)
strands()
