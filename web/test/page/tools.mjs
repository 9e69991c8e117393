// What the checks of the page share: a browser, a page in it, a server, and short ways to ask for things.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../browser.mjs';
import { serve } from '../serve.mjs';

export const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
export const folder = at('../../build/web/page');
export const command = at('../../build/release/bin/reeve');
export const shots = process.env.REEVE_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

export const server = await serve(folder);
export const WIDE = { width: 760, height: 480 };
/** Where many scenes go by: pictures are drawn by the processor here. */
export const SMALL = { width: 420, height: 260 };
export const { context, close, profile } = await openBrowser({ viewport: WIDE, hasTouch: true });
export const page = await context.newPage();
/** What pages logged as an error. */
export const errors = [];
context.on('page', listen);
listen(page);
function listen(one) {
  one.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  one.on('pageerror', (error) => errors.push(error.message));
}

export async function go(hash, where = page, address = server.address) {
  await where.goto('about:blank');
  await where.goto(address + hash);
  await where.waitForFunction(() => window.playground?.session.layout || document.querySelector('#problem:not([hidden])') || document.querySelector('#message.bad'));
}
export const state = () => page.evaluate(() => ({ time: window.playground.session.frame?.time, steps: window.playground.session.frame?.steps, name: window.playground.session.name }));
export const hash = () => page.evaluate(() => window.playground.session.words({ kind: 'hash' }));
export const pause = () => page.evaluate(() => window.playground.session.pause());
export const untilTime = (time) => page.waitForFunction((t) => (window.playground.session.frame?.time ?? 0) >= t, time, { timeout: 30_000 });
export const message = () => page.textContent('#message');
export const step = (count) => page.evaluate((n) => window.playground.session.step(n), count);
/** The scene of the address, at rest at its start. */
export async function atStart(address) {
  await go(address);
  await pause();
  await page.evaluate(() => window.playground.session.reset());
}
