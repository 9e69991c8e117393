/** Sliders for the numbers of a scene, its solver and step, and the models of its cables. */
import type { CableModel, Layout, Vec3 } from '../src/index.js';
import { curveEditor, curvesOf } from './curve.js';
import { el, short } from './dom.js';
import { withValue } from './jsontext.js';
import { commandOf, fromSlider, knobsOf, quantity, toSlider, written, type Knob } from './knobs.js';

/** Makes a change to the scene: live where the world can, otherwise by building it anew. */
export type Change = (edit: (text: string) => string, live?: { path: string[]; value: number | string }) => void;

/** Sliders that are seen at once. */
const FIRST = 8;
const MODELS = ['joints', 'strand', 'hoist', 'chain', 'particles'];

export class Controls {
  /** Sliders as they were first laid out: their ends stay while the scene is changed. */
  private readonly ends = new Map<string, Knob>();

  constructor(
    private readonly root: HTMLElement,
    private readonly change: Change,
    private readonly swap: (cable: string | null, model: CableModel) => void,
    private readonly overlay: (model: CableModel | null) => void,
    private readonly command: (motor: string, target: number | string | null) => void,
  ) {}

  /** Lays the controls out for a scene; `changed`: the same one, with changes. */
  open(text: string, layout: Layout, changed: boolean, middleOf: (cable: string) => Vec3): void {
    if (!changed) this.ends.clear();
    const knobs = knobsOf(text).map((knob) => this.withEnds(knob));
    const focus = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.path : undefined;
    const sliders = knobs.map((knob) => this.slider(knob));
    const more = el('details', {}, el('summary', { text: `${knobs.length - FIRST} more` }), ...sliders.slice(FIRST));
    if (focus && knobs.slice(FIRST).some((knob) => knob.path.join('/') === focus)) more.open = true;
    this.root.replaceChildren(
      this.group('Parameters', knobs.length > 0 ? [...sliders.slice(0, FIRST), ...(knobs.length > FIRST ? [more] : [])] : [el('p', { text: 'This scene has no number that is worth a slider. Edit its text instead.' })]),
      this.group('Simulation', this.settings(layout)),
    );
    const motors = layout.motors.slice(0, 16);
    if (motors.length > 0) this.root.firstElementChild!.after(this.group('Motors by hand', motors.map((motor) => this.motor(commandOf(text, motor), motor))));
    if (layout.cables.length > 0)
      this.root.append(this.group('Models of cables', [this.overlaid(), this.modelOfAll(), ...layout.cables.map((cable) => this.model(cable.name, cable.model))]));
    const given = curvesOf(text, layout);
    for (const { name, model } of layout.cables.slice(0, 12)) {
      if (model !== 'particles' && model !== 'chain') continue;
      const curve = given.find((one) => one.cable === name) ?? { cable: name, points: [] };
      this.root.append(curveEditor(curve, middleOf(name), this.change));
    }
    if (focus) this.root.querySelector<HTMLElement>(`[data-path="${CSS.escape(focus)}"]`)?.focus();
  }

  private withEnds(knob: Knob): Knob {
    const key = knob.path.join('/');
    const before = this.ends.get(key);
    if (before && knob.suffix === before.suffix && knob.value >= before.min && knob.value <= before.max) return { ...before, value: knob.value };
    this.ends.set(key, knob);
    return knob;
  }

  private group(title: string, rows: HTMLElement[]): HTMLElement {
    return el('fieldset', {}, el('legend', { text: title }), ...rows);
  }

  slider(knob: Knob): HTMLElement {
    const exact = el('input', { type: 'number', step: 'any', value: Number(knob.value.toPrecision(6)), 'aria-label': `${knob.label}, as a number` });
    const input = el('input', {
      type: 'range',
      min: 0,
      max: 1,
      step: 0.002,
      value: toSlider(knob, knob.value),
      'aria-label': knob.label,
      'aria-valuetext': `${short(knob.value)} ${knob.unit}`,
      'data-path': knob.path.join('/'),
    });
    const put = (value: number) => {
      const now = written(knob, value);
      this.change((text) => withValue(text, knob.path, now), { path: knob.path, value: now });
    };
    const value = () => Number(fromSlider(knob, Number(input.value)).toPrecision(4));
    input.addEventListener('input', () => {
      exact.value = String(value());
      input.setAttribute('aria-valuetext', `${short(value())} ${knob.unit}`);
    });
    input.addEventListener('change', () => put(value()));
    exact.addEventListener('change', () => {
      const wanted = Number(exact.value);
      if (exact.value.trim() === '' || !Number.isFinite(wanted)) return;
      const at = toSlider(knob, wanted);
      input.value = String(Number.isFinite(at) ? at : 0); // beyond its ends it stays there
      input.setAttribute('aria-valuetext', `${short(wanted)} ${knob.unit}`);
      put(wanted);
    });
    return el('div', { class: 'knob' }, el('span', { text: knob.label }), exact, el('span', { class: 'unit', text: knob.unit }), input);
  }

