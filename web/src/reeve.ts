import { readFrame, type Frame } from './frame.js';
import type { CableModel, CableNow, Conversion, Event, Layout, Problem, Vec3, Verdict } from './types.js';
import { Wasi } from './wasi.js';

/** A scene, a path or a state was not as it should be. */
export class ReeveError extends Error {
  constructor(readonly problem: Problem) {
    super(
      (problem.line > 0 ? `${problem.line}:${problem.column}: ` : '') +
        (problem.path ? `${problem.path}: ` : '') +
        problem.reason +
        (problem.remedy ? ` (${problem.remedy})` : ''),
    );
    this.name = 'ReeveError';
  }
}

/** The functions of wasm/api.cpp. Handles and pointers are numbers. */
interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  reeve_alloc(size: number): number;
  reeve_free(memory: number): void;
  reeve_text(): number;
  reeve_text_size(): number;
  reeve_schema(): void;
  reeve_quantity(text: number, size: number): number;
  reeve_load(text: number, size: number, name: number, nameSize: number): number;
  reeve_drop(world: number): void;
  reeve_step(world: number, count: number): number;
  reeve_time(world: number): number;
  reeve_steps(world: number): number;
  reeve_hash(world: number): void;
  reeve_save(world: number): void;
  reeve_restore(world: number, text: number, size: number): number;
  reeve_reset(world: number): void;
  reeve_keep(world: number, number: number): void;
  reeve_back(world: number, number: number): number;
  reeve_grip(world: number, onCable: number, index: number, numbers: number): void;
  reeve_let_go(world: number): void;
  reeve_pull(world: number): number;
  reeve_push(world: number, name: number, size: number, numbers: number, held: number): number;
  reeve_command(world: number, name: number, size: number, target: number): number;
  reeve_release(world: number, name: number, size: number): number;
  reeve_set(world: number, path: number, size: number, value: number): number;
  reeve_clone(world: number): number;
  reeve_swap(world: number, model: number, size: number): number;
  reeve_convert(world: number, cable: number, size: number, model: number, modelSize: number): number;
  reeve_layout(world: number): void;
  reeve_changed(world: number): number;
  reeve_cable(world: number, cable: number): void;
  reeve_draw(world: number): number;
  reeve_count(world: number): number;
  reeve_watch(world: number, path: number, size: number): number;
  reeve_read(world: number, watched: number, count: number): number;
  reeve_events(world: number): void;
  reeve_verdict(world: number): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** reeve.wasm, ready for work. One per thread; worlds of one engine share its memory. */
export class Reeve {
  /** @internal */
  readonly calls: Exports;

  private constructor(exports: Exports) {
    this.calls = exports;
  }

  static async start(module: BufferSource | WebAssembly.Module | Response | Promise<Response>): Promise<Reeve> {
    const wasi = new Wasi();
    const instance = await instantiate(await module, wasi.imports());
    const exports = instance.exports as unknown as Exports;
    wasi.memory = exports.memory;
    exports._initialize();
    return new Reeve(exports);
  }

  /** Builds a world from the text of a scene file. Throws a ReeveError that says what is wrong and where. */
  load(scene: string, name = 'scene'): World {
    const handle = this.lend(scene, (text, size) =>
      this.lend(name, (nameText, nameSize) => this.calls.reeve_load(text, size, nameText, nameSize)),
    );
    if (handle === 0) throw this.failure();
    return new World(this, handle);
  }

  /** The JSON Schema of scene files. */
  schema(): string {
    this.calls.reeve_schema();
    return this.text();
  }

  /** A number with a unit as scenes write it, "20 cm", in SI; NaN if it is none. */
  quantity(text: string): number {
    return this.lend(text, (pointer, size) => this.calls.reeve_quantity(pointer, size));
  }

  /** Bytes of memory that the engine holds. */
  get memory(): number {
    return this.calls.memory.buffer.byteLength;
  }

  /** @internal What the last call said. */
  text(): string {
    return decoder.decode(new Uint8Array(this.calls.memory.buffer, this.calls.reeve_text(), this.calls.reeve_text_size()));
  }
  /** @internal */
  failure(): ReeveError {
    return new ReeveError(JSON.parse(this.text()) as Problem);
  }
  /** @internal Puts a text into the engine's memory while `use` runs. */
  lend<T>(text: string | Uint8Array, use: (pointer: number, size: number) => T): T {
    const bytes = typeof text === 'string' ? encoder.encode(text) : text;
    const pointer = this.calls.reeve_alloc(bytes.length + 1);
    if (pointer === 0) throw new Error('reeve.wasm has no memory left');
    try {
      new Uint8Array(this.calls.memory.buffer).set(bytes, pointer);
      return use(pointer, bytes.length);
    } finally {
      this.calls.reeve_free(pointer);
    }
  }
  /** @internal A copy of numbers in the engine's memory. */
  numbers(pointer: number, count: number): Float64Array {
    return new Float64Array(this.calls.memory.buffer, pointer, count).slice();
  }
}

