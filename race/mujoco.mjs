// node race/mujoco.mjs SCENES OUT.json: MuJoCo as npm has it (@mujoco/mujoco, WebAssembly) on the scenes that
// `reeve_race --mujoco-scenes SCENES` wrote: the chain with each of its integrators. Prints a table, keeps it as JSON.
// $MUJOCO_MODULE is where the module is, if not in node_modules.
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const load = (await import(process.env.MUJOCO_MODULE ?? '@mujoco/mujoco')).default;
const mujoco = await load({print: () => {}, printErr: () => {}});
const [folder, out] = process.argv.slice(2);
const version = mujoco.mj_versionString();
const integrators = Object.keys(mujoco.mjtIntegrator).filter((k) => k.startsWith('mjINT_'));
const value = (e) => (typeof e === 'object' ? e.value : e);
const results = [];

function run(xml, integrator, dt, steps) {
  const model = mujoco.MjModel.from_xml_string(xml);
  model.opt.timestep = dt;
  model.opt.integrator = value(mujoco.mjtIntegrator[integrator]);
  model.opt.enableflags |= value(mujoco.mjtEnableBit.mjENBL_ENERGY);
  const data = new mujoco.MjData(model);
  mujoco.mj_forward(model, data);
  const energy = () => data.energy[0] + data.energy[1];
  const start = energy();
  let gained = 0, gap = 0, failed = false, seconds = 0, done = 0;
  for (; done < steps && !failed; ++done) {
    const before = process.cpuUsage();
    mujoco.mj_step(model, data);
    const spent = process.cpuUsage(before);
    seconds += (spent.user + spent.system) / 1e6;
    gained = Math.max(gained, energy() - start);
    const p = data.xpos;
    for (let b = 2; b < model.nbody; ++b) {  // links of 0.5 m: centres of neighbours are never further apart
      const apart = Math.hypot(p[3 * b] - p[3 * b - 3], p[3 * b + 1] - p[3 * b - 2], p[3 * b + 2] - p[3 * b - 1]);
      gap = Math.max(gap, apart / 0.5 - 1);
    }
    failed = !Number.isFinite(energy()) || data.time < 0.5 * dt * (done + 1);  // a bad state makes it start again
  }
  data.delete();
  model.delete();
  return {gained, gap, failed, microseconds: 1e6 * seconds / done};
}

console.log(`MuJoCo ${version} as WebAssembly, node ${process.version}`);
console.log('scene                 integrator           us/step   gap of a link   energy gained');
for (const file of readdirSync(folder).filter((f) => /^chain-.*\.xml$/.test(f)).sort()) {
  const [, weight, how] = file.match(/^chain-(\d+)-(\w+)\.xml$/);
  const load = Number(weight);
  let work = 0;
  for (let i = 0; i < 24; ++i) work += (i === 23 ? load : 1) * 10 * (0.25 + 0.5 * i);
  const xml = readFileSync(join(folder, file), 'utf8').replace(/<size[^>]*>/, '');
  for (const integrator of integrators) {
    const coarse = run(xml, integrator, 1 / 60, 600), start = run(xml, integrator, 1 / 6000, 1800);
    const failed = coarse.failed || coarse.gap > 0.1 || coarse.gained / work > 0.1;
    const sound = !start.failed && start.gap < 0.1 && start.gained / work < 0.1;
    results.push({
      race: 'chain, load', n: load, engine: `mujoco ${version} wasm`, how: `${how}, ${integrator.slice(6)}`,
      microseconds: coarse.microseconds, error: coarse.gap, gained: coarse.gained / work, failed, sound,
    });
    console.log(`${file.padEnd(21)} ${integrator.slice(6).padEnd(18)} ${coarse.microseconds.toFixed(1).padStart(9)} ` +
        `${coarse.gap.toExponential(1).padStart(15)} ${(coarse.gained / work).toExponential(1).padStart(15)}` +
        `${failed ? '  FAILED' : ''}${sound ? '' : '  set-up in doubt'}`);
    if (out) writeFileSync(out, JSON.stringify({node: process.version, version, results}, null, 1) + '\n');
  }
}
