/** A scene that is open: its text, its world in the worker, and whether it runs. */
import { readFrame } from '../src/frame.js';
import type { CableModel, CableNow, Conversion, Frame, Layout, Problem } from '../src/index.js';
import { Broken, type Physics } from './physics.js';
import type { Answer, Grip, Request, Shown } from './protocol.js';

export interface Listeners {
  /** A scene was opened, anew or again with changes. */
  opened(layout: Layout, frame: Frame, how: OpenOptions): void;
  shown(frame: Frame, shown: Shown): void;
  /** A cable is of another model now; everything else is as it was. */
  relaid(layout: Layout, frame: Frame): void;
  /** There is something wrong with the scene that was to be opened. The one before stays. */
  problem(problem: Problem): void;
  /** The worker had to be ended; nothing is open. */
  broke(message: string): void;
  playing(on: boolean): void;
  /** The run reached the end that the scene gives, or went bad. */
  ended(message: string): void;
}

export interface OpenOptions {
  keepView?: boolean;
  play?: boolean;
}

export class Session {
  text = '';
  /** What the world was built from: changes that were made while it ran are not in it. */
  built = '';
  name = '';
  layout: Layout | undefined;
  frame: Frame | undefined;
  shown: Shown | undefined;
  /** The world that is overlaid. */
  ghost: Frame | undefined;
  playing = false;
  /** Simulated seconds per second. */
  speed = 1;
  private readonly listeners: Partial<Listeners>[] = [];
  private paths: string[] = [];
  private owed = 0;
  private last = 0;
  private busy = false;
  private stopAt = Infinity;

  constructor(readonly physics: Physics) {}

  on(listener: Partial<Listeners>): void {
    this.listeners.push(listener);
  }

  async open(text: string, name: string, how: OpenOptions = {}): Promise<boolean> {
    this.pause();
    const answer = await this.ask({ kind: 'load', text, name });
    if (answer?.kind === 'problem') this.tell('problem', answer.problem);
    if (answer?.kind !== 'loaded') return false;
    this.text = this.built = text;
    this.name = name;
    this.layout = answer.layout;
    this.stopAt = answer.layout.settings.seconds;
    this.shown = answer.shown;
    this.frame = readFrame(answer.layout, answer.shown.numbers);
    this.ghost = undefined;
    this.tell('opened', answer.layout, this.frame, how);
    if (how.play) this.play();
    return true;
  }

