/** A run as .glb: bodies and wheels as animated nodes, cables as skinned tubes whose bones lie along them. */
import * as three from 'three';
import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js';
import type { Frame } from '../src/index.js';
import { wheelGeometry } from './shapes.js';
import type { Stage } from './stage.js';

/** Bones of a tube, doubled from the fewest until it follows its cable. */
const FEWEST = 40;
const MOST = 640;
const SIDES = 6;
/** Bones times frames: what takes more loses frames. */
const KEYS = 120_000;

/** Points of a polyline at equal distances, x y z each. */
export function resample(points: Float64Array, count: number): Float32Array {
  const n = points.length / 4;
  const out = new Float32Array(3 * count);
  if (n === 0) return out;
  const along = new Float64Array(n);
  for (let i = 1; i < n; i++)
    along[i] = along[i - 1] + Math.hypot(points[4 * i] - points[4 * i - 4], points[4 * i + 1] - points[4 * i - 3], points[4 * i + 2] - points[4 * i - 2]);
  let i = 1;
  for (let k = 0; k < count; k++) {
    const want = (along[n - 1] * k) / (count - 1);
    while (i < n - 1 && along[i] < want) i++;
    const before = Math.max(i - 1, 0);
    const step = along[i] - along[before];
    const t = step > 0 ? Math.min(Math.max((want - along[before]) / step, 0), 1) : 0;
    for (let c = 0; c < 3; c++) out[3 * k + c] = points[4 * before + c] + t * (points[4 * i + c] - points[4 * before + c]);
  }
  return out;
}

/** m by which points of a line are off the straight pieces between `count` of its places. */
function cut(points: Float64Array, count: number): number {
  const line = resample(points, count);
  const n = points.length / 4;
  let length = 0;
  for (let i = 1; i < n; i++) length += Math.hypot(points[4 * i] - points[4 * i - 4], points[4 * i + 1] - points[4 * i - 3], points[4 * i + 2] - points[4 * i - 2]);
  const chord = new three.Line3();
  const p = new three.Vector3();
  const near = new three.Vector3();
  let along = 0;
  let most = 0;
  for (let i = 0; i < n; i++) {
    if (i > 0) along += Math.hypot(points[4 * i] - points[4 * i - 4], points[4 * i + 1] - points[4 * i - 3], points[4 * i + 2] - points[4 * i - 2]);
    const k = Math.min(Math.floor(((count - 1) * along) / Math.max(length, 1e-12)), count - 2);
    chord.set(chord.start.fromArray(line, 3 * k), chord.end.fromArray(line, 3 * k + 3));
    p.set(points[4 * i], points[4 * i + 1], points[4 * i + 2]);
    most = Math.max(most, chord.closestPointToPoint(p, true, near).distanceTo(p));
  }
  return most;
}

/** As many bones as follow a cable to a few thousandths of the scene, at the beginning, in the middle and at the end. */
function bonesFor(frames: Frame[], cable: number, extent: number): number {
  const looked = [frames[0], frames[frames.length >> 1], frames[frames.length - 1]];
  let count = FEWEST;
  while (count < MOST && looked.some((frame) => cut(frame.cables[cable].points, count) > 0.004 * extent)) count *= 2;
  return count;
}

function skinnedTube(name: string, radius: number, line: Float32Array): { mesh: three.SkinnedMesh; bones: three.Bone[] } {
  const count = line.length / 3;
  const positions: number[] = [];
  const indices: number[] = [];
  const skin: number[] = [];
  const weights: number[] = [];
  const normals: number[] = [];
  for (let i = 0; i < count; i++) {
    const a = Math.max(i - 1, 0);
    const b = Math.min(i + 1, count - 1);
    const tangent = new three.Vector3(line[3 * b] - line[3 * a], line[3 * b + 1] - line[3 * a + 1], line[3 * b + 2] - line[3 * a + 2]);
    if (tangent.lengthSq() === 0) tangent.set(0, 0, 1);
    tangent.normalize();
    const side = new three.Vector3(0, 1, 0).cross(tangent);
    if (side.lengthSq() < 1e-6) side.set(1, 0, 0).cross(tangent);
    side.normalize();
    const up = tangent.clone().cross(side);
    for (let k = 0; k < SIDES; k++) {
      const angle = (2 * Math.PI * k) / SIDES;
      const n = side.clone().multiplyScalar(Math.cos(angle)).addScaledVector(up, Math.sin(angle));
      positions.push(line[3 * i] + radius * n.x, line[3 * i + 1] + radius * n.y, line[3 * i + 2] + radius * n.z);
      normals.push(n.x, n.y, n.z);
      skin.push(i, 0, 0, 0);
      weights.push(1, 0, 0, 0);
      if (i + 1 < count) {
        const p = i * SIDES + k;
        const q = i * SIDES + ((k + 1) % SIDES);
        indices.push(p, p + SIDES, q, q, p + SIDES, q + SIDES);
      }
    }
  }
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', new three.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new three.Float32BufferAttribute(normals, 3));
  geometry.setAttribute('skinIndex', new three.Uint16BufferAttribute(skin, 4));
  geometry.setAttribute('skinWeight', new three.Float32BufferAttribute(weights, 4));
  geometry.setIndex(indices);
  const mesh = new three.SkinnedMesh(geometry, new three.MeshStandardMaterial({ color: 0x8a5a2b }));
  mesh.name = name;
  const bones = Array.from({ length: count }, (_, i) => {
    const bone = new three.Bone();
    bone.name = `${name}-${i}`;
    bone.position.set(line[3 * i], line[3 * i + 1], line[3 * i + 2]);
    mesh.add(bone);
    return bone;
  });
  mesh.updateMatrixWorld(true);
  mesh.bind(new three.Skeleton(bones));
  return { mesh, bones };
}

