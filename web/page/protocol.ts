/** What the page and the worker that runs the physics say to each other. Every request is answered once, in order. */
import type { CableModel, CableNow, Conversion, Event, Layout, Problem, Vec3, Verdict } from '../src/index.js';

/** A spring from a point of something to where the pointer is. */
export interface Grip {
  kind: 'body' | 'cable';
  index: number;
  /** Body: the point on it, in its frame. Cable: where along the drawn line, from 0 to 1. */
  point: Vec3;
  along: number;
  /** Where it is pulled to, world frame. */
  target: Vec3;
}

export type Request =
  | { kind: 'load'; text: string; name: string; check?: boolean }
  /** Advances by so many simulated seconds, or as far as `budget` ms of work reach. */
  | { kind: 'advance'; seconds: number; budget: number }
  | { kind: 'steps'; count: number }
  | { kind: 'seek'; time: number }
  | { kind: 'watch'; paths: string[] }
  | { kind: 'grip'; grip: Grip | null }
  /** A number of the scene, or one with a unit, changed while it runs; a problem if it cannot be. */
  | { kind: 'set'; path: string; value: number | string }
  /** What a motor follows from now on, in the unit of its drive or with one; null: the scene again. */
  | { kind: 'command'; motor: string; target: number | string | null }
  /** A cable goes on in another model; a problem, and nothing has changed, if it cannot. */
  | { kind: 'convert'; cable: string; model: CableModel }
  /** The scene with its cables in another model, as text. */
  | { kind: 'swap'; model: CableModel }
  /** A second world of the scene at this time, its cables in another model; null ends it. */
  | { kind: 'overlay'; model: CableModel | null }
  | { kind: 'cable'; name: string }
  /** What paths measure now. */
  | { kind: 'read'; paths: string[] }
  | { kind: 'save' }
  | { kind: 'restore'; state: string }
  | { kind: 'hash' };

export interface Shown {
  /** World.draw() */
  numbers: Float64Array;
  /** Of every sample since the last answer: time, then each watched path. */
  samples: Float64Array;
  events: Event[];
  verdict: Verdict;
  /** Time of the oldest and the newest state that seek can reach. */
  range: [number, number];
  /** ms of work per step, lately. */
  cost: number;
  /** N, of the spring that pulls, and where it holds. */
  pull: { force: number; at: Vec3 } | null;
  memory: number;
  /** World.draw() of the world that is overlaid. */
  ghost: Float64Array | null;
  /** What people should know, or nothing. */
  note: string;
  /** If it has changed: a cable is of another model now. */
  layout: Layout | null;
}

export type Answer =
  | { kind: 'problem'; problem: Problem }
  | { kind: 'failure'; message: string }
  | { kind: 'loaded'; layout: Layout; shown: Shown }
  | { kind: 'checked' }
  | { kind: 'shown'; shown: Shown }
  | { kind: 'converted'; conversion: Conversion; shown: Shown }
  | { kind: 'cable'; cable: CableNow }
  | { kind: 'numbers'; numbers: Float64Array }
  | { kind: 'text'; text: string };
