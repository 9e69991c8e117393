"""Machines with clutches, cleats, brakes and hooks: what happens in them at a time or on a condition."""
from kit import *

G = 9.81

def mainsheet():
    """Plan view: the boom swings about the mast, z up; four parts of the sheet lead from its end to the deck."""
    length, mass, wind, sheetAt, deckX, deckZ, gap = 3.2, 12.0, 300.0, 3.0, 2.6, -0.6, 0.08
    start, pulled = radians(50), 3.2
    def point(angle, along, aside): return [along * cos(angle) - aside * sin(angle), along * sin(angle) + aside * cos(angle), 0]
    booms = [(sheetAt, gap / 2), (sheetAt, -gap / 2)]
    decks = [[deckX, -gap, deckZ], [deckX, 0, deckZ], [deckX, gap, deckZ]]
    def parts(angle):
        p = [point(angle, *b) for b in booms]
        return [dist(decks[0], p[0]), dist(p[0], decks[1]), dist(decks[1], p[1]), dist(p[1], decks[2])]
    def slope(angle): return (sum(parts(angle + 1e-6)) - sum(parts(angle - 1e-6))) / 2e-6
    lo, hi = 0.0, start
    for _ in range(200):
        mid = (lo + hi) / 2
        if sum(parts(mid)) > sum(parts(start)) - pulled: hi = mid
        else: lo = mid
    end = (lo + hi) / 2
    force = wind * length / 2 / slope(end)
    damping, inertia = 40.0, mass * (length ** 2 / 3 + 0.1 ** 2 / 12)
    def angle(t):  # the spline from 0.5 s to 3 s is the quintic at rest at both ends
        x = (t - 0.5) / 2.5
        lo, hi = 0.0, start
        for _ in range(200):
            mid = (lo + hi) / 2
            if sum(parts(mid)) > sum(parts(start)) - pulled * x ** 3 * (10 - 15 * x + 6 * x * x): hi = mid
            else: lo = mid
        return (lo + hi) / 2
    t, e = 1.75, 1e-3
    rate, change = (angle(t + e) - angle(t - e)) / (2 * e), (angle(t + e) - 2 * angle(t) + angle(t - e)) / (e * e)
    hauls = (wind * length / 2 - damping * rate - inertia * change) / slope(angle(t))
    hand = [deckX - 0.9, gap, deckZ]
    turn = {"axis": [0, 0, 1], "angle": start}
    bodies = {"deck": {"motion": "static", "shapes": [box(4.6, 2.2, 0.06, position=[1.6, 0, deckZ - 0.09]), {"type": "cylinder", "radius": 0.05, "length": 1.6, "position": [0, 0, 0]}], "collides": False, "color": SAND},
              "boom": {"orientation": turn, "mass": mass, "shapes": [box(length, 0.1, 0.1, position=[length / 2, 0, 0])], "collides": False, "color": STEEL},
              "hand": {"position": hand, "mass": 1, "shapes": [ball(0.05)], "collides": False, "color": RED}}
    joints = {"gooseneck": {"type": "hinge", "b": "boom", "anchor": [0, 0, 0], "axis": [0, 0, 1], "viscous": damping},
              "arm": {"type": "slider", "b": "hand", "anchor": hand, "axis": [-1, 0, 0]}}
    route = [attach("world", decks[0]), pinhole("boom", [booms[0][0], booms[0][1], 0]), pinhole("world", decks[1]), pinhole("boom", [booms[1][0], booms[1][1], 0]),
             pinhole("world", decks[2], cleat="forward"), attach("hand")]
    write("mainsheet", "mainsheet with a cam cleat", "How hard must one pull a mainsheet of four parts, and what holds it when the hand lets go? The wind pushes a boom out with 300 N; a hand hauls 3.2 m of sheet through a cam cleat and lets go. Each part carries a fourth of the load, the cleat then holds it, and the rope in the hand is slack.",
          {"dt": "1/500 s", "seconds": 6}, bodies=bodies, joints=joints, motors={"haul": {"on": "arm", "drive": "position", "target": spline((0, 0), (0.5, 0), (3, pulled), (3.5, pulled), (4.5, pulled - 0.6))}},
          forces={"sail": {"on": "boom", "force": [0, wind, 0], "at": [length / 2, 0, 0], "follows": True}},
          cables={"sheet": {"route": route, "material": {"radius": 0.005}, "color": BLUE}},
          expect=[at(t, "cables.sheet.spans.4.tension", hauls, "while it runs in: moments of sail, inertia and damping over the change of four parts' length with the boom's angle", relative=2e-3)]
          + [at("end", "cables.sheet.spans.%d.tension" % i, force, "the cleat holds what the hand held", relative=2e-3) for i in range(4)]
          + [at("end", "cables.sheet.spans.4.tension", 0, "the hand has let go", within=1e-6), at("end", "joints.gooseneck.coordinate", end - start, "four parts are shorter by 3.2 m together", within=1e-3)],
          plots=[plot("Tension", "N", *tensions("sheet", 5)), plot("Boom", "rad", "joints.gooseneck.coordinate")],
          view={"from": [-0.25, -0.7, 1], "at": 3})

