"""The larger machines: hand, gym, bow, cable car, crane, seat."""
from kit import *
from rigs import G, bisect

def hand():
    lengths, thick, k, drum = [0.05, 0.032, 0.026], 0.014, 0.009, 0.01
    bodies = {"palm": {"motion": "static", "position": [-0.045, 0, 0], "shapes": [box(0.09, 0.1, 0.022)], "collides": False, "color": SAND}}
    joints, rotors, motors, cables, expect = {}, {}, {}, {}, []
    for f in range(4):
        y = -0.036 + 0.024 * f
        scale = [0.92, 1.0, 0.96, 0.82][f]
        x, parent = 0.0, "palm"
        name = ["index", "middle", "ring", "little"][f]
        ext, flex = [attach("palm", [-0.02, y, k])], []
        for j, l in enumerate(lengths):
            l *= scale
            b = "%s%d" % (name, j + 1)
            bodies[b] = {"position": [x, y, 0], "density": 1100, "shapes": [box(l - 0.004, 0.014, thick, position=[l / 2, 0, 0]), disc(k - 0.001, 0.012)], "collides": False, "color": ["#e2b48f", "#eac4a4", "#f0d3b8"][j]}
            joints["%s-joint%d" % (name, j + 1)] = {"type": "hinge", "a": parent, "b": b, "anchor": [x, y, 0], "axis": Y, "lower": 0, "upper": 1.6, "viscous": 0.004}
            ext.append(post(b, [0, 0, 0], k))
            if j < 2: flex.append(pinhole(b, [l / 2, 0, -0.012]))
            else:
                ext.append(attach(b, [l - 0.002, 0, k])); flex.append(attach(b, [l * 0.6, 0, -0.012]))
            x, parent = x + l, b
        rotors["drum-" + name] = wheel([-0.05, y, -0.012 + drum], drum, 0.05, width=0.012)
        start = 0.5 + 0.5 * f
        motors["pull-" + name] = {"on": "drum-" + name, "drive": "position", "target": table([0, 0], [start, 0], [start + 1.2, 4.0], [4.5, 4.0], [5.5, 0])}
        cables["back-" + name] = {"route": ext, "tension": 6, "material": {"axial": 60, "radius": 0.0012, "damping": 0.02}, "color": RED}
        cables["inside-" + name] = {"route": [spool("drum-" + name, 0.05, "cw")] + flex, "material": {"radius": 0.001}, "color": BLUE}
        expect += [at(4.4, "joints.%s-joint2.coordinate" % name, None, "the tendon inside has bent the finger", above=0.15), at(4.4, "cables.inside-%s.spans.0.tension" % name, None, "it pulls against the elastic tendon on the back", above=5),
                   at("end", "joints.%s-joint2.coordinate" % name, 0, "the elastic tendon on the back has stretched it again", within=0.03)]
    write("hand", "tendon hand", "A hand bends its fingers one after another and opens them together. Tendons inside run through eyes to drums in the palm; elastic tendons over the knuckles stretch the fingers again. Twenty-eight spans. Cable joints paper, figure 1.",
          {"dt": "1/240 s", "seconds": 8}, bodies=bodies, joints=joints, rotors=rotors, motors=motors, cables=cables, expect=expect,
          plots=[plot("Bend", "rad", *["joints.%s-joint%d.coordinate" % (n, j) for n in ("index", "little") for j in (1, 2, 3)]), plot("Tension", "N", *["cables.inside-%s.spans.0.tension" % n for n in ("index", "middle", "ring", "little")])],
          view={"from": [0.5, -1, 0.45], "at": 2.2})

