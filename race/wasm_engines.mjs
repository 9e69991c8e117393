// Reeve and MuJoCo as WebAssembly, behind one interface: step(), energy(), place(), joint(), time.
import {readFileSync} from 'node:fs';

/** An enumerator of MuJoCo's, as a number. */
const value = (e) => (typeof e === 'object' ? e.value : e);

/** What moves a scene besides gravity. A share of a smooth ramp over one second. */
const smooth = (s) => s * s * (3 - 2 * s);
const drives = {
  /** The drum's speed of scenes/winch.json. */
  winch: (runner) => {
    const t = (runner.steps + 0.5) * runner.dt;
    const s = t < 4 ? Math.min(1, t) : Math.max(0, 5 - t);
    runner.array('qvel')[runner.spin] = -2 * smooth(s);
  },
  finger: (runner, force) => {
    runner.array('qfrc_applied')[runner.muscle] = -force * smooth(Math.min(1, (runner.steps + 1) * runner.dt));
  },
};
/** kg m² of the winch's drum, so much that its speed is as given (machine races); its energy does not count. */
const heavyDrum = 1e6;

export class MujocoRunner {
  constructor(mujoco, xml, dt, integrator, drive) {
    Object.assign(this, {mujoco, dt, arrays: {}});
    // 3.14 finds its memory itself.
    this.model = mujoco.MjModel.from_xml_string(xml.replace(/<size[^>]*>/, ''));
    this.model.opt.timestep = dt;
    this.model.opt.integrator = value(mujoco.mjtIntegrator[`mjINT_${integrator}`]);
    this.data = new mujoco.MjData(this.model);
    this.aside = new mujoco.MjData(this.model);
    mujoco.mj_forward(this.model, this.data);
    // A limited tendon, which has a range, is as long as it is at the start.
    for (let i = 0; i < this.model.ntendon; ++i)
      if (this.model.tendon_range[2 * i + 1] > 0) this.model.tendon_range[2 * i + 1] = this.data.ten_length[i];
    const dof = (name) => {
      const id = mujoco.mj_name2id(this.model, value(mujoco.mjtObj.mjOBJ_JOINT), name);
      return id < 0 ? -1 : this.model.jnt_dofadr[id];
    };
    this.spin = dof('spin');
    this.muscle = dof('muscle');
    const [kind, number] = (drive ?? '').split(' ');
    this.driven = kind;
    this.drive = kind ? () => drives[kind](this, Number(number)) : () => {};
    this.reset();
  }
  /** One of data's arrays, asked for once: a view is made for every call, which takes longer than a small step. */
  array(name) {
    if (!this.arrays[name]?.length) this.arrays[name] = this.data[name];
    return this.arrays[name];
  }
  reset() {
    this.mujoco.mj_resetData(this.model, this.data);
    this.mujoco.mj_forward(this.model, this.data);
    this.steps = 0;
  }
  step() {
    this.drive();
    this.mujoco.mj_step(this.model, this.data);
    ++this.steps;
  }
  /** It starts again from the beginning when a state is bad. */
  good() {
    return this.data.time > 0.5 * this.dt * this.steps;
  }
  /** Everything at the positions reached: after mj_step it is that of the step's beginning. */
  look() {
    const {mujoco, model, data, aside} = this;
    for (const name of ['qpos', 'qvel', 'qacc_warmstart', 'qfrc_applied']) aside[name].set(data[name]);
    aside.time = data.time;
    mujoco.mj_forward(model, aside);
    mujoco.mj_energyPos(model, aside);
    mujoco.mj_energyVel(model, aside);
  }
  energy() {
    const drum = this.driven === 'winch' ? 0.5 * heavyDrum * this.data.qvel[this.spin] ** 2 : 0;
    return this.aside.energy[0] + this.aside.energy[1] - drum;
  }
  /** Position and quaternion of the i-th body that moves, or of a named one. */
  pose(body) {
    const {mujoco, model, aside} = this;
    const id = typeof body === 'number' ? body + 1 : mujoco.mj_name2id(model, value(mujoco.mjtObj.mjOBJ_BODY), body);
    return {place: aside.xpos.slice(3 * id, 3 * id + 3), turn: aside.xquat.slice(4 * id, 4 * id + 4)};
  }
  time() { return this.data.time; }
  /** Of a flex, its vertices; else none. */
  line() {
    if (this.model.nflex === 0) return null;
    const x = this.aside.flexvert_xpos, points = [];
    for (let i = 0; i < x.length; i += 3) points.push([x[i], x[i + 1], x[i + 2]]);
    return points;
  }
  joint(name) {
    const id = this.mujoco.mj_name2id(this.model, value(this.mujoco.mjtObj.mjOBJ_JOINT), name);
    return this.aside.qpos[this.model.jnt_qposadr[id]];
  }
  drop() {
    for (const thing of [this.aside, this.data, this.model]) thing.delete();
  }
}

