"""Environments for reinforcement learning, in the style of Gymnasium, which need not be installed.

    env = reeve.env.Env(scene, observe=["bodies.load.position.z"], reward=lambda world: -abs(...))
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(action)

Actions are targets of the motors, in the order of the scene. Where gymnasium is importable, spaces are its own and
register() makes the environment known to gymnasium.make.
"""

import numpy

from . import _reeve
from .problem import problem

try:
    import gymnasium as _gymnasium
except ImportError:
    _gymnasium = None


class Box:
    """What gymnasium.spaces.Box is to programs that only look at it: low, high, shape, dtype, sample, contains."""

    def __init__(self, low, high, shape, dtype=numpy.float64, seed=None):
        self.low = numpy.broadcast_to(numpy.asarray(low, dtype), shape).copy()
        self.high = numpy.broadcast_to(numpy.asarray(high, dtype), shape).copy()
        self.shape, self.dtype = tuple(shape), numpy.dtype(dtype)
        self._random = numpy.random.default_rng(seed)

    def seed(self, seed=None):
        self._random = numpy.random.default_rng(seed)

    def sample(self):
        low = numpy.where(numpy.isfinite(self.low), self.low, -1.0)
        high = numpy.where(numpy.isfinite(self.high), self.high, 1.0)
        return self._random.uniform(low, high).astype(self.dtype)

    def contains(self, value):
        value = numpy.asarray(value)
        return value.shape == self.shape and bool(numpy.all((value >= self.low) & (value <= self.high)))

    def __repr__(self):
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


def _box(low, high, shape):
    if _gymnasium is not None:
        return _gymnasium.spaces.Box(
            numpy.broadcast_to(low, shape).astype(float), numpy.broadcast_to(high, shape).astype(float), dtype=numpy.float64
        )
    return Box(low, high, shape)


def _text(scene):
    return scene if isinstance(scene, str) else scene.text()


_BASE = _gymnasium.Env if _gymnasium is not None else object


class Env(_BASE):
    """One world. `reward` and `terminated` are functions of the world; `steps` of it make one of the environment."""

    metadata = {"render_modes": []}

    def __init__(self, scene, observe, reward, terminated=None, steps=1, horizon=1000, low=-1.0, high=1.0, randomize=None):
        self.world = _reeve.World(_text(scene), "env")
        self._quantities = [self.world.quantity(path) for path in observe]
        self._motors = [self.world.motor(name.split(".", 1)[1]) for name in self.world.names("motor_forces")]
        self._reward, self._terminated, self._randomize = reward, terminated, randomize
        self._steps, self._horizon, self._count = int(steps), int(horizon), 0
        self.action_space = _box(low, high, (len(self._motors),))
        self.observation_space = _box(-numpy.inf, numpy.inf, (len(self._quantities),))
        self.np_random = numpy.random.default_rng()

    def _observation(self):
        return numpy.array([quantity() for quantity in self._quantities])

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.np_random = numpy.random.default_rng(seed)
        self.world.reset()
        self._count = 0
        if self._randomize is not None:
            self._randomize(self.world, self.np_random)
        return self._observation(), {}

    def step(self, action):
        action = numpy.asarray(action, float).reshape(-1)
        if action.size != len(self._motors):
            raise problem("action", f"it has {action.size} numbers for {len(self._motors)} motors", "give one per motor")
        for motor, target in zip(self._motors, action):
            motor.command(target)
        good = self.world.step(self._steps) == self._steps
        self._count += 1
        terminated = not good or bool(self._terminated is not None and self._terminated(self.world))
        info = {} if good else {"verdict": self.world.verdict}
        return self._observation(), float(self._reward(self.world)), terminated, self._count >= self._horizon, info

    def close(self):
        pass


class VectorEnv:
    """Many worlds over reeve.Batch. `reward` and `terminated` are functions of the array of observations, n × k."""

    def __init__(self, scene, count, observe, reward, terminated=None, steps=1, horizon=1000, low=-1.0, high=1.0, threads=1):
        self.batch = _reeve.Batch(_text(scene), count, threads)
        self._arrays = [numpy.asarray(self.batch.bind(path)) for path in observe]
        self._commands = self.batch.bind("commands")
        self._reward, self._terminated = reward, terminated
        self._steps, self._horizon = int(steps), int(horizon)
        self._count = numpy.zeros(count, int)
        self.num_envs = count
        width = sum(array.shape[1] for array in self._arrays)
        self.single_action_space = _box(low, high, (self._commands.shape[1],))
        self.action_space = _box(low, high, self._commands.shape)
        self.single_observation_space = _box(-numpy.inf, numpy.inf, (width,))
        self.observation_space = _box(-numpy.inf, numpy.inf, (count, width))

    def _observation(self):
        return numpy.concatenate(self._arrays, axis=1)

    def reset(self, *, seed=None, options=None):
        self.batch.reset()
        self._count[:] = 0
        return self._observation(), {}

    def step(self, actions):
        actions = numpy.asarray(actions, float)
        if actions.shape != self._commands.shape:
            raise problem("actions", f"their shape is {actions.shape}", f"it must be {self._commands.shape}")
        self._commands[:] = actions
        self.batch.step(count=self._steps)
        self._count += 1
        observation = self._observation()
        reward = numpy.asarray(self._reward(observation), float)
        bad = ~self.batch.good
        terminated = bad | (numpy.asarray(self._terminated(observation), bool) if self._terminated is not None else False)
        truncated = self._count >= self._horizon
        over = terminated | truncated
        info = {}
        if over.any():  # those begin again at once; what they ended with is in the info
            info = {"final_observation": observation.copy(), "_final_observation": over}
            self.batch.reset(over)
            self._count[over] = 0
            observation = self._observation()
        return observation, reward, terminated, truncated, info

    def close(self):
        pass


def register(name, **arguments):
    """Makes gymnasium.make(name) build an Env with these arguments."""
    if _gymnasium is None:
        raise ImportError("gymnasium is not installed; Env and VectorEnv work without it")
    _gymnasium.register(id=name, entry_point=lambda **more: Env(**{**arguments, **more}))
