/** Geometry of bodies and wheels. */
import * as three from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import type { Layout, ShapeLayout, Vec3 } from '../src/index.js';

export const vector = (v: Vec3): three.Vector3 => new three.Vector3(v[0], v[1], v[2]);

/** Solids along local z, as scenes have them; three's cylinders and capsules run along y. */
function upright<T extends three.BufferGeometry>(geometry: T): T {
  geometry.rotateX(Math.PI / 2);
  return geometry;
}

export function shapeGeometry(shape: ShapeLayout, extent: number): three.BufferGeometry {
  switch (shape.type) {
    case 'sphere':
      return new three.SphereGeometry(shape.radius, 32, 20);
    case 'capsule':
      return upright(new three.CapsuleGeometry(shape.radius, shape.length, 8, 24));
    case 'cylinder':
      return upright(new three.CylinderGeometry(shape.radius, shape.radius, shape.length, 40));
    case 'box':
      return new three.BoxGeometry(...shape.size);
    case 'half-space':
      return new three.PlaneGeometry(extent, extent);
    default:
      return new ConvexGeometry(shape.points.map(vector));
  }
}

/** A wheel of radius 1 and width 1 about z, with spokes, one of them marked, as vertex colors. */
export function wheelGeometry(): three.BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  const colors: number[] = [];
  const corner = (r: number, angle: number, z: number, n: [number, number, number], shade: number) => {
    positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
    normals.push(...n);
    colors.push(shade, shade, shade);
  };
  const quad = (corners: [number, number, number][], n: (angle: number) => [number, number, number], shade: number) => {
    for (const i of [0, 1, 2, 0, 2, 3]) corner(...corners[i], n(corners[i][1]), shade);
  };
  const sectors = 48;
  for (let i = 0; i < sectors; i++) {
    const a = (2 * Math.PI * i) / sectors;
    const b = (2 * Math.PI * (i + 1)) / sectors;
    quad([[1, a, -0.5], [1, b, -0.5], [1, b, 0.5], [1, a, 0.5]], (angle) => [Math.cos(angle), Math.sin(angle), 0], i % 8 < 4 ? 0.8 : 0.62);
    const spoke = i % 8 < 2;
    const shade = spoke ? (i < 2 ? 0.12 : 0.5) : 0.92;
    for (const [inner, outer, tone] of [[0, 0.2, 0.45], [0.2, 0.82, shade], [0.82, 1, 0.66]]) {
      quad([[inner, a, 0.5], [outer, a, 0.5], [outer, b, 0.5], [inner, b, 0.5]], () => [0, 0, 1], tone);
      quad([[inner, b, -0.5], [outer, b, -0.5], [outer, a, -0.5], [inner, a, -0.5]], () => [0, 0, -1], tone);
    }
  }
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', new three.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new three.Float32BufferAttribute(normals, 3));
  geometry.setAttribute('color', new three.Float32BufferAttribute(colors, 3));
  return geometry;
}

/** The turn that takes z to an axis, with x to where pictures draw the first spoke. */
export function axleTurn(axis: Vec3): three.Quaternion {
  const z = vector(axis).normalize();
  const other = Math.abs(z.z) < 0.9 ? new three.Vector3(0, 0, 1) : new three.Vector3(1, 0, 0);
  const x = new three.Vector3().crossVectors(z, other).normalize();
  const y = new three.Vector3().crossVectors(z, x);
  return new three.Quaternion().setFromRotationMatrix(new three.Matrix4().makeBasis(x, y, z));
}

/** How wide rims are that a scene does not draw: wheels of links, a fifth of the radius. */
export const RIM = 0.2;

/** A helix of `turns` on a drum, in layers, in the drum's own frame (axle along z). */
export function windingGeometry(turns: number, radius: number, width: number, thickness: number): three.BufferGeometry {
  const shown = Math.max(thickness, radius * 0.02);
  const perLayer = Math.max(1, Math.min(30, Math.floor((0.9 * width) / (2 * shown))));
  const drawn = Math.min(turns, 3 * perLayer);
  const steps = Math.max(2, Math.ceil(drawn * 20));
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const turn = (drawn * i) / steps;
    const layer = Math.floor(turn / perLayer);
    const within = turn - layer * perLayer;
    const side = layer % 2 === 0 ? within : perLayer - within;
    const r = radius + shown * (1 + 1.7 * layer);
    return new three.Vector3(r * Math.cos(2 * Math.PI * turn), r * Math.sin(2 * Math.PI * turn), (side - perLayer / 2) * 2 * shown);
  });
  return new three.TubeGeometry(new three.CatmullRomCurve3(points), steps, shown, 5);
}

/** Corners of a box about a shape, in its own frame. */
function cornersOf(shape: ShapeLayout): Vec3[] {
  if (shape.points.length > 0) return shape.points;
  const r = shape.radius;
  const half: Record<string, Vec3> = {
    box: [shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2],
    sphere: [r, r, r],
    cylinder: [r, r, shape.length / 2],
    capsule: [r, r, shape.length / 2 + r],
  };
  const [x, y, z] = half[shape.type] ?? [0, 0, 0];
  return [-1, 1].flatMap((a) => [-1, 1].flatMap((b) => [-1, 1].map((c): Vec3 => [a * x, b * y, c * z])));
}

/** The box that holds a scene at its start, without half-spaces. */
export function boundsOf(layout: Layout, bodies: Float64Array, cables: Float64Array[]): three.Box3 {
  const box = new three.Box3();
  const turn = new three.Quaternion();
  const onBody = (index: number, p: three.Vector3): three.Vector3 => {
    if (index < 0) return p;
    const at = 7 * index;
    turn.set(bodies[at + 4], bodies[at + 5], bodies[at + 6], bodies[at + 3]);
    return p.applyQuaternion(turn).add(new three.Vector3(bodies[at], bodies[at + 1], bodies[at + 2]));
  };
  layout.bodies.forEach((body, i) => {
    if (body.shapes.length === 0) box.expandByPoint(onBody(i, new three.Vector3()));
    for (const shape of body.shapes) {
      if (shape.type === 'half-space') continue;
      const [w, x, y, z] = shape.orientation;
      for (const corner of cornersOf(shape)) {
        const p = vector(corner).applyQuaternion(turn.set(x, y, z, w)).add(vector(shape.position));
        box.expandByPoint(onBody(i, p).clampScalar(-1e4, 1e4));
      }
    }
  });
  for (const rotor of layout.rotors) {
    const center = onBody(rotor.parent, vector(rotor.position));
    box.expandByPoint(center.clone().addScalar(-rotor.radius)).expandByPoint(center.clone().addScalar(rotor.radius));
  }
  for (const line of cables)
    for (let i = 0; i + 3 < line.length; i += 4) box.expandByPoint(new three.Vector3(line[i], line[i + 1], line[i + 2]));
  if (box.isEmpty()) box.set(new three.Vector3(-1, -1, -1), new three.Vector3(1, 1, 1));
  return box;
}
