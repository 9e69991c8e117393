"""A platform on eight cables follows a circle: tensions resolved from moment arms, in task space.

The wrench that the platform needs is shared out over the cables with the least change from a middle tension, and every
drum's motor gets the torque that its cable needs. With --plot FILE.svg error and tensions are drawn.
"""

import itertools
import sys

import numpy as np
import reeve

MASS, RADIUS, DRUM, DT = 10.0, 0.5, 0.05, 1 / 500


def build():
    scene = reeve.Scene("cable robot", settings={"dt": DT})
    scene.body("platform", position=[RADIUS, 0, 1.5], mass=MASS, inertia=[0.3, 0.3, 0.3])
    for i, (x, y, z) in enumerate(itertools.product((-2, 2), (-2, 2), (0, 3))):
        # Crossed, so that they turn the platform both ways; upper drums hold lower corners and the reverse.
        way = 0.1 * np.sign(x * y * (z - 1))
        corner = [-way * y, way * x, -0.1 if z > 0 else 0.1]
        scene.rotor(f"drum{i}", position=[x, y, z], axis=[-y, x, 0], radius=DRUM, inertia=1e-3)
        scene.motor(f"motor{i}", on=f"drum{i}", drive="force")
        route = [reeve.link("spool", on=f"drum{i}", stored=5), reeve.link(on="platform", point=corner)]
        scene.cable(f"cable{i}", route=route, material={"axial": 1e6, "damping": 0.01})
    return scene.build()


def run(seconds=4.0):
    """Distance from the circle and tensions over time: (steps,), (steps, 8)."""
    world = build()
    platform = world.body("platform")
    cables = [world.cable(f"cable{i}") for i in range(8)]
    motors = [world.motor(f"motor{i}") for i in range(8)]
    names = world.names("velocities")
    first = names.index("bodies.platform.velocity.x")
    drums = [names.index(f"rotors.drum{i}.rate") for i in range(8)]
    middle, error, tensions = 150.0, [], []
    omega = 2 * np.pi / 4
    for step in range(round(seconds / DT)):
        phase = omega * world.time
        wanted = np.array([RADIUS * np.cos(phase), RADIUS * np.sin(phase), 1.5])
        speed = RADIUS * omega * np.array([-np.sin(phase), np.cos(phase), 0])
        pull = -RADIUS * omega**2 * np.array([np.cos(phase), np.sin(phase), 0])
        turn = platform.orientation
        off = wanted - platform.position
        force = MASS * (pull + 400 * off + 40 * (speed - platform.velocity) + [0, 0, 9.81])
        torque = -0.3 * (400 * 2 * turn[1:] * np.sign(turn[0]) + 40 * platform.angular_velocity)
        arms = np.array([cable.moment_arms() for cable in cables])
        pulls = -arms[:, first : first + 6].T  # wrench per tension
        share = middle + np.linalg.pinv(pulls) @ (np.concatenate([force, torque]) - pulls @ np.full(8, middle))
        share = np.clip(share, 5, 1000)
        for motor, drum, arm, tension in zip(motors, drums, arms, share):
            motor.command(tension * arm[drum])
        if world.step() == 0:
            raise SystemExit(world.verdict)
        error.append(np.linalg.norm(off))
        tensions.append(world.tensions.copy())
    return np.array(error), np.array(tensions)


if __name__ == "__main__":
    error, tensions = run()
    late = error[len(error) // 4 :]
    print(f"largest distance from the circle after a second {late.max() * 1e3:.2f} mm, tensions {tensions.min():.0f} to {tensions.max():.0f} N")
    if "--plot" in sys.argv:
        from reeve.plotting import svg

        svg(sys.argv[sys.argv.index("--plot") + 1], np.arange(len(error)) * DT, [("error, mm", error * 1e3), ("tensions, N", tensions)])
