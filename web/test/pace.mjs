// node test/pace.mjs: large scenes keep up with the clock in WebAssembly. Time is the processor's, so that other work on
// the machine does not count.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { init } from '../dist/index.js';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const reeve = await init();
const folder = mkdtempSync(join(tmpdir(), 'reeve-pace-'));

function tackle(sheaves, model) {
  execFileSync('python3', [at('../../scripts/make-scenes/strands.py'), 'compound-pulley', String(sheaves)], { cwd: folder, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } });
  const scene = JSON.parse(readFileSync(join(folder, `compound-pulley-${sheaves}.json`), 'utf8'));
  if (!model) return JSON.stringify(scene);
  const world = reeve.load(JSON.stringify(scene));
  const swapped = world.swap(model);
  world.drop();
  swapped.world.drop();
  return swapped.scene;
}

/** Simulated seconds per second of the processor, after a warm-up that compiles what is hot. */
function pace(text, seconds) {
  const world = reeve.load(text);
  const { dt } = world.layout.settings;
  world.step(Math.ceil(0.25 / dt));
  const from = process.cpuUsage();
  const steps = Math.ceil(seconds / dt);
  assert.equal(world.step(steps), steps);
  world.draw();
  const { user, system } = process.cpuUsage(from);
  const sheaves = world.layout.rotors.length;
  world.drop();
  return { faster: (steps * dt) / ((user + system) * 1e-6), step: ((user + system) * 1e-3) / steps, dt, sheaves };
}

let failed = 0;
try {
  for (const [name, text] of [
    ['hilbert3', readFileSync(at('../../scenes/hilbert3.json'), 'utf8')],
    ['tackle of 1024 sheaves, strand', tackle(1024)],
    ['tackle of 1024 sheaves, joints', tackle(1024, 'joints')],
  ]) {
    const { faster, step, dt, sheaves } = pace(text, 1);
    console.log(`${name}: ${step.toFixed(2)} ms for a step of ${(1000 * dt).toFixed(2)} ms with ${sheaves} wheels, ${faster.toFixed(1)} times real time`);
    if (faster < 1) failed++;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
assert.equal(failed, 0, `${failed} scenes are slower than real time`);
