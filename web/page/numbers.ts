/** The numbers of what was chosen: the whole scene, a body, a wheel, or a cable with its spans and links. */
import type { CableNow, Frame, Layout, SpanNow, Vec3 } from '../src/index.js';
import { el, force, short } from './dom.js';
import type { Session } from './session.js';
import type { Chosen } from './viewport.js';

const norm = (v: ArrayLike<number>): number => Math.hypot(v[0], v[1], v[2]);
const three = (v: ArrayLike<number>): string => [v[0], v[1], v[2]].map(short).join(', ');

/** Cables that are asked whether they hold a body. */
const MOST_CABLES = 12;

interface Row {
  cells: string[];
  /** What was clicked. */
  here?: boolean;
}

function table(head: string[], rows: (string[] | Row)[]): HTMLElement {
  const list = rows.map((row): Row => (Array.isArray(row) ? { cells: row } : row));
  return el(
    'div',
    { class: 'scroll', tabindex: 0 },
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, ...head.map((text) => el('th', { text, scope: 'col' })))),
      el('tbody', {}, ...list.map(({ cells, here }) => el('tr', here ? { class: 'here' } : {}, ...cells.map((text) => el('td', { text }))))),
    ),
  );
}

const pull = (span: SpanNow): string => (span.parted ? 'broken' : span.slack ? 'slack' : force(span.tension));

/** The span nearest to a point. */
export function spanAt(spans: readonly SpanNow[], at: Vec3): number {
  const distances = spans.map(({ start, end }) => {
    const chord = end.map((x, k) => x - start[k]);
    const away = at.map((x, k) => x - start[k]);
    const along = away.reduce((sum, x, k) => sum + x * chord[k], 0) / Math.max(norm(chord) ** 2, 1e-18);
    const t = Math.min(Math.max(along, 0), 1);
    return norm(away.map((x, k) => x - t * chord[k]));
  });
  return distances.indexOf(Math.min(...distances));
}

export class Numbers {
  private chosen: Chosen | undefined;
  private waiting = false;
  private last = 0;
  private readonly chooser = el('select', { 'aria-label': 'What to see the numbers of' });
  private readonly head = el('div', { class: 'about-it' });
  private readonly values = el('div', { class: 'about-it' });

  constructor(
    private readonly root: HTMLElement,
    private readonly session: Session,
    private readonly plot: (path: string) => void,
    private readonly nudge: (direction: Vec3) => void,
    choose: (chosen: Chosen | undefined) => void,
  ) {
    root.append(this.chooser, this.head, this.values);
    this.chooser.addEventListener('change', () => {
      const [kind, index] = this.chooser.value.split(' ');
      choose(kind ? { kind: kind as Chosen['kind'], index: Number(index) } : undefined);
    });
    session.on({ opened: (layout) => this.list(layout), shown: () => void this.refresh() });
  }

  choose(chosen: Chosen | undefined): void {
    this.chosen = chosen;
    this.chooser.value = chosen ? `${chosen.kind} ${chosen.index}` : '';
    this.last = 0;
    void this.refresh(true);
  }

  /** Everything that has numbers, by name: the way to them without a pointer. */
  private list(layout: Layout): void {
    const group = (label: string, kind: Chosen['kind'], names: { name: string }[]) =>
      names.length > 0 ? [el('optgroup', { label }, ...names.slice(0, 400).map(({ name }, i) => el('option', { value: `${kind} ${i}`, text: name })))] : [];
    this.chooser.replaceChildren(
      el('option', { value: '', text: 'The whole scene' }),
      ...group('Bodies', 'body', layout.bodies),
      ...group('Wheels', 'rotor', layout.rotors),
      ...group('Cables', 'cable', layout.cables),
    );
  }

  private async refresh(anew = false): Promise<void> {
    const { frame, layout, playing } = this.session;
    const now = performance.now();
    if (!frame || !layout || this.root.offsetParent === null || (this.waiting && !anew)) return;
    if (playing && now - this.last < 200) return;
    this.last = now;
    this.waiting = true;
    const chosen = this.chosen;
    try {
      const [head, values] = await this.parts(frame, layout, chosen);
      if (chosen !== this.chosen) return;
      if (anew) this.head.replaceChildren(...head);
      this.put(values);
    } finally {
      this.waiting = false;
    }
  }