  play(): void {
    if (this.playing || !this.layout) return;
    this.playing = true;
    this.last = performance.now();
    this.owed = 0;
    if ((this.frame?.time ?? 0) >= this.stopAt - this.layout.settings.dt / 2) this.stopAt = Infinity;
    this.tell('playing', true);
    requestAnimationFrame(() => void this.tick());
  }
  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.tell('playing', false);
  }
  step(count = 1): Promise<void> {
    this.pause();
    return this.show({ kind: 'steps', count });
  }
  seek(time: number): Promise<void> {
    this.pause();
    return this.show({ kind: 'seek', time });
  }
  /** From the start again. */
  reset(): Promise<boolean> {
    return this.open(this.text, this.name, { keepView: true });
  }
  async watch(paths: string[]): Promise<void> {
    this.paths = paths;
    await this.show({ kind: 'watch', paths });
  }
  get watched(): readonly string[] {
    return this.paths;
  }
  grip(grip: Grip | null): Promise<void> {
    return this.show({ kind: 'grip', grip });
  }
  async cable(name: string): Promise<CableNow | undefined> {
    const answer = await this.ask({ kind: 'cable', name });
    return answer?.kind === 'cable' ? answer.cable : undefined;
  }
  async read(paths: string[]): Promise<Float64Array | undefined> {
    const answer = await this.ask({ kind: 'read', paths });
    return answer?.kind === 'numbers' ? answer.numbers : undefined;
  }
  async words(request: { kind: 'hash' } | { kind: 'save' }): Promise<string> {
    const answer = await this.ask(request);
    return answer?.kind === 'text' ? answer.text : '';
  }
  /** The scene with its cables in another model, as text; a problem is told. */
  async swapped(model: CableModel): Promise<string | undefined> {
    const answer = await this.ask({ kind: 'swap', model });
    if (answer?.kind === 'problem') this.tell('problem', { ...answer.problem, line: 0 });
    return answer?.kind === 'text' ? answer.text : undefined;
  }
  /** A cable goes on in another model: what that did to the energy, or why it cannot. */
  async convert(cable: string, model: CableModel): Promise<Conversion | Problem | undefined> {
    const answer = await this.ask({ kind: 'convert', cable, model });
    if (answer?.kind === 'problem') return answer.problem;
    if (answer?.kind !== 'converted') return undefined;
    this.take(answer.shown);
    return answer.conversion;
  }
  /** A second world of the scene at this time with the cables in another model; null takes it away. */
  overlay(model: CableModel | null): Promise<void> {
    return this.show({ kind: 'overlay', model });
  }
  /** What a motor follows from now on; null: the scene again. */
  command(motor: string, target: number | string | null): Promise<void> {
    return this.show({ kind: 'command', motor, target });
  }
  /** Whether a change could be made while the world runs; otherwise it has to be built anew. */
  async set(path: string, value: number | string): Promise<boolean> {
    const answer = await this.ask({ kind: 'set', path, value });
    return answer?.kind === 'shown';
  }

  /** One frame of a run: asks for as much as the clock has moved, and no more than the worker can do. */
  private async tick(): Promise<void> {
    if (!this.playing || !this.layout) return;
    const now = performance.now();
    this.owed = Math.min(this.owed + ((now - this.last) / 1000) * this.speed, 0.1 * Math.max(this.speed, 1));
    this.last = now;
    const before = this.frame!.time;
    const seconds = Math.min(this.owed, this.stopAt - before);
    if (!this.busy && seconds >= this.layout.settings.dt / 2) {
      await this.show({ kind: 'advance', seconds, budget: 40 });
      this.owed = Math.max(this.owed - (this.frame!.time - before), 0);
      this.checkEnd();
    }
    if (this.playing) requestAnimationFrame(() => void this.tick());
  }

  private checkEnd(): void {
    const { shown, frame, layout } = this;
    if (!shown || !frame || !layout) return;
    if (!shown.verdict.good) {
      this.pause();
      this.tell('ended', `Went bad at ${shown.verdict.time.toFixed(3)} s: ${shown.verdict.culprit} ${shown.verdict.reason}. The last good state is shown.`);
    } else if (frame.time >= this.stopAt - layout.settings.dt / 2) {
      this.pause();
      this.tell('ended', `The scene ends here, at ${frame.time.toFixed(2)} s. Play goes on beyond it.`);
    }
  }

  private async show(request: Request): Promise<void> {
    this.busy = true;
    try {
      const answer = await this.ask(request);
      if (answer?.kind === 'problem') this.tell('problem', answer.problem);
      if (answer?.kind !== 'shown') return;
      this.take(answer.shown);
    } finally {
      this.busy = false;
    }
  }

  private take(shown: Shown): void {
    if (!this.layout) return;
    this.shown = shown;
    this.layout = shown.layout ?? this.layout;
    this.frame = readFrame(this.layout, shown.numbers);
    this.ghost = shown.ghost ? readFrame(this.layout, shown.ghost) : undefined;
    if (shown.layout) this.tell('relaid', shown.layout, this.frame);
    this.tell('shown', this.frame, shown);
  }

  private async ask(request: Request): Promise<Answer | undefined> {
    try {
      return await this.physics.ask(request);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.pause();
      this.layout = undefined;
      this.tell('broke', error.message);
      return undefined;
    }
  }

  private tell<K extends keyof Listeners>(what: K, ...args: Parameters<Listeners[K]>): void {
    for (const listener of this.listeners)
      (listener[what] as ((...all: Parameters<Listeners[K]>) => void) | undefined)?.(...args);
  }
}
