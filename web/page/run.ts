/** A world that runs with all that belongs to it: what is watched, its past, what hands do, and a second world over it. */
import type { CableModel, Conversion, Layout, Reeve, World } from '../dist/index.js';
import { Deeds, type Deed } from './deeds.js';
import type { Grip, Shown } from './protocol.js';
import { Timeline } from './timeline.js';

/** ms in which a second world must have caught up with the first. */
const PATIENCE = 5_000;

const bytes = new TextDecoder();

export class Run {
  private readonly timeline = new Timeline();
  private readonly deeds = new Deeds();
  /** The same scene with another model of cables, and its states. */
  private ghost: World | undefined;
  private readonly ghostLine = new Timeline();
  private note = '';
  private watched: string[] = [];
  private samples: number[] = [];
  /** s between samples of the plots. */
  private readonly spacing: number;
  private sampled = -Infinity;
  private cost = 0;
  private gripped = false;
  /** As the page knows it. */
  private told: Layout;

  constructor(
    private readonly reeve: Reeve,
    readonly world: World,
  ) {
    this.told = world.layout;
    this.spacing = Math.max(this.dt, 1 / 60);
    this.keep();
  }

  get dt(): number {
    return this.told.settings.dt;
  }

  drop(): void {
    this.dropGhost();
    this.world.drop();
  }

  /** Everything the page wants to know after a request. */
  show(): Shown {
    const { layout } = this.world;
    const shown: Shown = {
      numbers: this.world.draw(),
      samples: new Float64Array(this.samples),
      events: this.world.events().slice(0, 100),
      verdict: this.world.verdict(),
      range: this.timeline.range,
      cost: this.cost,
      pull: this.gripped ? this.world.pull() : null,
      memory: this.reeve.memory,
      ghost: this.ghost?.draw() ?? null,
      note: this.note,
      layout: layout === this.told ? null : layout,
    };
    this.told = layout;
    this.samples = [];
    this.note = '';
    return shown;
  }

  watch(paths: string[]): void {
    this.world.readAll(paths); // throws on a path that is none
    this.watched = paths;
    this.samples = [];
    this.sample(true);
  }

  advance(seconds: number, budget: number): void {
    const from = performance.now();
    const until = this.world.time + seconds - this.dt / 2;
    let steps = 0;
    while (this.world.time < until && this.step()) {
      steps++;
      if (performance.now() - from > budget) break;
    }
    if (steps > 0) this.cost += 0.2 * ((performance.now() - from) / steps - this.cost);
  }

  /** One step, with what belongs to it. False when the run went bad. */
  step(): boolean {
    const good = this.stepBoth();
    this.sample();
    if (good) this.keep();
    this.again();
    return good;
  }

  /** Something new is done to the run, from here on. */
  act(deed: Deed): Conversion | undefined {
    const done = this.perform(deed); // throws if it cannot be, and then nothing has changed
    this.timeline.cut(this.world.time);
    this.ghostLine.cut(this.world.time);
    this.deeds.add(this.world.steps, deed);
    return done;
  }

  /** Another state from outside: there is no way back from it. */
  restore(state: string): void {
    this.world.restore(state);
    this.timeline.clear();
    this.deeds.clear();
    this.keep();
  }

  /** To a time that was: from the state kept before it, everything is done again. */
  seek(time: number): void {
    const half = this.dt / 2;
    let start = this.timeline.before(time);
    let other = this.ghost && this.ghostLine.before(time);
    if (!start) return;
    if (other && other.time > time + half) {
      this.dropGhost('The overlaid model begins later than this.');
      other = undefined;
    }
    if (other && other.time < start.time) start = this.timeline.before(other.time)!;
    this.world.restore(bytes.decode(start.state));
    const pull = this.deeds.rewind(start.steps);
    if (pull) this.perform(pull);
    else this.hold(null);
    const catchUp = () => {
      if (!other || this.world.steps < other.steps) return;
      this.ghost?.restore(bytes.decode(other.state));
      other = undefined;
    };
    catchUp();
    this.again();
    while (this.world.time < time - half && (other ? this.world.step(1) === 1 : this.stepBoth())) {
      catchUp();
      this.again();
    }
    this.world.events();
    this.samples = [];
    this.sampled = this.world.time;
  }

  /** A second world of the scene at this time, its cables in another model; null takes it away. */
  overlay(model: CableModel | null): void {
    this.dropGhost();
    if (model === null) return;
    const other = this.world.swap(model).world;
    const until = performance.now() + PATIENCE;
    for (const { steps, deed } of [...this.deeds.before(this.world.steps), { steps: this.world.steps, deed: undefined }]) {
      while (other.steps < steps && other.step(1) === 1)
        if (performance.now() > until) {
          other.drop();
          this.note = 'The other model would need too long to come as far as this: reset, then overlay it.';
          return;
        }
      if (deed && deed.kind !== 'convert') follow(other, deed);
    }
    this.ghost = other;
    this.ghostLine.keep(other.time, other.steps, other.save());
  }

  private stepBoth(): boolean {
    const good = this.world.step(1) === 1;
    if (good && this.ghost && this.ghost.step(1) !== 1) {
      const { culprit, reason, time } = this.ghost.verdict();
      this.dropGhost(`The overlaid model went bad at ${time.toFixed(3)} s: ${culprit} ${reason}.`);
    }
    return good;
  }

  /** What was done at this step before the run was taken back. */
  private again(): void {
    for (const deed of this.deeds.due(this.world.steps)) this.perform(deed);
  }

  private perform(deed: Deed): Conversion | undefined {
    if (deed.kind === 'convert') return this.world.convert(deed.cable, deed.model);
    if (deed.kind === 'grip') this.hold(deed.grip);
    else follow(this.world, deed);
    if (!this.ghost) return undefined;
    try {
      follow(this.ghost, deed);
    } catch {
      this.dropGhost('The overlaid model cannot follow this change.');
    }
    return undefined;
  }

  private hold(grip: Grip | null): void {
    this.gripped = grip !== null;
    follow(this.world, { kind: 'grip', grip });
  }

  private sample(force = false): void {
    const { time } = this.world;
    if (!force && time < this.sampled + this.spacing * 0.999) return;
    this.sampled = time;
    this.samples.push(time, ...this.world.readAll(this.watched));
  }

  private keep(): void {
    const { world, ghost } = this;
    if (!this.timeline.wants(world.time)) return;
    this.timeline.keep(world.time, world.steps, world.save());
    if (ghost) this.ghostLine.keep(ghost.time, ghost.steps, ghost.save());
    this.deeds.forget(this.timeline.first);
  }

  private dropGhost(why = ''): void {
    this.ghost?.drop();
    this.ghost = undefined;
    this.ghostLine.clear();
    this.note = why;
  }
}

/** What a hand does, to one world. */
function follow(world: World, deed: Exclude<Deed, { kind: 'convert' }>): void {
  if (deed.kind === 'set') return world.set(deed.path, deed.value);
  if (deed.kind === 'command') return deed.target === null ? world.release(deed.motor) : world.command(deed.motor, deed.target);
  if (!deed.grip) return world.letGo();
  const { kind, index, point, along, target } = deed.grip;
  if (kind === 'cable') world.grip({ cable: world.layout.cables[index].name, along }, target);
  else world.grip({ body: world.layout.bodies[index].name, point }, target);
}
