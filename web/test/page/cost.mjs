// What the page costs: time until it runs, memory, bytes to load.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { init } from '../../dist/index.js';
import { serve } from '../serve.mjs';
import { soak } from '../soak.mjs';
import { at, context, folder, go, page, profile, server, SMALL, untilTime, WIDE } from './tools.mjs';

const assets = readdirSync(`${folder}/assets`).filter((file) => /\.(js|wasm|css)$/.test(file));
/** Bytes of each with brotli, worked out beside the checks. */
const compressed = Promise.all(assets.map(async (file) => [file, (await promisify(brotliCompress)(readFileSync(`${folder}/assets/${file}`))).length]));

export const checks = {
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
    const { early, late } = await soak(page, profile, 0, 100);
    await page.setViewportSize(WIDE);
    console.log(`memory after switching scenes: scripts ${early.script.toFixed(1)} to ${late.script.toFixed(1)} MB, engine ${early.wasm.toFixed(1)} to ${late.wasm.toFixed(1)} MB`);
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
  async 'it works from any folder of a static host'() {
    const deep = await serve(folder, '/some/deep/folder/');
    const other = await context.newPage();
    await go('#lesson=03-capstan', other, deep.address);
    await other.waitForSelector('#lesson:not([hidden]) .question');
    await other.waitForFunction(() => window.playground.session.frame.steps > 0);
    await other.click('#show-scenes');
    await other.waitForFunction(() => document.querySelector('[data-scene=crane] img')?.naturalWidth > 0);
    await other.close();
    deep.stop();
  },
  async 'the package works in a page and in a worker, with the module beside it and inside'() {
    const dist = await serve(at('../dist'));
    const other = await context.newPage();
    await other.route('**/empty.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><link rel="icon" href="data:,">' }));
    await other.goto(`${dist.address}empty.html`);
    const scene = readFileSync(at('../../scenes/atwood.json'), 'utf8');
    const hashes = await other.evaluate(async (text) => {
      const run = async (file) => {
        const world = (await (await import(file)).init()).load(text);
        world.step(100);
        return world.hash();
      };
      const inWorker = (file) => new Promise((resolve, reject) => {
        const source = `import { init } from '${location.origin}${file}'; const world = (await init()).load(${JSON.stringify(text)}); world.step(100); postMessage(world.hash());`;
        const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' });
        worker.onmessage = (event) => resolve(event.data);
        worker.onerror = (event) => reject(new Error(event.message));
      });
      return Promise.all([run('/index.js'), run('/inline.js'), inWorker('/index.js'), inWorker('/inline.js')]);
    }, scene);
    const world = (await init()).load(scene);
    world.step(100);
    assert.deepEqual(hashes, Array(4).fill(world.hash()));
    world.drop();
    await other.close();
    dist.stop();
  },
};