def ratchet():
    m, r, inertia, teeth, push, pause, pulses = 200.0, 0.12, 0.8, 12, 0.4, 1.3, 3
    torque, mass = 320.0, inertia + m * r * r
    up, down = (torque - m * G * r) / mass, m * G * r / mass
    rise = up * push ** 2 / 2 + (up * push) ** 2 / (2 * down)
    pitch = 2 * pi / teeth
    gained = floor(rise / pitch) * pitch
    knots, step = [], 0.01
    for i in range(pulses):
        t = 0.5 + i * (push + pause)
        knots += [(t, 0), (t + step, 1), (t + push, 1), (t + push + step, 0)]
    top, z0 = 3.0, 0.5
    write("ratchet-hoist", "ratchet hoist", "Why does the load not run back between two pulls on a ratchet hoist? Three pulls of 0.4 s with 320 N m lift 200 kg on a drum whose ratchet has twelve teeth. After each pull the drum falls back to the last tooth it has passed, and the pawl carries the load.",
          {"dt": "1/500 s", "seconds": 6}, bodies={"frame": {"motion": "static", "shapes": [box(1.2, 0.1, 0.1, position=[0, 0.2, top + 0.3])], "collides": False, "color": DARK}, "load": {**weight([-r, 0, z0], m, 0.5), "collides": False}},
          rotors={"drum": wheel([0, 0, top], r, inertia=inertia, one_way="positive", pitch=pitch, width=0.2, color=SAND)},
          motors={"lever": {"on": "drum", "drive": "force", "target": {"table": [[t, v * torque] for t, v in knots]}}},
          cables={"rope": {"route": [{"type": "spool", "on": "drum", "stored": 0.5, "reels": "in"}, attach("load", [0, 0, 0.25])], "color": ROPE}},
          expect=[at(2.0, "rotors.drum.angle", gained, "the last of twelve teeth passed in the first pull: w^2/2a up, then back to it", within=1e-6),
                  at("end", "rotors.drum.angle", pulses * gained, "three pulls", within=1e-6), at("end", "bodies.load.position.z", z0 + pulses * gained * r, "radius times angle", within=1e-6),
                  at("end", "cables.rope.spans.0.tension", m * G, "the pawl carries it", relative=1e-6)],
          plots=[plot("Angle of the drum", "rad", "rotors.drum.angle"), plot("Height", "m", "bodies.load.position.z"), plot("Torque of the lever", "N m", "motors.lever.force")],
          view={"from": [0.25, -1, 0.1], "at": 3})

