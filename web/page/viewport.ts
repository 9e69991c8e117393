/** The picture and the hands on it: choosing, pulling, looking around; the legend of tensions. */
import * as three from 'three';
import type { Frame, Vec3 } from '../src/index.js';
import { CurveHandles, curvesOf, type Curve } from './curve.js';
import { tensionGradient } from './colors.js';
import { byId, force, length } from './dom.js';
import { Hover } from './hover.js';
import { onPlane, pick, type Picked } from './pick.js';
import type { Session } from './session.js';
import { Stage } from './stage.js';

export interface Chosen {
  kind: 'body' | 'rotor' | 'cable';
  index: number;
  /** Where it was taken, world frame. */
  at?: Vec3;
}

const triple = (v: three.Vector3): Vec3 => [v.x, v.y, v.z];

export class Viewport {
  readonly stage: Stage;
  chosen: Chosen | undefined;
  private readonly label = byId('pull-label');
  private scale = 1;
  private grabbed: { picked: Picked; from: { x: number; y: number }; moved: boolean; pointer: number } | undefined;
  private target: three.Vector3 | undefined;
  private telling = false;
  private readonly handles: CurveHandles;
  private shaping: { pointer: number; at: three.Vector3; moved: boolean } | undefined;

  constructor(
    private readonly session: Session,
    private readonly choose: (chosen: Chosen | undefined) => void,
    reshaped: (curve: Curve) => void,
  ) {
    const canvas = byId<HTMLCanvasElement>('canvas');
    this.stage = new Stage(canvas, () => {
      this.placeLabel();
      this.handles.beforeDraw();
    });
    this.handles = new CurveHandles(this.stage, reshaped);
    new Hover(this.stage, session);
    session.on({
      opened: (layout, frame, how) => {
        this.scale = 0;
        this.select(undefined);
        this.stage.open(layout, frame, how.keepView ?? false);
        this.show(frame);
      },
      shown: (frame) => this.show(frame),
      relaid: (layout, frame) => {
        this.stage.open(layout, frame, true);
        this.select(this.chosen);
      },
    });
    // Before the controls of the camera: what is grabbed is not turned.
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, (event) => this.up(event as PointerEvent));
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  setTheme(dark: boolean): void {
    this.stage.setTheme(dark);
    byId('legend-bar').style.background = tensionGradient(dark);
    if (this.session.frame) this.show(this.session.frame);
  }

  select(chosen: Chosen | undefined): void {
    this.chosen = chosen;
    this.stage.highlight(chosen?.kind ?? null, chosen?.index ?? -1);
    this.choose(chosen);
  }

  /** Pulls what is chosen for a moment, for keys and buttons: a spring as long as a tenth of the scene. */
  async nudge(direction: Vec3): Promise<void> {
    const frame = this.session.frame;
    if (!this.chosen || !frame || this.chosen.kind === 'rotor') return;
    const { kind, index } = this.chosen;
    const at = kind === 'body' ? frame.bodies.subarray(7 * index, 7 * index + 3) : middle(frame.cables[index].points);
    const reach = 0.1 * this.stage.extent;
    const target: Vec3 = [0, 1, 2].map((k) => at[k] + reach * direction[k]) as Vec3;
    this.target = new three.Vector3(...target);
    await this.session.grip({ kind, index, point: [0, 0, 0], along: 0.5, target });
    if (!this.session.playing) this.session.play();
    setTimeout(() => void this.letGo(), 600);
  }

  private show(frame: Frame): void {
    let largest = 0;
    for (const cable of frame.cables) for (let i = 3; i < cable.points.length; i += 4) largest = Math.max(largest, cable.points[i]);
    // The scale follows slowly downward, so that colors do not flicker.
    this.scale = Math.max(largest, 0.995 * this.scale, 1e-9);
    byId('legend-tension').hidden = frame.cables.length === 0;
    byId('legend-grid').textContent = `grid: ${length(this.stage.cell)}`;
    byId('legend-top').textContent = force(this.scale > 1e-9 ? this.scale : 0);
    this.stage.show(frame, this.scale);
    this.stage.showGhost(this.session.ghost, this.scale);
    this.handles.show(frame.steps === 0 && !this.shaping ? curvesOf(this.session.text, this.session.layout!) : this.shaping ? this.handles.curves : []);
    const pull = this.session.shown?.pull;
    this.stage.showSpring(pull && this.target ? pull.at : null, pull && this.target ? triple(this.target) : null);
    this.label.hidden = !pull || !this.target;
    if (pull) this.label.textContent = force(pull.force);
  }