def gym():
    W, top, zs, zf = 80.0, 2.6, 0.6, 1.7
    bodies = {"frame": {"motion": "static", "position": [0, 0.35, 1.4], "shapes": [box(0.08, 0.1, 2.8, position=[-2.2, 0, 0]), box(0.08, 0.1, 2.8, position=[2.2, 0, 0]), box(4.5, 0.1, 0.1, position=[0, 0, 1.75]), box(4.5, 0.1, 0.08, position=[0, 0, -1.36])], "collides": False, "color": "#b9c1c9"},
              "stack": {"position": [0, 0, zs], "mass": W - 1, "shapes": [box(0.34, 0.2, 0.08, position=[0, 0, -0.25 - 0.09 * i]) for i in range(3)] + [box(0.04, 0.04, 0.3, position=[0, 0, -0.12])], "collides": False, "color": DARK, "drag": 20}}
    joints = {"rails": {"type": "slider", "b": "stack", "anchor": [0, 0, zs], "axis": [0, 0, 1]}}
    rotors = {"stack-pulley": wheel([0, 0, 0], 0.2, 1, on="stack", color=SAND)}
    cables, expect = {}, []
    pulls = {"left-low": 0.5, "left-high": 3.5, "right-low": 6.5, "right-high": 9.5}
    for side, s in (("left", -1), ("right", 1)):
        x = lambda v: s * v
        turn = lambda a: ("cw" if a == "ccw" else "ccw") if s < 0 else a
        rotors[side + "-top"] = wheel([x(0.35), 0, top], 0.15, 0.5)
        bodies[side + "-float"] = {"position": [x(0.5), 0, zf], "mass": 0.5, "shapes": [box(0.08, 0.06, 0.2)], "collides": False, "color": GREEN, "drag": 5, "angular_drag": 0.3}
        rotors[side + "-float-wheel"] = wheel([0, 0, -0.05], 0.1, 0.2, on=side + "-float", color=SAND)
        rotors[side + "-base-in"] = wheel([x(0.35), 0, 0.2], 0.05, 0.2)
        rotors[side + "-base-out"] = wheel([x(0.75), 0, 0.2], 0.15, 0.3)
        rotors[side + "-high-in"] = wheel([x(0.45), 0, 3.0], 0.15, 0.3)
        rotors[side + "-high-out"] = wheel([x(2.0), 0, 3.0], 0.15, 0.3)
        for kind, p, along in (("low", [x(2.6), 0, 0.6], [x(1), 0, 0.35]), ("high", [x(2.15), 0, 2.1], [0, 0, -1])):
            n = "%s-%s" % (side, kind)
            t = pulls[n]
            bodies["handle-" + n] = {"motion": "kinematic", "position": p, "shapes": [{"type": "capsule", "radius": 0.025, "length": 0.3, "orientation": {"axis": [1, 0, 0], "angle": "90 deg"}}], "collides": False, "color": RED, "prescribed": {"along": along, "travel": table([0, 0], [t, 0], [t + 1, 0.8], [t + 1.8, 0.8], [t + 2.8, 0])}}
        cables[side] = {"route": [attach("handle-%s-low" % side), roll(side + "-base-out", turn("ccw")), roll(side + "-float-wheel", turn("cw")), roll(side + "-base-in", turn("ccw")), roll(side + "-high-in", turn("ccw")), roll(side + "-high-out", turn("ccw")), attach("handle-%s-high" % side)], "material": {"axial": 1e6, "damping": 0.1, "radius": 0.004}, "color": ROPE}
    cables["lift"] = {"route": [attach("left-float", [0, 0, 0.1]), roll("left-top"), roll("stack-pulley", "cw"), roll("right-top"), attach("right-float", [0, 0, 0.1])], "material": {"axial": 1e6, "damping": 0.1, "radius": 0.005}, "color": DARK}
    m = 0.5 + 0.2
    T1 = W * G / 2
    T2 = (T1 - m * G) / 2
    for n, t in pulls.items():
        end = "0" if n.endswith("low") else "5"
        expect += [at(t + 1.75, "cables.%s.spans.%s.tension" % (n.split("-")[0], end), T2, "a quarter of the stack less half the floating block", relative=1e-3), at(t + 1.75, "bodies.stack.position.z", zs + 0.2, "the stack is lifted by a quarter of the pull", within=0.008)]
    write("gym", "cable machine", "One handle of a cable machine is pulled and the stack of weights rises. One stack serves four handles, sixteen spans: it hangs in the bight of one cable between two floating blocks, and a handle cable over each block has a handle at both ends. Whichever handle is pulled feels a quarter of the stack. Cable joints paper, figure 20.",
          {"dt": "1/240 s", "seconds": 13}, bodies=bodies, joints=joints, rotors=rotors, cables=cables, expect=expect,
          plots=[plot("Handles", "N", "cables.left.spans.0.tension", "cables.left.spans.5.tension", "cables.right.spans.0.tension", "cables.right.spans.5.tension"), plot("Stack", "m", "bodies.stack.position.z")], view={"from": [0.25, -1, 0.12], "at": 2.0})