def elevatorBrake():
    car, counter, r, wheelMass, v, brake = 900.0, 1100.0, 0.75, 200.0, 1.6, 6000.0
    inertia = wheelMass * r * r / 2
    total = car + counter + inertia / r ** 2
    free = (counter - car) * G / total
    stop = (brake / r - (counter - car) * G) / total
    fails, limit = 3.0, 1.2 * v
    closes = ceil((fails + (limit - v) / free) * 240 - 1e-6) / 240  # the step that finds it too fast
    fast = v + free * (closes - fails)
    z0 = 1.5
    travel = v * 1 + v * (fails - 2) + (v + fast) / 2 * (closes - fails) + fast ** 2 / (2 * stop)
    down = counter * (G + stop)
    rail = {"type": "box", "size": [0.06, 0.06, 16]}
    bodies = {
        "shaft": {"motion": "static", "shapes": [{**rail, "position": [x, 0.5, 8]} for x in (-1.45, 1.05)] + [box(3.0, 0.3, 0.15, position=[-0.2, 0.5, 16.4])], "collides": False, "color": "#b9c1c9"},
        "car": {"position": [-r, 0, z0], "mass": car, "shapes": [box(1.2, 1.0, 2.2)], "collides": False, "color": BLUE},
        "counterweight": {"position": [r, 0, 12.5], "mass": counter, "shapes": [box(0.4, 0.8, 1.6)], "collides": False, "color": DARK},
    }
    joints = {"car-rails": {"type": "slider", "b": "car", "anchor": [-r, 0, z0], "axis": [0, 0, 1]}, "counterweight-rails": {"type": "slider", "b": "counterweight", "anchor": [r, 0, 12.5], "axis": [0, 0, 1]}}
    write("elevator-brake", "elevator whose brake closes", "How far does an elevator run when its machine fails? After 3 s the machine gives no torque any more; the counterweight draws the light car up, faster and faster. The governor closes the brake at 1.2 times the rated speed, and the car stops.",
          {"dt": "1/240 s", "seconds": 8}, bodies=bodies, rotors={"sheave": wheel([0, 0, 15.3], r, wheelMass, width=0.2, brake=brake, brake_open=True, color=SAND)}, joints=joints,
          motors={"machine": {"on": "sheave", "drive": "velocity", "target": table((0, 0), (2, v / r))}},
          cables={"rope": {"route": [attach("car", [0, 0, 1.1]), roll("sheave", friction=0.3), attach("counterweight", [0, 0, 0.8])], "material": {"radius": 0.008}, "color": ROPE}},
          events=[event(fails, "failure", [("drive", "motors.machine", {"to": 0, "limit": 0})]),
                  event(None, "governor", [("brake", "rotors.sheave", {})], when="bodies.car.velocity.z", above=limit)],
          expect=[at(fails, "bodies.car.velocity.z", v, "the rated speed", within=1e-4), at(4, "motors.machine.force", 0, "it has failed", within=1e-9),
                  at("end", "events.governor.time", closes, "the first step that finds the car too fast: a = (M - m) g / (M + m + I/r^2)", within=5e-3),
                  at("end", "bodies.car.position.z", z0 + travel, "the way at rated speed, the way faster, and v^2/2a of the brake", within=2e-2), at("end", "bodies.car.velocity.z", 0, "the brake holds", within=1e-6),
                  at("end", "cables.rope.spans.0.tension", car * G, "it hangs", relative=1e-6)],
          plots=[plot("Speed", "m/s", "bodies.car.velocity.z"), plot("Tension", "N", *tensions("rope", 2)), plot("Height", "m", "bodies.car.position.z", "bodies.counterweight.position.z")],
          view={"from": [0.35, -1, 0.1], "at": 4})

