"""A program's own PID holds a load's height on a winch against a gust: the trajectory of examples/pid_winch.cpp, bit for bit."""

import sys

import reeve

world = reeve.load(sys.argv[1] if len(sys.argv) > 1 else "examples/winch.json")
winch, load, height = world.motor("winch"), world.body("load"), world.quantity("bodies.load.position.z")
dt, wanted, total, worst = world.dt, 1.5, 0.0, 0.0
last = wanted - height()
for step in range(2400):
    error = wanted - height()
    total += error * dt
    torque = 9.81 * 250 * 0.2 + 6000 * error + 6000 * total + 1500 * (error - last) / dt
    last = error
    winch.command(-torque)  # positive turns pay out
    if 1200 <= step < 1440:  # a gust from above, for a second
        load.push(force=[0, 0, -400])
    world.step()
    if step > 1000:
        worst = max(worst, abs(error))
print(f"height {height():.6f} m, worst error from 4 s on {worst:.4f} m, hash {world.hash:016x}")
