"""A cable over wheels placed on the points of a three-dimensional Hilbert curve (figure 18 of the cable joints paper)."""
from kit import *

def curve(level):
    """The 8^level points of the curve, by Skilling's transform (2004)."""
    points = []
    for index in range(8 ** level):
        x = [0, 0, 0]
        for b in range(level):
            for i in range(3): x[i] |= ((index >> (3 * (level - 1 - b) + 2 - i)) & 1) << (level - 1 - b)
        t = x[2] >> 1
        for i in (2, 1): x[i] ^= x[i - 1]
        x[0] ^= t
        q = 2
        while q != 1 << level:
            p = q - 1
            for i in (2, 1, 0):
                if x[i] & q: x[0] ^= p
                else:
                    t = (x[0] ^ x[i]) & p
                    x[0] ^= t; x[i] ^= t
            q <<= 1
        points.append(x)
    return points

def cross(a, b): return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def minus(a, b): return [a[i] - b[i] for i in range(3)]

def wheels(level):
    """Axis and side of every wheel: corners turn about their own normal, straight runs weave with the wheel before."""
    p = curve(level)
    n = len(p)
    axes, sides = [None] * n, [1] * n
    for i in range(1, n - 1):
        turn = cross(minus(p[i], p[i - 1]), minus(p[i + 1], p[i]))
        if any(turn): axes[i] = turn
    for i in list(range(n)) + list(range(n - 1, -1, -1)):
        if axes[i]: continue
        along = minus(p[i + 1], p[i]) if i + 1 < n else minus(p[i], p[i - 1])
        near = axes[i - 1] if i and axes[i - 1] else None
        if near and not sum(near[k] * along[k] for k in range(3)):
            axes[i], sides[i] = near, -sides[i - 1]
        elif near or i == n - 1:
            axes[i] = cross(along, [0, 0, 1]) if not along[2] else [1, 0, 0]
    if not axes[0]: axes[0] = axes[1]
    return p, axes, sides

def hilbert(file, level, loose):
    p, axes, sides = wheels(level)
    n, r, rate, slack = len(p), 0.3, 4.0, 0.04
    rotors = {"w%d" % i: wheel(p[i], r, 0.2, axis=axes[i], width=0.15, color=[STEEL, SAND, BLUE, GREEN][i * 4 // n]) for i in range(n)}
    names = ["w%d" % i for i in range(n)]
    route = [spool("w0", 1, "ccw" if sides[0] > 0 else "cw")] + [roll(names[i], "ccw" if sides[i] > 0 else "cw") for i in range(1, n - 1)] + [spool(names[-1], 60, "ccw" if sides[-1] > 0 else "cw")]
    cable = {"route": route, "color": RED}
    start = 0.5
    speed = -rate * sides[0]  # winds on
    target = {"table": [[0, 0], [start, 0], [start + 1e-6, speed]]}
    expect = []
    if loose:
        cable["slacks"] = [slack] * (n - 1)
        for k in (1, 5, 20, 40):
            # span k-1 comes taut when k times the slack has been wound on
            t = start + k * slack / (rate * r)
            expect += [at(t - 0.05, "rotors.w%d.rate" % k, 0, "its span is still slack", within=1e-12), at(t + 0.05, "rotors.w%d.rate" % k, speed * sides[k] / sides[0], "its span has come taut and every wheel has the same rim speed", relative=1e-6)]
        expect += [at(start + 1 / 60 + 20 * slack / (rate * r), "rotors.w22.rate", 0, "wheels start in route order", within=1e-12)]
    else:
        for k in (1, n // 2, n - 1): expect += [at(start + 1 / 60, "rotors.w%d.rate" % k, speed * sides[k] / sides[0], "every wheel turns in the step after the motor starts: one rim speed", relative=1e-6)]
        expect += [at(1.5, "rotors.w%d.rate" % (n // 2), speed * sides[n // 2] / sides[0], "and goes on at that speed: the sudden start gave it no more", relative=1e-9)]
    about = "One cable over %d wheels on a Hilbert curve of degree %d, turned by a motor on the first wheel. " % (n, level)
    about += "Every span has some slack: the wheels start to turn one by one, each when the span before it has come taut. Cable joints paper, figure 18." if loose else "The cable is just taut and does not stretch: all wheels turn in the very step after the motor starts. Cable joints paper, figure 18."
    write(file, "one cable over %d wheels in space%s" % (n, ", every span slack" if loose else ""), about, {"gravity": [0, 0, -9.81], "dt": "1/60 s", "seconds": 4 if level == 2 else 2},
          rotors=rotors, motors={"motor": {"on": "w0", "drive": "velocity", "target": target, "max_force": 3 * n}}, cables={"cable": cable}, expect=expect,
          plots=[plot("Rim", "rad/s", *["rotors.w%d.rate" % k for k in (0, 1, 5, 20, 40, n - 1) if k < n])], view={"from": [0.22, -1, 0.16]})
