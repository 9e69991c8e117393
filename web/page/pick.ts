/** What is under the pointer: cables first, by their distance on the screen, then wheels and bodies. */
import * as three from 'three';
import type { Vec3 } from '../src/index.js';
import type { Stage } from './stage.js';

export interface Picked {
  kind: 'body' | 'rotor' | 'cable';
  index: number;
  /** World frame. */
  at: three.Vector3;
  /** Body: the same point on it. */
  local: Vec3;
  /** Cable: where along its drawn line, from 0 to 1. */
  along: number;
}

/** px within which a cable is hit. */
const REACH = 9;

export function pick(stage: Stage, x: number, y: number, reach = REACH): Picked | undefined {
  const solid = pickSolid(stage, x, y);
  const rope = pickRope(stage, x, y, reach);
  if (!rope) return solid;
  const eye = stage.camera.position;
  // A cable on a wheel lies on it: it is hit although the wheel is a little nearer.
  if (solid && solid.at.distanceTo(eye) < rope.at.distanceTo(eye) - 0.03 * stage.extent) return solid;
  return rope;
}

function pickSolid(stage: Stage, x: number, y: number): Picked | undefined {
  const at = new three.Vector2((2 * x) / stage.canvas.clientWidth - 1, 1 - (2 * y) / stage.canvas.clientHeight);
  const ray = new three.Raycaster();
  ray.setFromCamera(at, stage.camera);
  const solids: three.Object3D[] = [...stage.bodies];
  if (stage.wheels) {
    stage.wheels.computeBoundingSphere(); // it keeps the one of the first time otherwise
    solids.push(stage.wheels);
  }
  for (const hit of ray.intersectObjects(solids, true)) {
    if (hit.object === stage.wheels) return { kind: 'rotor', index: hit.instanceId!, at: hit.point, local: [0, 0, 0], along: 0 };
    const body = hit.object.userData.body as number | undefined;
    if (body === undefined || hit.object.userData.floor) continue;
    const local = stage.bodies[body].worldToLocal(hit.point.clone());
    return { kind: 'body', index: body, at: hit.point, local: [local.x, local.y, local.z], along: 0 };
  }
  return undefined;
}

function pickRope(stage: Stage, x: number, y: number, reach: number): Picked | undefined {
  let best = reach;
  let found: Picked | undefined;
  stage.ropes.forEach((rope, index) => {
    const p = rope.points;
    const count = p.length / 4;
    const flat = Array.from({ length: count }, (_, i) =>
      stage.project(new three.Vector3(p[4 * i], p[4 * i + 1], p[4 * i + 2])),
    );
    for (let i = 0; i + 1 < count; i++) {
      const a = flat[i];
      const b = flat[i + 1];
      if (a.depth > 1 || b.depth > 1) continue;
      const dx = b.x - a.x;
      const dy = b.y - a.y;
      const t = Math.min(Math.max(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1), 0), 1);
      const distance = Math.hypot(x - a.x - t * dx, y - a.y - t * dy);
      if (distance >= best) continue;
      best = distance;
      const at = new three.Vector3(
        p[4 * i] + t * (p[4 * i + 4] - p[4 * i]),
        p[4 * i + 1] + t * (p[4 * i + 5] - p[4 * i + 1]),
        p[4 * i + 2] + t * (p[4 * i + 6] - p[4 * i + 2]),
      );
      found = { kind: 'cable', index, at, local: [0, 0, 0], along: (i + t) / (count - 1) };
    }
  });
  return found;
}

/** Where the pointer is on the plane through a point that faces the camera. */
export function onPlane(stage: Stage, x: number, y: number, through: three.Vector3): three.Vector3 {
  const at = new three.Vector2((2 * x) / stage.canvas.clientWidth - 1, 1 - (2 * y) / stage.canvas.clientHeight);
  const ray = new three.Raycaster();
  ray.setFromCamera(at, stage.camera);
  const normal = stage.camera.getWorldDirection(new three.Vector3());
  const plane = new three.Plane().setFromNormalAndCoplanarPoint(normal, through);
  return ray.ray.intersectPlane(plane, new three.Vector3()) ?? through.clone();
}
