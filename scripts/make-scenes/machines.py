"""Machines that people ask for first: an elevator, a tendon finger, a zip line."""
from kit import *

G = 9.81

def elevator():
    car, counter, r, wheelMass, v = 900.0, 1100.0, 0.75, 200.0, 1.6
    # A smooth ramp (cubic, zero slope at its ends) from 0 to v in 2 s: half way the acceleration is 3/2 v / 2 s.
    a = 1.5 * v / 2
    up, down = car * (G + a), counter * (G - a)
    torque = (up - down) * r + wheelMass * r * r / 2 * a / r
    travel = v * (1 + 4 + 1)
    rail = {"type": "box", "size": [0.06, 0.06, 16]}
    bodies = {
        "shaft": {"motion": "static", "shapes": [{**rail, "position": [x, 0.5, 8]} for x in (-1.45, 1.05)] + [box(3.0, 0.3, 0.15, position=[-0.2, 0.5, 16.4])], "collides": False, "color": "#b9c1c9"},
        "car": {"position": [-r, 0, 1.5], "mass": car, "shapes": [box(1.2, 1.0, 2.2)], "collides": False, "color": BLUE},
        "counterweight": {"position": [r, 0, 12.5], "mass": counter, "shapes": [box(0.4, 0.8, 1.6)], "collides": False, "color": DARK},
    }
    joints = {"car-rails": {"type": "slider", "b": "car", "anchor": [-r, 0, 1.5], "axis": [0, 0, 1]}, "counterweight-rails": {"type": "slider", "b": "counterweight", "anchor": [r, 0, 12.5], "axis": [0, 0, 1]}}
    ramp = table((0, 0), (2, v / r), (6, v / r), (8, 0))
    write("elevator", "elevator with counterweight", "How much torque does an elevator's machine need, and do the ropes slip on its traction sheave? A car of 900 kg and a counterweight of 1100 kg hang over one driven sheave, friction 0.2, half a turn of wrap. It starts with 1.2 m/s^2, rises 9.6 m and stops.",
          {"dt": "1/240 s", "seconds": 9}, bodies=bodies, rotors={"sheave": wheel([0, 0, 15.3], r, wheelMass, width=0.2, color=SAND)}, joints=joints, motors={"machine": {"on": "sheave", "drive": "velocity", "target": ramp}},
          cables={"rope": {"route": [attach("car", [0, 0, 1.1]), roll("sheave", friction=0.2), attach("counterweight", [0, 0, 0.8])], "material": {"radius": 0.008}, "color": ROPE}},
          expect=[at(1, "cables.rope.spans.0.tension", up, "m (g + a), car, a = 1.2 m/s^2", relative=2e-3), at(1, "cables.rope.spans.1.tension", down, "m (g - a), counterweight", relative=2e-3),
                  at(1, "motors.machine.force", torque, "difference of tensions times radius, and the sheave's own inertia", relative=5e-3),
                  at(4, "motors.machine.force", (car - counter) * G * r, "steady: the counterweight drives", relative=1e-6),
                  at("end", "bodies.car.position.z", 1.5 + travel, "the integral of the speed; nothing slips: tensions differ by less than e^(0.2 pi)", within=1e-4)],
          plots=[plot("Tension", "N", *tensions("rope", 2)), plot("Torque of the machine", "N m", "motors.machine.force"), plot("Height", "m", "bodies.car.position.z", "bodies.counterweight.position.z")],
          view={"from": [0.35, -1, 0.1], "at": 4})

