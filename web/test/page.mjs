// node test/page.mjs: the playground in Debian's chromium. REEVE_SHOTS=DIR keeps pictures.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { init } from '../dist/index.js';
import { openBrowser } from './browser.mjs';
import { serve } from './serve.mjs';
import { soak } from './soak.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = at('../../build/web/page');
const command = at('../../build/release/bin/reeve');
const shots = process.env.REEVE_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
const assets = readdirSync(`${folder}/assets`).filter((file) => /\.(js|wasm|css)$/.test(file));
/** Bytes of each with brotli, worked out beside the checks. */
const compressed = Promise.all(assets.map(async (file) => [file, (await promisify(brotliCompress)(readFileSync(`${folder}/assets/${file}`))).length]));
const server = await serve(folder);
const WIDE = { width: 760, height: 480 };
/** Where many scenes go by: pictures are drawn by the processor here. */
const SMALL = { width: 420, height: 260 };
const { context, close } = await openBrowser({ viewport: WIDE });
const page = await context.newPage();
/** What the page logged as an error. */
const errors = [];
page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
page.on('pageerror', (error) => errors.push(error.message));

const go = async (hash) => {
  await page.goto('about:blank');
  await page.goto(server.address + hash);
  await page.waitForFunction(() => window.playground?.session.layout || document.querySelector('#problem:not([hidden])') || document.querySelector('#message.bad'));
};
const state = () => page.evaluate(() => ({ time: window.playground.session.frame?.time, steps: window.playground.session.frame?.steps, name: window.playground.session.name }));
const hash = () => page.evaluate(() => window.playground.session.words({ kind: 'hash' }));
const pause = () => page.evaluate(() => window.playground.session.pause());
const untilTime = (time) => page.waitForFunction((t) => (window.playground.session.frame?.time ?? 0) >= t, time, { timeout: 30_000 });
const message = () => page.textContent('#message');

/** Share of the canvas that is not its most common color, and the share that is colored as tensions are. */
const colors = () =>
  page.evaluate(() => {
    const { stage } = window.playground.viewport;
    stage.draw();
    const flat = document.createElement('canvas');
    flat.width = stage.canvas.width;
    flat.height = stage.canvas.height;
    const pen = flat.getContext('2d');
    pen.drawImage(stage.canvas, 0, 0);
    const { data } = pen.getImageData(0, 0, flat.width, flat.height);
    const counts = new Map();
    let cable = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
      const key = (r >> 4) * 256 + (g >> 4) * 16 + (b >> 4);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (b > 1.6 * g && b > 90) cable++; // blue to magenta, as no body of the scene is
    }
    const pixels = data.length / 4;
    return { other: 1 - Math.max(...counts.values()) / pixels, cable: cable / pixels };
  });

