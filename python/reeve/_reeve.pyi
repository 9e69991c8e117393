"""Worlds and their parts. Written by reeve.stubs from the signatures of the module."""

from typing import Any, Dict, List, Optional, Tuple, Union, overload

import numpy

class Error(ValueError):
    """What is wrong, where, and what to do."""

    path: str
    reason: str
    remedy: str


class Batch:
    """Many worlds of one scene, stepped together."""

    def __getitem__(self, world: int) -> World:
        """One of its worlds; bound arrays show what is changed there after forward or a step."""
    def __init__(self, scene: Any, count: int, threads: int = 1) -> None:
        """Of a Scene, or of the text of a scene file."""
    def __len__(self) -> int:
        ...
    def bind(self, name: str) -> numpy.ndarray:
        """A live array, a row per world: 'commands' to be written, or what is measured: a reading ('tensions') or a path ('bodies.load.position')."""
    def expand(self, path: str, values: Any) -> None:
        """One value per world of a number that may change."""
    def forward(self, mask: Any = None) -> None:
        """Without a step: bound arrays as they are now, with the forces that act now."""
    @property
    def good(self) -> numpy.ndarray:
        """Which worlds are well."""
    @property
    def hashes(self) -> numpy.ndarray:
        """Hash of every world's state."""
    def linearise(self, inputs: List[str] = [], outputs: List[str] = []) -> list:
        """Of every world what World.linearise gives, on all threads."""
    def reset(self, mask: Any = None) -> None:
        """Those of the mask back to the start; expanded values stay."""
    def step(self, mask: Any = None, count: int = 1) -> bool:
        """Steps those of the mask; False if any has gone bad."""

class Body:
    """A body of a world."""

    @property
    def angular_velocity(self) -> numpy.ndarray:
        """rad/s, world frame."""
    @property
    def name(self) -> str:
        ...
    @property
    def orientation(self) -> numpy.ndarray:
        """Unit quaternion w, x, y, z."""
    @property
    def position(self) -> numpy.ndarray:
        """Of the origin, m."""
    def push(self, force: Any = None, torque: Any = None, at: Any = None, held: bool = False, follows: bool = False) -> None:
        """Force (N) and torque (N m), world frame, at a point of the body (m, body frame): for the next step, where pushes add up, or held until changed."""
    def set(self, position: Any = None, orientation: Any = None, velocity: Any = None, angular_velocity: Any = None, fit: str = 'refuse') -> None:
        """Sets pose and velocity. Where joints or cables would be violated: fit='refuse' raises, fit='project' moves by the least that they hold."""
    @property
    def velocity(self) -> numpy.ndarray:
        """Of the origin, m/s."""

class Cable:
    """A cable of a world."""

    def convert(self, model: str) -> tuple:
        """From now on the cable is simulated by another model; the energies before and after, J. Arrays of the world are to be taken anew."""
    def cut(self, span: int) -> None:
        """Cuts a span in its middle, for good."""
    @property
    def length(self) -> float:
        """Rest length, m."""
    @property
    def length_rate(self) -> float:
        """How fast its path gets longer, m/s."""
    def moment_arm(self, joint: Joint) -> float:
        """Change of its length per change of a joint's coordinate, m/rad or 1."""
    def moment_arms(self) -> numpy.ndarray:
        """Change of its length per change of every velocity coordinate, in the order of world.velocities."""
    @property
    def name(self) -> str:
        ...
    def reel(self, rate: float, end: str = 'first') -> None:
        """Pays out at an attached end, m/s; negative reels in."""
    def release(self, end: str = 'last') -> None:
        """Lets an attached end go."""
    def set_rest(self, span: int, length: float, fit: str = 'refuse') -> None:
        """The rest length of a span, m."""

class Edit:
    """Changes of a state that are made together, by world.apply: joints and cables need to hold afterwards, not in between."""

    def __init__(self) -> None:
        ...
    def body(self, body: Body, position: Any = None, orientation: Any = None, velocity: Any = None, angular_velocity: Any = None) -> Any:
        """Pose and velocity of a body's origin, world frame; what is left out stays as it is now."""
    def joint(self, joint: Joint, coordinate: float) -> Any:
        """A hinge's angle or a slider's travel; what it carries moves along."""
    def particle(self, particle: Particle, position: Any, velocity: Any) -> Any:
        """Place and velocity of a particle."""
    def rest(self, cable: Cable, span: int, length: float) -> Any:
        """The rest length of a span, m."""
    def rotor(self, rotor: Rotor, angle: float, rate: float = 0.0) -> Any:
        """Angle (rad) and rate (rad/s) of a wheel."""

