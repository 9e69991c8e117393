"""The machines."""
from kit import *

G = 9.81
def bisect(f, a, b):
    fa = f(a)
    for _ in range(200):
        m = (a + b) / 2
        if (f(m) > 0) == (fa > 0): a = m
        else: b = m
    return (a + b) / 2

def tackle(file, name, about, lower, leads, r, load, counter, seconds, depth):
    mw, top = 0.4 * (r / 0.25) ** 2, depth + 1.5
    rotors, route = {}, [attach("world", [0, 0, top])]
    mid = (2 * lower - 1) * r
    for k in range(lower):
        rotors["l%d" % (k + 1)] = wheel([(4 * k + 1) * r - mid, 0, 0], r, mw, on="load", color=SAND)
        rotors["u%d" % (k + 1)] = wheel([(4 * k + 3) * r, 0, top], r, mw)
        route += [roll("l%d" % (k + 1), "cw"), roll("u%d" % (k + 1))]
    x = (4 * lower - 1) * r + 1.0
    places = [[x, 0, top]] if leads == 1 else [[x, 0, top], [x + 2 * r, 0, top - 2], [x + 4 * r, 0, top], [x + 4 * r + 1, 0, top]]
    for i, p in enumerate(places):
        rotors["lead%d" % (i + 1)] = wheel(p, r, mw)
        route.append(roll("lead%d" % (i + 1), "cw" if leads == 4 and i == 1 else "ccw"))
    end = places[-1][0] + r
    route.append(attach("counter", [0, 0, 0.2]))
    n = 2 * lower
    inertia = sum((2 * k - 1) ** 2 + (2 * k) ** 2 for k in range(1, lower + 1)) + leads * n ** 2
    a = (n * counter - load) * G / (load + n * n * counter + inertia * mw / 2)
    width = max(0.6, 2 * mid + 0.3)
    bodies = {"load": {"position": [mid, 0, top - depth], "mass": load - lower * mw, "shapes": [box(width, 0.4, 0.5, position=[0, 0, -0.75]), box(0.1, 0.1, 0.6, position=[0, 0, -0.3])], "color": RED},
              "counter": weight([end, 0, top - 1.2], counter, 0.4)}
    spans = 2 * lower + leads + 1
    write(file, name, about, {"dt": "1/240 s", "seconds": seconds}, bodies=bodies, rotors=rotors, cables={"rope": {"route": route, "color": ROPE}},
          expect=[at("end", "bodies.load.position.z", top - depth + a * seconds ** 2 / 2, "a = (n m - M) g / (M + n^2 m + wheels), n = %d falls" % n, within=2e-5),
                  at("end", "bodies.counter.velocity.z", -n * a * seconds, "the rope's end moves %d times as fast as the load" % n, relative=1e-3),
                  at("end", "cables.rope.spans.%d.tension" % (spans - 1), counter * (G - n * a), "m (g - n a)", relative=1e-4)],
          plots=[plot("Tension", "N", *tensions("rope", spans)), plot("Height", "m", "bodies.load.position.z", "bodies.counter.position.z")], view={"from": [0.2, -1, 0.1]})

