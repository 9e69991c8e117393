// node test/package.mjs: what the package promises, in node: both variants, errors with their place, control, states,
// and lessons whose scenes build at both ends of their sliders.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { init, ReeveError } from '../dist/index.js';
import { init as initInline } from '../dist/inline.js';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const scene = (name) => readFileSync(at(`../../scenes/${name}.json`), 'utf8');
const reeve = await init();

const checks = {
  async 'one file with everything inside gives the same state'() {
    const other = (await initInline()).load(scene('atwood'));
    const world = reeve.load(scene('atwood'));
    assert.equal(world.step(100), 100);
    assert.equal(other.step(100), 100);
    assert.equal(other.hash(), world.hash());
    world.drop();
    assert.throws(() => world.step(), /dropped/);
  },
  'a misspelt key is an error at line 3 that names the right one'() {
    assert.throws(
      () => reeve.load('{\n  "bodies": {\n    "a": {"mas": 1}\n  }\n}'),
      (error) => error instanceof ReeveError && error.problem.line === 3 && /mass/.test(error.problem.remedy),
    );
  },
  'what only a build finds has its line too'() {
    const text = scene('atwood').replace('"observe": ["cables.rope.spans.0.tension"', '"observe": ["cables.rope.spans.0.tenson"');
    assert.throws(() => reeve.load(text), (error) => error instanceof ReeveError && error.problem.line > 0);
  },
  'a mass set while it runs gives a = (m2 - m1) g / (m1 + m2 + I/r2) from then on'() {
    const world = reeve.load(scene('atwood'));
    world.set('bodies.heavy.mass', 3);
    world.step(24);
    const a = (2 * 9.81) / (1 + 3 + 0.5);
    assert.ok(Math.abs(world.read('bodies.heavy.velocity.z') + a * 0.1) < 1e-6 * a, String(world.read('bodies.heavy.velocity.z')));
    assert.throws(() => world.set('bodies.heavy.position', 1), ReeveError);
    world.drop();
  },
  'a push of 1 N for one step changes the momentum of a free body by 1 N h'() {
    const world = reeve.load('{"settings": {"gravity": [0, 0, 0], "dt": 0.01}, "bodies": {"a": {"mass": 2, "shapes": [{"type": "sphere", "radius": 0.1}]}}}');
    world.push('a', [1, 0, 0]);
    world.step(10);
    assert.ok(Math.abs(world.read('bodies.a.velocity.x') - 0.005) < 1e-12, String(world.read('bodies.a.velocity.x')));
    world.drop();
  },
  'a motor follows a command, and the scene again when it is released'() {
    const world = reeve.load(scene('winch'));
    const rotor = world.layout.rotors[0].name;
    const motor = world.layout.motors[0];
    world.command(motor, 0.5);
    world.step(60);
    assert.ok(Math.abs(world.read(`rotors.${rotor}.rate`) - 0.5) < 1e-6);
    world.release(motor);
    world.step(60);
    assert.ok(Math.abs(world.read(`rotors.${rotor}.rate`) - 0.5) > 1e-3);
    world.drop();
  },
  'a grip pulls a body to where the hand is, and a cable what it hangs on'() {
    const free = reeve.load('{"settings": {"gravity": [0, 0, 0]}, "bodies": {"a": {"mass": 2, "shapes": [{"type": "sphere", "radius": 0.1}]}}}');
    free.grip({ body: 'a', point: [0, 0, 0] }, [1, 0, 0]);
    free.step(10);
    assert.ok(free.pull().force > 1);
    free.step(710);
    assert.ok(Math.abs(free.read('bodies.a.position.x') - 1) < 1e-3, String(free.read('bodies.a.position.x')));
    free.letGo();
    assert.equal(free.pull().force, 0);
    free.drop();
    const world = reeve.load(scene('pulley'));
    world.grip({ cable: 'rope', along: 0.995 }, [5, 0, 3]);
    world.step(120);
    assert.ok(world.pull().force > 1);
    assert.ok(world.read('bodies.counter.position.x') > 3.05, String(world.read('bodies.counter.position.x')));
    world.drop();
  },
  'states kept as values and states as text lead to the same hash'() {
    const world = reeve.load(scene('crane'));
    world.step(100);
    world.keep(3);
    const text = world.save();
    world.step(100);
    const hash = world.hash();
    world.back(3);
    world.step(100);
    assert.equal(world.hash(), hash);
    world.restore(text);
    world.step(100);
    assert.equal(world.hash(), hash);
    world.reset();
    assert.equal(world.steps, 0);
    assert.throws(() => world.back(99), ReeveError);
    assert.throws(() => world.restore('nonsense'), ReeveError);
    world.drop();
  },
  'a clone goes its own way, to the same hash'() {
    const world = reeve.load(scene('crane'));
    world.step(30);
    const twin = world.clone();
    world.step(20);
    twin.step(20);
    assert.equal(twin.hash(), world.hash());
    twin.drop();
    world.drop();
  },
  'all cables of a scene in another model, or the reason why not'() {
    const world = reeve.load(scene('atwood'));
    const { world: other, scene: text } = world.swap('strand');
    assert.equal(other.layout.cables[0].model, 'strand');
    assert.equal(other.step(10), 10);
    assert.match(text, /strand/);
    assert.throws(() => world.swap('rubber'), /no such model/);
    other.drop();
    world.drop();
  },
  'a cable converted while it runs: what holds it stays, its layout is another, and states lead across it'() {
    const world = reeve.load(scene('atwood'));
    const joints = world.layout;
    world.step(50);
    world.keep(0);
    const early = world.save();
    const place = world.read('bodies.heavy.position.z');
    const done = world.convert('rope', 'strand');
    assert.ok(Number.isFinite(done.before) && Number.isFinite(done.after) && Array.isArray(done.notes));
    assert.equal(world.read('bodies.heavy.position.z'), place);
    assert.equal(world.layout.cables[0].model, 'strand');
    assert.notEqual(world.layout, joints);
    assert.equal(world.layout, world.layout);
    assert.throws(() => world.back(0), ReeveError);
    world.step(50);
    const late = world.save();
    const hash = world.hash();
    world.restore(early);
    assert.equal(world.layout.cables[0].model, 'joints');
    world.convert('rope', 'strand');
    world.step(50);
    assert.equal(world.hash(), hash);
    world.reset();
    assert.equal(world.layout.cables[0].model, 'joints');
    world.restore(late);
    assert.equal(world.layout.cables[0].model, 'strand');
    assert.equal(world.hash(), hash);
    assert.throws(() => world.convert('rope', 'rubber'), /no such model/);
    world.drop();
  },
  'a hand pulls a chain where it takes hold of it'() {
    const world = reeve.load(scene('bend'));
    const { name } = world.layout.cables[0];
    const place = () => {
      const { points } = world.frame().cables[0];
      const i = 4 * Math.floor(points.length / 8);
      return [points[i], points[i + 1], points[i + 2]];
    };
    const before = place();
    world.grip({ cable: name, along: 0.5 }, [before[0], before[1] + 0.3, before[2]]);
    world.step(60);
    assert.ok(world.pull().force > 0);
    assert.ok(place()[1] > before[1] + 1e-3, `${place()} from ${before}`);
    world.drop();
  },
  'packed and installed elsewhere it is found by its name, runs, and has types'() {
    const elsewhere = mkdtempSync(join(tmpdir(), 'reeve-npm-'));
    try {
      const [{ filename, files }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', elsewhere], { cwd: at('..'), stdio: ['ignore', 'pipe', 'ignore'] }));
      const names = files.map(({ path }) => path);
      for (const name of ['dist/index.js', 'dist/index.d.ts', 'dist/inline.js', 'dist/inline.d.ts', 'dist/reeve.wasm']) assert.ok(names.includes(name), name);
      assert.ok(names.every((name) => name.startsWith('dist/') || ['package.json', 'README.md', 'LICENSE'].includes(name)), String(names));
      const home = join(elsewhere, 'node_modules/reeve');
      mkdirSync(home, { recursive: true });
      execFileSync('tar', ['xzf', join(elsewhere, filename), '-C', home, '--strip-components=1']);
      writeFileSync(join(elsewhere, 'package.json'), '{"type": "module"}');
      writeFileSync(join(elsewhere, 'atwood.json'), scene('atwood'));
      const program = `import { readFileSync } from 'node:fs';
        import { init, type Frame, type World } from 'reeve';
        import { init as inline } from 'reeve/inline';
        const text: string = readFileSync('atwood.json', 'utf8');
        const hashes: string[] = [];
        for (const start of [init, inline]) {
          const world: World = (await start()).load(text);
          world.step(48);
          const frame: Frame = world.frame();
          if (frame.steps !== 48) throw new Error(String(frame.steps));
          hashes.push(world.hash());
          world.drop();
        }
        console.log(hashes.join(' '));`;
      writeFileSync(join(elsewhere, 'program.mts'), program);
      writeFileSync(join(elsewhere, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], types: ['node'], typeRoots: [at('../node_modules/@types')] }, files: ['program.mts'] }));
      execFileSync(process.execPath, [at('../node_modules/typescript/bin/tsc'), '-p', elsewhere], { stdio: 'inherit' });
      const said = execFileSync(process.execPath, ['program.mjs'], { cwd: elsewhere }).toString().trim();
      const world = reeve.load(scene('atwood'));
      world.step(48);
      assert.equal(said, `${world.hash()} ${world.hash()}`);
      world.drop();
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  },
  'the stripe on a rope moves as its material: by what a drum takes in'() {
    const world = reeve.load(scene('winch'));
    const [before] = world.frame().cables;
    const stored = world.cable(before && world.layout.cables[0].name).stored;
    world.step(240);
    const [after] = world.frame().cables;
    const taken = world.cable(world.layout.cables[0].name).stored - stored;
    assert.ok(Math.abs(taken) > 0.01, `${taken} m`);
    assert.ok(Math.abs(after.offset - before.offset - taken) < 1e-9, `${after.offset - before.offset} m instead of ${taken} m`);
    world.drop();
  },
  'memory does not grow over two hundred scenes'() {
    const open = () => {
      const world = reeve.load(scene('crane'));
      world.step(3);
      world.draw();
      world.drop();
    };
    for (let i = 0; i < 20; i++) open();
    const before = reeve.memory;
    for (let i = 0; i < 180; i++) open();
    assert.equal(reeve.memory, before);
  },
  'hostile scenes are errors, not crashes'() {
    const corpus = at('../../tests/fuzz/corpus/');
    let seen = 0;
    for (const folder of readdirSync(corpus))
      for (const file of readdirSync(corpus + folder).slice(0, 60)) {
        seen++;
        try {
          const world = reeve.load(readFileSync(`${corpus}${folder}/${file}`, 'utf8'));
          world.step(2);
          world.draw();
          world.drop();
        } catch (error) {
          assert.ok(error instanceof ReeveError, `${file}: ${error}`);
        }
      }
    assert.ok(seen > 0);
  },
  'every lesson builds at both ends of its slider, which change what is plotted'() {
    const files = readdirSync(at('../lessons'));
    assert.equal(files.length, 10);
    for (const file of files) {
      const lesson = JSON.parse(readFileSync(at(`../lessons/${file}`), 'utf8'));
      const put = (root, path, value) => {
        const last = path[path.length - 1];
        path.slice(0, -1).reduce((object, key) => object[key], root)[last] = value;
      };
      const results = [lesson.slider.min, lesson.slider.max].map((value) => {
        const object = JSON.parse(scene(lesson.shipped));
        for (const [path, change] of lesson.with ?? []) put(object, path, change);
        put(object, lesson.slider.path, lesson.slider.unit === 'kN' ? `${value} kN` : value);
        object.plots = lesson.plots;
        const world = reeve.load(JSON.stringify(object), file);
        world.step(Math.min(120, Math.round(0.5 / world.layout.settings.dt)));
        const numbers = world.readAll(lesson.plots.flatMap((plot) => plot.observe));
        world.drop();
        return [...numbers];
      });
      assert.notDeepEqual(results[0], results[1], file);
    }
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (error) {
    failed++;
    console.error(`${name}: ${error.stack}`);
  }
}
console.log(`${Object.keys(checks).length - failed} of ${Object.keys(checks).length} promises of the package hold`);
process.exitCode = failed > 0 ? 1 : 0;
