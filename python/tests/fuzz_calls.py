"""Calls the package at random for so many seconds: python3 fuzz_calls.py [SECONDS [SEED]]. It must not crash the interpreter;
only reeve.Error, TypeError, ValueError, OverflowError and IndexError may come out."""

import pathlib
import random
import sys
import time

import numpy
import reeve

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = [
    "winch", "pulley", "double-pendulum", "crane", "hand", "gear", "energy", "hook-on-floor", "long-span", "cable-climb", "chain-winch", "overhand-knot",
    "hopper", "cable-robot",
]  # every model, every kind of joint and motor
NUMBERS = [0, 1, -1, 1e-9, 1e9, -1e300, float("nan"), float("inf"), "3 m", None, [1, 2, 3], [1, 2], (0, 0, float("nan")), [1, 0, 0, 0], True, b"x"]
WORDS = ["project", "refuse", "first", "last", "chain", "strand", "joints", "hoist", "particles"]
PARTS = ["body", "rotor", "particle", "joint", "motor", "cable"]


def main(seconds, seed):
    dice = random.Random(seed)
    texts = [(ROOT / "scenes" / f"{name}.json").read_text() for name in SCENES]
    worlds, states, parts, calls, until = [], [], [], 0, time.monotonic() + seconds
    batches, extremes, views = [], [], []
    while time.monotonic() < until:
        calls += 1
        if len(worlds) < 3 or dice.random() < 0.01:
            worlds.append(reeve.loads(dice.choice(texts)))
            if len(worlds) > 5:
                del worlds[0]
            del parts[:-10], states[:-5]
        world = dice.choice(worlds)
        try:
            choice = dice.randrange(14)
            if choice < 3:
                world.step(dice.choice([0, 1, 2, 5]))
                views.append(getattr(world, dice.choice(["positions", "velocities", "tensions", "lengths", "coordinates"])))
                dice.choice(views).sum()  # also of what a conversion has replaced
                del views[:-20]
            elif choice == 3:
                arrays = [world.names(which) for which in ("velocities", "tensions", "coordinates", "motor_forces")]
                names = [n.split(".")[1] for n in dice.choice(arrays) if "." in n] + ["nobody"]
                parts.append(getattr(world, dice.choice(PARTS))(dice.choice(names)))
            elif choice < 8 and parts:
                part = dice.choice(parts)
                verbs = [v for v in dir(part) if not v.startswith("_")]
                verb = getattr(part, dice.choice(verbs))
                if callable(verb):
                    verb(*[dice.choice(NUMBERS + parts + WORDS) for _ in range(dice.randrange(4))])
                if dice.random() < 0.3 and isinstance(part, reeve.Body):  # what a program would say
                    place = part.position + [dice.gauss(0, 0.05) for _ in range(3)]
                    part.set(position=place, fit=dice.choice(["project", "refuse"]))
            elif choice == 8:
                states.append(world.state)
            elif choice == 9 and states:
                world.state = dice.choice(states)
            elif choice == 12:
                paths = [dice.choice(world.paths() + ["motors.winch", "bodies.load.force.x", "x"]) for _ in range(2)]
                motors = [f"motors.{n.split('.')[1]}" for n in world.names("motor_forces")]
                bodies = [n.replace("velocity", "force") for n in world.names("velocities") if ".velocity." in n]
                dice.choice([world.linearise, lambda *a: extremes.append(reeve.Extremes(world, paths))])(
                    [dice.choice(motors + bodies + paths)], paths
                )
            elif choice == 13:
                if batches and dice.random() < 0.9:
                    batch = dice.choice(batches)
                    worlds.append(batch[dice.choice([0, 1, -1, 2])])
                    del worlds[:-6]
                    verb = dice.choice([v for v in dir(batch) if not v.startswith("_")])
                    if callable(getattr(batch, verb)):
                        getattr(batch, verb)(*[dice.choice(NUMBERS + ["commands", "tensions", "positions", [True, False]]) for _ in range(dice.randrange(3))])
                else:
                    batches.append(reeve.Batch(dice.choice(texts), dice.choice([1, 2]), dice.choice([1, 2])))
                    del batches[:-2]
                if extremes:
                    dice.choice([lambda e: e.step(dice.choice([-1, 0, 3])), lambda e: e.add(), lambda e: e.rms, lambda e: e.clear()])(dice.choice(extremes))
                    del extremes[:-3]
            elif choice == 10:
                edit = reeve.Edit()
                for part in parts[-3:]:
                    verb = getattr(edit, type(part).__name__.lower(), edit.rest)
                    verb(part, *[dice.choice(NUMBERS) for _ in range(dice.randrange(3))])
                verbs = [world.clone, world.reset, world.equilibrium, world.modes, world.events, world.save, world.paths]
                dice.choice(verbs + [lambda: world.apply(edit, dice.choice(WORDS[:2])), lambda: world.displacement(dice.choice(states))])()
            else:
                path = dice.choice(world.paths() + ["bodies.load.mass", "rotors.drum.friction", "x", ""])
                dice.choice([world.read, world.quantity, world.parameter, world.names, world.restore])(path)
        except (reeve.Error, TypeError, ValueError, OverflowError, IndexError):
            pass
    print(f"{calls} calls, seed {seed}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