def sling():
    m, hookMass, r, side, leg, top = 800.0, 40.0, 0.2, 1.2, 1.0, 6.0
    away = 4.0
    half = side / 2
    rise = sqrt(leg ** 2 - 2 * (half * 0.8) ** 2)  # of the hook over the eyes
    eyes = [[sx * half * 0.8, sy * half * 0.8, side] for sx in (-1, 1) for sy in (-1, 1)]
    hookZ, low = 3.5, side + rise - 0.05   # the legs reach, with a little slack
    drop, lift = hookZ - low, 1.5
    def bodiesOf(there): return {"ground": {**GROUND, "color": SAND},
              "bridge": {"motion": "static", "shapes": [box(7.0, 0.2, 0.25, position=[2, 0, top + 0.35])], "collides": False, "color": STEEL},
              "trolley": {"motion": "kinematic", "position": [0, 0, top], "shapes": [box(0.8, 0.5, 0.3)], "collides": False, "color": DARK,
                          "prescribed": {"along": [1, 0, 0], "travel": spline((0, 0), (7, 0), (there, away))}},
              "hook": {"position": [-r, 0, hookZ], "mass": hookMass, "shapes": [box(0.25, 0.25, 0.35, position=[0, 0, 0.17])], "collides": False, "angular_drag": 20, "drag": 30, "color": RED},
              "load": {"position": [-r, 0, side / 2], "mass": m, "shapes": [box(side, side, side)], "friction": 0.6, "angular_drag": 200, "color": BLUE}}
    joints = {"leg%d" % (i + 1): {"type": "distance", "a": "hook", "b": "load", "anchor": [-r, 0, hookZ], "anchor_b": [-r + e[0], e[1], side], "mode": "rope", "length": leg, "compliance": 2e-6, "damping": 5000, "active": False} for i, e in enumerate(eyes)}
    legs = list(joints)
    # A load on a rope stops without swinging if the travel, the quintic at rest at both ends, takes 11.53 / frequency.
    center = (m * (side / 2 + lift) + hookMass * (low + lift)) / (m + hookMass)
    reach = top - center
    reach += m * side ** 2 / 6 / ((m + hookMass) * reach)
    there = 7 + 11.527 / sqrt(G / reach)
    height = spline((0, 0), (3, -drop), (4, -drop), (7, lift - drop), (15, lift - drop), (18.5, -drop), (19.5, -drop), (21.5, 0))
    angle = {"table": [[t, z / r] for t, z in height["table"]], "spline": True}
    share = m * G / 4 * leg / rise
    write("crane-sling", "crane that picks up and sets down", "How does a crane pick up a crate with a four-leg sling, and set it down elsewhere? The hook is lowered, the sling's legs are hooked on, the crate is lifted, carried 4 m and set down; when the rope carries hardly more than the hook, the sling is taken off.",
          {"dt": "1/240 s", "seconds": 22}, bodies=bodiesOf(there), rotors={"drum": {"on": "trolley", "position": [0, 0, 0], "radius": r, "inertia": 1, "width": 0.3, "color": SAND}}, joints=joints,
          motors={"hoist": {"on": "drum", "drive": "position", "target": angle}},
          cables={"rope": {"route": [{"type": "spool", "on": "drum", "stored": 4, "reels": "in"}, attach("hook", [0, 0, 0.35])], "tension": hookMass * G, "material": {"radius": 0.01, "axial": "10 MN", "damping": "20 ms"}, "color": ROPE}},
          events=[event(3.2, "hooked on", [("hold", "joints." + n, {}) for n in legs]),
                  event(16, "set down", [("release", "joints." + n, {}) for n in legs], when="cables.rope.spans.0.tension", below=hookMass * G * 1.02)],
          expect=[at(2, "bodies.load.position.z", side / 2, "it stands", within=1e-5), at(7, "bodies.load.position.z", side / 2 + lift - 0.05, "lifted by what is wound on, less the slack of the legs", within=2e-2),
                  at(7.0, "cables.rope.spans.0.tension", (m + hookMass) * G, "crate and hook", relative=5e-3), at(7.0, "joints.leg2.force.z", m * G / 4, "each leg carries a fourth of the crate", relative=1e-2),
                  at("end", "bodies.load.position.z", side / 2, "it stands again", within=1e-4), at("end", "bodies.load.position.x", -r + away, "4 m further, without swing", within=0.03),
                  at("end", "events.set down.count", 1, "taken off once"), at("end", "cables.rope.spans.0.tension", hookMass * G, "the hook alone", relative=5e-2)],
          plots=[plot("Rope", "N", "cables.rope.spans.0.tension"), plot("Crate", "m", "bodies.load.position.x", "bodies.load.position.z"), plot("Hook", "m", "bodies.hook.position.z")],
          view={"from": [0.25, -1, 0.15], "at": 10})

if __name__ == "__main__":
    mainsheet(); ratchet(); elevatorBrake(); sling()
