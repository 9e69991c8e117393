"""Linear quadratic control from linearise: the cart of a gantry brings its load two meters aside without swing."""

import numpy as np
import reeve


def build():
    scene = reeve.Scene("gantry", settings={"dt": "1/200 s"})
    scene.body("cart", position=[0, 0, 5], mass="200 kg", inertia=[10, 10, 10])
    scene.joint("rail", type="slider", a="world", b="cart", anchor=[0, 0, 5], axis=[1, 0, 0])
    scene.motor("drive", on="rail", drive="force")
    scene.particle("load", position=[0, 0, 1], mass="500 kg")
    scene.cable("rope", route=[reeve.link(on="cart"), reeve.link(on="load")], material={"axial": 1e7, "damping": 0.01})
    return scene.build()


def discrete(a, b, h):
    """x(n+1) = A x(n) + B u(n) of x' = a x + b u, u held for h: a matrix exponential by its series."""
    n = len(a)
    step = np.block([[a, b], [np.zeros((b.shape[1], n + b.shape[1]))]]) * h
    power = total = np.eye(len(step))
    for k in range(1, 30):
        power = power @ step / k
        total = total + power
    return total[:n, :n], total[:n, n:]


def feedback(a, b, q, r):
    """The gain of least ∑ xᵀ q x + uᵀ r u, by iterating Riccati's equation."""
    p = q
    for _ in range(4000):
        k = np.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
        p = q + a.T @ p @ (a - b @ k)
    return k


def run(seconds=15.0):
    """Position of the load over time, (steps, 3)."""
    world = build()
    world.equilibrium()
    rest = world.state
    system = world.linearise(inputs=["motors.drive"], outputs=["particles.load.position.x", "particles.load.velocity.x", "bodies.cart.position.x"])
    seen = system["C"]
    gain = feedback(*discrete(system["A"], system["B"], world.dt), seen.T @ np.diag([1e5, 3e5, 0]) @ seen, np.eye(1))
    goal = np.linalg.pinv(seen) @ [2.0, 0.0, 2.0]
    moved, fast = np.linalg.pinv(system["positions"]), np.linalg.pinv(system["velocities"])
    motor, load, places = world.motor("drive"), world.particle("load"), []
    for _ in range(round(seconds / world.dt)):
        x = moved @ world.displacement(rest) + fast @ world.velocities
        motor.command(-(gain @ (x - goal))[0])
        if world.step() == 0:
            raise SystemExit(world.verdict)
        places.append(load.position)
    return np.array(places)


if __name__ == "__main__":
    places = run()
    print(f"the load is at {places[-1][0]:.4f} m and went {max(places[:, 0].max() - 2, 0) * 1e3:.1f} mm too far")