class Extremes:
    """Smallest, largest, mean and RMS of observables over a run."""

    def __init__(self, world: World, paths: List[str]) -> None:
        ...
    def add(self) -> None:
        """Takes in what is measured now."""
    @property
    def at(self) -> numpy.ndarray:
        """s, when the magnitude was largest."""
    def clear(self) -> None:
        """As if nothing had been read."""
    @property
    def largest(self) -> numpy.ndarray:
        ...
    @property
    def mean(self) -> numpy.ndarray:
        ...
    @property
    def paths(self) -> List[str]:
        ...
    @property
    def rms(self) -> numpy.ndarray:
        ...
    @property
    def smallest(self) -> numpy.ndarray:
        ...
    def step(self, count: int = 1) -> int:
        """Steps the world and takes in what every step measures."""

class Joint:
    """A joint of a world."""

    def brake(self, held: bool) -> None:
        """Applies or releases its brake."""
    @property
    def coordinate(self) -> float:
        """Angle, rad, or travel, m."""
    @property
    def force(self) -> numpy.ndarray:
        """On b, N."""
    def hold(self) -> None:
        """Takes hold again, where its sides are within 1e-6 m."""
    def hook(self) -> None:
        """Takes hold of its bodies as they are: a ball or fixed joint where its anchor on a is now, a distance joint with at least the length that it has."""
    @property
    def name(self) -> str:
        ...
    @property
    def rate(self) -> float:
        """rad/s or m/s"""
    def release(self) -> None:
        """Lets go of its bodies."""
    def set(self, coordinate: float, fit: str = 'refuse') -> None:
        """Sets a hinge's angle or a slider's travel; what it carries moves along."""

class Motor:
    """A motor of a world."""

    def command(self, target: float, gain: Optional[float] = None, limit: Optional[float] = None) -> None:
        """What it follows until the next command: rad/s or m/s, rad or m, N m or N, by its drive."""
    @property
    def force(self) -> float:
        """N m or N"""
    @property
    def name(self) -> str:
        ...
    @property
    def power(self) -> float:
        """W"""
    def release(self) -> None:
        """Back to the target in the scene."""
    @property
    def work(self) -> float:
        """J since the start"""

class Parameter:
    """A number of the scene that may change, resolved once."""

    @property
    def declared(self) -> float:
        """What the scene says."""
    @property
    def value(self) -> float:
        ...
    @value.setter
    def value(self, value: float) -> None: ...

class Particle:
    """A particle of a world."""

    @property
    def name(self) -> str:
        ...
    @property
    def position(self) -> numpy.ndarray:
        """m"""
    def push(self, force: Any, held: bool = False) -> None:
        """Force, N, world frame."""
    def set(self, position: Any, velocity: Any, fit: str = 'refuse') -> None:
        ...
    @property
    def velocity(self) -> numpy.ndarray:
        """m/s"""

class Quantity:
    """A measured number by its path, resolved once."""

    def __call__(self) -> float:
        ...
    @property
    def value(self) -> float:
        ...

class Rotor:
    """A wheel of a world."""

    @property
    def angle(self) -> float:
        """rad"""
    def brake(self, held: bool) -> None:
        """Applies or releases its brake."""
    @property
    def name(self) -> str:
        ...
    def push(self, torque: float, held: bool = False) -> None:
        """Torque about the axle, N m."""
    @property
    def rate(self) -> float:
        """rad/s"""
    def set(self, angle: float, rate: float = 0.0, fit: str = 'refuse') -> None:
        """Sets angle (rad) and rate (rad/s)."""

class State:
    """A state of a world as a value: compare, hash, pickle."""

    @property
    def time(self) -> float:
        """s"""