  /** A motor that follows the hand from the first touch on, until it is let go. */
  private motor(knob: Knob, motor: string): HTMLElement {
    const input = el('input', { type: 'range', min: 0, max: 1, step: 0.005, value: 0.5, 'aria-label': `${knob.label}, by hand`, 'aria-valuetext': 'as the scene says', 'data-path': `command/${motor}` });
    const told = el('span', { class: 'unit', text: 'as the scene says' });
    const tell = (text: string) => {
      told.textContent = text;
      input.setAttribute('aria-valuetext', text);
    };
    input.addEventListener('input', () => {
      const value = Number(fromSlider(knob, Number(input.value)).toPrecision(4));
      tell(`${short(value)} ${knob.unit}`);
      this.command(motor, knob.suffix ? `${value}${knob.suffix}` : value);
    });
    const release = el('button', { type: 'button', class: 'small', text: 'Let go', 'aria-label': `Let go of ${knob.label}` });
    release.addEventListener('click', () => {
      input.value = '0.5';
      tell('as the scene says');
      this.command(motor, null);
    });
    return el('div', { class: 'knob motor' }, el('span', { text: knob.label }), told, release, input);
  }

  private settings(layout: Layout): HTMLElement[] {
    const { settings } = layout;
    const choose = (label: string, key: string, options: [string, unknown][], now: unknown) => {
      const select = el('select', { 'data-path': `settings/${key}` });
      if (!options.some(([, value]) => value === now)) options.unshift([String(now), now]);
      for (const [text, value] of options) select.append(el('option', { text, value: JSON.stringify(value), selected: value === now }));
      select.addEventListener('change', () => this.change((text) => withValue(text, ['settings', key], JSON.parse(select.value))));
      return el('label', { class: 'choice' }, el('span', { text: label }), select);
    };
    const step = [1000, 480, 240, 120, 60, 30].map((n): [string, unknown] => [`1/${n} s`, `1/${n} s`]);
    const now = step.find(([text]) => Math.abs(quantity(text)!.value - settings.dt) < 1e-9)?.[1] ?? settings.dt;
    return [
      choose('Solver', 'solver', ['auto', 'direct', 'sweep', 'blocks'].map((word) => [word, word]), settings.solver),
      choose('Time step', 'dt', step, now),
      choose('Substeps', 'substeps', [1, 2, 4, 10].map((n) => [String(n), n]), settings.substeps),
      choose('Iterations', 'iterations', [['automatic', 0], ...[1, 5, 10, 30, 100].map((n): [string, unknown] => [String(n), n])], settings.iterations),
    ];
  }

  /** A second world of the scene in another model, seen through. */
  private overlaid(): HTMLElement {
    const select = el('select', { id: 'overlay' }, el('option', { text: 'none', value: '' }));
    for (const word of MODELS) select.append(el('option', { text: word, value: word }));
    select.addEventListener('change', () => this.overlay((select.value || null) as CableModel | null));
    return el('label', { class: 'choice' }, el('span', { text: 'Overlay another model' }), select);
  }

  /** All cables in another model, without what that model has no use for. */
  private modelOfAll(): HTMLElement {
    const select = el('select', { id: 'swap-all' }, el('option', { text: 'choose', value: '' }));
    for (const word of MODELS) select.append(el('option', { text: word, value: word }));
    select.addEventListener('change', () => select.value && this.swap(null, select.value as CableModel));
    return el('label', { class: 'choice' }, el('span', { text: 'All cables (starts again)' }), select);
  }

  private model(cable: string, now: string): HTMLElement {
    const select = el('select', { 'data-path': `cables/${cable}/model` });
    for (const word of MODELS) select.append(el('option', { text: word, value: word, selected: word === now }));
    select.addEventListener('change', () => this.swap(cable, select.value as CableModel));
    return el('label', { class: 'choice' }, el('span', { text: `Cable ${cable} (goes on)` }), select);
  }
}
