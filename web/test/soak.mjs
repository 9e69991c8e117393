// node test/soak.mjs [SECONDS]: the page runs and switches scenes, and memory stays where it is. Ten minutes by default;
// test/page.mjs does a short one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './browser.mjs';
import { serve } from './serve.mjs';

const SCENES = ['crane', 'hilbert2', 'winch', 'belt', 'twist', 'atwood', 'tower-crane', 'capstan'];

/** MB that the browser's processes for pages hold, by their share of common memory: what the machine sees. */
function resident(profile) {
  let sum = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, 'utf8');
      if (!words.includes('--type=renderer') || !words.includes(profile)) continue;
      sum += Number(/^Pss: *(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))[1]) / 1000;
    } catch {
      // It has ended meanwhile.
    }
  return sum;
}

/** MB of scripts of the page and of its workers, of the engine, and of the process; and what is on the graphics card. */
async function measure(page, cdp, profile) {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { wasm, geometries } = await page.evaluate(() => ({
    wasm: window.playground.session.shown.memory,
    geometries: window.playground.viewport.stage.resources.geometries,
  }));
  return { script: usedSize / 1e6, wasm: wasm / 1e6, geometries, workers: page.workers().length, resident: resident(profile) };
}

/** Switches through the scenes again and again; what a round needs at most must not grow from the second one on. */
export async function soak(page, profile, seconds, perScene, log = () => undefined) {
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
      round = await measure(page, cdp, profile);
    }
    rounds.push(round);
    log(`round ${rounds.length}: scripts ${round.script.toFixed(1)} MB, engine ${round.wasm.toFixed(1)} MB, process ${round.resident.toFixed(0)} MB, ${round.workers} workers, ${round.geometries} geometries`);
  }
  await cdp.detach();
  const early = rounds[1];
  const late = rounds[rounds.length - 1];
  assert.ok(late.script < early.script + 5 && late.script < 1.25 * early.script + 1, `scripts grew from ${early.script} to ${late.script} MB`);
  assert.ok(late.wasm <= early.wasm + 8, `the engine grew from ${early.wasm} to ${late.wasm} MB`);
  assert.ok(late.geometries <= early.geometries + 4, `geometries grew from ${early.geometries} to ${late.geometries}`);
  assert.ok(late.workers <= early.workers, `${late.workers} workers, ${early.workers} before`);
  return { rounds, early, late };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const seconds = Number(process.argv[2] ?? 600);
  const server = await serve(fileURLToPath(new URL('../../build/web/page', import.meta.url)));
  const { context, close, profile } = await openBrowser({ viewport: { width: 760, height: 480 } });
  const page = await context.newPage();
  await page.goto(`${server.address}#scene=atwood`);
  await page.waitForFunction(() => window.playground?.session.layout);
  const { rounds, early, late } = await soak(page, profile, seconds, 2500, console.log);
  // The process collects when it likes: a third of the rounds at the end against a third after the beginning.
  const third = Math.max(1, Math.floor((rounds.length - 1) / 3));
  const least = (list) => Math.min(...list.map((round) => round.resident));
  const [from, to] = [least(rounds.slice(1, 1 + third)), least(rounds.slice(-third))];
  console.log(`memory is steady over ${seconds} s and ${rounds.length} rounds: scripts ${early.script.toFixed(1)} to ${late.script.toFixed(1)} MB, engine ${early.wasm.toFixed(1)} to ${late.wasm.toFixed(1)} MB, the process with page and workers ${from.toFixed(0)} to ${to.toFixed(0)} MB`);
  assert.ok(to < 1.15 * from + 10, `the process grew from ${from} to ${to} MB`);
  await close();
  server.stop();
}
