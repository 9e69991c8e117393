"""Scenes from keyword arguments. Written by reeve.stubs from the declaration of the fields."""

from typing import Any, Literal, Mapping, Optional, Sequence, Union

from ._reeve import World

Number = Union[float, str]
Numbers = Union[Sequence[float], Sequence[Number], Any]


def link(
    type: str = ...,
    *,
    on: str = ...,
    point: Numbers = ...,
    radius: Number = ...,
    axis: Numbers = ...,
    shape: int = ...,
    side: Any = ...,
    reels: Any = ...,
    turns: int = ...,
    friction: Number = ...,
    cleat: Literal["off", "forward", "back"] = ...,
    stored: Number = ...,
    flanges: Number = ...,
    rise: Number = ...,
    groove: bool = ...,
    active: bool = ...,
    path: Numbers = ...,
    guide: Literal["plane", "cylinder", "sphere", "torus", "line", "circle", "helix", "spline", "formula"] = ...,
    formula: Any = ...,
    minor: Number = ...,
    pitch: Number = ...,
    start: Any = ...,
    end: Any = ...,
    velocity: Numbers = ...,
    flows: bool = ...,
    node: int = ...,
    between: bool = ...,
    hold: Literal["pinned", "clamped", "free"] = ...,
    segment: int = ...,
    lets_go: Number = ...,
    plugs_in: Number = ...,
) -> dict:
    """Where a cable meets a body, a rotor or a particle.

    type: "attach", "roll", "pinhole", "hybrid", "spool", "sheath", "guide", "node", "ride". attach: fixed; roll: turns the wheel; pinhole: slides through a point; hybrid: rolls until the cable on it is used up; spool: an end wound on a drum; sheath: slides in a tube; guide: keeps to a curve or surface of a body; node: a free point of a strand; ride: goes along with another strand's nodes
    on: text. body, rotor or particle; of ride the other strand
    point: 3 numbers [m]. on the body; of a wheel its center
    radius: number [m]. of the wheel; a rotor's own otherwise; positive (roll, hybrid, spool, guide)
    axis: direction. normal of the cable plane, or axis of the guide, body frame; a rotor's own otherwise; not zero; any length (roll, hybrid, spool, guide)
    shape: whole number. roll on the cross-section of this shape of the body, counted from 0; from 0 to 1000000 (roll, hybrid)
    side: "auto", "ccw" or "cw" (1 or -1). the direction in which the cable runs about the axis: ccw is counter-clockwise, seen from the tip of the axis; auto: the side whose spans do not cross, or the shorter path; see sides-and-signs.md (roll, hybrid, spool)
    reels: "in" or "out". instead of side: whether positive spin of the drum, and so a positive target of its motor, reels the cable in or out, at either end of a route (spool)
    turns: whole number. whole turns beyond the first partial wrap; from 0 to 1000000 (roll, hybrid, spool)
    friction: number. capstan coefficient: 0 slides freely (default of pinhole and sheath), "inf" never slips (default of the others); not negative, or "inf" (roll, pinhole, hybrid, spool, sheath, guide, ride)
    cleat: "off", "forward", "back". a cam cleat: the cable slides only forward, towards the end of its route, or only back; model joints (roll, pinhole, sheath)
    stored: number [m]. length wound on at the start; not negative (hybrid, spool)
    flanges: number [m]. between the flanges of the drum: cable that finds no room in a layer winds on the next; left out: one layer, whose radius does not grow; positive (hybrid, spool)
    rise: number [m]. with flanges: from layer to layer; the cable's diameter unless given; positive (hybrid, spool)
    groove: true or false. false: the wheel is a plain cylinder, off whose edge the cable slides where it pulls more along the axle than friction holds; model joints (roll)
    active: true or false. false: joins the route when the cable meets it; attach of a particle cable: a socket that starts empty
    path: list of 3 numbers [m]. the tube, or a spline guide, points on the body (sheath, guide)
    guide: "plane", "cylinder", "sphere", "torus", "line", "circle", "helix", "spline", "formula". the curve or surface a strand keeps to (guide)
    formula: list of text. of a guide of one's own: x, y and z in meters about its point and axis, each a formula of u and v with + - * / ^ sin cos tan asin acos atan exp log sqrt pi; without v it is a curve (guide)
    minor: number [m]. radius of the tube of a torus; not negative (guide)
    pitch: number [m]. guide: rise of a helix in a turn; drum with flanges: from turn to turn, the cable's diameter unless given (hybrid, spool, guide)
    start: list of number. where on the guide: angle or length, and for surfaces the second parameter; ride between nodes: the share of the distance (guide, ride)
    end: list of number. a second node on the same guide (guide)
    velocity: 3 numbers [m/s]. of a free node at the start, world frame (node)
    flows: true or false. the strand's material flows through; false: it is held there (guide, node, ride)
    node: whole number. node of another strand, counted from 0; a ride without it takes all of them in order; from 0 to 1000000 (guide, ride)
    between: true or false. on the line from that node to the next, where it slides (ride)
    hold: "pinned", "clamped", "free". end of a chain: pinned holds the point, clamped the direction and twist too, free only says where it starts (attach)
    segment: whole number. end of a chain: on this segment, counted from 0, of the chain named by "on", which is listed before; from 0 to 1000000 (attach)
    lets_go: number [N]. socket of a particle cable: lets go when pulled harder; positive or "inf" (attach)
    plugs_in: number [m]. socket of a particle cable: takes its end back when that comes as close from further away; 0 never; not negative (attach)
    """

