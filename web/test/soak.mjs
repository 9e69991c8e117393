// node test/soak.mjs [SECONDS]: the page runs and switches scenes, and memory stays where it is. Ten minutes by default;
// test/page.mjs does a short one.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './browser.mjs';
import { serve } from './serve.mjs';

const SCENES = ['crane', 'hilbert2', 'winch', 'belt', 'twist', 'atwood', 'tower-crane', 'capstan'];

/** MB of scripts and of the engine, and what is on the graphics card, after garbage was collected. */
async function measure(page, cdp) {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { wasm, geometries } = await page.evaluate(() => ({
    wasm: window.playground.session.shown.memory,
    geometries: window.playground.viewport.stage.resources.geometries,
  }));
  return { script: usedSize / 1e6, wasm: wasm / 1e6, geometries };
}

/** Switches through the scenes again and again; what a round needs at most must not grow from the second one on. */
export async function soak(page, seconds, perScene, log = () => undefined) {
  const cdp = await page.context().newCDPSession(page);
  const until = Date.now() + 1000 * seconds;
  const rounds = [];
  while (rounds.length < 3 || Date.now() < until) {
    let round;
    for (const name of SCENES) {
      await page.evaluate(async (file) => {
        const text = await (await fetch(`scenes/${file}.json`)).text();
        await window.playground.session.open(text, file, { play: true });
      }, name);
      await page.waitForTimeout(perScene);
      round = await measure(page, cdp);
    }
    rounds.push(round);
    log(`round ${rounds.length}: scripts ${round.script.toFixed(1)} MB, engine ${round.wasm.toFixed(1)} MB, ${round.geometries} geometries`);
  }
  await cdp.detach();
  const early = rounds[1];
  const late = rounds[rounds.length - 1];
  assert.ok(late.script < early.script + 5 && late.script < 1.25 * early.script + 1, `scripts grew from ${early.script} to ${late.script} MB`);
  assert.ok(late.wasm <= early.wasm + 8, `the engine grew from ${early.wasm} to ${late.wasm} MB`);
  assert.ok(late.geometries <= early.geometries + 4, `geometries grew from ${early.geometries} to ${late.geometries}`);
  return { rounds: rounds.length, early, late };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const seconds = Number(process.argv[2] ?? 600);
  const server = await serve(fileURLToPath(new URL('../../build/web/page', import.meta.url)));
  const { context, close } = await openBrowser({ viewport: { width: 760, height: 480 } });
  const page = await context.newPage();
  await page.goto(`${server.address}#scene=atwood`);
  await page.waitForFunction(() => window.playground?.session.layout);
  const { rounds, early, late } = await soak(page, seconds, 2500, console.log);
  console.log(`memory is steady over ${seconds} s and ${rounds} rounds: scripts ${early.script.toFixed(1)} to ${late.script.toFixed(1)} MB, engine ${early.wasm.toFixed(1)} to ${late.wasm.toFixed(1)} MB`);
  await close();
  server.stop();
}