def compensated():
    """The same with a compensation rope below: car and counterweight hang in one loop, and its weight moves nothing."""
    car, counter, r, rope, a = 900.0, 1000.0, 0.5, 0.01, 0.6
    bodies = {"car": {"position": [-r, 0, 4], "mass": car, "shapes": [box(0.8, 0.8, 1.6)], "collides": False, "color": BLUE},
              "counterweight": {"position": [r, 0, 9], "mass": counter, "shapes": [box(0.4, 0.6, 1.6)], "collides": False, "color": DARK},
              "frame": {"position": [0, 0, 0.5], "mass": 120, "inertia": [4, 4, 4], "shapes": [box(0.3, 0.3, 0.2)], "collides": False, "color": SAND}}
    joints = {"car-rails": {"type": "slider", "b": "car", "anchor": [-r, 0, 4], "axis": [0, 0, 1]}, "counterweight-rails": {"type": "slider", "b": "counterweight", "anchor": [r, 0, 9], "axis": [0, 0, 1]},
              "frame-rails": {"type": "slider", "b": "frame", "anchor": [0, 0, 0.5], "axis": [0, 0, 1]}}
    wire = {"mass": rope, "axial": 2e7, "damping": 0.02, "radius": 0.006}
    rotors = {"sheave": {**wheel([0, 0, 12], r, 100), "width": 0.2}, "tensioner": {**wheel([0, 0, 0], r, 20), "on": "frame", "width": 0.2}}
    below = (120 + 20) * G / 2
    write("elevator-compensated", "elevator with compensation rope", "An elevator whose car and counterweight are also tied below, round a wheel that a frame of 120 kg keeps taut: hoist rope and compensation rope make one loop. The machine starts with 0.6 m/s^2. A light rope: the tensions are those of the masses alone.",
          {"dt": "1/480 s", "seconds": 2}, bodies=bodies, rotors=rotors, joints=joints,
          motors={"machine": {"on": "sheave", "drive": "velocity", "target": {"table": [[0, 0], [0.5, 0], [2.5, 2 * a / r]]}}},
          cables={"hoist": {"route": [attach("car", [0, 0, 0.8]), roll("sheave"), attach("counterweight", [0, 0, 0.8])], "material": wire, "color": "#8a5a2b"},
                  "compensation": {"route": [attach("car", [0, 0, -0.8]), roll("tensioner", "cw"), attach("counterweight", [0, 0, -0.8])], "material": wire, "color": "#5b4a8a"}},
          expect=[at(0.45, "cables.compensation.spans.0.tension", below, "half of the weight of frame and wheel", relative=0.01),
                  at(0.45, "cables.hoist.spans.0.tension", car * G + below, "car, and half of frame and wheel", relative=0.01),
                  at("end", "cables.hoist.spans.0.tension", car * (G + a) + below, "m (g + a), car, and the compensation rope", relative=0.02)],
          plots=[plot("Tension", "N", *(tensions("hoist", 2) + tensions("compensation", 2)))], view={"from": [0.4, -1, 0.1]})

def pegWithLoads():
    """Two loads on a rope over a fixed peg: they slide as the capstan law has it."""
    m1, m2, mu, r = 10.0, 25.0, 0.2, 0.1
    kappa = exp(mu * pi)
    a = (m2 - kappa * m1) / (m2 + kappa * m1) * G
    bodies = {"peg": {"motion": "static", "shapes": [disc(r, 0.4)], "collides": False, "color": STEEL},
              "light": {"position": [-r, 0, -1.5], "mass": m1, "shapes": [ball(0.08)], "collides": False, "color": BLUE},
              "heavy": {"position": [r, 0, -1.0], "mass": m2, "shapes": [ball(0.1)], "collides": False, "color": RED}}
    write("peg-loads", "rope over a fixed peg", "A rope over a fixed peg, friction 0.2, half a turn: 25 kg draw 10 kg up, since 25 is more than e^(0.2 pi) times 10. Light and stiff, so that every model says the same.",
          {"dt": "1/480 s", "seconds": 0.5}, bodies=bodies,
          cables={"rope": {"route": [attach("light"), post("peg", [0, 0, 0], r, friction=mu), attach("heavy")], "material": {"mass": 0.005, "axial": 1e6, "damping": 0.005, "radius": 0.004}, "color": "#8a5a2b"}},
          expect=[at("end", "cables.rope.spans.0.tension", m1 * (G + a), "m1 (g + a)", relative=0.01), at("end", "cables.rope.spans.1.tension", m2 * (G - a), "m2 (g - a)", relative=0.01),
                  at("end", "bodies.light.position.z", -1.5 + a / 2 * 0.25, "a t^2 / 2", within=0.01)],
          plots=[plot("Tension", "N", *tensions("rope", 2))], view={"from": [0.4, -1, 0.1]})