def bow():
    foot, l, brace = 0.22, 0.58, [-0.16, 0]
    tip = lambda phi: [-l * sin(phi), foot + l * cos(phi)]
    phi0 = 0.28
    L = 2 * hypot(tip(phi0)[0] - brace[0], tip(phi0)[1])
    nock = -0.62
    phi = bisect(lambda p: hypot(tip(p)[0] - nock, tip(p)[1]) - L / 2, 0.0, 1.4)
    stiff, rest = 90.0, -0.25
    bodies = {"riser": {"motion": "static", "shapes": [box(0.05, 0.04, 2 * foot)], "collides": False, "color": DARK}}
    joints, motors = {}, {}
    for name, s in (("upper", 1), ("lower", -1)):
        bodies[name] = {"position": [0, 0, s * foot], "orientation": {"axis": [0, 1, 0], "angle": -s * phi}, "mass": 0.12, "inertia": [0.0034, 0.0034, 2e-5], "center": [0, 0, s * l / 2], "shapes": [box(0.018, 0.035, l, position=[0, 0, s * l / 2])], "collides": False, "color": ROPE}
        joints[name + "-root"] = {"type": "hinge", "b": name, "anchor": [0, 0, s * foot], "axis": Y}
        # the hinge reads zero as it starts, drawn; the limb's own rest lies forward of the brace
        motors[name + "-bend"] = {"on": name + "-root", "drive": "position", "target": s * (phi - rest), "stiffness": stiff, "damping": 0.02}
    t = phi
    tau = stiff * (t - rest)
    # string tension from the limb's moment, then the draw force
    tx, tz = tip(t)
    d = [nock - tx, -tz]
    n = hypot(*d)
    arm = abs((tx) * d[1] / n - (tz - foot) * d[0] / n)
    T = tau / arm
    draw = 2 * T * abs(d[0]) / n
    arrow = 0.025
    E = 2 * 0.5 * stiff * ((phi - rest) ** 2 - (phi0 - rest) ** 2)
    bodies["hand"] = {"motion": "kinematic", "position": [nock - 0.3, 0, 0], "shapes": [ball(0.03)], "collides": False, "color": SAND, "prescribed": {"along": [-1, 0, 0], "travel": table([0, 0], [0.5, 0], [0.8, 0.1])}}
    bodies["arrow"] = {"position": [nock + 0.0042 + 0.385, 0, 0], "orientation": {"axis": [0, 1, 0], "angle": "90 deg"}, "mass": arrow, "shapes": [box(0.008, 0.008, 0.77)], "gravity": False, "friction": 0, "color": GREEN}
    vmax = sqrt(2 * E / arrow)
    write("bow", "bow", "A drawn bow shoots its arrow: the thread that holds it parts at its breaking load, the limbs (hinged, with springs of %g N m/rad) drive string and arrow, and the arrow leaves the string. Ten substeps per frame. Cable joints paper, figure 19." % stiff,
          {"dt": "1/60 s", "substeps": 10, "seconds": 1.0}, bodies=bodies, joints=joints, motors=motors, particles={"nock": {"position": [nock, 0, 0], "mass": 0.006, "radius": 0.004, "gravity": False}},
          cables={"string": {"route": [attach("upper", [0, 0, l]), attach("nock"), attach("lower", [0, 0, -l])], "tension": T, "material": {"axial": 8e4, "damping": 1e-4, "radius": 0.0015}, "color": RED},
                  "thread": {"route": [attach("hand"), attach("nock")], "material": {"axial": 2e4, "breaking": 1.06 * draw, "damping": 0.01, "radius": 0.001}, "tension": draw, "color": DARK}},
          expect=[at(0.45, "cables.thread.spans.0.tension", draw, "limb moment over its lever gives the string, twice its x part the draw", relative=3e-2), at("end", "bodies.arrow.velocity.x", None, "less than all the energy in the limbs, %.0f J" % E, above=0.5 * vmax, below=vmax)],
          plots=[plot("String", "N", *tensions("string", 2)), plot("Arrow", "m/s", "bodies.arrow.velocity.x"), plot("Nock", "m", "particles.nock.position.x")], view={"from": [0.25, -1, 0.12], "at": 0.4, "target": [-0.2, 0, 0], "height": 2})

