// node test/page.mjs: the playground in Debian's chromium. REEVE_SHOTS=DIR keeps pictures.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { init } from '../dist/index.js';
import { openBrowser } from './browser.mjs';
import { serve } from './serve.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = at('../../build/web/page');
const shots = process.env.REEVE_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
const server = await serve(folder);
const { context, close } = await openBrowser({ viewport: { width: 760, height: 480 } });
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
  async 'every shipped scene opens, runs and logs no error'() {
    await go('#scene=atwood');
    const names = JSON.parse(readFileSync(`${folder}/scenes/index.json`, 'utf8')).map((entry) => entry.file);
    assert.equal(names.length, readdirSync(at('../../scenes')).length - 1);
    for (const name of names) {
      const ran = await page.evaluate(async (file) => {
        const { session } = window.playground;
        const text = await (await fetch(`scenes/${file}.json`)).text();
        if (!(await session.open(text, file))) return -1;
        await session.step(2);
        return session.frame.steps;
      }, name);
      assert.equal(ran, 2, name);
      assert.ok((await page.evaluate(() => window.playground.session.frame.good)), name);
    }
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
  async 'all cables in another model: the scene is built anew with it'() {
    await go('#scene=atwood');
    await pause();
    await page.click('#tab-controls');
    await page.selectOption('#swap-all', 'strand');
    await page.waitForFunction(() => window.playground.session.layout.cables[0].model === 'strand');
    await page.evaluate(() => window.playground.session.step(5));
    assert.equal((await state()).steps, 5);
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
    await page.setViewportSize({ width: 760, height: 480 });
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
  'wasm, scripts and styles are there; their size is printed'() {
    const assets = readdirSync(`${folder}/assets`).filter((file) => /\.(js|wasm|css)$/.test(file));
    const sizes = assets.map((file) => brotliCompressSync(readFileSync(`${folder}/assets/${file}`)).length);
    const sum = sizes.reduce((a, b) => a + b, 0);
    console.log(`wasm, scripts and styles: ${(sum / 1000).toFixed(0)} kB with brotli`);
    assert.ok(sizes.length >= 3 && sum > 0);
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
