// node test/lessons.mjs: the answers of the lessons are right: each number that one gives is measured in its scene.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from '../dist/index.js';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const reeve = await init();
const files = readdirSync(at('../lessons')).sort();
const g = 9.81;

/** The world of a lesson with its slider at a value, as the page builds it, and with other changes. */
function lesson(number, value, changes = []) {
  const file = files.find((name) => name.startsWith(number));
  const { shipped, slider, plots, with: given = [] } = JSON.parse(readFileSync(at(`../lessons/${file}`), 'utf8'));
  const scene = JSON.parse(readFileSync(at(`../../scenes/${shipped}.json`), 'utf8'));
  const amount = value === undefined || slider.unit !== 'kN' ? value : `${value} kN`;
  for (const [path, now] of [...given, [['plots'], plots], ...(value === undefined ? [] : [[slider.path, amount]]), ...changes])
    path.slice(0, -1).reduce((object, key) => object[key], scene)[path.at(-1)] = now;
  return reeve.load(JSON.stringify(scene), file);
}

/** What paths measure after a time. */
function after(seconds, world, ...paths) {
  world.step(Math.round(seconds / world.layout.settings.dt) - world.steps);
  assert.ok(world.verdict().good, world.verdict().reason);
  return [...world.readAll(paths)];
}
function near(value, wanted, tolerance, what) {
  assert.ok(Math.abs(value - wanted) <= tolerance, `${what}: ${value} instead of ${wanted}`);
}