def servin():
    a, r, W, top, h0 = 0.8, 0.16, 3.0, 5.0, 0.9
    loads = [4.2, 5.2, 4.8, 5.5, 4.8, 5.2, 4.2]
    rotors, bodies, route, expect = {}, {}, [attach("end1", [0, 0, 0.2])], []
    for i in range(8):
        rotors["top%d" % i] = wheel([2 * a * i, 0, top], r, 0.1)
        route.append(roll("top%d" % i))
        if i == 7: break
        m = loads[i]
        name = "load%d" % (i + 1)
        size = 0.22 * (m / 2) ** (1 / 3)
        bodies[name] = {"position": [a * (2 * i + 1), 0, top - h0], "mass": m - 0.1, "shapes": [box(size, size, size, position=[0, 0, -0.45])], "drag": 4, "angular_drag": 0.3, "color": [BLUE, RED, GREEN][i % 3]}
        rotors["hang%d" % (i + 1)] = wheel([0, 0, 0], r, 0.1, on=name, color=SAND)
        route.append(roll("hang%d" % (i + 1), "cw"))
        theta = acos(m / (2 * W))
        h = bisect(lambda h: atan2(a, h) - asin(2 * r / hypot(a, h)) - theta, -0.6, 50)
        expect.append(at("end", "bodies.%s.position.z" % name, top - h, "2 T cos(angle) = m g with T = %g g, over wheels of %g m" % (W, r), within=2e-3))
    route.append(attach("end2", [0, 0, 0.2]))
    bodies["end1"] = weight([-r, 0, top - 2.6], W, 0.3, DARK, drag=4, angular_drag=0.3)
    bodies["end2"] = weight([14 * a + r, 0, top - 2.6], W, 0.3, DARK, drag=4, angular_drag=0.3)
    expect += [at("end", "cables.wire.spans.%d.tension" % i, W * G, "one tension: every wheel turns freely, and a weight of %g kg hangs on each end" % W, relative=1e-3) for i in (0, 7, 15)]
    write("servin", "seven loads on one wire", "Seven loads hang in the bights of one wire between eight fixed wheels, sixteen spans. Equal weights on both ends set one tension; every load sinks to the depth at which its two spans carry it. Cable joints paper, figure 13, after Servin and others 2011.",
          {"dt": "1/60 s", "seconds": 25}, bodies=bodies, rotors=rotors, cables={"wire": {"route": route, "color": ROPE}}, expect=expect,
          plots=[plot("Height", "m", *["bodies.load%d.position.z" % i for i in range(1, 8)]), plot("Tension", "N", *tensions("wire", 16))], view={"from": [0.15, -1, 0.1]})

def atwood():
    m1, m2, mw, r = 1.0, 1.5, 1.0, 0.2
    I = mw * r * r / 2
    a = (m2 - m1) * G / (m1 + m2 + I / r ** 2)
    write("atwood", "Atwood's machine", "Two masses over a wheel that has inertia. The acceleration is (m2 - m1) g / (m1 + m2 + I/r^2), and the difference of the two tensions turns the wheel.",
          {"dt": "1/240 s", "seconds": 1}, bodies={"light": weight([-r, 0, 1], m1, 0.2, BLUE), "heavy": weight([r, 0, 2.5], m2, 0.23, RED)}, rotors={"wheel": wheel([0, 0, 3.5], r, mw)},
          cables={"rope": {"route": [attach("light", [0, 0, 0.1]), roll("wheel"), attach("heavy", [0, 0, 0.115])], "color": ROPE}},
          expect=[at("end", "bodies.heavy.velocity.z", -a, "(m2 - m1) g / (m1 + m2 + I/r^2)", relative=1e-6), at("end", "rotors.wheel.rate", a / r, "no slip", relative=1e-6),
                  at("end", "cables.rope.spans.0.tension", m1 * (G + a), "m1 (g + a)", relative=1e-6), at("end", "cables.rope.spans.1.tension", m2 * (G - a), "m2 (g - a)", relative=1e-6)],
          plots=[plot("Tension", "N", *tensions("rope", 2)), plot("Velocity", "m/s", "bodies.light.velocity.z", "bodies.heavy.velocity.z")], view={"from": [0.3, -1, 0.15]})

def capstan():
    mu, r, top = 0.3, 0.3, 4.0
    bodies, rotors, cables, expect = {}, {}, {}, []
    for i, (word, angle, factor) in enumerate((("quarter", pi / 2, 1.5), ("half", pi, 1.5), ("one-and-a-half", 3 * pi, 1.5), ("holds", pi, 0.99))):
        x = 2.0 * i
        k = exp(mu * angle)
        m1 = 1.0 if i != 2 else 0.2
        m2 = factor * k * m1
        bodies["drum-" + word] = {"motion": "static", "position": [x, 0, top], "shapes": [disc(r, 0.5)], "collides": False, "color": SAND}
        size = lambda m: 0.22 * m ** (1 / 3)
        left = x - r if i else x - 0.8
        bodies["light-" + word] = weight([left, 0, 1.2], m1, size(m1), BLUE, collides=False)
        bodies["heavy-" + word] = weight([x + r, 0, 2.8], m2, size(m2), RED, collides=False)
        drum = post("drum-" + word, [0, 0, 0], r, friction=mu)
        if i == 2: drum["turns"] = 1
        route = [attach("light-" + word, [0, 0, size(m1) / 2]), drum, attach("heavy-" + word, [0, 0, size(m2) / 2])]
        if not i:
            rotors["idler"] = {**wheel([-0.7, 0, top + 0.2], 0.1, None), "inertia": 1e-6}
            route.insert(1, roll("idler"))
        cables[word] = {"route": route, "color": ROPE}
        a = G * (m2 - k * m1) / (m2 + k * m1)
        if factor < 1: expect += [at("end", "bodies.heavy-%s.velocity.z" % word, 0, "0.99 of exp(mu angle) holds", within=1e-6)]
        else: expect += [at("end", "bodies.heavy-%s.velocity.z" % word, -a * 0.6, "a = g (m2 - k m1)/(m2 + k m1), k = exp(mu %.4g)" % angle, relative=1e-3)]
    write("capstan", "capstan", "Ropes slipping over fixed drums with friction 0.3: a quarter turn, a half turn, one and a half turns, and a half turn loaded to 99 % of what it holds.",
          {"dt": "1/240 s", "seconds": 0.6}, bodies=bodies, rotors=rotors, cables=cables, expect=expect,
          plots=[plot("Velocity", "m/s", *["bodies.heavy-%s.velocity.z" % w for w in cables]), plot("Tension", "N", *["cables.half.spans.%d.tension" % i for i in range(2)])], view={"from": [0.25, -1, 0.15]})