  private placeLabel(): void {
    if (this.label.hidden || !this.target) return;
    const { x, y } = this.stage.project(this.target);
    this.label.style.transform = `translate(${x + 10}px, ${y - 24}px)`;
  }

  private at(event: PointerEvent): { x: number; y: number } {
    const box = this.stage.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || this.grabbed) return;
    const from = this.at(event);
    const handle = this.handles.take(from.x, from.y, event.pointerType === 'touch' ? 14 : 4);
    if (handle) {
      this.shaping = { pointer: event.pointerId, at: handle, moved: false };
      this.stage.controls.enabled = false;
      this.stage.canvas.setPointerCapture(event.pointerId);
      return;
    }
    const picked = pick(this.stage, from.x, from.y, event.pointerType === 'touch' ? 18 : 9);
    if (!picked) {
      this.select(undefined);
      return;
    }
    this.select({ kind: picked.kind, index: picked.index, at: triple(picked.at) });
    const fixed = picked.kind === 'body' && this.session.layout!.bodies[picked.index].motion !== 'dynamic';
    if (picked.kind === 'rotor' || fixed) return;
    this.grabbed = { picked, from, moved: false, pointer: event.pointerId };
    this.stage.controls.enabled = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (this.shaping?.pointer === event.pointerId) {
      const { x, y } = this.at(event);
      this.shaping.moved = true;
      this.handles.move(onPlane(this.stage, x, y, this.shaping.at));
      return;
    }
    const grabbed = this.grabbed;
    if (!grabbed || event.pointerId !== grabbed.pointer) return;
    const { x, y } = this.at(event);
    if (!grabbed.moved && Math.hypot(x - grabbed.from.x, y - grabbed.from.y) < 4) return;
    if (!grabbed.moved && !this.session.playing) this.session.play();
    grabbed.moved = true;
    this.target = onPlane(this.stage, x, y, grabbed.picked.at);
    void this.follow(grabbed.picked);
  }

  /** Tells the world where the hand is: one message at a time, always the latest. */
  private async follow({ kind, index, local, along }: Picked): Promise<void> {
    if (this.telling) return;
    this.telling = true;
    for (let told: three.Vector3 | undefined; this.target && told !== this.target; ) {
      told = this.target;
      await this.session.grip({ kind: kind === 'cable' ? 'cable' : 'body', index, point: local, along, target: triple(told) });
    }
    this.telling = false;
    if (!this.target) await this.session.grip(null);
  }

  private up(event: PointerEvent): void {
    if (this.shaping?.pointer === event.pointerId) {
      const { moved } = this.shaping;
      this.shaping = undefined;
      this.stage.controls.enabled = true;
      if (moved) this.handles.drop();
      return;
    }
    if (!this.grabbed || event.pointerId !== this.grabbed.pointer) return;
    this.grabbed = undefined;
    this.stage.controls.enabled = true;
    void this.letGo();
  }

  private async letGo(): Promise<void> {
    if (!this.target) return;
    this.target = undefined;
    if (!this.telling) await this.session.grip(null);
  }

  private key(event: KeyboardEvent): void {
    const turn = 0.12;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.stage.orbit(-turn, 0),
      ArrowRight: () => this.stage.orbit(turn, 0),
      ArrowUp: () => this.stage.orbit(0, turn),
      ArrowDown: () => this.stage.orbit(0, -turn),
      '+': () => this.stage.zoom(0.85),
      '-': () => this.stage.zoom(1.18),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}

function middle(points: Float64Array): ArrayLike<number> {
  const i = 4 * Math.floor(points.length / 8);
  return points.subarray(i, i + 3);
}