async function instantiate(
  module: BufferSource | WebAssembly.Module | Response,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Instance> {
  if (typeof Response !== 'undefined' && module instanceof Response) {
    if (!module.ok) throw new Error(`reeve.wasm: ${module.status} ${module.statusText} at ${module.url}`);
    return (await WebAssembly.instantiate(await module.arrayBuffer(), imports)).instance;
  }
  if (module instanceof WebAssembly.Module) return WebAssembly.instantiate(module, imports);
  return (await WebAssembly.instantiate(module as BufferSource, imports)).instance;
}

/** A world that moves. Call drop() when it is no longer needed: its memory is not JavaScript's. */
export class World {
  private known: Layout;
  private readonly watched = new Map<string, number>();

  /** @internal */
  constructor(
    private readonly reeve: Reeve,
    private handle: number,
  ) {
    this.known = this.readLayout();
  }

  /** What does not change while it moves: bodies, cables, paths. Another object when a cable has gone on in another model. */
  get layout(): Layout {
    if (this.reeve.calls.reeve_changed(this.alive) !== 0) this.known = this.readLayout();
    return this.known;
  }

  /** Advances by `count` steps of settings.dt. Returns how many were good; verdict() says what went wrong. */
  step(count = 1): number {
    return this.reeve.calls.reeve_step(this.alive, count);
  }
  /** s since the start of the scene. */
  get time(): number {
    return this.reeve.calls.reeve_time(this.alive);
  }
  get steps(): number {
    return this.reeve.calls.reeve_steps(this.alive);
  }
  verdict(): Verdict {
    this.reeve.calls.reeve_verdict(this.alive);
    return JSON.parse(this.reeve.text()) as Verdict;
  }
  /** What happened since the last call. */
  events(): Event[] {
    this.reeve.calls.reeve_events(this.alive);
    return JSON.parse(this.reeve.text()) as Event[];
  }

  /** 16 hexadecimal digits: equal states, equal hashes, on every machine. */
  hash(): string {
    this.reeve.calls.reeve_hash(this.alive);
    return this.reeve.text();
  }
  /** The whole state as text; restore() goes on from it bit for bit. `reeve run --from-state` reads it too. */
  save(): string {
    this.reeve.calls.reeve_save(this.alive);
    return this.reeve.text();
  }
  restore(state: string): void {
    const restored = this.reeve.lend(state, (text, size) => this.reeve.calls.reeve_restore(this.alive, text, size));
    if (restored === 0) throw this.reeve.failure();
  }

  /** Back to the start: state, commands, changed numbers. */
  reset(): void {
    this.reeve.calls.reeve_reset(this.alive);
  }
  /** Keeps the state as a value under a small number, without a text; back(number) returns to it bit for bit. */
  keep(number: number): void {
    this.reeve.calls.reeve_keep(this.alive, number);
  }
  back(number: number): void {
    if (this.reeve.calls.reeve_back(this.alive, number) === 0) throw this.reeve.failure();
  }

  /** What a motor follows from now on, in the unit of its drive: rad/s or m/s, rad or m, N m or N. */
  command(motor: string, target: number): void {
    this.named(motor, (text, size) => this.reeve.calls.reeve_command(this.alive, text, size, target));
  }
  /** The motor follows the scene again. */
  release(motor: string): void {
    this.named(motor, (text, size) => this.reeve.calls.reeve_release(this.alive, text, size));
  }
  /** A force (N, world frame) at a point of a body (its frame), for the next step, or until it is changed. */
  push(body: string, force: Vec3, at: Vec3 = [0, 0, 0], held = false): void {
    const numbers = new Uint8Array(Float64Array.of(...force, ...at).buffer);
    this.named(body, (text, size) =>
      this.reeve.lend(numbers, (list) => this.reeve.calls.reeve_push(this.alive, text, size, list, held ? 1 : 0)),
    );
  }
  /** Pulls a body at a point (its frame), or a cable at a place along its line (0 to 1), to a target by a spring. */
  grip(on: { body: string; point: Vec3 } | { cable: string; along: number }, target: Vec3): void {
    const cable = 'cable' in on;
    const list = cable ? this.layout.cables : this.layout.bodies;
    const name = cable ? on.cable : on.body;
    const index = list.findIndex((one) => one.name === name);
    if (index < 0) throw new ReeveError({ path: '', reason: `there is no ${cable ? 'cable' : 'body'} '${name}'`, remedy: list.map((one) => one.name).join(', '), line: 0, column: 0 });
    const numbers = Float64Array.of(...(cable ? [0, 0, 0] : on.point), cable ? on.along : 0, ...target);
    this.reeve.lend(new Uint8Array(numbers.buffer), (pointer) => this.reeve.calls.reeve_grip(this.alive, cable ? 1 : 0, index, pointer));
  }
  letGo(): void {
    this.reeve.calls.reeve_let_go(this.alive);
  }
  /** The force of the spring in the last step, N, and where it holds. */
  pull(): { force: number; at: Vec3 } {
    const [force, x, y, z] = this.reeve.numbers(this.reeve.calls.reeve_pull(this.alive), 4);
    return { force, at: [x, y, z] };
  }
  /** Changes a number of the scene while it runs, "bodies.load.mass". Throws a ReeveError if it cannot change. */
  set(path: string, value: number): void {
    this.named(path, (text, size) => this.reeve.calls.reeve_set(this.alive, text, size, value));
  }
  /** The scene with all its cables in another model, built anew: its world and its text. Throws if it cannot be. */
  swap(model: CableModel): { world: World; scene: string } {
    const handle = this.reeve.lend(model, (text, size) => this.reeve.calls.reeve_swap(this.alive, text, size));
    if (handle === 0) throw this.reeve.failure();
    const scene = this.reeve.text();
    return { world: new World(this.reeve, handle), scene };
  }
  /** A cable goes on in another model, what it holds where it is and as fast. Throws a ReeveError, and changes nothing,
   *  if it cannot. What save() has written restores across it; what keep() has kept is forgotten. */
  convert(cable: string, model: CableModel): Conversion {
    const done = this.reeve.lend(cable, (text, size) =>
      this.reeve.lend(model, (word, length) =>
        this.reeve.calls.reeve_convert(this.alive, text, size, word, length)));
    if (done === 0) throw this.reeve.failure();
    return JSON.parse(this.reeve.text()) as Conversion;
  }
  /** A world of its own in the same state. */
  clone(): World {
    return new World(this.reeve, this.reeve.calls.reeve_clone(this.alive));
  }

  /** One number by its path, "cables.main.spans.0.tension". Throws a ReeveError that names what there is. */
  read(path: string): number {
    return this.readAll([path])[0];
  }
  /** Numbers by their paths. NaN for a span that is not there now. */
  readAll(paths: readonly string[]): Float64Array {
    const which = Int32Array.from(paths, (path) => this.watch(path));
    const bytes = new Uint8Array(which.buffer);
    return this.reeve.lend(bytes, (list) =>
      this.reeve.numbers(this.reeve.calls.reeve_read(this.alive, list, which.length), which.length),
    );
  }
  /** Lengths, tensions, links and spans of a cable. */
  cable(name: string): CableNow {
    const index = this.layout.cables.findIndex((cable) => cable.name === name);
    this.reeve.calls.reeve_cable(this.alive, index);
    const now = JSON.parse(this.reeve.text()) as CableNow | null;
    if (now) return now;
    const names = this.layout.cables.map((cable) => cable.name).join(', ');
    throw new ReeveError({ path: '', reason: `there is no cable '${name}'`, remedy: names, line: 0, column: 0 });
  }
  /** Numbers for drawing; frame() reads them. Plain, so that a worker can hand them over. */
  draw(): Float64Array {
    const pointer = this.reeve.calls.reeve_draw(this.alive);
    return this.reeve.numbers(pointer, this.reeve.calls.reeve_count(this.alive));
  }
  frame(): Frame {
    return readFrame(this.layout, this.draw());
  }

  /** Gives its memory back. */
  drop(): void {
    if (this.handle !== 0) this.reeve.calls.reeve_drop(this.handle);
    this.handle = 0;
  }

  private readLayout(): Layout {
    this.reeve.calls.reeve_layout(this.alive);
    return JSON.parse(this.reeve.text()) as Layout;
  }
  private get alive(): number {
    if (this.handle === 0) throw new Error('this world was dropped');
    return this.handle;
  }
  /** A call that takes a name and answers 0 when it fails. */
  private named(name: string, call: (text: number, size: number) => number): void {
    if (this.reeve.lend(name, call) === 0) throw this.reeve.failure();
  }
  private watch(path: string): number {
    const known = this.watched.get(path);
    if (known !== undefined) return known;
    const number = this.reeve.lend(path, (text, size) => this.reeve.calls.reeve_watch(this.alive, text, size));
    if (number < 0) throw this.reeve.failure();
    this.watched.set(path, number);
    return number;
  }
}