def yoyo():
    m, R, r, s = 0.2, 0.12, 0.03, 1.0
    I = m * R * R / 2
    a = G * m / (m + I / r ** 2)
    write("yo-yo", "yo-yo", "A disc hung on a string wound round its axle, a hybrid link: it unwinds, holds when the string is used up, swings through, and winds up the other side. The string's length never changes.",
          {"dt": "1/480 s", "seconds": 8}, bodies={"disc": {"position": [0, 0, 1.8], "mass": m, "inertia": [I / 2, I, I / 2], "shapes": [disc(R, 0.04)], "collides": False, "color": RED}},
          cables={"string": {"route": [attach("world", [-r, 0, 2]), spool("disc", s, "cw", "hybrid", radius=r, axis=Y)], "material": {"radius": 0.002}, "color": DARK}},
          expect=[at(1, "bodies.disc.velocity.z", -a, "a = g m / (m + I/r^2)", relative=1e-3), at(1, "cables.string.spans.0.tension", m * (G - a), "m (g - a)", relative=1e-3),
                  at("end", "cables.string.length", 1.2, "free and wound length together", within=1e-9), at(4.5, "bodies.disc.position.z", above=0.9, because="it has wound up the other side")],
          plots=[plot("Height", "m", "bodies.disc.position.z"), plot("Spin", "rad/s", "bodies.disc.angular_velocity.y"), plot("Wound on", "m", "cables.string.stored")], view={"from": [0.4, -1, 0.2]})

def differential():
    R, r, load, top = 0.3, 0.25, 120.0, 4.0
    mid = (R + r) / 2
    pull = load * (R - r) / (2 * R)
    write("differential-hoist", "differential hoist", "A chain over two sheaves of one shaft: one turn takes in 2 pi R and pays out 2 pi r, so the pull is load (R - r)/2R.",
          {"dt": "1/240 s", "seconds": 4},
          bodies={"shaft": {"position": [0, 0, top], "mass": 8, "shapes": [disc(R, 0.08), disc(r, 0.2)], "collides": False, "color": SAND},
                  "hook": {"position": [(r - R) / 2, 0, 2], "mass": load - 2, "shapes": [box(0.5, 0.4, 0.5, position=[0, 0, -0.8]), box(0.06, 0.06, 0.5, position=[0, 0, -0.3])], "collides": False, "color": RED},
                  "hand": weight([R, 0, 2.2], pull, 0.2, BLUE, collides=False)},
          rotors={"sheave": wheel([0, 0, 0], mid, 2, on="hook")}, joints={"axle": {"type": "hinge", "b": "shaft", "anchor": [0, 0, top], "axis": Y}},
          forces={"tug": {"on": "hand", "force": [0, 0, -1], "scale": table([0, 0], [1, 6], [2, 6], [3, 0])}},
          cables={"chain": {"route": [spool("shaft", 4, radius=r, axis=Y), roll("sheave"), post("shaft", [0, 0, 0], R), attach("hand", [0, 0, 0.1])], "material": {"radius": 0.008}, "color": DARK}},
          expect=[at(0.2, "cables.chain.spans.2.tension", load * G * (R - r) / (2 * R), "load (R - r)/2R: balance before the tug", relative=2e-2), at("end", "bodies.hook.position.z", above=2.02, because="a small tug lifts 120 kg"),
                  at("end", "cables.chain.spans.0.tension", load * G / 2, "each fall carries half", relative=1e-3), at("end", "cables.chain.spans.2.tension", load * G * (R - r) / (2 * R), "load over pull is 2R/(R - r) = 12", relative=1e-3)],
          plots=[plot("Tension", "N", *tensions("chain", 3)), plot("Height", "m", "bodies.hook.position.z", "bodies.hand.position.z")], view={"from": [0.35, -1, 0.15]})