const checks = {
  '01: 10 kg balance 40 kg on four falls, 10.2 kg lift it with 0.037 m/s2, and the end moves four times as far'() {
    const speed = (mass) => {
      const [load, counter] = after(1, lesson('01', mass), 'bodies.load.velocity.z', 'bodies.counter.velocity.z');
      near(counter, -4 * load, 1e-3 * Math.abs(counter) + 1e-9, 'speed of the end');
      return load;
    };
    near(speed(10), 0, 1e-3, 'load at 10 kg');
    assert.ok(speed(9.8) < -0.01 && speed(10.4) > 0.01);
    near(speed(10.2), 0.037, 0.0005, 'acceleration at 10.2 kg');
  },
  '02: a = (m2 - m1) g / (m1 + m2 + I/r2), and the tensions differ by (I/r2) a'() {
    for (const mass of [0.01, 1, 20]) {
      const [v, a, b] = after(0.25, lesson('02', mass), 'bodies.heavy.velocity.z', 'cables.rope.spans.0.tension', 'cables.rope.spans.1.tension');
      const wanted = (0.5 * g) / (2.5 + mass / 2);
      near(-v / 0.25, wanted, 0.002 * wanted, `acceleration with ${mass} kg`);
      near(Math.abs(b - a), (mass / 2) * wanted, 0.005, `difference of the tensions with ${mass} kg`);
    }
  },
  '03: half a turn holds 3.85 times the pull from 0.43 on'() {
    const speed = (friction) => after(0.5, lesson('03', friction), 'bodies.heavy-half.velocity.z')[0];
    assert.ok(Math.abs(speed(0.43)) < 1e-6 && speed(0.42) < -1e-2, `${speed(0.43)} m/s at 0.43, ${speed(0.42)} at 0.42`);
    near(Math.exp(0.3 * 3 * Math.PI), 17, 0.2, 'one and a half turns at 0.3');
  },
  '04: 10 kg hold 120 kg, 9 kg let it sink, 11 kg lift it'() {
    const hook = (mass) => after(1.5, lesson('04', mass), 'bodies.hook.velocity.z', 'bodies.hand.velocity.z');
    near(hook(10)[0], 0, 1e-3, 'hook at 10 kg');
    const [up, hand] = hook(11);
    assert.ok(up > 0.01 && hook(9)[0] < -0.01, `${up} m/s at 11 kg, ${hook(9)[0]} m/s at 9 kg`);
    near(hand / up, -12, 0.1, 'the hand moves twelve times as far');
  },
  '05: joints stay closed for a last link of 1 kg to ten thousand tonnes; with ten sweeps they open by more than 1 m'() {
    const error = (joint, mass, changes) => {
      const world = lesson('05', mass, changes);
      let most = 0;
      for (let i = 1; i <= 40; i++) most = Math.max(most, Math.abs(after(i * 0.05, world, `joints.pin${joint}.error`)[0]));
      return most;
    };
    const direct = [1, 1e4, 1e7].flatMap((mass) => [error(10, mass), error(23, mass)]);
    for (const one of direct) assert.ok(one < 1e-6, `${one} m`);
    const sweep = error(10, 1e4, [[['settings', 'solver'], 'sweep'], [['settings', 'iterations'], 10]]);
    assert.ok(sweep > 1, `ten sweeps: ${sweep} m`);
  },
  '06: it falls with g/9 whatever the length, runs out after sqrt(2 L/a), and the length stays'() {
    for (const length of [0.5, 1]) {
      const world = lesson('06', length);
      const [v, all] = after(0.5, world, 'bodies.disc.velocity.z', 'cables.string.length');
      near(v, (-0.5 * g) / 9, 0.002, 'speed after 0.5 s');
      let least = Infinity;
      let out = 0;
      while (world.time < 3) {
        world.step();
        const [stored, now] = world.readAll(['cables.string.stored', 'cables.string.length']);
        near(now, all, 1e-9, 'length');
        if (stored < least - 1e-9) [least, out] = [stored, world.time];
      }
      near(out, Math.sqrt((2 * length * 9) / g), 0.03, `run out with ${length} m`);
      near(all, 0.2 + length, 0.01, 'length, free and wound');
    }
  },
  '07: the first mode is at 3.16 Hz with 2 kN, twice that with 8 kN'() {
    for (const [tension, wanted] of [[2, 3.162], [8, 6.325]]) {
      const world = lesson('07', tension);
      // At half a period the triangle stands mirrored: the sag is again what it was, twice in a period.
      const tops = [];
      let [before, last] = [0, 0];
      while (world.time < 1.2) {
        world.step();
        const sag = world.read('cables.string.spans.0.sag');
        if (last > before && last >= sag && last > 0.017 && world.time - (tops.at(-1) ?? -1) > 0.3 / wanted) tops.push(world.time);
        [before, last] = [last, sag];
      }
      const frequency = (tops.length - 1) / (tops.at(-1) - tops[0]) / 2;
      near(frequency, wanted, 0.03 * wanted, `mode with ${tension} kN`);
    }
  },
  '08: 9.25 rad for every MN m, straight at 2.6 MN m, off its axis at 3.2 MN m'() {
    const end = (torque) => {
      const world = lesson('08', torque);
      let bent = 0;
      for (let t = 0.5; t <= 12; t += 0.5) bent = Math.max(bent, 10 - after(t, world, 'bodies.chuck.position.x')[0]);
      return { twist: world.read('joints.spin.coordinate'), bent };
    };
    const straight = end(2.6e6);
    near(straight.twist / 2.6, 9.25, 0.1, 'twist for every MN m');
    assert.ok(straight.bent < 0.02, `the end moves by ${straight.bent} m at 2.6 MN m`);
    const buckled = end(3.2e6);
    assert.ok(buckled.bent > 0.1, `the end moves by ${buckled.bent} m at 3.2 MN m`);
  },
  '09: 17.1 rad/s, 223 N and 77 N without slip; it slips below 0.38'() {
    const run = (friction) => after(9, lesson('09', friction), 'rotors.fan.rate', 'cables.belt.spans.0.tension', 'cables.belt.spans.1.tension');
    const [rate, ...tensions] = run(0.6);
    near(Math.abs(rate), 17.14, 0.05, 'rate');
    near(Math.max(...tensions), 223, 3, 'tight side');
    near(Math.min(...tensions), 77, 3, 'slack side');
    near(Math.abs(run(0.41)[0]), 17.14, 0.1, 'rate at 0.41');
    assert.ok(Math.abs(run(0.35)[0]) < 16.8, `${run(0.35)[0]} rad/s at 0.35`);
  },
  '10: the place of the seat does not depend on its mass, the tensions are in proportion'() {
    const look = (mass) => {
      const world = lesson('10', mass);
      const [x, y, z] = after(11.5, world, 'bodies.seat.position.x', 'bodies.seat.position.y', 'bodies.seat.position.z');
      return { place: [x, y, z], tensions: [1, 2, 3, 4, 5, 6].map((i) => world.read(`cables.rope${i}.spans.1.tension`)) };
    };
    const light = look(60);
    const heavy = look(240);
    light.place.forEach((x, k) => near(heavy.place[k], x, 0.01, 'xyz'[k]));
    const sum = (list) => list.reduce((a, b) => a + b, 0);
    near(sum(heavy.tensions) / sum(light.tensions), 4, 0.08, 'tensions of 240 kg over those of 60 kg');
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  const from = performance.now();
  try {
    check();
    if (process.env.REEVE_VERBOSE) console.log(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed++;
    console.error(`${name}: ${error.stack}`);
  }
}
assert.equal(files.length, Object.keys(checks).length, 'every lesson is checked');
console.log(`${files.length - failed} of ${files.length} lessons have the right answers`);
process.exitCode = failed > 0 ? 1 : 0;
