import type { Layout } from './types.js';

/** One cable in a frame. Numbers are views into the frame. */
export interface CableFrame {
  /** x y z tension of each point; a tension below zero: nothing between this point and the next. */
  points: Float64Array;
  /** m of material before the first point: a stripe painted on the cable moves by it. */
  offset: number;
  /** m, rest length, free and stored. */
  length: number;
  /** How often the material turns about the line at each point, for cables of rigid segments; otherwise empty. */
  turns: Float64Array;
  /** Rotor and stored length of each winding. */
  windings: { rotor: number; stored: number }[];
}

/** Everything that a picture of one instant needs; the numbers are in the order that wasm/session.h gives. */
export interface Frame {
  time: number;
  steps: number;
  energy: { kinetic: number; potential: number; elastic: number; total: number };
  health: { iterations: number; residual: number; worstError: number; unconverged: number };
  good: boolean;
  /** x y z qw qx qy qz of each body. */
  bodies: Float64Array;
  /** Turn on the parent (rad) and rate (rad/s) of each rotor. */
  rotors: Float64Array;
  /** x y z of each. */
  particles: Float64Array;
  cables: CableFrame[];
  /** x y z force of each. */
  contacts: Float64Array;
}

const HEADER = 12;

/** Reads the numbers of World.draw(). */
export function readFrame(layout: Pick<Layout, 'bodies' | 'rotors' | 'particles' | 'cables'>, numbers: Float64Array): Frame {
  let at = HEADER;
  const take = (count: number): Float64Array => numbers.subarray(at, (at += count));
  const bodies = take(7 * layout.bodies.length);
  const rotors = take(2 * layout.rotors.length);
  const particles = take(3 * layout.particles.length);
  const cables: CableFrame[] = layout.cables.map(() => {
    const [points, windings, offset, length, turned] = take(5);
    const line = take(4 * points);
    const wound = Array.from({ length: windings }, () => {
      const [rotor, stored] = take(2);
      return { rotor, stored };
    });
    return { points: line, offset, length, windings: wound, turns: take(turned) };
  });
  const n = numbers;
  return {
    time: n[0],
    steps: n[1],
    energy: { kinetic: n[2], potential: n[3], elastic: n[4], total: n[5] },
    health: { iterations: n[6], residual: n[7], worstError: n[8], unconverged: n[9] },
    good: n[10] !== 0,
    bodies,
    rotors,
    particles,
    cables,
    contacts: take(4 * n[11]),
  };
}