def belt():
    r1, r2 = 0.1, 0.35
    write("belt", "belt drive", "A closed belt over two wheels, pretensioned, with a motor on the small one and a load on the large one. The turns are as the radii, and the tight side carries what the load needs.",
          {"dt": "1/240 s", "seconds": 10, "gravity": [0, 0, 0]}, rotors={"motor-wheel": wheel([-0.8, 0, 1], r1, 1), "fan": wheel([0.8, 0, 1.1], r2, 8, damping=0.5)},
          motors={"motor": {"on": "motor-wheel", "drive": "velocity", "target": table([0, 0], [2, 60])}},
          cables={"belt": {"route": [roll("motor-wheel"), roll("fan")], "closed": True, "tension": 150, "material": {"axial": 2e4, "radius": 0.006, "damping": 0.005}, "color": DARK}},
          expect=[at("end", "rotors.fan.rate", 60 * r1 / r2, "r1/r2", relative=1e-6), at("end", "motors.motor.force", 0.5 * 60 * (r1 / r2) ** 2, "the fan's torque times r1/r2", relative=1e-3)],
          plots=[plot("Tension", "N", *tensions("belt", 2)), plot("Rate", "rad/s", "rotors.motor-wheel.rate", "rotors.fan.rate")], view={"from": [0.3, -1, 0.2]})

def winch():
    r, m = 0.2, 250.0
    turn = 2.0 * 4  # rad: trapezoid 0..1 up, 1..4 hold, 4..5 down
    write("winch", "winch", "A motor on a drum lifts a load: what is wound on equals radius times turn, exactly.",
          {"dt": "1/240 s", "seconds": 6}, bodies={"load": {**weight([r, 0, 1], m, 0.5, RED), "collides": False}}, rotors={"drum": wheel([0, 0, 4], r, 20, width=0.4)},
          motors={"motor": {"on": "drum", "drive": "velocity", "target": table([0, 0], [1, -2], [4, -2], [5, 0])}},
          cables={"rope": {"route": [spool("drum", 3), attach("load", [0, 0, 0.25])], "color": ROPE}},
          expect=[at("end", "rotors.drum.angle", -turn, "the integral of the drive's speed", within=1e-6), at("end", "cables.rope.stored", 3 + r * turn, "radius times turn", within=1e-7), at("end", "bodies.load.position.z", 1 + r * turn, "lifted by what was wound on", within=1e-7),
                  at("end", "cables.rope.spans.0.tension", m * G, "the weight", relative=1e-6), at(2.5, "cables.rope.spans.0.tension", m * G, "steady lifting", relative=1e-6)],
          plots=[plot("Tension", "N", "cables.rope.spans.0.tension"), plot("Height", "m", "bodies.load.position.z"), plot("Wound on", "m", "cables.rope.stored")], view={"from": [0.4, -1, 0.15]})