def finger():
    r, pull = 0.006, 20.0
    lengths, springs = [0.045, 0.03, 0.025], [0.15, 0.12, 0.10]
    names = ["proximal", "middle", "distal"]
    bodies = {"palm": {"motion": "static", "shapes": [box(0.07, 0.03, 0.02, position=[-0.045, 0, 0])], "collides": False, "color": SAND},
              "muscle": {"position": [-0.11, -r, 0], "mass": 0.05, "shapes": [ball(0.005)], "collides": False, "color": RED}}
    joints = {"muscle-guide": {"type": "slider", "b": "muscle", "anchor": [-0.11, -r, 0], "axis": [1, 0, 0], "viscous": 5}}
    route, x = [attach("muscle")], 0.0
    for i, (name, length, k) in enumerate(zip(names, lengths, springs)):
        bodies[name] = {"position": [x, 0, 0], "density": 1100, "shapes": [box(length - 0.006, 0.012, 0.012, position=[length / 2, 0, 0]), {"type": "cylinder", "radius": 0.9 * r, "length": 0.012}], "collides": False, "color": ["#e2b48f", "#eac4a4", "#f0d3b8"][i]}
        before = names[i - 1] if i else "palm"
        joints[name + "-joint"] = {"type": "hinge", "a": before, "b": name, "anchor": [x, 0, 0], "axis": [0, 0, -1], "stiffness": k, "viscous": 0.004}
        route.append({"type": "roll", "on": before, "point": [lengths[i - 1] if i else 0, 0, 0], "radius": r, "axis": [0, 0, 1], "side": "ccw", "turns": 1, "friction": 0})
        x += length
    route.append(attach("distal", [lengths[2] - 0.004, -r, 0]))
    angle = [pull * r / k for k in springs]
    write("tendon-finger", "finger with three springs", "How far does each joint of a tendon finger bend? One tendon takes a turn round a pulley of 6 mm in each of three joints, without friction, and pulls 20 N; each joint has its own spring. Every joint sees the same torque, so it bends by tension times radius over stiffness.",
          {"dt": "1/500 s", "seconds": 4}, bodies=bodies, joints=joints, forces={"pull": {"on": "muscle", "force": [-pull, 0, 0], "scale": table((0, 0), (1, 1))}},
          cables={"tendon": {"route": route, "material": {"radius": 0.0006}, "color": RED}},
          expect=[at("end", "joints.%s-joint.coordinate" % n, q, "T r / k", relative=1e-3) for n, q in zip(names, angle)]
          + [at("end", "bodies.muscle.position.x", -0.11 - r * sum(angle), "the tendon's travel is its moment arm times the angles", within=2e-5)] + [at("end", "cables.tendon.spans.%d.tension" % i, pull, "no friction on the way", relative=1e-3) for i in (0, 3)],
          plots=[plot("Joints", "rad", *["joints.%s-joint.coordinate" % n for n in names]), plot("Tension", "N", *tensions("tendon", 4))],
          view={"from": [0, -0.35, 1], "at": 4})

def zipline():
    A, B, L, m, k, rest = [0.0, 0, 12.0], [40.0, 0, 8.0], 40.6, 90.0, 2000.0, 6.0
    def height(x):  # below the supports, where |PA| + |PB| = L
        lo, hi = -30.0, min(A[2], B[2]) + (A[2] - B[2]) * (1 - x / 40)
        for _ in range(200):
            z = (lo + hi) / 2
            if hypot(x - A[0], z - A[2]) + hypot(x - B[0], z - B[2]) > L: lo = z
            else: hi = z
        return (lo + hi) / 2
    x0 = 2.0; z0 = height(x0)
    lo, hi = 31.0, 39.0  # all its energy is in the spring and in its height
    for _ in range(200):
        x = (lo + hi) / 2; z = height(x)
        left = m * G * (z0 - z) - k / 2 * max(0, rest - hypot(x - B[0], z - B[2])) ** 2
        if left > 0: lo = x
        else: hi = x
    far = (lo + hi) / 2
    posts = [{"type": "cylinder", "radius": 0.12, "length": p[2], "position": [p[0], 0, p[2] / 2]} for p in (A, B)]
    bodies = {"posts": {"motion": "static", "shapes": posts, "collides": False, "color": DARK},
              "rider": {"position": [x0, 0, z0], "mass": m, "center": [0, 0, 0], "inertia": [8, 8, 4], "angular_drag": 20, "shapes": [disc(0.12, 0.08), box(0.4, 0.4, 1.0, position=[0, 0, -0.9])], "collides": False, "color": RED}}
    write("zip-line", "zip line with a stopping spring", "How hard does a rider hit the stop of a zip line? 90 kg run down a rope of 40.6 m between posts 40 m apart; the last 6 m press a spring of 2 kN/m. Without losses the furthest point follows from energy: what the rider has fallen is what the spring holds.",
          {"dt": "1/500 s", "seconds": 6.5}, bodies=bodies, joints={"spring": {"type": "distance", "a": "posts", "b": "rider", "anchor": B, "anchor_b": [x0, 0, z0], "mode": "strut", "length": rest, "compliance": 1 / k}},
          cables={"rope": {"route": [attach("world", A), pinhole("rider"), attach("world", B)], "material": {"radius": 0.01}, "length": L, "color": ROPE}},
          expect=[at(2, "energy.total", m * G * z0, "nothing is lost", relative=1e-4), at("end", "energy.total", m * G * z0, "nothing is lost", relative=1e-3),
                  at(5.752, "bodies.rider.position.x", far, "furthest: m g (z0 - z) = k/2 (6 m - distance to the post)^2", within=2e-3),
                  at(5.752, "energy.elastic", m * G * (z0 - height(far)), "all that it has fallen", relative=1e-3)],
          plots=[plot("Place", "m", "bodies.rider.position.x", "bodies.rider.position.z"), plot("Rope", "N", *tensions("rope", 2)), plot("Energy", "J", "energy.kinetic", "energy.elastic", "energy.total")],
          view={"from": [0.1, -1, 0.1], "at": 3})

if __name__ == "__main__":
    elevator(); finger(); zipline()
