/** What can be told about a world in words and lists. SI units, radians, z up, quaternions w x y z. */

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

/** What is wrong with a scene, where, and what would work. */
export interface Problem {
  /** "/joints/elbow/axis"; empty for the whole scene. */
  path: string;
  reason: string;
  remedy: string;
  /** 1-based; 0 where unknown. */
  line: number;
  column: number;
}

export interface Verdict {
  good: boolean;
  /** "bodies.load" */
  culprit: string;
  reason: string;
  time: number;
}

export interface Event {
  time: number;
  /** "cables.main.links.2" */
  subject: string;
  what: string;
}

export type ShapeType = 'sphere' | 'capsule' | 'cylinder' | 'box' | 'hull' | 'prism' | 'half-space';
export type CableModel = 'joints' | 'particles' | 'strand' | 'hoist' | 'chain';
export type SolverName = 'auto' | 'sweep' | 'direct' | 'blocks';

export interface ShapeLayout {
  type: ShapeType;
  /** On the body. */
  position: Vec3;
  orientation: Quat;
  radius: number;
  /** Along local z; a capsule's is between the centres of its caps. */
  length: number;
  size: Vec3;
  /** Corners of a hull or a prism. */
  points: Vec3[];
}

/** A wheel on a body; parent -1 is the world. */
export interface WheelLayout {
  parent: number;
  position: Vec3;
  axis: Vec3;
  radius: number;
}

export interface RotorLayout extends WheelLayout {
  name: string;
  width: number;
  /** 0xrrggbb */
  color: number | null;
}

export interface BodyLayout {
  name: string;
  motion: 'dynamic' | 'kinematic' | 'static';
  color: number | null;
  shapes: ShapeLayout[];
}

export interface CableLayout {
  name: string;
  model: CableModel;
  radius: number;
  closed: boolean;
  color: number | null;
  /** Wheels of its links that are no rotors. */
  wheels: WheelLayout[];
}

/** What does not change while a world moves. */
export interface Layout {
  name: string;
  about: string;
  settings: {
    dt: number;
    seconds: number;
    solver: SolverName;
    substeps: number;
    iterations: number;
    gravity: Vec3;
  };
  bodies: BodyLayout[];
  rotors: RotorLayout[];
  particles: { name: string; radius: number }[];
  cables: CableLayout[];
  joints: string[];
  motors: string[];
  plots: { title: string; unit: string; observe: string[] }[];
  view: { from: Vec3; target?: Vec3; height: number };
  /** Every observable, "bodies.hook.position.z". */
  paths: string[];
}

/** A cable that has gone on in another model. */
export interface Conversion {
  /** Energy of the world, J. */
  before: number;
  after: number;
  /** Of the cable, kg/m: a light one is assumed if the scene gives none and the model needs one. */
  mass: number;
  /** Fields of the cable that its model has no use for, or that it had to assume. */
  notes: { path: string; reason: string }[];
}

export interface SpanNow {
  from: string;
  to: string;
  start: Vec3;
  end: Vec3;
  length: number;
  rest: number;
  tension: number;
  slack: boolean;
  parted: boolean;
}

export interface LinkNow {
  kind: string;
  mode: string;
  on: string;
  wrap: number;
  slip: number;
  stored: number;
  force: Vec3;
}

export interface CableNow {
  name: string;
  model: CableModel;
  length: number;
  stored: number;
  spans: SpanNow[];
  links: LinkNow[];
}