def flips():
    rotors, motors, cables, expect = {}, {}, {}, []
    patterns = [[1, 1, 1, 1], [1, -1, 1, 1], [1, -1, 1, -1]]
    radii = [0.2, 0.35, 0.25, 0.3]
    corners = [[-1, 0, -0.8], [-1, 0, 0.8], [1, 0, 0.8], [1, 0, -0.8]]
    for i, sides in enumerate(patterns):
        name = "abc"[i]
        for k in range(4):
            p = [corners[k][0] + 3.6 * i, 0, corners[k][2]]
            rotors["%s%d" % (name, k)] = wheel(p, radii[k], 1, color=[SAND, STEEL][sides[k] < 0])
            if k: expect.append(at("end", "rotors.%s%d.rate" % (name, k), 5 * sides[k] * radii[0] / radii[k], "rim speeds agree; a flipped wheel turns the other way", relative=1e-6))
        motors["motor-" + name] = {"on": name + "0", "drive": "velocity", "target": table([0, 0], [1, 5])}
        cables["belt-" + name] = {"route": [roll("%s%d" % (name, k), "ccw" if sides[k] > 0 else "cw") for k in range(4)], "closed": True, "tension": 100, "material": {"axial": 1e4, "damping": 0.02}, "color": [RED, BLUE, GREEN][i]}
    write("flips", "three belts, the same wheels, other sides", "Three belts run over the same four wheels: in one all wheels turn alike, in the next one wheel is turned the other way, in the last two. The order of the wheels and the side of each define the path. Cable joints paper, figure 4.",
          {"dt": "1/240 s", "seconds": 6, "gravity": [0, 0, 0]}, rotors=rotors, motors=motors, cables=cables, expect=expect, plots=[plot("Rate", "rad/s", *["rotors.b%d.rate" % k for k in range(4)])], view={"from": [0, -1, 0]})

def hybrid():
    r, free, top = 0.2, 0.6, 4.0
    bodies, rotors, cables, expect = {}, {}, {}, []
    for i, s in enumerate((0.3, 0.8, 1.3, 1.8)):
        n = str(i + 1)
        rotors["wheel" + n] = wheel([1.2 * i, 0, top], r, 1, damping=0.3)
        bodies["load" + n] = weight([1.2 * i + r, 0, top - free - 0.12], 1.0, 0.24, [BLUE, GREEN, RED, SAND][i], drag=0.8, angular_drag=0.02, collides=False)
        cables["rope" + n] = {"route": [spool("wheel" + n, s, "ccw", "hybrid"), attach("load" + n, [0, 0, 0.12])], "color": ROPE}
        expect += [at("end", "bodies.load%s.position.z" % n, top - r - free - s - 0.12, "it hangs from the rim's lowest point by all of its cable", within=2e-3), at("end", "cables.rope%s.length" % n, free + s, "cable is neither made nor lost", within=1e-9)]
    write("hybrid", "drums that run empty and hold", "Four loads fall, each from a wheel with more cable on it. When a wheel has none left its link holds, and may roll again the other way. Cable joints paper, figure 17, right.",
          {"dt": "1/240 s", "seconds": 30}, bodies=bodies, rotors=rotors, cables=cables, expect=expect,
          plots=[plot("Height", "m", *["bodies.load%d.position.z" % i for i in range(1, 5)]), plot("Wound on", "m", *["cables.rope%d.stored" % i for i in range(1, 5)])], view={"from": [0.25, -1, 0.15]})

def links():
    m = 2.0
    write("links", "a load on a cable with every kind of link", "A load sinks on a cable that slides through a hole in a swinging arm, rolls over a wheel and comes off a braked drum, until nothing is left on the drum and the end holds. All kinds of links in one cable. Cable joints paper, figure 7.",
          {"dt": "1/240 s", "seconds": 20},
          bodies={"arm": {"position": [0.55, 0, 2.3], "mass": 1.5, "shapes": [box(1.0, 0.12, 0.1)], "collides": False, "color": SAND, "angular_drag": 0.6},
                  "load": weight([1.0, 0, 1.2], m, 0.3, RED, drag=1.5, angular_drag=0.1, collides=False)},
          joints={"pivot": {"type": "hinge", "b": "arm", "anchor": [0.05, 0, 2.3], "axis": Y, "viscous": 1.0}},
          rotors={"wheel": wheel([0.1, 0, 3.4], 0.15, 0.5), "drum": wheel([-1.3, 0, 2.2], 0.25, 2, damping=2.0)},
          cables={"rope": {"route": [spool("drum", 0.7, "ccw", "hybrid"), roll("wheel"), pinhole("arm", [0.45, 0, 0]), attach("load", [0, 0, 0.15])], "color": ROPE}},
          expect=[at("end", "cables.rope.spans.2.tension", m * G, "the weight of the load", relative=1e-3), at("end", "cables.rope.spans.1.tension", m * G, "a pinhole without friction: one tension on both sides", relative=1e-3), at("end", "cables.rope.spans.0.tension", m * G, "the wheel turns freely", relative=1e-3), at("end", "cables.rope.links.0.stored", 0, "the drum is empty and holds", within=1e-9)],
          plots=[plot("Tension", "N", *tensions("rope", 3)), plot("Wound on", "m", "cables.rope.links.0.stored")], view={"from": [0.3, -1, 0.15]})