  /** Other texts in the same table where it has not changed its shape: it stays scrolled and focused as it is. */
  private put(values: HTMLElement[]): void {
    const cells = (parts: Iterable<Element>) => [...parts].flatMap((part) => [part, ...part.querySelectorAll('th, td')]).filter((part) => part.matches('p, h2, th, td'));
    const before = cells(this.values.children);
    const after = cells(values);
    if (before.length !== after.length || before.some((cell, i) => cell.tagName !== after[i].tagName)) return this.values.replaceChildren(...values);
    before.forEach((cell, i) => {
      if (cell.textContent !== after[i].textContent) cell.textContent = after[i].textContent;
      if (cell.tagName === 'TD') cell.parentElement!.className = after[i].parentElement!.className;
    });
  }

  /** What stays while it is chosen, and what changes. */
  private async parts(frame: Frame, layout: Layout, chosen: Chosen | undefined): Promise<[HTMLElement[], HTMLElement[]]> {
    if (chosen?.kind === 'body' && layout.bodies[chosen.index]) return this.body(frame, layout, chosen.index);
    if (chosen?.kind === 'rotor' && layout.rotors[chosen.index]) return this.rotor(frame, layout, chosen.index);
    const cable = chosen?.kind === 'cable' && layout.cables[chosen.index] ? await this.session.cable(layout.cables[chosen.index].name) : undefined;
    return cable ? this.cable(cable, chosen?.at) : this.overview(frame, layout);
  }

  /** The run as a whole: time, energy, health. */
  private overview(frame: Frame, layout: Layout): [HTMLElement[], HTMLElement[]] {
    const shown = this.session.shown!;
    const { energy, health } = frame;
    const head = [
      el('h2', { text: layout.name }),
      el('p', { class: 'about', text: layout.about }),
      el('p', { class: 'hint', text: 'Click a body, a wheel or a cable for its numbers; drag a body or a cable to pull it; drag the background to turn the view.' }),
    ];
    const values = table(
      ['', ''],
      [
        ['Time', `${frame.time.toFixed(3)} s, ${frame.steps} steps of ${short(layout.settings.dt * 1000)} ms`],
        ['Energy', `${short(energy.total)} J: kinetic ${short(energy.kinetic)}, potential ${short(energy.potential)}, elastic ${short(energy.elastic)}`],
        ['Last step', `${health.iterations} ${health.iterations === 1 ? 'iteration' : 'iterations'}, residual ${short(health.residual)}, ${health.unconverged} not converged so far`],
        ['Speed', shown.cost > 0 ? `${short(shown.cost)} ms per step, ${short((layout.settings.dt * 1000) / shown.cost)} times real time` : 'known once it plays'],
      ],
    );
    return [head, [values]];
  }

  private title(kind: string, name: string, paths: string[]): HTMLElement[] {
    const known = paths.filter((path) => kind === 'Cable' || this.session.layout!.paths.includes(path));
    return [
      el('h2', { text: `${kind} ${name}` }),
      el(
        'div',
        { class: 'row wrap' },
        ...known.map((path) => el('button', { type: 'button', class: 'small', text: `Plot ${path.split('.').slice(2).join('.')}`, onclick: () => this.plot(path) })),
      ),
    ];
  }

  private pulls(): HTMLElement {
    const ways: [string, Vec3][] = [
      ['left', [-1, 0, 0]], ['right', [1, 0, 0]], ['up', [0, 0, 1]], ['down', [0, 0, -1]], ['near', [0, -1, 0]], ['far', [0, 1, 0]],
    ];
    return el('div', { class: 'row wrap', role: 'group', 'aria-label': 'Pull it' }, ...ways.map(([word, way]) => el('button', { type: 'button', class: 'small', text: `Pull ${word}`, onclick: () => this.nudge(way) })));
  }