class World:
    """A scene that moves."""

    def __init__(self, text: str, name: str = 'scene') -> None:
        """From the text of a scene file."""
    def apply(self, edit: Edit, fit: str = 'refuse') -> None:
        """Makes the changes of an Edit together, or none of them. Where joints or cables would be violated: fit='refuse' raises, fit='project' moves by the least that they hold."""
    def body(self, name: str) -> Body:
        ...
    def cable(self, name: str) -> Cable:
        ...
    def clone(self) -> World:
        """A world of its own in the same state."""
    @property
    def coordinates(self) -> numpy.ndarray:
        """Of joints: rad, m."""
    def displacement(self, state: State) -> numpy.ndarray:
        """How far everything is from where it is in that state, in the order of names('velocities'): m, and rotation vectors in rad."""
    @property
    def dt(self) -> float:
        """s"""
    def equilibrium(self) -> dict:
        """Takes over a stable state of rest; raises if there is none. share: forces left over, of all weights; loose: mechanisms that remain, by what moves most in them."""
    def events(self) -> list:
        """(time, subject, what) since the last call."""
    @property
    def good(self) -> bool:
        ...
    @property
    def hash(self) -> int:
        """Equal bits, equal hash."""
    def joint(self, name: str) -> Joint:
        ...
    @property
    def length_rates(self) -> numpy.ndarray:
        """Of spans, m/s."""
    @property
    def lengths(self) -> numpy.ndarray:
        """Of spans, m."""
    def linearise(self, inputs: List[str] = [], outputs: List[str] = []) -> dict:
        """Small motions about a state of rest. Without arguments M q'' + D q' + K q = B u and A of x = (q, q'). With inputs ('motors.winch', 'bodies.load.force.x') and outputs (observables) A, B, C, D in continuous time, and step: x(n+1) = now x(n) + before x(n-1) + input u(n+1) + input_before u(n), y = C x + through u(n+1) + through_before u(n)."""
    def modes(self) -> list:
        """Natural frequencies (Hz), damping (share of critical) and shapes, in the order of names('velocities')."""
    def motor(self, name: str) -> Motor:
        ...
    @property
    def motor_forces(self) -> numpy.ndarray:
        """N m or N."""
    @property
    def motor_powers(self) -> numpy.ndarray:
        """W."""
    @property
    def name(self) -> str:
        ...
    def names(self, which: str) -> List[str]:
        """What the numbers of an array are."""
    def parameter(self, path: str) -> Parameter:
        """A number of the scene that may change, 'bodies.load.mass'."""
    def particle(self, name: str) -> Particle:
        ...
    def paths(self) -> List[str]:
        """Everything that can be measured."""
    @property
    def positions(self) -> numpy.ndarray:
        """A live view, in the order of names('positions')."""
    def quantity(self, path: str) -> Quantity:
        """The same, resolved once."""
    @property
    def rates(self) -> numpy.ndarray:
        """Of joints: rad/s, m/s."""
    def read(self, path: str) -> float:
        """A measured number, 'bodies.hook.position.z'."""
    def reset(self) -> None:
        """Back to the start."""
    def restore(self, text: str) -> None:
        ...
    @property
    def rests(self) -> numpy.ndarray:
        """Rest lengths of spans, m."""
    def rotor(self, name: str) -> Rotor:
        ...
    def save(self) -> str:
        """The state as text."""
    @property
    def state(self) -> State:
        """The state, a value."""
    @state.setter
    def state(self, value: State) -> None: ...
    @overload
    def step(self) -> int:
        """Advances by so many steps of settings.dt; how many were good. world.verdict tells what went bad."""
    @overload
    def step(self, count: int = 1) -> int:
        """Advances by so many steps of settings.dt; how many were good. world.verdict tells what went bad."""
    @property
    def steps(self) -> int:
        ...
    @property
    def tensions(self) -> numpy.ndarray:
        """Of spans, N."""
    @property
    def text(self) -> str:
        """The scene, as a scene file."""
    @property
    def time(self) -> float:
        """s"""
    @property
    def velocities(self) -> numpy.ndarray:
        """A live view: m/s, rad/s."""
    @property
    def verdict(self) -> Any:
        """None while all is well, otherwise what went bad."""

def fields() -> Dict[str, Any]:
    """For every record of a scene file what it is and its fields: key, value, meaning, whether it is required."""