def skew():
    bodies, rotors, cables, expect = {}, {}, {}, []
    # smooth: the line between the wheels lies in both planes (second wheel turned about that line)
    for i, word in enumerate(("smooth", "kinked")):
        y = 2.6 * i
        r = 0.3
        tilt = radians(50)
        rotors[word + "-a"] = wheel([0, y, 3], r, 0.5)
        route = [roll(word + "-a")]
        if word == "smooth":
            # two upright planes meet in the upright line x = r: both wheels touch it, so the cable passes without a kink
            e = [cos(tilt), sin(tilt)]
            rotors[word + "-b"] = wheel([r + r * e[0], y + r * e[1], 1.6], r, 0.5, axis=[-e[1], e[0], 0])
            rotors[word + "-c"] = wheel([r + 3 * r * e[0], y + 3 * r * e[1], 3], r, 0.5, axis=[-e[1], e[0], 0])
            far = [r + 4 * r * e[0], y + 4 * r * e[1], 1.8]
            route += [roll(word + "-b", "cw"), roll(word + "-c")]
        else:
            rotors[word + "-b"] = wheel([2, y + 0.25, 3.1], r, 0.5, axis=[-0.25, 1, 0.15])
            far = [2.3, y + 0.3, 1.9]
            route += [roll(word + "-b")]
        bodies[word + "-left"] = weight([-r, y, 1.4], 1.0, 0.25, BLUE, drag=1, angular_drag=0.05, collides=False)
        bodies[word + "-right"] = weight(far, 1.0, 0.25, RED, drag=1, angular_drag=0.05, collides=False)
        cables[word] = {"route": [attach(word + "-left", [0, 0, 0.125])] + route + [attach(word + "-right", [0, 0, 0.125])], "color": ROPE}
        expect += [at("end", "cables.%s.spans.%d.tension" % (word, k), G, "equal weights, wheels that turn freely", relative=2e-3) for k in range(len(route) + 1)]
    write("skew-wheels", "cables over wheels that stand askew", "Two cables in balance over wheels that stand askew. Front: the upright line between two wheels lies in both their planes, so the cable runs on smoothly though the planes differ. Back: it does not, and the cable kinks where it meets the wheel. Cable joints paper, figure 9.",
          {"dt": "1/240 s", "seconds": 20}, bodies=bodies, rotors=rotors, cables=cables, expect=expect, plots=[plot("Tension", "N", *tensions("smooth", 4), *tensions("kinked", 3))], view={"from": [0.6, -1, 0.45]})

def splitMerge():
    m = 20.0
    bodies = {"arm": {"motion": "kinematic", "position": [-0.3, 0, 1.9], "shapes": [disc(0.15, 0.4, position=[0.9, 0, 0]), disc(0.15, 0.4, position=[-0.9, 0, 0]), box(1.8, 0.08, 0.1)], "collides": False, "color": SAND, "prescribed": {"about": Y, "turn": table([0, 0], [14, 4 * pi])}},
              "finger": {"motion": "kinematic", "position": [2.2, 0, 3.9], "shapes": [disc(0.12, 0.4)], "collides": False, "color": GREEN, "prescribed": {"along": [0, 0, -1], "travel": table([0, 0], [6, 0], [8, 1.5], [10, 1.5], [12, 0])}},
              "load": weight([3.7, 0, 0.5], m, 0.5, RED, drag=60, angular_drag=1, collides=False)}
    dx, dz, r = 6.5, -0.2, 0.2
    free, start = sqrt(dx * dx + dz * dz - r * r), atan2(dz, dx) + asin(r / hypot(dx, dz))  # length and slope of the upper tangent
    rest = (free + 1.55) / (1 + m * G / 2e5) + r * (start + pi / 2)
    route = [attach("world", [-3, 0, 2.5]), post("arm", [0.9, 0, 0], 0.15, "ccw", friction=0, active=False), post("arm", [-0.9, 0, 0], 0.15, "ccw", friction=0, active=False), roll("wheel"), attach("load", [0, 0, 0.25])]
    write("split-merge", "split and merge", "A taut cable is bent by a turning arm with two rollers and by a finger that presses from above, and lets both go again. The rollers are links of the route that wait; the finger is only a candidate, and its plane is found at the moment of contact. Cable joints paper, figure 17, left.",
          {"dt": "1/240 s", "seconds": 24}, bodies=bodies, rotors={"wheel": wheel([3.5, 0, 2.3], 0.2, 1)},
          cables={"rope": {"route": route, "material": {"axial": 2e5, "friction": 0, "radius": 0.01}, "tension": m * G, "candidates": ["finger"], "color": ROPE}},
          expect=[at("end", "cables.rope.length", rest, "rest length is only ever moved, through every split and merge", relative=1e-9), at("end", "cables.rope.spans.0.tension", m * G, "nothing touches it any more: the weight, as at the start", relative=1e-3), at("end", "bodies.load.position.z", 0.5, "it has come back to where it was", within=1e-3)],
          plots=[plot("Tension", "N", "cables.rope.spans.0.tension"), plot("Load", "m", "bodies.load.position.z"), plot("Length", "m", "cables.rope.length")], view={"from": [0.2, -1, 0.15], "at": 9})