  /** The spans that end on one of these, with their tensions. */
  private async spansOf(layout: Layout, names: string[]): Promise<HTMLElement[]> {
    const cables = await Promise.all(layout.cables.slice(0, MOST_CABLES).map(({ name }) => this.session.cable(name)));
    const rows = cables.flatMap((cable) =>
      (cable?.spans ?? []).filter(({ from, to }) => names.includes(from) || names.includes(to)).map((span) => [cable!.name, `${span.from} – ${span.to}`, pull(span)]),
    );
    return rows.length > 0 ? [table(['Cable', 'span', 'tension'], rows.slice(0, 60))] : [];
  }

  private async body(frame: Frame, layout: Layout, index: number): Promise<[HTMLElement[], HTMLElement[]]> {
    const { name, motion } = layout.bodies[index];
    const b = frame.bodies.subarray(7 * index, 7 * index + 7);
    const rates = ['velocity', 'angular_velocity'].flatMap((what) => ['x', 'y', 'z'].map((axis) => `bodies.${name}.${what}.${axis}`));
    const moving = rates.every((path) => layout.paths.includes(path)) ? await this.session.read(rates) : undefined;
    const rows = [['Motion', motion], ['Position (x, y, z)', `${three(b)} m`]];
    if (moving) rows.push(['Speed', `${short(norm(moving))} m/s`], ['Velocity', `${three(moving)} m/s`], ['Turning', `${short(norm(moving.subarray(3)))} rad/s`]);
    rows.push(['Orientation (w, x, y, z)', Array.from(b.subarray(3), short).join(', ')]);
    const wheels = layout.rotors.filter((rotor) => rotor.parent === index).map((rotor) => rotor.name);
    const head = [...this.title('Body', name, [`bodies.${name}.position.z`, `bodies.${name}.position.x`, `bodies.${name}.velocity.z`]), ...(motion === 'dynamic' ? [this.pulls()] : [])];
    return [head, [table(['', ''], rows), ...(await this.spansOf(layout, [name, ...wheels]))]];
  }

  private async rotor(frame: Frame, layout: Layout, index: number): Promise<[HTMLElement[], HTMLElement[]]> {
    const { name, radius } = layout.rotors[index];
    const [turn, rate] = frame.rotors.subarray(2 * index, 2 * index + 2);
    const rows = [['Turn', `${short(turn)} rad, ${short(turn / 2 / Math.PI)} turns`], ['Rate', `${short(rate)} rad/s, ${short((rate * 30) / Math.PI)} rpm`], ['Rim speed', `${short(rate * radius)} m/s`], ['Radius', `${short(radius)} m`]];
    return [this.title('Wheel', name, [`rotors.${name}.rate`, `rotors.${name}.angle`]), [table(['', ''], rows), ...(await this.spansOf(layout, [name]))]];
  }

  private cable(cable: CableNow, at: Vec3 | undefined): [HTMLElement[], HTMLElement[]] {
    const spans = cable.spans.slice(0, 60);
    const here = at ? spanAt(spans, at) : -1;
    const head = [...this.title('Cable', cable.name, spans.slice(0, 4).map((_, i) => `cables.${cable.name}.spans.${i}.tension`)), this.pulls()];
    const values = [
      el('p', { text: `Model ${cable.model}, ${short(cable.length)} m of rest length, ${short(cable.stored)} m of it stored.` }),
      table(
        ['Span', 'tension', 'length', 'rest'],
        spans.map((span, i) => ({ cells: [`${span.from} – ${span.to}`, pull(span), `${short(span.length)} m`, `${short(span.rest)} m`], here: i === here })),
      ),
      table(
        ['Link', 'does', 'wrap', 'slip', 'force'],
        cable.links.slice(0, 60).map((link) => [`${link.kind} ${link.on}`, link.mode, `${short((link.wrap * 180) / Math.PI)}°`, `${short(link.slip)} m`, force(norm(link.force))]),
      ),
    ];
    return [head, values];
  }
}