/** Names in glTF tracks may not have dots or brackets. */
const plain = (name: string): string => name.replace(/[^\w-]/g, '_');

/** The frames of a run, in order, with the stage that shows them. */
export async function exportGlb(stage: Stage, all: Frame[]): Promise<ArrayBuffer> {
  const layout = stage.layout!;
  const bones = layout.cables.map((_, i) => bonesFor(all, i, stage.extent));
  const stride = Math.ceil((all.length * bones.reduce((sum, count) => sum + count, 1)) / KEYS);
  const frames = all.filter((_, i) => i % stride === 0 || i === all.length - 1);
  const root = new three.Group();
  root.name = plain(layout.name);
  root.rotation.x = -Math.PI / 2; // glTF has y up
  const times = new Float32Array(frames.map((frame) => frame.time - frames[0].time));
  const tracks: three.KeyframeTrack[] = [];
  const track = (node: three.Object3D, place: (frame: Frame) => number[], turn?: (frame: Frame) => number[]) => {
    tracks.push(new three.VectorKeyframeTrack(`${node.name}.position`, times as never, frames.flatMap(place) as never));
    if (turn) tracks.push(new three.QuaternionKeyframeTrack(`${node.name}.quaternion`, times as never, frames.flatMap(turn) as never));
  };
  layout.bodies.forEach((body, i) => {
    const group = stage.bodies[i].clone();
    group.name = `body-${plain(body.name)}`;
    root.add(group);
    if (body.motion === 'static') return;
    track(group, (f) => Array.from(f.bodies.subarray(7 * i, 7 * i + 3)), (f) => [4, 5, 6, 3].map((k) => f.bodies[7 * i + k]));
  });
  const ball = new three.SphereGeometry(1, 12, 8);
  layout.particles.forEach((particle, i) => {
    const mesh = new three.Mesh(ball, new three.MeshStandardMaterial({ color: 0xe07b39 }));
    mesh.name = `particle-${plain(particle.name)}`;
    mesh.scale.setScalar(particle.radius || stage.extent / 150);
    root.add(mesh);
    track(mesh, (f) => Array.from(f.particles.subarray(3 * i, 3 * i + 3)));
  });
  const wheel = wheelGeometry();
  layout.rotors.forEach((rotor, i) => {
    const mesh = new three.Mesh(wheel, new three.MeshStandardMaterial({ vertexColors: true, color: rotor.color ?? 0xc3ccd6 }));
    mesh.name = `wheel-${plain(rotor.name)}`;
    mesh.scale.set(rotor.radius, rotor.radius, rotor.width);
    root.add(mesh);
    const poses = frames.map((frame) => {
      stage.bodies.forEach((group, b) => {
        group.position.fromArray(Array.from(frame.bodies.subarray(7 * b, 7 * b + 3)));
        group.quaternion.set(frame.bodies[7 * b + 4], frame.bodies[7 * b + 5], frame.bodies[7 * b + 6], frame.bodies[7 * b + 3]);
        group.updateMatrixWorld();
      });
      const place = new three.Vector3();
      const turn = new three.Quaternion();
      stage.rotorMatrix(i, frame, false).decompose(place, turn, new three.Vector3());
      return { place, turn };
    });
    const at = new Map(frames.map((frame, k) => [frame, poses[k]]));
    track(mesh, (f) => at.get(f)!.place.toArray(), (f) => at.get(f)!.turn.toArray());
  });
  layout.cables.forEach((cable, i) => {
    const lines = frames.map((frame) => resample(frame.cables[i].points, bones[i]));
    const { mesh, bones: chain } = skinnedTube(`cable-${plain(cable.name)}`, cable.radius, lines[0]);
    root.add(mesh);
    const at = new Map(frames.map((frame, k) => [frame, lines[k]]));
    chain.forEach((bone, k) => track(bone, (f) => Array.from(at.get(f)!.subarray(3 * k, 3 * k + 3))));
  });
  const clip = new three.AnimationClip('run', -1, tracks);
  const result = await new GLTFExporter().parseAsync(root, { binary: true, animations: [clip] });
  return result as ArrayBuffer;
}