def cableCar():
    A, B, W = [0.0, 20.0], [60.0, 40.0], 1500.0
    P = [12.0, 20.0]
    r = 0.25
    bodies = {"carriage": {"position": [P[0], 0, P[1]], "orientation": {"axis": Y, "angle": -0.1}, "mass": 60, "shapes": [box(1.7, 0.1, 0.15, position=[0, 0, 0.25])], "center": [0, 0, 0.1], "collides": False, "color": DARK, "angular_drag": 300},
              "car": {"position": [P[0], 0, P[1]], "mass": W - 100, "shapes": [box(2.4, 2.0, 2.2, position=[0, 0, -4.2]), box(0.15, 0.15, 3.2, position=[0, 0, -1.6])], "center": [0, 0, -3.9], "collides": False, "color": RED, "drag": 250},
              "valley": {"motion": "static", "shapes": [box(3, 3, 20, position=[-1.5, 0, 10])], "collides": False, "color": SAND}, "mountain": {"motion": "static", "shapes": [box(4, 3, 40, position=[62.5, 0, 20])], "collides": False, "color": SAND}}
    rotors = {"front": wheel([0.7, 0, 0.25], r, 20, on="carriage"), "back": wheel([-0.7, 0, 0.25], r, 20, on="carriage"), "winch": wheel([60, 0, 39.0], 0.5, 200, width=0.8)}
    haul = 51.0
    motors = {"drive": {"on": "winch", "drive": "velocity", "target": table([0, 0], [2, 0], [6, 2 * haul / 20], [16, 2 * haul / 20], [20, 0])}}
    turn = 2 * haul / 20 * (4 / 2 + 10 + 4 / 2)
    cables = {"track": {"route": [attach("world", [0, 0, 20]), roll("back", "cw"), roll("front", "cw"), attach("world", [60, 0, 40])], "material": {"axial": 5e7, "radius": 0.03, "damping": 0.02}, "color": DARK},
              "haul": {"route": [attach("carriage", [0.8, 0, 0]), spool("winch", 20, "ccw")], "material": {"axial": 1e7, "radius": 0.02, "damping": 0.05}, "color": ROPE}}
    # Statics at the end: the car on the ellipse the track rope allows, at the haul rope's length.
    unit = lambda v: [v[0] / hypot(*v), v[1] / hypot(*v)]
    sub = lambda p, q: [p[0] - q[0], p[1] - q[1]]
    ahead = lambda p, e, d: [p[0] + d * e[0], p[1] + d * e[1]]
    e0, drum = [cos(0.1), sin(0.1)], [60.0, 39.0]
    length = lambda p, e: hypot(*sub(A, ahead(p, e, -0.7))) + 1.4 + hypot(*sub(B, ahead(p, e, 0.7)))
    def slope(p):
        a, b = unit(sub(p, A)), unit(sub(B, p))
        return unit([a[0] + b[0], a[1] + b[1]])
    def haulLine(p, e):
        d = sub(drum, ahead(p, e, 0.8))
        return sqrt(d[0] ** 2 + d[1] ** 2 - 0.25), atan2(d[1], d[0]) + asin(0.5 / hypot(*d))  # length, slope of the upper tangent
    def onTrack(x, track):
        return [x, bisect(lambda z: length([x, z], slope([x, z])) - track, 0.0, A[1] + (B[1] - A[1]) * x / 60.0)]
    rest, (haul0, slope0) = length(P, e0), haulLine(P, e0)
    T = H = 0.0
    for _ in range(20):  # both ropes stretch by what they carry
        track = rest * (1 + T / 5e7)
        def tooLong(x):
            p = onTrack(x, track)
            l, phi = haulLine(p, slope(p))
            return l - (haul0 - 0.5 * (turn + phi - slope0)) * (1 + H / 1e7)
        x = bisect(tooLong, 20.0, 55.0)
        p = onTrack(x, track)
        phi = haulLine(p, slope(p))[1]
        a, b, h = unit(sub(A, ahead(p, slope(p), -0.7))), unit(sub(B, ahead(p, slope(p), 0.7))), [cos(phi), sin(phi)]
        s = [a[0] + b[0], a[1] + b[1]]
        T = W * G * h[0] / (h[0] * s[1] - h[1] * s[0])  # T s + H h = (0, W g)
        H = -T * s[0] / h[0]
    write("cable-car", "cable car", "A cabin hangs from a carriage that rides on a track rope between two stations, its wheels above the rope, hauled up by a winch at the mountain station.",
          {"dt": "1/120 s", "seconds": 30}, bodies=bodies, joints={"hanger": {"type": "hinge", "a": "carriage", "b": "car", "anchor": [P[0], 0, P[1]], "axis": Y, "viscous": 4000}}, rotors=rotors, motors=motors, cables=cables,
          expect=[at("end", "cables.haul.stored", 20 + 0.5 * turn, "what the winch wound on: radius times turn, and a little as the rope's direction changes", within=0.2), at("end", "bodies.car.position.x", x, "the track rope's ellipse at the haul rope's length", within=0.02), at("end", "bodies.car.position.z", p[1], "the same", within=0.02), at("end", "cables.track.spans.0.tension", T, "balance of car, track and haul rope, wheels and slope as they are", relative=1e-2), at("end", "cables.track.spans.2.tension", T, "the wheels turn freely", relative=1e-2)],
          plots=[plot("Tension", "N", "cables.track.spans.0.tension", "cables.haul.spans.0.tension"), plot("Car", "m", "bodies.car.position.x", "bodies.car.position.z")], view={"from": [0.1, -1, 0.08], "at": 10})

