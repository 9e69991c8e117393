// node race/wasm.mjs SCENES REEVE.wasm OUT.json [--quick]: Reeve and MuJoCo as npm has it (@mujoco/mujoco), both as
// WebAssembly in one thread of node, on the scenes that `reeve_race --scenes SCENES` wrote; MuJoCo with each of its
// integrators. Errors and energies are judged as race/race.cpp does. Prints a table, keeps it as JSON.
// $MUJOCO_MODULE is where the module is, if not in node_modules.
import {readFileSync, writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {join} from 'node:path';
import {MujocoRunner, ReeveRunner, startReeve} from './wasm_engines.mjs';

const [folder, module, out] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const quick = process.argv.includes('--quick');
const load = (await import(process.env.MUJOCO_MODULE ?? '@mujoco/mujoco')).default;
const mujoco = await load({print: () => {}, printErr: () => {}});
const reeve = await startReeve(module);
const version = mujoco.mj_versionString();
const integrators = Object.keys(mujoco.mjtIntegrator).filter((k) => k.startsWith('mjINT_')).map((k) => k.slice(6));
const effort = quick ? {seconds: 0.05, repeats: 3} : {seconds: 0.3, repeats: 5};

const turned = ([w, x, y, z], [a, b, c]) => {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
};
const back = ([w, x, y, z]) => [w, -x, -y, -z];
const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Anchors of a chain of bodies on ball joints: joint i holds body i to the one before it (ChainShape). */
function chainOf(scene) {
  const links = [];
  const joints = Object.values(scene.joints).map((j) => j.anchor ?? [0, 0, 0]);
  Object.values(scene.bodies).forEach((b, i) => {
    const turn = Array.isArray(b.orientation) ? b.orientation : [1, 0, 0, 0];
    const on = (body) => turned(back(body.turn), joints[i].map((x, k) => x - body.place[k]));
    const link = {place: b.position, turn, before: i === 0 ? joints[0] : on(links[i - 1])};
    links.push({...link, anchor: on(link)});
  });
  const last = Object.values(scene.bodies).at(-1), end = joints[links.length];
  const turn = links.at(-1).turn;
  return {links, length: apart(joints[1], joints[0]), end,
    endAnchor: end && turned(back(turn), end.map((x, k) => x - last.position[k]))};
}

/** The line of a chain from its first joint on, and its held end. */
function lineOf(chain, runner) {
  const at = ({place, turn}, anchor) => turned(turn, anchor).map((x, k) => x + place[k]);
  const points = chain.links.map((link, i) => at(runner.pose(i), link.anchor));
  if (chain.end) points.push(at(runner.pose(chain.links.length - 1), chain.endAnchor));
  return points;
}

/** Frequency of a number that swings about zero, from its first and last crossing (Crossings). */
function crossings() {
  let count = -1, before = 0, timeBefore = 0, first = 0, last = 0;
  return {
    take: (time, value) => {
      if (count < 0) count = 0;
      else if (value * before < 0) {
        last = timeBefore + (time - timeBefore) * before / (before - value);
        if (count++ === 0) first = last;
      }
      before = value;
      timeBefore = time;
    },
    omega: () => (count > 1 ? Math.PI * (count - 1) / (last - first) : 0),
  };
}

/** Of every point of a line from the top to the load: its mass times the mode's shape there (weightsOf). */
function weightsOf(wave, line) {
  const shape = (s) => {
    const x = Math.min(1, Math.max(0, s / wave.length)) * (wave.shape.length - 1), i = Math.min(Math.floor(x), wave.shape.length - 2);
    return wave.shape[i] + (x - i) * (wave.shape[i + 1] - wave.shape[i]);
  };
  const weights = line.map(() => 0);
  let below = 0;
  weights[line.length - 1] = wave.load * shape(0);
  for (let i = line.length - 1; i > 0; --i) {
    const half = apart(line[i], line[i - 1]) / 2;
    weights[i] += wave.per_metre * half * shape(below);
    below += 2 * half;
    weights[i - 1] += wave.per_metre * half * shape(below);
  }
  return weights;
}

/** What a race is judged by; called after every step of the race's dt. */
function judgeOf(race) {
  const [kind, name] = race.reading.split(' ');
  let start, worst = 0, weights = null;
  const swings = race.waves.map(crossings);
  const chain = ['gap', 'sag', 'waves'].includes(kind) ? chainOf(JSON.parse(readFileSync(join(folder, race.chain), 'utf8'))) : null;
  const moved = (runner, sign) => sign * (start - runner.pose(name).place[2]);
  return {
    begin: (runner) => { if (kind === 'fall' || kind === 'rise') start = runner.pose(name).place[2]; },
    now: (runner) => {
      if (kind === 'fall') return moved(runner, 1);
      if (kind === 'rise') return moved(runner, -1);
      if (kind === 'joint') return runner.joint(name);
      const line = ['stretch', 'sag', 'waves'].includes(kind) ? runner.line() ?? lineOf(chain, runner) : null;
      if (kind === 'stretch') return line.reduce((sum, p, i) => sum + (i ? apart(p, line[i - 1]) : 0), 0) / Number(name) - 1;
      if (kind === 'sag') return line.reduce((low, p) => Math.max(low, line[0][2] - p[2]), 0);
      if (kind === 'waves') {
        weights ??= race.waves.map((wave) => weightsOf(wave, line));
        return race.waves.reduce((off, wave, m) => {
          swings[m].take(runner.time(), line.reduce((sum, p, i) => sum + weights[m][i] * p[0], 0));
          return Math.max(off, Math.abs(swings[m].omega() / wave.omega - 1));
        }, 0) + 1;
      }
      if (kind === 'lowest') {
        let low = Infinity;
        for (let i = 0; i < race.n; ++i) low = Math.min(low, runner.pose(i).place[2]);
        return low - Number(name);
      }
      let before = null;
      chain.links.forEach((link, i) => {
        const {place, turn} = runner.pose(i);
        const at = (anchor) => turned(turn, anchor).map((x, k) => x + place[k]);
        worst = Math.max(worst, apart(at(link.anchor), before ?? link.before) / chain.length);
        before = i + 1 < chain.links.length ? at(chain.links[i + 1].before) : null;
      });
      return worst;
    },
  };
}

function judge(race, start, finer, steps) {
  const runner = start(race.dt / finer), judging = judgeOf(race);
  runner.look();
  judging.begin(runner);
  const begin = runner.energy();
  let measure = 0, gained = 0, lost = 0, failed = false;
  for (let i = 0; i < steps * finer && !failed; ++i) {
    runner.step();
    failed = !runner.good();
    if ((i + 1) % finer) continue;
    runner.look();
    measure = judging.now(runner);
    const energy = runner.energy();
    if (!Number.isFinite(measure) || !Number.isFinite(energy)) failed = true;
    else {
      gained = Math.max(gained, (energy - begin) / race.work);
      lost = Math.max(lost, (begin - energy) / race.work);
    }
  }
  runner.drop();
  return {measure, gained, lost, failed};
}

/**
 * µs per step of the shortest of some runs from the start, of many steps each: by the clock, or by the processor's time,
 * which is less on a busy machine and more when node's other threads work.
 */
function time(start, dt, steps) {
  const runner = start(dt);
  let least = Infinity, spent = 0;
  for (let round = 0; round < effort.repeats || spent < effort.seconds; ++round) {
    runner.reset();
    for (let i = 0; i < 3; ++i) runner.step();
    const from = process.hrtime.bigint(), before = process.cpuUsage();
    for (let i = 0; i < steps; ++i) runner.step();
    const clock = Number(process.hrtime.bigint() - from) / 1e9, used = process.cpuUsage(before);
    const took = Math.min(clock, (used.user + used.system) / 1e6 || clock);
    spent += took;
    least = Math.min(least, took / steps);
  }
  runner.drop();
  return 1e6 * least;
}

const errorOf = (race, measure, exact) => Math.abs(measure - exact) / (race.relative ? Math.abs(exact) : 1);

function isAccurate(race, j, exact) {
  if (j.failed || !(errorOf(race, j.measure, exact) < race.accuracy) || !(j.gained < race.wild)) return false;
  return !race.conserves || Math.max(j.gained, j.lost) < race.accuracy;
}

/** The longest of the steps dt 2^k with that accuracy, or a shorter one that takes less, and ms for the whole run with it. */
function accurate(race, start, exact) {
  let best = {};
  // Whose energy is not kept at a tenth of the step does not keep it at an eighth.
  if (race.conserves && !isAccurate(race, judge(race, start, 10, race.steps), exact)) return best;
  for (let k = 3; race.accuracy > 0 && k >= race.finest; --k) {
    const steps = Math.round(race.steps * 2 ** -k);
    if (steps * 2 ** k !== race.steps) continue;
    const dt = race.dt * 2 ** k;
    if (!isAccurate(race, judge({...race, dt}, start, 1, steps), exact)) {
      if (best.accurate_ms) break;
      continue;
    }
    const took = 1e-3 * time(start, dt, steps) * steps;
    if (took >= best.accurate_ms) break;
    best = {accurate_step: dt, accurate_ms: took};
  }
  return best;
}

function compete(race, entrant, start, engine, how) {
  const coarse = judge(race, start, 1, race.steps);
  const exact = entrant.exact ?? judge(race, start, 10, race.steps).measure;
  const error = errorOf(race, coarse.measure, exact);
  const failed = coarse.failed || !(error < race.broken) || !(coarse.gained < race.wild);
  // Set up rightly: holds at a hundredth of the step over a tenth of the time.
  const start100 = failed ? judge(race, start, 100, Math.max(1, Math.round(race.steps / 10))) : null;
  const sound = !failed || (!start100.failed && start100.gained < race.wild &&
      (exact !== 0 || start100.measure < race.broken));
  return {race: race.race, n: race.n, engine, how, microseconds: time(start, race.dt, race.timed), error,
    gained: coarse.gained, failed, sound, ...accurate(race, start, exact), wanted: entrant.wanted, measures: race.measures};
}

/** The first peer that is ahead of a line of Reeve's, as findWhoIsAhead of race/race.cpp. */
function whoIsAhead(mine, theirs) {
  for (const peer of theirs) {
    const equal = peer.accurate_ms > 0 && mine.accurate_ms > 0;
    if (peer.sound && peer.accurate_ms > 0 && !equal) return peer;  // reaches the accuracy, which we do not
    if (!peer.sound || (peer.failed && !equal)) continue;
    if ((equal ? mine.accurate_ms / peer.accurate_ms : mine.microseconds / peer.microseconds) > 1) return peer;
  }
  return null;
}

const results = [];
function keep(result, best) {
  if (best) {
    result.ratio = result.microseconds / best.microseconds;
    if (result.accurate_ms && best.accurate_ms) result.accurate_ratio = result.accurate_ms / best.accurate_ms;
  }
  results.push(result);
  const cell = (x, width, digits = 3) => (x === undefined ? '-' : Number(x).toPrecision(digits)).padStart(width);
  console.log(`${result.race.padEnd(17)} ${String(result.n).padStart(7)}  ${result.engine.padEnd(7)} ${result.how.padEnd(36)} ` +
      `${cell(result.microseconds, 10)} ${result.error.toExponential(1).padStart(9)} ${result.gained.toExponential(1).padStart(9)} ` +
      `${cell(result.ratio, 7)} ${cell(result.accurate_step, 10)} ${cell(result.accurate_ms, 9)} ${cell(result.accurate_ratio, 7)}` +
      `${result.missed ? '  NOT AHEAD' : ''}${result.failed ? '  FAILED' : ''}${result.sound ? '' : '  set-up in doubt'}`);
  const about = {node: process.version, version, cpu: cpus()[0]?.model, compiler: process.env.REEVE_WASM_COMPILER, date: new Date().toISOString().slice(0, 10)};
  if (out) writeFileSync(out, JSON.stringify({...about, results}, null, 1) + '\n');
}

console.log(`Reeve and MuJoCo ${version}, both as WebAssembly, node ${process.version}`);
console.log(`${'race'.padEnd(17)} ${'n'.padStart(7)}  engine  ${'how'.padEnd(36)}    us/step     error    gained   ratio step for 1% takes, ms   ratio`);
for (const race of JSON.parse(readFileSync(join(folder, 'races.json'), 'utf8'))) {
  const mine = [], theirs = [];
  // A step of a flex of 1000 takes 16 ms, one of 10 000 asks for 3 GB: one integrator, and no search for an accurate step.
  const long = race.reading.startsWith('stretch') && race.n >= 1000;
  if (long) race.accuracy = 0;
  for (const entrant of race.entrants) {
    const scene = readFileSync(join(folder, entrant.file), 'utf8');
    if (entrant.engine === 'reeve') {
      mine.push(compete(race, entrant, (dt) => new ReeveRunner(reeve, scene, dt), 'reeve', entrant.how));
      continue;
    }
    for (const integrator of long ? ['EULER'] : integrators) {
      const start = (dt) => new MujocoRunner(mujoco, scene, dt, integrator, entrant.drive);
      try {
        theirs.push(compete(race, entrant, start, 'mujoco', `${entrant.how}, ${integrator}`));
      } catch (error) {
        console.error(`MuJoCo does not take ${entrant.file} with ${integrator}: ${error.message ?? error}`);
      }
    }
  }
  const standing = theirs.filter((r) => !r.failed);
  const best = (standing.length ? standing : theirs).reduce((a, b) => (a && a.microseconds <= b.microseconds ? a : b), null);
  for (const result of mine) {
    const ahead = result.wanted ? whoIsAhead(result, theirs) : null;
    result.missed = result.wanted && (result.failed || ahead !== null);
    result.behind = ahead ? `${ahead.engine} ${ahead.how}` : '';
  }
  for (const result of [...mine, ...theirs]) keep(result, best);
}
const asked = results.filter((r) => r.engine === 'reeve' && r.wanted), missed = asked.filter((r) => r.missed);
console.log(`${asked.length} lines of Reeve's are to be ahead of every integrator that holds; ${missed.length} are not${missed.length ? ':' : ''}`);
for (const r of missed) console.log(`  ${r.race}, ${r.n}: ${r.how} ${r.behind ? `behind ${r.behind}` : 'fails'}`);
