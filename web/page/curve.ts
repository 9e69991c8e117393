/** The points that a cable of particles or a chain starts along, edited on screen before it starts. */
import * as three from 'three';
import type { Layout, Vec3 } from '../src/index.js';
import type { Change } from './controls.js';
import { el } from './dom.js';
import { valueAt, withValue } from './jsontext.js';
import { quantity } from './knobs.js';
import type { Stage } from './stage.js';

const METERS: Record<string, number> = { '': 1, m: 1, cm: 0.01, mm: 0.001, km: 1000 };
/** px: how large a handle is on the screen, and how near the pointer must come. */
const SIZE = 6;
const MOST = 200;

export interface Curve {
  cable: string;
  points: Vec3[];
}

function meters(value: unknown): number | undefined {
  const found = quantity(value);
  const unit = found && METERS[found.suffix.trim()];
  return found && unit !== undefined ? found.value * unit : undefined;
}

/** The start shapes of a scene that has any, in meters. */
export function curvesOf(text: string, layout: Layout): Curve[] {
  const curves: Curve[] = [];
  for (const { name, model } of layout.cables) {
    if (model !== 'particles' && model !== 'chain') continue;
    const shape = valueAt(text, ['cables', name, 'shape']);
    if (!Array.isArray(shape) || shape.length > MOST) continue;
    const points = shape.map((point) => (Array.isArray(point) ? point.map(meters) : []));
    if (points.every((point) => point.length === 3 && point.every((x) => x !== undefined))) curves.push({ cable: name, points: points as Vec3[] });
  }
  return curves;
}

const written = (point: Vec3): Vec3 => point.map((x) => Number(x.toPrecision(5))) as Vec3;

/** The text of a scene with other points; none leaves the shape out. */
export function withCurve(text: string, { cable, points }: Curve): string {
  return withValue(text, ['cables', cable, 'shape'], points.map(written));
}

/** Handles on the picture. */
export class CurveHandles {
  curves: Curve[] = [];
  private readonly group = new three.Group();
  private readonly line = new three.Line(new three.BufferGeometry(), new three.LineDashedMaterial({ color: 0xd81b4a, depthTest: false }));
  private held: { curve: number; point: number } | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly edited: (curve: Curve) => void,
  ) {
    this.line.frustumCulled = false;
    stage.scene.add(this.group, this.line);
    this.group.renderOrder = 9;
  }

  /** Handles for these curves; none when the world has started. */
  show(curves: Curve[]): void {
    if (curves.length === 0 && this.curves.length === 0) return;
    this.curves = curves.map(({ cable, points }) => ({ cable, points: points.map((p) => [...p] as Vec3) }));
    for (const part of this.group.children) ((part as three.Mesh).geometry.dispose(), ((part as three.Mesh).material as three.Material).dispose());
    this.group.clear();
    for (const { points } of this.curves)
      for (const point of points) {
        const ball = new three.Mesh(new three.SphereGeometry(1, 12, 8), new three.MeshBasicMaterial({ color: 0xd81b4a, depthTest: false }));
        ball.position.set(...point);
        ball.renderOrder = 9;
        this.group.add(ball);
      }
    this.line.visible = false;
    this.stage.invalidate();
  }

  /** Before a picture: handles have the same size wherever they are. */
  beforeDraw(): void {
    const { camera, canvas } = this.stage;
    const pixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / (canvas.clientHeight || 1);
    for (const ball of this.group.children) ball.scale.setScalar(SIZE * pixel * ball.position.distanceTo(camera.position));
  }

  /** Takes hold of the handle at a place of the canvas, if there is one. Returns where it is. */
  take(x: number, y: number, reach: number): three.Vector3 | undefined {
    let nearest = reach + SIZE;
    this.held = undefined;
    let at: three.Vector3 | undefined;
    this.curves.forEach(({ points }, curve) =>
      points.forEach((p, point) => {
        const place = new three.Vector3(...p);
        const seen = this.stage.project(place);
        const distance = Math.hypot(seen.x - x, seen.y - y);
        if (seen.depth > 1 || distance >= nearest) return;
        nearest = distance;
        this.held = { curve, point };
        at = place;
      }),
    );
    return at;
  }
  move(to: three.Vector3): void {
    if (!this.held) return;
    const { curve, point } = this.held;
    this.curves[curve].points[point] = to.toArray();
    const before = this.curves.slice(0, curve).reduce((sum, other) => sum + other.points.length, 0);
    this.group.children[before + point].position.copy(to);
    const points = this.curves[curve].points.map((p) => new three.Vector3(...p));
    this.line.visible = points.length > 1;
    if (points.length > 1) this.line.geometry.setFromPoints(new three.CatmullRomCurve3(points).getPoints(12 * points.length));
    this.stage.invalidate();
  }
  drop(): void {
    const held = this.held;
    this.held = undefined;
    this.line.visible = false;
    if (held) this.edited(this.curves[held.curve]);
  }
}

/** The same points as numbers, for keys and exact places. */
export function curveEditor(curve: Curve, middle: Vec3, change: Change): HTMLElement {
  const put = (points: Vec3[]) => change((text) => withCurve(text, { cable: curve.cable, points }));
  const cell = (point: number, axis: number) => {
    const input = el('input', { type: 'number', step: 'any', value: Number(curve.points[point][axis].toPrecision(5)), 'aria-label': `Point ${point + 1} of ${curve.cable}, ${'xyz'[axis]} in m` });
    input.addEventListener('change', () => {
      const points = curve.points.map((p) => [...p] as Vec3);
      points[point][axis] = Number(input.value);
      if (Number.isFinite(points[point][axis])) put(points);
    });
    return input;
  };
  const row = (_: Vec3, point: number) =>
    el('div', { class: 'point' }, cell(point, 0), cell(point, 1), cell(point, 2), el('button', { type: 'button', class: 'quiet', 'aria-label': `Remove point ${point + 1}`, text: '×', onclick: () => put(curve.points.filter((_p, i) => i !== point)) }));
  const last = curve.points[curve.points.length - 1] ?? middle;
  const before = curve.points[curve.points.length - 2] ?? middle;
  const next = last.map((x, k) => (curve.points.length > 1 ? 2 * x - before[k] : x)) as Vec3;
  return el(
    'fieldset',
    { 'data-curve': curve.cable },
    el('legend', { text: `Start of cable ${curve.cable}` }),
    el('p', { class: 'hint', text: 'Points it starts along, m. Before the first step they can be dragged in the picture.' }),
    ...curve.points.slice(0, 40).map(row),
    el('button', { type: 'button', class: 'small', text: 'Add a point', onclick: () => put([...curve.points, next]) }),
  );
}