def shape(
    type: str,
    *,
    radius: Number = ...,
    length: Number = ...,
    size: Numbers = ...,
    points: Numbers = ...,
    polygon: Numbers = ...,
    position: Numbers = ...,
    orientation: Any = ...,
) -> dict:
    """A convex solid on a body.

    type: "sphere", "capsule", "cylinder", "box", "hull", "prism", "half-space". what solid it is
    radius: number [m]. of the sphere, capsule or cylinder; positive (sphere, capsule, cylinder)
    length: number [m]. along local z; of a capsule between the centers of its caps; positive (capsule, cylinder, prism)
    size: 3 numbers [m]. full edge lengths of the box; positive (box)
    points: list of 3 numbers [m]. corners; the solid is their convex hull (hull)
    polygon: list of 2 numbers [m]. convex outline in local xy (prism)
    position: 3 numbers [m]. on the body; a half-space fills what is below its local z = 0
    orientation: [orientation](#orientation). on the body
    """

class Scene:

    def __init__(self, name: str = ..., about: str = ..., settings: Optional[Mapping[str, Any]] = ...) -> None: ...

    @property
    def dict(self) -> dict: ...

    def text(self) -> str: ...

    def build(self) -> World: ...

    def body(
        self,
        name: str,
        *,
        motion: Literal["dynamic", "kinematic", "static"] = ...,
        position: Numbers = ...,
        orientation: Any = ...,
        velocity: Numbers = ...,
        angular_velocity: Numbers = ...,
        shapes: Any = ...,
        mass: Number = ...,
        inertia: Numbers = ...,
        center: Numbers = ...,
        density: Number = ...,
        friction: Number = ...,
        restitution: Number = ...,
        drag: Number = ...,
        angular_drag: Number = ...,
        drag_area: Number = ...,
        gravity: bool = ...,
        collides: bool = ...,
        group: int = ...,
        ignores: Any = ...,
        prescribed: Any = ...,
        color: str = ...,
    ) -> Scene:
        """A rigid body. Its mass and inertia come from its shapes and density unless given.

        motion: "dynamic", "kinematic", "static". what moves it: forces, a prescribed motion, or nothing
        position: 3 numbers [m]. of the body's origin
        orientation: [orientation](#orientation). of the body's frame
        velocity: 3 numbers [m/s]. of the body's origin (dynamic, kinematic)
        angular_velocity: 3 numbers [rad/s]. world frame (dynamic, kinematic)
        shapes: list of [shape](#shape). what it is made of
        mass: number [kg]. otherwise from density and shapes; positive
        inertia: 3 numbers [kg m^2]. principal moments along the body's axes about the center of mass; otherwise from the shapes; positive
        center: 3 numbers [m]. center of mass on the body; otherwise from the shapes
        density: number [kg/m^3]. of its shapes; positive
        friction: number. contact coefficient; not negative
        restitution: number. bounce of contacts; from 0 to 1
        drag: number [N s/m]. force per velocity, opposes it; not negative
        angular_drag: number [N m s/rad]. torque per angular velocity, opposes it; not negative
        drag_area: number [m^2]. drag coefficient times area: the air drags with half its density times this times the square of the velocity in it; see settings.wind; not negative
        gravity: true or false. whether gravity acts on it
        collides: true or false. whether it touches others
        group: whole number. collision group; from 0 to 31
        ignores: list of whole number. groups this body passes through; from 0 to 31
        prescribed: [motion](#motion). its motion over time (kinematic)
        color: text. for drawing, "#rrggbb" or a CSS name
        """

    def rotor(
        self,
        name: str,
        *,
        on: str = ...,
        position: Numbers = ...,
        axis: Numbers = ...,
        radius: Number = ...,
        width: Number = ...,
        inertia: Number = ...,
        mass: Number = ...,
        angle: Number = ...,
        rate: Number = ...,
        friction: Number = ...,
        damping: Number = ...,
        brake: Number = ...,
        brake_open: bool = ...,
        one_way: Literal["off", "positive", "negative"] = ...,
        pitch: Number = ...,
        torque: Number = ...,
        color: str = ...,
    ) -> Scene:
        """A balanced wheel with one coordinate: its absolute spin about the axle.

        on: text. parent body
        position: 3 numbers [m]. of the wheel's center, parent frame
        axis: direction. of the axle, parent frame; positive spin is right-handed about it; not zero; any length
        radius: number [m]. of the groove the cable runs in; positive
        width: number [m]. of its groove: a cable that meets the wheel further beside its middle passes it by; positive
        inertia: number [kg m^2]. about the axle; otherwise mass radius^2 / 2; positive
        mass: number [kg]. carried by the parent, its cross inertia too; not negative
        angle: number [rad]. at the start
        rate: number [rad/s]. at the start
        friction: number [N m]. Coulomb torque of the bearing; not negative
        damping: number [N m s/rad]. viscous torque of the bearing; not negative
        brake: number [N m]. holding torque of a brake to the parent; not negative
        brake_open: true or false. the brake is open at the start
        one_way: "off", "positive", "negative". a one-way clutch to the parent: it turns only in the positive, or only in the negative direction
        pitch: number [rad]. angle between teeth of a ratchet, which it may fall back by; 0: the clutch holds at once; not negative
        torque: number [N m]. constant, reacts on the parent
        color: text. for drawing, "#rrggbb" or a CSS name
        """

    def particle(
        self,
        name: str,
        *,
        position: Numbers = ...,
        velocity: Numbers = ...,
        mass: Number = ...,
        radius: Number = ...,
        drag: Number = ...,
        gravity: bool = ...,
    ) -> Scene:
        """A point with mass.

        position: 3 numbers [m]. at the start
        velocity: 3 numbers [m/s]. at the start
        mass: number [kg]. of the particle; positive
        radius: number [m]. collides as a sphere of this size when positive; not negative
        drag: number [N s/m]. force per velocity, opposes it; not negative
        gravity: true or false. whether gravity acts on it
        """

    def joint(
        self,
        name: str,
        *,
        type: Literal["ball", "hinge", "slider", "fixed", "distance", "universal"] = ...,
        a: str = ...,
        b: str = ...,
        anchor: Numbers = ...,
        anchor_b: Numbers = ...,
        axis: Numbers = ...,
        axis_b: Numbers = ...,
        mode: Literal["both", "rope", "strut"] = ...,
        length: Number = ...,
        compliance: Number = ...,
        damping: Number = ...,
        angular_compliance: Number = ...,
        angular_damping: Number = ...,
        lower: Number = ...,
        upper: Number = ...,
        restitution: Number = ...,
        friction: Number = ...,
        viscous: Number = ...,
        stiffness: Number = ...,
        rest: Number = ...,
        brake: Number = ...,
        brake_open: bool = ...,
        one_way: Literal["off", "positive", "negative"] = ...,
        pitch: Number = ...,
        active: bool = ...,
        collide: bool = ...,
    ) -> Scene:
        """Holds two bodies or particles together. Anchors and axes are in the world frame at the start pose.

        type: "ball", "hinge", "slider", "fixed", "distance", "universal". what it leaves free
        a: text. body or particle
        b: text. body or particle
        anchor: 3 numbers [m]. where it holds; of a distance joint the point on a
        anchor_b: 3 numbers [m]. the point on b; of a ball or fixed joint only if it is not active at the start (ball, fixed, distance)
        axis: direction. it turns about or slides along; of a universal joint the axis on a; not zero; any length (hinge, slider, universal)
        axis_b: direction. the axis on b; not zero; any length (universal)
        mode: "both", "rope", "strut". both: keeps its length; rope: no longer than it; strut: no shorter (distance)
        length: number [m]. rest length; otherwise as it starts; not negative (distance)
        compliance: number [m/N]. stretch per force; 0 is rigid; not negative
        damping: number [N s/m]. along with compliance; not negative
        angular_compliance: number [rad/(N m)]. turn per torque; 0 is rigid; not negative (hinge, slider, fixed, universal)
        angular_damping: number [N m s/rad]. along with angular compliance; not negative (hinge, slider, fixed, universal)
        lower: number [rad or m]. limit of the free coordinate (hinge, slider)
        upper: number [rad or m]. limit of the free coordinate (hinge, slider)
        restitution: number. bounce of limits, of a rope or of a strut; from 0 to 1 (hinge, slider, distance)
        friction: number [N m or N]. Coulomb, on the free coordinate; not negative (hinge, slider)
        viscous: number [N m s/rad or N s/m]. damping of the free coordinate; not negative (hinge, slider)
        stiffness: number [N m/rad or N/m]. of a spring on the free coordinate; its damper is viscous; not negative (hinge, slider)
        rest: number [rad or m]. where that spring is at rest (hinge, slider)
        brake: number [N m or N]. holding torque or force on the free coordinate; not negative (hinge, slider)
        brake_open: true or false. the brake is open at the start (hinge, slider)
        one_way: "off", "positive", "negative". a one-way clutch: the free coordinate may only grow (positive), or only fall (negative) (hinge, slider)
        pitch: number [rad or m]. between teeth of a ratchet, which it may fall back by; 0: the clutch holds at once; not negative (hinge, slider)
        active: true or false. false: it holds nothing until an event or a program makes it
        collide: true or false. whether the joined bodies may touch
        """

    def motor(
        self,
        name: str,
        *,
        on: str = ...,
        drive: Literal["velocity", "position", "force", "feedback"] = ...,
        target: Number = ...,
        max_force: Number = ...,
        stiffness: Number = ...,
        damping: Number = ...,
        observe: str = ...,
        proportional: Number = ...,
        integral: Number = ...,
        derivative: Number = ...,
        max_speed: Number = ...,
        stall_force: Number = ...,
        no_load_speed: Number = ...,
    ) -> Scene:
        """Drives the free coordinate of a hinge, a slider or a rotor.

        on: text. joint or rotor
        drive: "velocity", "position", "force", "feedback". what it controls
        target: number or [profile](#profile) [as the profile]. what the drive follows: rad/s or m/s, rad or m, N m or N; feedback: the set point of the observable
        max_force: number [N m or N]. most it can do; not negative, or "inf"
        stiffness: number [N m/rad or N/m]. of the position drive; "inf" is exact; positive or "inf" (position)
        damping: number [N m s/rad or N s/m]. of the position drive; not negative (position)
        observe: text. what is measured, "bodies.hook.position.z" (feedback)
        proportional: number. commanded speed per unit of error (feedback)
        integral: number. commanded speed per unit of error and second (feedback)
        derivative: number. commanded speed per unit of error change per second (feedback)
        max_speed: number [rad/s or m/s]. limit of the commanded speed; not negative, or "inf" (feedback)
        stall_force: number [N m or N]. of a motor with a torque-speed line: torque or force at speed 0, when the target is no_load_speed; positive (velocity)
        no_load_speed: number [rad/s or m/s]. of such a motor: effort = stall_force (target - speed) / no_load_speed; positive (velocity)
        """

    def force(
        self,
        name: str,
        *,
        on: str = ...,
        force: Numbers = ...,
        torque: Numbers = ...,
        at: Numbers = ...,
        follows: bool = ...,
        scale: Number = ...,
    ) -> Scene:
        """A force or a torque from outside.

        on: text. body, particle or rotor
        force: 3 numbers [N]. on a body or particle
        torque: 3 numbers [N m]. on a body; on a rotor: its component along the axis
        at: 3 numbers [m]. point of attack, body frame
        follows: true or false. force and torque turn with the body
        scale: number or [profile](#profile). factor over time
        """

    def cable(
        self,
        name: str,
        *,
        model: Literal["joints", "particles", "strand", "hoist", "chain"] = ...,
        route: Any = ...,
        material: Any = ...,
        closed: bool = ...,
        length: Number = ...,
        tension: Number = ...,
        slack: Number = ...,
        slacks: Any = ...,
        compliance: Number = ...,
        compression: Number = ...,
        weight: bool = ...,
        winding: Number = ...,
        candidates: Any = ...,
        nodes: int = ...,
        finest: Number = ...,
        lumped: bool = ...,
        sliding: bool = ...,
        segments: int = ...,
        shape: Numbers = ...,
        preformed: bool = ...,
        twisted: Number = ...,
        twist: Literal["parallel", "crossed"] = ...,
        bend_growth: Number = ...,
        stiffens: Number = ...,
        collides: bool = ...,
        touched_bend: Number = ...,
        merges: int = ...,
        merge_angle: Number = ...,
        particles: Any = ...,
        waves: bool = ...,
        wave_scheme: Literal["implicit", "explicit"] = ...,
        subdivisions: int = ...,
        wave_damping: Number = ...,
        pull: Literal["row", "force"] = ...,
        payout: Number = ...,
        drum: Number = ...,
        pluck: Numbers = ...,
        pluck_at: Number = ...,
        pluck_span: int = ...,
        color: str = ...,
    ) -> Scene:
        """A route over links, a material, and the model that simulates them.

        model: "joints", "particles", "strand", "hoist", "chain". how it is simulated
        route: list of [link](#link). its links in order
        material: [material](#material). what it is made of
        closed: true or false. the last link leads back to the first
        length: number [m]. rest length of the whole cable; otherwise as routed; positive
        tension: number [N]. at the start; not negative
        slack: number [m]. rest length beyond the measured path
        slacks: list of number [m]. the same per span
        compliance: number [m/N]. per span of the route, instead of EA per meter; not negative
        compression: number. stiffness in compression as a fraction of that in tension; from 0 to 1
        weight: true or false. the weight of a span is shared between its ends
        winding: number [N m]. torque that opposes bending onto a wheel; not negative
        candidates: list of text. bodies the cable may come to wrap
        nodes: whole number. strand: free nodes in every free span; from 0 to 1000000
        finest: number [m]. strand: free nodes nearer than this to the next one are moved to where the strand is coarsest; 0 chooses a tenth of a mean segment where material flows; not negative
        lumped: true or false. strand: mass at the nodes instead of along the segments, for comparison
        sliding: true or false. strand: no material flows at nodes; holes are constraints that slide along its line, for comparison
        segments: whole number. chain: how many rigid segments; particles: how many distances between particles; from 0 to 1000000
        shape: list of 3 numbers [m]. chain, particles: points it starts along, world frame, between its ends; otherwise hanging, or straight
        preformed: true or false. chain: the start shape is the rest shape; otherwise straight
        twisted: number. chain: rest twist, rad/m
        twist: "parallel", "crossed". chain: how twist is measured; parallel shows none in pure bending, crossed is the paper's first form
        bend_growth: number. chain: a of the bend law angle (1 + a angle^2) at every joint; not negative
        stiffens: number [N]. chain: load that doubles all stiffness, which grows with it; 0 never; not negative
        collides: true or false. chain: its segments touch bodies, other cables and each other
        touched_bend: number. chain: bending stiffness where it is touched, as a share of what it is elsewhere; positive
        merges: whole number. chain: segments that are straight and taut merge, up to 2^merges of them, and split where they bend or are touched; from 0 to 1000000
        merge_angle: number [rad]. chain: bend between neighbors up to which they count as straight; positive
        particles: [particle cable](#particle cable). of a cable of model particles
        waves: true or false. joints: transverse waves ride on its spans; a hoist cable carries them wherever it has mass
        wave_scheme: "implicit", "explicit". implicit is never suspended; explicit as published: suspended where the step is too long for it
        subdivisions: whole number. links of every span that carries waves; from 2 to 100000
        wave_damping: number. of transverse motion: acceleration = -damping velocity; not negative
        pull: "row", "force". hoist: the tension as a constraint of the solver, or as published as an explicit force
        payout: number or [profile](#profile) [m]. hoist, joints, chain, strand: length paid out at its first end, counted from its value at the start; negative reels in
        drum: number [m]. hoist, joints, chain, strand: length that can be paid out before the drum is empty; not negative
        pluck: 3 numbers [m]. how far a span is drawn aside at the start, world frame
        pluck_at: number. where, as a fraction of the span; from 0 to 1
        pluck_span: whole number. which span, counted from 0; from 0 to 1000000
        color: text. for drawing, "#rrggbb" or a CSS name
        """
