// node test/hashes.mjs REEVE: every shipped scene gives the same bits from the package and from the native command.
// Up to two simulated seconds each, or as far as the time for it reaches; then saved, taken back and run again.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { init } from '../dist/index.js';

const [command = fileURLToPath(new URL('../../build/release/bin/reeve', import.meta.url))] = process.argv.slice(2);
const scenes = fileURLToPath(new URL('../../scenes', import.meta.url));
const run = promisify(execFile);
const reeve = await init();
/** ms for the steps of one scene here. */
const LIMIT = Number(process.env.REEVE_HASH_LIMIT ?? 400);

/** The shortest of some runs: others use the machine too. More of them where one is over at once. */
async function shortest(run) {
  let best = await run();
  for (let spent = best, i = 1; i < 3 || (spent < 60 && i < 12); i++) {
    if (spent > 2 * LIMIT) break;
    const next = await run();
    spent += next;
    best = Math.min(best, next);
  }
  return best;
}

/** Steps a scene, takes it back and runs it again, which is timed: what is hot is compiled by then. */
async function measure(file) {
  const world = reeve.load(readFileSync(`${scenes}/${file}`, 'utf8'), file);
  const { dt } = world.layout.settings;
  const most = Math.max(1, Math.round(2 / dt));
  const started = performance.now();
  let steps = 0;
  let middle;
  while (steps < most && performance.now() - started < LIMIT) {
    if (world.step() !== 1) break;
    steps++;
    if (steps === 5) middle = world.save();
  }
  let cost = (performance.now() - started) / steps;
  const { good } = world.verdict();
  const hash = world.hash();
  const { time } = world;
  if (middle) {
    const total = await shortest(() => {
      world.restore(middle);
      const from = performance.now();
      world.step(steps - 5);
      return performance.now() - from;
    });
    if (steps > 5) cost = total / (steps - 5);
    assert.equal(world.hash(), hash, `${file}: taken back and run again it is another state after ${steps} steps`);
  }
  world.drop();
  return { file, steps, time, dt, hash, cost, good };
}

async function native({ file, steps, dt }) {
  // Half a step more or less: the command rounds to whole steps.
  const { stdout } = await run(command, ['run', `${scenes}/${file}`, '--seconds', String(steps * dt), '--json', '--quiet'], { maxBuffer: 1 << 28 })
    .catch((error) => error);
  if (!stdout) throw new Error(`${file}: the command printed nothing for ${steps} steps of ${dt}`);
  return JSON.parse(stdout);
}

const files = readdirSync(scenes).filter((file) => file.endsWith('.json') && file !== 'schema.json').sort();
const costs = [];
let failed = 0;
for (const file of files) {
  const here = await measure(file);
  let there;
  const total = await shortest(async () => 1000 * (there = await native(here)).wall_seconds);
  const ratio = here.cost / (total / there.steps);
  costs.push({ file, here: here.cost, ratio, steps: here.steps });
  if (there.steps !== here.steps || there.hash !== here.hash) {
    failed++;
    console.error(`${file}: after ${here.steps} steps ${here.hash}, native after ${there.steps} ${there.hash}`);
  }
}
assert.equal(failed, 0, `${failed} of ${files.length} scenes differ`);
const sorted = costs.map(({ ratio }) => ratio).sort((a, b) => a - b);
if (process.env.REEVE_VERBOSE) for (const { file, here, ratio, steps } of costs) console.log(file.padEnd(26), `${here.toFixed(3)} ms per step, ${ratio.toFixed(2)} x native, ${steps} steps`);
const median = sorted[sorted.length >> 1];
// Others use the machine too: what looks slow is measured again, here and there in turns.
for (const one of costs)
  for (let turn = 0; one.ratio > 2 && turn < 6; turn++) {
    const here = await measure(one.file);
    const there = await native(here);
    one.ratio = Math.min(one.ratio, here.cost / ((1000 * there.wall_seconds) / there.steps));
  }
for (const { file, ratio } of costs) assert.ok(ratio < 2, `${file}: time per step is ${ratio.toFixed(2)} times native`);
const worst = costs.reduce((a, b) => (b.ratio > a.ratio ? b : a));
console.log(`${files.length} scenes, the same hash here and native, also taken back and run again; time per step ${median.toFixed(2)} times native in the median, at most ${worst.ratio.toFixed(2)} (${worst.file})`);