/** reeve.wasm as scripts/build wasm reeve_web makes it: the module of the npm package, called as that calls it. */
export async function startReeve(file) {
  let calls;
  const wasi = new Proxy({proc_exit: (code) => { throw new Error(`reeve.wasm ended with code ${code}`); }},
      {get: (known, name) => known[name] ?? (() => 52)});
  const {instance} = await WebAssembly.instantiate(readFileSync(file), {wasi_snapshot_preview1: wasi});
  calls = instance.exports;
  calls._initialize();
  const lend = (text, use) => {
    const bytes = new TextEncoder().encode(text);
    const at = calls.reeve_alloc(bytes.length);
    new Uint8Array(calls.memory.buffer).set(bytes, at);
    const result = use(at, bytes.length);
    calls.reeve_free(at);
    return result;
  };
  const said = () => new TextDecoder().decode(
      new Uint8Array(calls.memory.buffer, calls.reeve_text(), calls.reeve_text_size()));
  return {calls, lend, said};
}

export class ReeveRunner {
  constructor(reeve, scene, dt) {
    this.reeve = reeve;
    const description = JSON.parse(scene);
    description.settings = {...description.settings, dt};
    this.dynamic = Object.entries(description.bodies ?? {}).filter(([, b]) => (b.motion ?? 'dynamic') === 'dynamic').map(([n]) => n);
    const count = (part) => Object.keys(description[part] ?? {}).length;
    // Numbers before those of the first cable.
    this.before = count('cables') ? 12 + 7 * count('bodies') + 2 * count('rotors') + 3 * count('particles') : null;
    const text = JSON.stringify(description);
    this.world = reeve.lend(text, (at, size) => reeve.lend('race', (name, n) => reeve.calls.reeve_load(at, size, name, n)));
    if (!this.world) throw new Error(reeve.said());
    this.watched = new Map();
    this.ok = true;
  }
  reset() {
    this.reeve.calls.reeve_reset(this.world);
    this.ok = true;
  }
  step() {
    if (!this.reeve.calls.reeve_step(this.world, 1)) this.ok = false;
  }
  good() { return this.ok; }
  look() {}
  read(...paths) {
    const {calls, lend} = this.reeve;
    const numbers = paths.map((path) => {
      if (!this.watched.has(path)) this.watched.set(path, lend(path, (at, n) => calls.reeve_watch(this.world, at, n)));
      return this.watched.get(path);
    });
    const at = calls.reeve_alloc(4 * numbers.length);
    new Int32Array(calls.memory.buffer, at, numbers.length).set(numbers);
    const result = calls.reeve_read(this.world, at, numbers.length);
    const values = Array.from(new Float64Array(calls.memory.buffer, result, numbers.length));
    calls.reeve_free(at);
    return values;
  }
  energy() { return this.read('energy.total')[0]; }
  pose(body) {
    const name = typeof body === 'number' ? this.dynamic[body] : body;
    const v = this.read(...['position.x', 'position.y', 'position.z', 'orientation.w', 'orientation.x', 'orientation.y',
      'orientation.z'].map((field) => `bodies.${name}.${field}`));
    return {place: v.slice(0, 3), turn: v.slice(3)};
  }
  joint(name) { return this.read(`joints.${name}.coordinate`)[0]; }
  time() { return this.reeve.calls.reeve_time(this.world); }
  /** Of the first cable, as it is drawn (wasm/session.h); none without one. */
  line() {
    if (this.before === null) return null;
    const {calls} = this.reeve, at = calls.reeve_draw(this.world);
    const all = new Float64Array(calls.memory.buffer, at, calls.reeve_count(this.world));
    const points = [];
    for (let i = 0; i < all[this.before]; ++i) points.push([...all.slice(this.before + 5 + 4 * i, this.before + 8 + 4 * i)]);
    return points;
  }
  drop() { this.reeve.calls.reeve_drop(this.world); }
}