const checks = {
  async 'every shipped scene opens, runs for two seconds or as far as 120 ms reach, and logs no error'() {
    await page.setViewportSize(SMALL);
    await go('#scene=atwood');
    const names = JSON.parse(readFileSync(`${folder}/scenes/index.json`, 'utf8')).map((entry) => entry.file);
    assert.equal(names.length, readdirSync(at('../../scenes')).length - 1);
    for (const name of names) {
      const ran = await page.evaluate(async (file) => {
        const { session } = window.playground;
        const text = await (await fetch(`scenes/${file}.json`)).text();
        if (!(await session.open(text, file))) return -1;
        const answer = await session.physics.ask({ kind: 'advance', seconds: 2, budget: 120 });
        await session.step(1);
        return answer.shown.verdict.good && session.frame.steps > 1;
      }, name);
      assert.ok(ran, name);
      assert.ok((await page.evaluate(() => window.playground.session.frame.good)), name);
    }
    await page.setViewportSize(WIDE);
  },
  async 'the page has the hash of the package after the same steps'() {
    const reeve = await init();
    for (const name of ['crane', 'belt', 'twist', 'tower-crane', 'drop-on-sphere']) {
      await go(`#scene=${name}`);
      await pause();
      await page.evaluate(() => window.playground.session.reset());
      await page.evaluate(() => window.playground.session.step(60));
      const world = reeve.load(readFileSync(at(`../../scenes/${name}.json`), 'utf8'));
      world.step(60);
      assert.equal(await hash(), world.hash(), name);
      world.drop();
    }
  },
  async 'dragging a body moves it and changes its tension; the force is shown'() {
    await go('#scene=winch');
    await pause();
    const body = await page.evaluate(() => {
      const { stage } = window.playground.viewport;
      const p = stage.bodies[0].position;
      return stage.project(p.clone());
    });
    const box = await page.locator('#canvas').boundingBox();
    const before = await page.evaluate(() => Array.from(window.playground.session.frame.bodies.slice(0, 3)));
    await page.mouse.move(box.x + body.x, box.y + body.y);
    await page.mouse.down();
    await page.mouse.move(box.x + body.x + 70, box.y + body.y, { steps: 4 });
    await page.waitForFunction((x) => window.playground.session.frame.bodies[0] > x + 0.02, before[0], { timeout: 15_000 });
    assert.match(await page.textContent('#pull-label'), /N$/);
    if (shots) await page.screenshot({ path: `${shots}/drag.png` });
    await page.mouse.up();
    await page.waitForFunction(() => window.playground.session.shown.pull === null);
    assert.match(await page.textContent('#panel-numbers h2'), /^Body/);
  },
  async 'dragging a rope of particles takes the rope along where it was taken'() {
    await go('#scene=overhand-knot');
    await pause();
    await page.evaluate(() => window.playground.session.step(2)); // the handles of its start are gone
    const place = () => page.evaluate(() => {
      const { points } = window.playground.session.frame.cables[0];
      const { stage } = window.playground.viewport;
      const seen = (i) => stage.project(stage.controls.target.clone().set(points[i], points[i + 1], points[i + 2]));
      window.taken ??= Array.from({ length: points.length / 4 }, (_, k) => 4 * k).find((i) => Math.abs(seen(i).x - 100) < 20);
      return { seen: seen(window.taken) };
    });
    const before = await place();
    const box = await page.locator('#canvas').boundingBox();
    await page.mouse.move(box.x + before.seen.x, box.y + before.seen.y);
    await page.mouse.down();
    await page.mouse.move(box.x + before.seen.x, box.y + before.seen.y - 60, { steps: 4 });
    for (let i = 0; i < 200 && (await place()).seen.y > before.seen.y - 15; i++) await page.waitForTimeout(50);
    const after = await place();
    assert.ok(after.seen.y < before.seen.y - 15, `${after.seen.y} px from ${before.seen.y} px`);
    assert.match(await page.textContent('#pull-label'), /N$/);
    if (shots) await page.screenshot({ path: `${shots}/drag-rope.png` });
    await page.mouse.up();
    assert.match(await page.textContent('#panel-numbers h2'), /^Cable/);
  },
  async 'a slider changes the physics'() {
    await go('#scene=atwood');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(48));
    const before = await page.evaluate(() => window.playground.session.frame.bodies[9]);
    await page.click('#tab-controls');
    await page.$eval('[data-path="bodies/heavy/mass"]', (input) => {
      input.value = '0.9';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await page.waitForFunction(() => !window.playground.editor.text.includes('"mass": 1.5'));
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(48));
    const after = await page.evaluate(() => window.playground.session.frame.bodies[9]);
    assert.ok(after < before - 0.01, `${after} is not below ${before}`);
  },
  async 'a motor follows the hand, and the scene again when it is let go'() {
    await go('#scene=winch');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(60));
    await page.click('#tab-controls');
    await page.$eval('[data-path="command/motor"]', (input) => {
      input.value = '0.75';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const rate = () => page.evaluate(() => window.playground.session.frame.rotors[1]);
    await page.evaluate(() => window.playground.session.step(30));
    assert.ok(Math.abs((await rate()) - 1.5) < 1e-6, String(await rate())); // half of the slider's 3 rad/s
    await page.click('[aria-label="Let go of Motor motor"]');
    await page.evaluate(() => window.playground.session.step(30));
    assert.ok((await rate()) < 0, String(await rate()));
  },
  async 'all cables in another model: the scene is built anew with it'() {
    await go('#scene=atwood');
    await pause();
    await page.click('#tab-controls');
    await page.selectOption('#swap-all', 'strand');
    await page.waitForFunction(() => window.playground.session.layout.cables[0].model === 'strand');
    await page.evaluate(() => window.playground.session.step(5));
    assert.equal((await state()).steps, 5);
  },
  async 'a cable goes on in another model while it runs: positions and length stay, energy is told, and replay gives the same hash'() {
    await go('#scene=atwood');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(50));
    const now = () => page.evaluate(() => {
      const { frame, layout } = window.playground.session;
      return { time: frame.time, bodies: [...frame.bodies], length: frame.cables[0].length, model: layout.cables[0].model };
    });
    const before = await now();
    assert.equal(before.model, 'joints');
    await page.click('#tab-controls');
    await page.selectOption('[data-path="cables/rope/model"]', 'strand');
    await page.waitForFunction(() => /goes on as strand/.test(document.querySelector('#message').textContent));
    const after = await now();
    assert.equal(after.model, 'strand');
    assert.equal(after.time, before.time);
    assert.deepEqual(after.bodies, before.bodies);
    assert.ok(Math.abs(after.length - before.length) < 1e-9, `${before.length} m before, ${after.length} m after`);
    const energies = /energy (\S+) J before, (\S+) J after/.exec(await message()).slice(1).map(Number);
    assert.ok(Math.abs(energies[0] - energies[1]) < 0.05 * Math.abs(energies[0]) + 0.05, String(energies));
    assert.match(await page.textContent('#events'), /goes on as strand/);
    await page.waitForFunction(() => JSON.parse(window.playground.editor.text).cables.rope.model === 'strand');
    if (shots) await page.screenshot({ path: `${shots}/swap.png` });
    // A slider and a hand after it, so that there is something to do again.
    assert.ok(await page.evaluate(() => window.playground.session.set('bodies.heavy.mass', 1.8)));
    await page.evaluate(() => window.playground.session.step(20));
    await page.evaluate(() => window.playground.session.grip({ kind: 'body', index: 0, point: [0, 0, 0], along: 0, target: [0.5, 0, 1] }));
    await page.evaluate(() => window.playground.session.step(30));
    const last = await now();
    assert.equal(await page.evaluate(() => window.playground.session.frame.steps), 100);
    const first = await hash();
    const rewind = async (time, model) => {
      await page.evaluate((t) => window.playground.session.seek(t), time);
      assert.equal((await now()).model, model);
      assert.equal(await page.inputValue('[data-path="cables/rope/model"]'), model);
    };
    await rewind(0.11, 'joints'); // before the swap: the cable is of the model that it was of then
    await page.evaluate((t) => window.playground.session.seek(t), last.time);
    assert.equal(await hash(), first, 'taken back and forth');
    await rewind(0.11, 'joints');
    await page.evaluate(async () => window.playground.session.step(100 - window.playground.session.frame.steps));
    assert.equal(await hash(), first, 'run again');
    await rewind(0.3, 'strand');
    await page.evaluate(() => window.playground.session.grip(null)); // something else: what was done later is forgotten
    await page.evaluate(async () => window.playground.session.step(100 - window.playground.session.frame.steps));
    assert.notEqual(await hash(), first);
  },
  async 'a cable that cannot go on in another model stays, and the page says why'() {
    await go('#scene=hook-on-floor');
    await pause();
    await page.evaluate(() => window.playground.session.step(5));
    await page.click('#tab-controls');
    const select = page.locator('[data-path^="cables/"][data-path$="/model"]').first();
    const was = await select.inputValue();
    const steps = (await state()).steps;
    await select.selectOption('joints'); // it is paid out, which no scene can say of a cable of joints as it is now
    await page.waitForFunction(() => document.querySelector('#message.bad button'));
    assert.match(await message(), /stays/);
    assert.equal(await select.inputValue(), was);
    assert.equal((await state()).steps, steps);
    await page.evaluate(() => window.playground.session.step(5));
    assert.equal((await state()).steps, steps + 5);
  },
  async 'two models overlaid run at one time and rewind together'() {
    await go('#scene=atwood');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(60));
    await page.click('#tab-controls');
    await page.selectOption('#overlay', 'strand');
    await page.waitForFunction(() => window.playground.session.ghost);
    const both = () => page.evaluate(() => {
      const { frame, ghost } = window.playground.session;
      return { times: [frame.time, ghost?.time], places: [frame.bodies[9], ghost?.bodies[9]], shown: window.playground.viewport.stage.ghostShown };
    });
    const first = await both();
    assert.ok(first.shown && Math.abs(first.places[0] - first.places[1]) < 0.02, String(first.places));
    await page.evaluate(() => window.playground.session.step(60));
    const later = await both();
    assert.equal(later.times[0], later.times[1]);
    assert.notEqual(later.places[0], later.places[1]);
    assert.ok(Math.abs(later.places[0] - later.places[1]) < 0.1, String(later.places));
    if (shots) await page.screenshot({ path: `${shots}/overlay.png` });
    await page.evaluate(() => window.playground.session.seek(0.35));
    const back = await both();
    assert.equal(back.times[0], back.times[1]);
    await page.evaluate(() => window.playground.session.seek(0.1)); // before it was made
    assert.equal((await both()).shown, false);
    assert.match(await message(), /begins later/);
  },
  async 'a point of the curve that a cable starts along is moved by hand, before it starts'() {
    await go('#scene=overhand-knot');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    const handle = await page.evaluate(() => {
      const { stage, handles } = window.playground.viewport;
      const [{ cable, points }] = handles.curves;
      const p = stage.controls.target.clone().set(...points[1]);
      return { cable, count: points.length, at: stage.project(p), point: points[1] };
    });
    if (shots) await page.screenshot({ path: `${shots}/curve.png` });
    const box = await page.locator('#canvas').boundingBox();
    await page.mouse.move(box.x + handle.at.x, box.y + handle.at.y);
    await page.mouse.down();
    await page.mouse.move(box.x + handle.at.x + 12, box.y + handle.at.y - 25, { steps: 3 });
    await page.mouse.up();
    const shape = () => page.evaluate((cable) => JSON.parse(window.playground.editor.text).cables[cable].shape, handle.cable);
    await page.waitForFunction((z) => Math.abs(window.playground.viewport.handles.curves[0].points[1][2] - z) > 1e-4 && window.playground.session.frame.steps === 0, handle.point[2]);
    const moved = await shape();
    assert.equal(moved.length, handle.count);
    assert.ok(moved[1][2] > handle.point[2], `${moved[1]} is not above ${handle.point}`);
    await page.click('#tab-controls');
    await page.click('[data-curve] button.small');
    await page.waitForFunction((n) => window.playground.viewport.handles.curves[0].points.length === n + 1, handle.count);
    await page.evaluate(() => window.playground.session.step(1));
    assert.equal(await page.evaluate(() => window.playground.viewport.handles.curves.length), 0);
  },
  async 'a broken scene shows its error at its line and loses no text'() {
    await go('#scene=atwood');
    await page.click('#tab-text');
    const broken = '{\n  "name": "broken",\n  "bodies": {\n    "a": {"mass": -1}\n  }\n}';
    await page.evaluate((text) => (window.playground.editor.text = text), broken);
    await page.click('#apply');
    await page.waitForSelector('#problem:not([hidden])');
    assert.match(await page.textContent('#problem'), /^Line 4: .*mass/);
    assert.equal(await page.evaluate(() => window.playground.editor.text), broken);
    await page.waitForSelector('.cm-lint-marker-error');
    if (shots) await page.screenshot({ path: `${shots}/broken.png` });
    await page.goto('about:blank');
    await page.goto(server.address);
    await page.waitForFunction((text) => window.playground?.editor.text === text, broken);
    await page.evaluate(() => localStorage.clear());
  },
  async 'a link carries the whole scene'() {
    await go('#scene=belt');
    const text = (await page.evaluate(() => window.playground.editor.text)).replace('"belt drive"', '"belt of mine"');
    await page.evaluate((changed) => (window.playground.editor.text = changed), text);
    await page.click('#share');
    await page.waitForFunction(() => location.hash.startsWith('#z='));
    const address = page.url();
    await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank');
    await page.goto(address);
    await page.waitForFunction(() => window.playground?.session.layout?.name === 'belt of mine');
    assert.equal(await page.evaluate(() => window.playground.editor.text), text);
  },
  async 'rewound and run again it has the same hash'() {
    await go('#scene=crane');
    await pause();
    await page.evaluate(() => window.playground.session.reset());
    await page.evaluate(() => window.playground.session.step(200));
    const first = await hash();
    await page.evaluate(() => window.playground.session.seek(0.73));
    assert.ok((await state()).steps < 100);
    await page.evaluate(async () => {
      const { session } = window.playground;
      await session.step(200 - session.frame.steps);
    });
    assert.equal((await state()).steps, 200);
    assert.equal(await hash(), first);
  },
  async 'names with tags stay text, and a scene without end is stopped'() {
    await go('#scene=atwood');
    const evil = '<img src=x onerror=window.bad=1>';
    const text = JSON.stringify({ name: evil, about: evil, bodies: { [evil.replaceAll('.', ' ')]: { mass: 1, shapes: [{ type: 'box', size: [1, 1, 1] }] } } });
    await page.evaluate(([changed]) => window.playground.session.open(changed, 'evil'), [text]);
    await page.waitForFunction((name) => document.querySelector('#scene-name').textContent === name, evil);
    assert.equal(await page.evaluate(() => window.bad), undefined);
    assert.equal(await page.locator('main img').count(), 0);
    await page.evaluate(() => (window.playground.session.physics.limit = 300));
    const heavy = readFileSync(at('../../scenes/overhand-knot.json'), 'utf8');
    await page.evaluate((slow) => window.playground.session.open(slow, 'slow'), heavy);
    await page.evaluate(() => window.playground.session.step(400));
    assert.match(await message(), /stopped after 0.3 s/);
    await page.evaluate(() => (window.playground.session.physics.limit = 10_000));
    assert.ok(await page.evaluate(async () => window.playground.session.open(await (await fetch('scenes/atwood.json')).text(), 'atwood')));
  },
  async 'hostile scenes never hang or kill the page'() {
    await go('#scene=atwood');
    const corpus = at('../../tests/fuzz/corpus/');
    const texts = readdirSync(corpus).flatMap((folder) => readdirSync(corpus + folder).map((file) => readFileSync(`${corpus}${folder}/${file}`, 'utf8')));
    const winch = readFileSync(at('../../scenes/winch.json'), 'utf8');
    const knot = JSON.parse(readFileSync(at('../../scenes/overhand-knot.json'), 'utf8'));
    for (const cable of Object.values(knot.cables)) cable.particles = { ...cable.particles, count: 2_000_000 };
    texts.push('['.repeat(200_000), '{"a":'.repeat(50_000), '', '\u0000', '{"bodies": {"a": {"mass": 1e308}}}', winch.slice(0, winch.length / 2), winch.replace(/\d+/g, '1e300'), winch.replace(/\d+/g, '0'), JSON.stringify(knot));
    for (const text of texts) {
      await page.evaluate(async (scene) => {
        const { session } = window.playground;
        session.physics.limit = 1500;
        if (await session.open(scene, 'hostile')) await session.step(2);
      }, text);
    }
    await page.evaluate(() => (window.playground.session.physics.limit = 10_000));
    assert.ok(await page.evaluate(async () => window.playground.session.open(await (await fetch('scenes/atwood.json')).text(), 'atwood')));
    await page.evaluate(() => window.playground.session.step(3));
    assert.equal((await state()).steps, 3);
  },
  async 'what is exported and what the command writes run no script of a scene either'() {
    const evil = '</script><script>window.bad=1</script><img src=x onerror=window.bad=1>';
    const scene = JSON.parse(readFileSync(at('../../scenes/winch.json'), 'utf8'));
    scene.name = scene.about = evil;
    scene.plots = [{ title: evil, unit: 'm', observe: ['energy.total'] }];
    const folder = mkdtempSync(join(tmpdir(), 'reeve-evil-'));
    writeFileSync(join(folder, 'evil.json'), JSON.stringify(scene));
    execFileSync(command, ['picture', join(folder, 'evil.json'), '-o', join(folder, 'evil.svg')]);
    execFileSync(command, ['run', join(folder, 'evil.json'), '--seconds', '0.2', '--quiet', '--html', join(folder, 'native.html')], { stdio: 'ignore' });
    await go('#scene=winch');
    await page.evaluate((text) => window.playground.session.open(text, 'evil', { play: true }), JSON.stringify(scene));
    await untilTime(0.5);
    await pause();
    await page.click('#export-menu summary');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export-html')]);
    await file.saveAs(join(folder, 'replay.html'));
    const other = await context.newPage();
    other.on('pageerror', (error) => errors.push(error.message));
    for (const name of ['replay.html', 'native.html', 'evil.svg']) {
      await other.goto(`file://${folder}/${name}`);
      assert.equal(await other.evaluate(() => window.bad), undefined, name);
      assert.equal(await other.evaluate(() => document.querySelectorAll('img').length), 0, name);
      if (name.endsWith('.svg')) continue;
      assert.equal(await other.evaluate(() => document.querySelector('h1').textContent), evil);
      assert.ok(await other.evaluate(() => document.querySelectorAll('canvas.plot').length > 0), name);
      const drawn = await other.evaluate(() => {
        const canvas = document.querySelector('canvas.scene');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let painted = 0;
        for (let i = 3; i < data.length; i += 4) if (data[i] > 0) painted++;
        return painted / (data.length / 4);
      });
      assert.ok(drawn > 0.005, `${name}: ${drawn} of the picture is painted`);
      if (shots) await other.screenshot({ path: `${shots}/${name}.png` });
    }
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  },
  async 'reeve view shows its scene, and again when the file changes; a broken file is told and the scene before stays'() {
    const folder = mkdtempSync(join(tmpdir(), 'reeve-view-'));
    const file = join(folder, 'mine.json');
    const text = readFileSync(at('../../scenes/atwood.json'), 'utf8');
    writeFileSync(file, text);
    const viewer = spawn(command, ['view', file], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const address = await new Promise((resolve, reject) => {
        viewer.stdout.once('data', (line) => resolve(/http:\S+/.exec(String(line))[0]));
        viewer.once('exit', () => reject(new Error('reeve view ended')));
      });
      await page.goto(address);
      await page.waitForFunction(() => window.playground?.session.frame?.steps > 0);
      assert.equal((await state()).name, 'mine');
      writeFileSync(file, text.replace('"mass": 1.5', '"mass": 1.75'));
      await page.waitForFunction(() => window.playground.session.text.includes('1.75'));
      writeFileSync(file, text.replace('"mass": 1.5', '"mass": -1'));
      await page.waitForFunction(() => !document.querySelector('#problem').hidden && document.querySelector('#message.bad'));
      await page.evaluate(() => window.playground.session.step(5));
      assert.ok(await page.evaluate(() => window.playground.session.layout && window.playground.session.frame.good));
    } finally {
      viewer.kill('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    }
  },
  async 'interactive soon, and memory stays where it is when scenes are switched'() {
    const times = [];
    for (let i = 0; i < 3; i++) {
      await page.goto('about:blank');
      const from = Date.now();
      await page.goto(`${server.address}#scene=crane`);
      await page.waitForFunction(() => window.playground?.session.frame?.steps > 0);
      times.push(Date.now() - from);
    }
    const best = Math.min(...times);
    console.log(`interactive, a scene running: ${(best / 1000).toFixed(2)} s from a local server, the best of three (wanted: 2 s)`);
    assert.ok(best < 8000, `${best} ms`); // four times what is wanted: others may use the machine
    await page.setViewportSize(SMALL);
    const { early, late } = await soak(page, 0, 100);
    await page.setViewportSize(WIDE);
    console.log(`memory after switching scenes: scripts ${early.script.toFixed(1)} to ${late.script.toFixed(1)} MB, engine ${early.wasm.toFixed(1)} to ${late.wasm.toFixed(1)} MB`);
  },
  async 'lessons, gallery, plots, keys'() {
    await go('#lesson=03-capstan');
    await page.waitForSelector('#lesson:not([hidden]) .question');
    await page.waitForFunction(() => document.querySelectorAll('.plot canvas').length === 2);
    await page.waitForFunction(() => window.playground.plots.csv().split('\n').length > 4);
    await page.click('#show-scenes');
    await page.waitForSelector('[data-scene=crane] img');
    await page.fill('#dialog input[type=search]', 'atwood');
    await page.waitForFunction(() => document.querySelectorAll('[data-scene]').length >= 1 && document.querySelectorAll('[data-scene]').length < 10);
    await page.click('#dialog-close');
    await pause();
    await page.focus('#canvas');
    const steps = (await state()).steps;
    await page.keyboard.press('.');
    await page.waitForFunction((n) => window.playground.session.frame.steps > n, steps);
  },
  async 'everything has a name for screen readers, works by keys, and can be read in both themes'() {
    await go('#lesson=03-capstan');
    await page.waitForSelector('#lesson:not([hidden]) .question');
    await pause();
    for (const tab of ['numbers', 'plots', 'controls', 'text', 'events']) {
      await page.click(`#tab-${tab}`);
      if (tab === 'text') await page.waitForSelector('.cm-content');
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll('button, input, select, textarea, summary, canvas, [role=tab], [role=textbox]')]
          .filter((item) => item.offsetParent !== null && !item.closest('.u-wrap'))
          .filter((item) => !(item.ariaLabel || item.getAttribute('aria-labelledby') || [...(item.labels ?? [])].some((label) => label.textContent.trim()) || item.textContent.trim() || item.title))
          .map((item) => item.outerHTML.slice(0, 120)));
      assert.deepEqual(nameless, [], tab);
    }
    await page.focus('#tab-events');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('#tab-numbers', 'aria-selected'), 'true');
    await page.focus('#play');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.playground.session.playing);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !window.playground.session.playing);
    await page.focus('#canvas');
    const before = await page.evaluate(() => window.playground.viewport.stage.camera.position.x);
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await page.evaluate(() => window.playground.viewport.stage.camera.position.x), before);
    for (const theme of ['light', 'dark']) {
      const ratios = await page.evaluate((wanted) => {
        document.documentElement.dataset.theme = wanted;
        const style = getComputedStyle(document.documentElement);
        const light = (name) => {
          const n = parseInt(style.getPropertyValue(name).trim().slice(1), 16);
          const [r, g, b] = [n >> 16, (n >> 8) & 255, n & 255].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        return [['--ink', '--paper'], ['--faint', '--paper'], ['--accent', '--paper'], ['--accent-ink', '--accent'], ['--bad', '--paper'], ['--ink', '--back']].map(([a, b]) => [`${a} on ${b}`, ratio(a, b)]);
      }, theme);
      for (const [what, ratio] of ratios) assert.ok(ratio >= 4.5, `${theme}: ${what} has a contrast of ${ratio}`);
    }
  },
  async 'pictures are not blank and show cables, light and dark, wide and at 375 px'() {
    for (const [theme, width, height] of [['light', 760, 480], ['dark', 760, 480], ['light', 375, 667], ['dark', 375, 667]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate((wanted) => localStorage.setItem('reeve.theme', wanted), theme);
      await go('#scene=crane');
      await untilTime(0.05);
      const { other, cable } = await colors();
      assert.ok(other > 0.03, `${theme} ${width}: ${other} of the picture is not background`);
      assert.ok(cable > 0.0004, `${theme} ${width}: ${cable} of the picture is cable`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${wide} px wide at ${width}`);
      if (shots) await page.screenshot({ path: `${shots}/crane-${theme}-${width}.png` });
    }
    await page.setViewportSize(WIDE);
  },
  async 'a run can be exported as glTF: nodes, a skin and animations'() {
    await go('#scene=winch');
    await untilTime(0.3);
    await pause();
    await page.click('#export-menu summary');
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export-glb')]);
    const bytes = readFileSync(await file.path());
    assert.equal(bytes.toString('latin1', 0, 4), 'glTF');
    const json = JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
    assert.ok(json.nodes.length > 40 && json.skins.length === 1 && json.animations[0].channels.length > 40);
  },
  async 'wasm, scripts and styles together are under 1 MB compressed'() {
    const sizes = new Map(await compressed);
    const total = [...sizes.values()].reduce((a, b) => a + b, 0);
    // What a first visit loads: the editor and the exports come when they are asked for.
    await page.goto('about:blank');
    const loaded = new Set();
    const note = (request) => loaded.add(new URL(request.url()).pathname.split('/').pop());
    context.on('request', note);
    await go('#scene=crane');
    await untilTime(0.2);
    context.off('request', note);
    const first = [...sizes].filter(([file]) => loaded.has(file) || file.endsWith('.wasm') || file.startsWith('worker'));
    const sum = first.reduce((all, [, size]) => all + size, 0);
    const module = sizes.get(assets.find((file) => file.endsWith('.wasm')));
    console.log(`wasm, scripts and styles of a first visit: ${(sum / 1000).toFixed(0)} kB with brotli, of which the module ${(module / 1000).toFixed(0)} kB; with editor, exports and lessons ${(total / 1000).toFixed(0)} kB`);
    assert.ok(first.length >= 4 && sum < 1e6, `${sum} bytes of ${first.map(([file]) => file).join(', ')}`);
  },
};

const started = Date.now();
let failed = 0;
const only = process.argv.slice(2);
for (const [name, check] of Object.entries(checks)) {
  if (only.length > 0 && !only.some((word) => name.includes(word))) continue;
  const since = Date.now();
  errors.length = 0;
  try {
    await check();
    assert.deepEqual(errors, [], 'the page logged errors');
    if (process.env.REEVE_VERBOSE) console.log(`${name}: ${(Date.now() - since) / 1000} s`);
  } catch (error) {
    failed++;
    if (shots) await page.screenshot({ path: `${shots}/failed-${failed}.png` }).catch(() => undefined);
    console.error(`${name}: ${error.stack}`);
  }
}
await close();
server.stop();
console.log(`${failed} checks of the page failed, in ${Math.round((Date.now() - started) / 1000)} s`);
process.exitCode = failed > 0 ? 1 : 0;
