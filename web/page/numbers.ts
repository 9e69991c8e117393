/** The numbers of what was clicked: a body, a wheel, or a cable with its spans and links. */
import type { CableNow, Frame, Layout } from '../src/index.js';
import { el, force, short } from './dom.js';
import type { Session } from './session.js';
import type { Chosen } from './viewport.js';

const norm = (v: ArrayLike<number>): number => Math.hypot(v[0], v[1], v[2]);

function table(head: string[], rows: string[][]): HTMLElement {
  return el(
    'div',
    { class: 'scroll', tabindex: 0 },
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, ...head.map((text) => el('th', { text, scope: 'col' })))),
      el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((text) => el('td', { text }))))),
    ),
  );
}

export class Numbers {
  private chosen: Chosen | undefined;
  private waiting = false;
  private last = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly session: Session,
    private readonly plot: (path: string) => void,
    private readonly nudge: (direction: [number, number, number]) => void,
  ) {
    session.on({ shown: () => void this.refresh() });
  }

  choose(chosen: Chosen | undefined): void {
    this.chosen = chosen;
    this.last = 0;
    void this.refresh();
  }

  /** The run as a whole: time, energy, health. */
  private overview(frame: Frame, layout: Layout): HTMLElement[] {
    const shown = this.session.shown!;
    const { energy, health } = frame;
    return [
      el('h2', { text: layout.name }),
      el('p', { class: 'about', text: layout.about }),
      table(
        ['', ''],
        [
          ['Time', `${frame.time.toFixed(3)} s, ${frame.steps} steps of ${short(layout.settings.dt * 1000)} ms`],
          ['Energy', `${short(energy.total)} J: kinetic ${short(energy.kinetic)}, potential ${short(energy.potential)}, elastic ${short(energy.elastic)}`],
          ['Last step', `${health.iterations} iterations, residual ${short(health.residual)}, ${health.unconverged} not converged so far`],
          ['Speed', shown.cost > 0 ? `${short(shown.cost)} ms per step, ${short((layout.settings.dt * 1000) / shown.cost)} times real time` : 'told once it plays'],
        ],
      ),
      el('p', { class: 'hint', text: 'Click a body, a wheel or a cable for its numbers; drag a body or a cable to pull it.' }),
    ];
  }

  private async refresh(): Promise<void> {
    const { frame, layout } = this.session;
    const now = performance.now();
    if (!frame || !layout || this.root.offsetParent === null || this.waiting) return;
    if (this.session.playing && now - this.last < 200) return;
    this.last = now;
    this.waiting = true;
    try {
      const parts = await this.parts(frame, layout);
      if (!this.root.contains(document.activeElement) || document.activeElement === this.root) this.root.replaceChildren(...parts);
    } finally {
      this.waiting = false;
    }
  }

  private async parts(frame: Frame, layout: Layout): Promise<HTMLElement[]> {
    const chosen = this.chosen;
    if (!chosen) return this.overview(frame, layout);
    if (chosen.kind === 'body') return this.body(frame, layout, chosen.index);
    if (chosen.kind === 'rotor') return this.rotor(frame, layout, chosen.index);
    const cable = await this.session.cable(layout.cables[chosen.index].name);
    return cable ? this.cable(cable) : this.overview(frame, layout);
  }

  private title(kind: string, name: string, paths: string[]): HTMLElement[] {
    return [
      el('h2', { text: `${kind} ${name}` }),
      el(
        'div',
        { class: 'row wrap' },
        ...paths.map((path) => el('button', { type: 'button', class: 'small', text: `Plot ${path.split('.').slice(2).join('.')}`, onclick: () => this.plot(path) })),
      ),
    ];
  }

  private pulls(): HTMLElement {
    const ways: [string, [number, number, number]][] = [
      ['left', [-1, 0, 0]], ['right', [1, 0, 0]], ['up', [0, 0, 1]], ['down', [0, 0, -1]], ['near', [0, -1, 0]], ['far', [0, 1, 0]],
    ];
    return el('div', { class: 'row wrap', role: 'group', 'aria-label': 'Pull it' }, ...ways.map(([word, way]) => el('button', { type: 'button', class: 'small', text: `Pull ${word}`, onclick: () => this.nudge(way) })));
  }

  private body(frame: Frame, layout: Layout, index: number): HTMLElement[] {
    const { name, motion } = layout.bodies[index];
    const b = frame.bodies.subarray(7 * index, 7 * index + 7);
    const at = [b[0], b[1], b[2]].map(short).join(', ');
    return [
      ...this.title('Body', name, [`bodies.${name}.position.z`, `bodies.${name}.position.x`, `bodies.${name}.velocity.z`]),
      table(['', ''], [['Position', `${at} m`], ['Orientation', Array.from(b.subarray(3), short).join(', ')], ['Motion', motion]]),
      ...(motion === 'dynamic' ? [this.pulls()] : []),
    ];
  }

  private rotor(frame: Frame, layout: Layout, index: number): HTMLElement[] {
    const { name, radius } = layout.rotors[index];
    const [turn, rate] = frame.rotors.subarray(2 * index, 2 * index + 2);
    return [
      ...this.title('Wheel', name, [`rotors.${name}.rate`, `rotors.${name}.angle`]),
      table(['', ''], [['Turn', `${short(turn)} rad, ${short(turn / 2 / Math.PI)} turns`], ['Rate', `${short(rate)} rad/s, ${short((rate * 30) / Math.PI)} rpm`], ['Rim speed', `${short(rate * radius)} m/s`], ['Radius', `${short(radius)} m`]]),
    ];
  }

  private cable(cable: CableNow): HTMLElement[] {
    const spans = cable.spans.slice(0, 60);
    return [
      ...this.title('Cable', cable.name, spans.slice(0, 4).map((_, i) => `cables.${cable.name}.spans.${i}.tension`)),
      el('p', { text: `Model ${cable.model}, ${short(cable.length)} m of rest length, ${short(cable.stored)} m of it stored.` }),
      table(
        ['Span', 'tension', 'length', 'rest'],
        spans.map((span) => [`${span.from} – ${span.to}`, span.parted ? 'broken' : span.slack ? 'slack' : force(span.tension), `${short(span.length)} m`, `${short(span.rest)} m`]),
      ),
      table(
        ['Link', 'does', 'wrap', 'slip', 'force'],
        cable.links.slice(0, 60).map((link) => [`${link.kind} ${link.on}`, link.mode, `${short((link.wrap * 180) / Math.PI)}°`, `${short(link.slip)} m`, force(norm(link.force))]),
      ),
      this.pulls(),
    ];
  }
}