def segments():
    n, half, r = 100, 0.06, 0.05
    # along the path: up on the left, a quarter over, across, a quarter, down on the right
    R, X, top = 0.5 + r, 2.0, 0.0
    left, across = 3.0, 2 * X
    quarter = R * pi / 2
    total = left + quarter + across + quarter + 3.0
    step = total / n
    def place(s):
        if s < left: return (-X - R, top - left + s, pi / 2)
        s -= left
        if s < quarter: t = s / R; return (-X - R * cos(t), top + R * sin(t), pi / 2 - t)
        s -= quarter
        if s < across: return (-X + s, top + R, 0)
        s -= across
        if s < quarter: t = s / R; return (X + R * sin(t), top + R * cos(t), -t)
        return (X + R, top - (s - quarter), -pi / 2)
    bodies = {"cylinder-a": {"motion": "static", "position": [-X, 0, top], "shapes": [disc(0.5, 0.6)], "color": SAND, "friction": 0.0}, "cylinder-b": {"motion": "static", "position": [X, 0, top], "shapes": [disc(0.5, 0.6)], "color": SAND, "friction": 0.0}}
    joints = {}
    for i in range(n):
        a, b = place(i * step), place((i + 1) * step)
        mid = [(a[0] + b[0]) / 2, 0, (a[1] + b[1]) / 2]
        angle = atan2(b[1] - a[1], b[0] - a[0])
        bodies["s%d" % i] = {"position": mid, "orientation": {"axis": [0, 1, 0], "angle": pi / 2 - angle}, "mass": 0.1, "shapes": [{"type": "capsule", "radius": r, "length": step * 0.6}], "friction": 0.0, "group": 1, "ignores": [1], "color": [ROPE, SAND][i % 2]}
        if i: joints["j%d" % i] = {"type": "ball", "a": "s%d" % (i - 1), "b": "s%d" % i, "anchor": [a[0], 0, a[1]]}
    bodies["left"] = {"position": [-X - R, 0, top - left - 0.5], "mass": 20, "shapes": [box(1, 1, 1)], "group": 1, "ignores": [1], "color": BLUE}
    bodies["right"] = {"position": [X + R, 0, top - 3.0 - 0.5], "mass": 20, "shapes": [box(1, 1, 1)], "group": 1, "ignores": [1], "color": RED}
    joints["first"] = {"type": "ball", "a": "left", "b": "s0", "anchor": [-X - R, 0, top - left]}
    joints["last"] = {"type": "ball", "a": "s%d" % (n - 1), "b": "right", "anchor": [X + R, 0, top - 3.0]}
    write("segments", "a hundred segments", "The cable of `simple` as a hundred jointed rigid segments on two cylinders, solved by a hundred Gauss-Seidel sweeps per frame: light segments between heavy loads, so the sweeps do not converge and the cable stretches. For comparison. Cable joints paper, figure 14.",
          {"dt": "1/60 s", "seconds": 2, "solver": "sweep", "iterations": 100, "gravity": [0, 0, -10]}, bodies=bodies, joints=joints,
          expect=[at("end", "bodies.right.position.z", None, "a rigid cable would hold it at -3.5; this one sags", below=-3.5, above=-60)],
          plots=[plot("Height", "m", "bodies.left.position.z", "bodies.right.position.z")], view={"from": [0.2, -1, 0.12], "at": 0.2})