def crane():
    r = 0.35
    foot, boomL, angle = [1.5, 2.2], 22.0, radians(48)
    u = [cos(angle), sin(angle)]; v = [-u[1], u[0]]           # along and above the boom
    tip = [foot[0] + boomL * u[0], foot[1] + boomL * u[1]]
    apex = [-2.0, 8.5]
    hookM, loadM, boomM = 300.0, 4700.0, 2600.0
    W = hookM + loadM
    # hoist rope: drum on the deck, over the apex, along the boom to sheave t1, four falls
    t1 = [tip[0], tip[1]]
    # four falls at x = t1 + r, + 3r, ... hook sheaves between them
    h1, t2, h2 = [t1[0] + 2 * r, 0], [t1[0] + 4 * r, t1[1]], [t1[0] + 6 * r, 0]
    anchor = [t1[0] + 7 * r, t1[1]]
    hookX, hookZ = t1[0] + 4 * r, 4.2
    local = lambda p: [(p[0] - foot[0]) * u[0] + (p[1] - foot[1]) * u[1], 0, (p[0] - foot[0]) * v[0] + (p[1] - foot[1]) * v[1]]
    steel = "#f2b632"
    bodies = {"ground": {**GROUND, "color": "#8d9a7b"},
              "carrier": {"motion": "static", "shapes": [box(7.5, 3, 1.0, position=[-1, 0, 1.5]), box(7.0, 3.2, 0.9, position=[-1, 0, 0.45]), box(2.2, 2.2, 1.8, position=[2.0, -1.8, 2.6]), box(2.4, 2.6, 1.6, position=[-3.6, 0, 2.8])], "collides": False, "color": "#d9822b"},
              "frame": {"motion": "static", "shapes": [{"type": "capsule", "radius": 0.12, "length": hypot(apex[0] - 0.6, apex[1] - 2), "position": [(apex[0] + 0.6) / 2, 0, (apex[1] + 2) / 2], "orientation": {"axis": Y, "angle": atan2(apex[0] - 0.6, apex[1] - 2)}}, {"type": "capsule", "radius": 0.12, "length": hypot(apex[0] + 4.2, apex[1] - 2), "position": [(apex[0] - 4.2) / 2, 0, (apex[1] + 2) / 2], "orientation": {"axis": Y, "angle": atan2(apex[0] + 4.2, apex[1] - 2)}}], "collides": False, "color": DARK},
              "boom": {"position": [foot[0], 0, foot[1]], "orientation": {"axis": Y, "angle": -angle}, "mass": boomM, "center": [boomL / 2, 0, 0], "inertia": [boomM * 0.3, boomM * boomL ** 2 / 12, boomM * boomL ** 2 / 12],
                       "shapes": [box(boomL - 2, 0.5, 0.5, position=[boomL / 2, 0, 0])], "collides": False, "color": steel, "angular_drag": 60000},
              "hook": {"position": [hookX, 0, hookZ], "mass": hookM - 60, "shapes": [box(4.6 * r, 0.4, 0.5, position=[0, 0, -0.35]), box(0.15, 0.15, 0.7, position=[0, 0, -0.9])], "collides": False, "color": "#c0392b", "drag": 120, "angular_drag": 800},
              "load": {"position": [hookX, 0, 1.0], "mass": loadM, "shapes": [box(3.0, 2.0, 2.0)], "color": BLUE, "friction": 0.6, "drag": 2500, "angular_drag": 6000}}
    rotors = {"t1": wheel(local(t1), r, 30, on="boom"), "t2": wheel(local(t2), r, 30, on="boom"), "h1": wheel([-2 * r, 0, 0], r, 30, on="hook", color=SAND), "h2": wheel([2 * r, 0, 0], r, 30, on="hook", color=SAND),
              "hoist-drum": wheel([-3.4, 0, 3.2], 0.4, 300, width=0.8, color="#b5651d"), "luff-drum": wheel([-1.6, 0, 2.7], 0.4, 300, width=0.8, color="#b5651d"),
              "apex-hoist": wheel([apex[0], 0, apex[1] + 0.2], 0.3, 20), "apex-luff": wheel([apex[0] + 0.1, 0, apex[1] - 0.6], 0.25, 20), "luff-sheave": wheel([boomL - 1.0, 0, 0.7], 0.25, 20, on="boom")}
    lift = 6.0
    hoist = table([0, 0], [2, 0], [4, -4 * lift / 0.4 / 6], [8, -4 * lift / 0.4 / 6], [10, 0])     # 6 s of full speed in all
    luff = table([0, 0], [11, 0], [12, -0.9], [15, -0.9], [16, 0], [17, 0.9], [20, 0.9], [21, 0])
    motors = {"hoist": {"on": "hoist-drum", "drive": "velocity", "target": hoist}, "luff": {"on": "luff-drum", "drive": "velocity", "target": luff}}
    wire = {"axial": 4e7, "radius": 0.012, "damping": 0.02}
    hoistRoute = [spool("hoist-drum", 30), roll("apex-hoist"), roll("t1"), roll("h1", "cw"), roll("t2"), roll("h2", "cw"), attach("boom", local(anchor))]
    luffRoute = [spool("luff-drum", 20), roll("apex-luff"), roll("luff-sheave"), attach("world", [apex[0] + 0.3, 0, apex[1] - 1.2])]
    cables = {"hoist": {"route": hoistRoute, "material": wire, "color": "#333333"}, "luff": {"route": luffRoute, "material": {**wire, "axial": 4e8, "radius": 0.02}, "color": "#5b4a8a"},
              "sling": {"route": [attach("hook", [0, 0, -1.2]), attach("load", [0, 0, 1.0])], "material": wire, "color": ROPE}}
    # theory at the end: boom back at its first angle, load in the air
    T = W * G / 4
    world = lambda p: [foot[0] + p[0] * u[0] + p[2] * v[0], foot[1] + p[0] * u[1] + p[2] * v[1]]
    mom = lambda p, f: (p[0] - foot[0]) * f[1] - (p[1] - foot[1]) * f[0]
    def tangent(p1, r1, s1, p2, r2, s2):
        # the project's own formula, with σ about +y: seen with x to the right and z up, positive turns clockwise
        s1, s2 = -s1, -s2
        d = [p2[0] - p1[0], p2[1] - p1[1]]; D = hypot(*d); e = [d[0] / D, d[1] / D]; n = [-e[1], e[0]]
        c = (s1 * r1 - s2 * r2) / D; q = sqrt(1 - c * c)
        w = [c * e[0] - q * n[0], c * e[1] - q * n[1]]
        return [p1[0] + s1 * r1 * w[0], p1[1] + s1 * r1 * w[1]], [p2[0] + s2 * r2 * w[0], p2[1] + s2 * r2 * w[1]]
    moment = mom(world([boomL / 2, 0, 0]), [0, -boomM * G]) + sum(mom(p, [0, -m * G]) for p, m in ((t1, 30), (t2, 30), (world([boomL - 1.0, 0, 0.7]), 20)))
    a, b = tangent([apex[0], apex[1] + 0.2], 0.3, 1, t1, r, 1)
    e = [a[0] - b[0], a[1] - b[1]]; n = hypot(*e)
    moment += mom(b, [T * e[0] / n, T * e[1] / n]) + mom([t1[0] + r, t1[1]], [0, -T]) + mom([t2[0] - r, t2[1]], [0, -T]) + mom([t2[0] + r, t2[1]], [0, -T]) + mom(anchor, [0, -T])
    ls = world([boomL - 1.0, 0, 0.7])
    arms = 0.0
    a, b = tangent([apex[0] + 0.1, apex[1] - 0.6], 0.25, 1, ls, 0.25, 1)
    e = [a[0] - b[0], a[1] - b[1]]; n = hypot(*e); arms += mom(b, [e[0] / n, e[1] / n])
    a, b = tangent(ls, 0.25, 1, [apex[0] + 0.3, apex[1] - 1.2], 0.0, 1)
    e = [b[0] - a[0], b[1] - a[1]]; n = hypot(*e); arms += mom(a, [e[0] / n, e[1] / n])
    Tl = -moment / arms
    expect = [at("end", "cables.hoist.spans.%d.tension" % i, T, "hook and load on four falls: %g kg g / 4" % W, relative=1e-3) for i in range(6)]
    expect += [at("end", "cables.luff.spans.%d.tension" % i, Tl, "moment of boom, load and hoist rope about the boom's foot", relative=1e-3) for i in range(3)]
    expect += [at("end", "cables.sling.spans.0.tension", loadM * G, "the load", relative=1e-3), at("end", "bodies.load.position.z", None, "lifted %g m by four times as much rope, less the slack of the sling" % lift, above=lift - 0.6, below=lift + 1.2),
               at(16.5, "bodies.hook.position.x", None, "luffed in", below=hookX - 1.0)]
    write("crane", "luffing crane", "A luffing crane lifts five tonnes on four falls, luffs in and out again, and holds. Hoist rope: drum, apex sheave, boom head, hook block and back, six spans. Luffing rope: drum, apex, boom sheave, apex. At the end every tension is compared with statics.",
          {"dt": "1/120 s", "seconds": 40}, bodies=bodies, rotors=rotors, joints={"boom-foot": {"type": "hinge", "b": "boom", "anchor": [foot[0], 0, foot[1]], "axis": Y}}, motors=motors, cables=cables, expect=expect,
          plots=[plot("Hoist rope", "N", *tensions("hoist", 6)), plot("Luffing rope", "N", *tensions("luff", 3)), plot("Load", "m", "bodies.load.position.x", "bodies.load.position.z"), plot("Boom", "rad", "joints.boom-foot.coordinate")], view={"from": [0.28, -1, 0.14], "at": 12})

