/** What is under a mouse that only looks: its name, and the tension, speed or rate of it. */
import type { Frame } from '../src/index.js';
import { byId, force, short } from './dom.js';
import { pick, type Picked } from './pick.js';
import type { Session } from './session.js';
import type { Stage } from './stage.js';

/** ms between looks while nothing is moved but the scene. */
const PAUSE = 150;

export class Hover {
  private readonly label = byId('hover-label');
  private place: { x: number; y: number } | undefined;
  private last = 0;
  private due = false;

  constructor(
    private readonly stage: Stage,
    private readonly session: Session,
  ) {
    const { canvas } = stage;
    canvas.addEventListener('pointermove', (event) => {
      if (event.pointerType === 'touch' || event.buttons !== 0) return this.leave();
      const box = canvas.getBoundingClientRect();
      this.place = { x: event.clientX - box.left, y: event.clientY - box.top };
      this.soon();
    });
    for (const end of ['pointerleave', 'pointerdown']) canvas.addEventListener(end, () => this.leave());
    session.on({ opened: () => this.leave(), shown: () => performance.now() - this.last > PAUSE && this.soon() });
  }

  private leave(): void {
    this.place = undefined;
    this.label.hidden = true;
  }

  private soon(): void {
    if (this.due || !this.place) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.look();
    });
  }

  private look(): void {
    const { place } = this;
    const { frame } = this.session;
    if (!place || !frame) return;
    this.last = performance.now();
    const picked = pick(this.stage, place.x, place.y);
    this.label.hidden = !picked;
    this.stage.canvas.style.cursor = picked ? 'grab' : '';
    if (!picked) return;
    this.label.textContent = this.words(picked, frame);
    const room = this.stage.canvas.clientWidth - this.label.offsetWidth - 4;
    this.label.style.transform = `translate(${Math.max(0, Math.min(place.x + 12, room))}px, ${Math.max(0, place.y - 30)}px)`;
  }

  private words({ kind, index, along }: Picked, frame: Frame): string {
    const layout = this.session.layout!;
    if (kind === 'body') return layout.bodies[index].name;
    if (kind === 'rotor') return `${layout.rotors[index].name}: ${short(frame.rotors[2 * index + 1])} rad/s`;
    const { points } = frame.cables[index];
    const tension = points[4 * Math.min(Math.floor(along * (points.length / 4 - 1)), points.length / 4 - 1) + 3];
    return `${layout.cables[index].name}: ${tension > 0 ? force(tension) : 'slack'}`;
  }
}