def seat():
    H, R, p, r = 4.0, 3.0, 0.9, 0.1
    tops = [[R * cos(radians(a)), R * sin(radians(a)), H] for a in (-10, 10, 110, 130, 230, 250)]
    joints0 = [[p * cos(radians(a)), p * sin(radians(a)), 0.25] for a in (-50, 50, 70, 170, 190, 290)]
    home = [0, 0, 1.2]
    def pose(t):
        # a loop: rise, sway, roll and yaw gently; still before 1 s and after 9 s
        s = min(max((t - 1) / 8, 0), 1); w = sin(pi * s) ** 2
        return [home[0] + 0.5 * w * sin(4 * pi * s), home[1] + 0.4 * w * cos(4 * pi * s), home[2] + 0.5 * s * s * (3 - 2 * s)], 0.15 * w * sin(4 * pi * s), 0.12 * w * cos(2 * pi * s), 0.25 * w
    def place(t, q):
        x, roll_, pitch, yaw = pose(t)
        cr, sr, cp, sp, cy, sy = cos(roll_), sin(roll_), cos(pitch), sin(pitch), cos(yaw), sin(yaw)
        v = [q[0], cr * q[1] - sr * q[2], sr * q[1] + cr * q[2]]
        v = [cp * v[0] + sp * v[2], v[1], -sp * v[0] + cp * v[2]]
        v = [cy * v[0] - sy * v[1], sy * v[0] + cy * v[1], v[2]]
        return [x[i] + v[i] for i in range(3)]
    def dist(a, b): return sqrt(sum((a[i] - b[i]) ** 2 for i in range(3)))
    rotors, motors, cables = {}, {}, {}
    for i in range(6):
        out = [tops[i][0] * 1.12, tops[i][1] * 1.12, H + 0.1]
        axis = [-tops[i][1], tops[i][0], 0]
        rotors["drum%d" % (i + 1)] = wheel(out, r, 3, axis=axis, width=0.2)
        l0 = dist(tops[i], place(0, joints0[i]))
        knots = [[round(0.05 * k, 4), (l0 - dist(tops[i], place(0.05 * k, joints0[i]))) / r] for k in range(201)]
        motors["motor%d" % (i + 1)] = {"on": "drum%d" % (i + 1), "drive": "position", "target": {"table": knots}}
        cables["rope%d" % (i + 1)] = {"route": [spool("drum%d" % (i + 1), 4, "cw"), pinhole("world", tops[i]), attach("seat", joints0[i])], "material": {"axial": 1e6, "radius": 0.006, "damping": 0.02}, "color": [RED, BLUE, GREEN][i // 2]}
    bodies = {"seat": {"position": home, "mass": 120, "shapes": [box(1.2, 1.2, 0.12, position=[0, 0, 0.2]), box(0.6, 0.6, 0.12, position=[0, 0, 0.45]), box(0.12, 0.6, 0.8, position=[-0.3, 0, 0.8])], "collides": False, "color": SAND},
              "tower": {"motion": "static", "shapes": [{"type": "cylinder", "radius": 0.08, "length": H, "position": [1.15 * R * cos(radians(a)), 1.15 * R * sin(radians(a)), H / 2]} for a in (0, 120, 240)], "collides": False, "color": DARK}}
    end = pose(10)[0]
    write("six-cable-seat", "seat on six cables", "A motion seat on six cables sways, rolls, pitches, yaws and rises. Six drums follow the lengths that inverse kinematics gives; six taut cables fix all six freedoms. After the introduction of the cable joints paper.",
          {"dt": "1/120 s", "seconds": 12}, bodies=bodies, rotors=rotors, motors=motors, cables=cables,
          expect=[at("end", "bodies.seat.position.x", end[0], "inverse kinematics", within=5e-3), at("end", "bodies.seat.position.y", end[1], "inverse kinematics", within=5e-3), at("end", "bodies.seat.position.z", end[2], "inverse kinematics", within=5e-3),
                  at(5, "bodies.seat.position.z", pose(5)[0][2], "on the way, swinging a little", within=5e-2)] + [at("end", "cables.rope%d.spans.1.tension" % i, None, "taut", above=20) for i in range(1, 7)],
          plots=[plot("Tension", "N", *["cables.rope%d.spans.1.tension" % i for i in range(1, 7)]), plot("Seat", "m", "bodies.seat.position.x", "bodies.seat.position.y", "bodies.seat.position.z")], view={"from": [0.6, -1, 0.35], "at": 4})
