// node test/report.mjs: the page that `reeve run --html` writes, in Debian's chromium: it plays, scrubs and shows values,
// logs no error, and fits a telephone, light and dark. REEVE_SHOTS=DIR keeps pictures.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openBrowser } from './browser.mjs';

const command = process.env.REEVE ?? fileURLToPath(new URL('../../build/release/bin/reeve', import.meta.url));
const shots = process.env.REEVE_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'reeve-report-'));
const { context, close } = await openBrowser({ viewport: { width: 900, height: 700 } });
const page = await context.newPage();
const errors = [], asked = [];
page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
page.on('pageerror', (error) => errors.push(error.message));
page.on('request', (request) => request.url().startsWith('file:') || request.url().startsWith('data:') || asked.push(request.url()));

const time = async () => parseFloat((await page.textContent('#player output')).replace(/[^0-9.]/g, ''));
/** Share of the scene's canvas that is not its background. */
const drawn = () =>
  page.evaluate(() => {
    const canvas = document.querySelector('canvas.scene');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const counts = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const key = data[i + 3] === 0 ? -1 : (data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return 1 - Math.max(...counts.values()) / (data.length / 4);
  });
/** Relative luminance contrast of text and page, as WCAG has it. */
const contrast = (selector) =>
  page.evaluate((chosen) => {
    const light = (color) => {
      const parts = color.match(/[\d.]+/g).slice(0, 3).map((x) => (x / 255 <= 0.03928 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const own = light(getComputedStyle(document.querySelector(chosen)).color), behind = light(getComputedStyle(document.body).backgroundColor);
    return (Math.max(own, behind) + 0.05) / (Math.min(own, behind) + 0.05);
  }, selector);

try {
  for (const [scene, words] of [['crane', / N$/], ['tendon-finger', / N$/], ['hilbert2', / N$/], ['overhand-knot', / N$/]]) {
    const file = join(folder, `${scene}.html`);
    execFileSync(command, ['run', scene, '--html', file, '--quiet', '--allow-doubtful'], { stdio: 'ignore' });
    await page.setViewportSize({ width: 900, height: 700 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(pathToFileURL(file).href);
    assert((await drawn()) > 0.01, `${scene}: the scene is drawn`);
    assert.equal(await time(), 0, `${scene}: begins at 0`);
    // It plays.
    await page.click('#player .bar button');
    await page.waitForFunction(() => +document.querySelector('#player input').value > 0.15);
    await page.click('#player .bar button');
    const paused = await time();
    await page.waitForTimeout(150);
    assert.equal(await time(), paused, `${scene}: a pause holds`);
    // It scrubs: the slider, arrows, and a plot.
    const last = await page.evaluate(() => {
      const slider = document.querySelector('#player input');
      slider.value = slider.max;
      slider.dispatchEvent(new Event('input'));
      return +slider.max;
    });
    assert(Math.abs((await time()) - last) < 0.006, `${scene}: the slider reaches the end`);
    assert((await drawn()) > 0.005, `${scene}: the end is drawn`);
    await page.focus('canvas.scene');
    await page.keyboard.press('ArrowLeft');
    assert((await time()) < last, `${scene}: an arrow steps back`);
    await page.locator('canvas.plot').first().scrollIntoViewIfNeeded();
    const plot = await page.locator('canvas.plot').first().boundingBox();
    await page.mouse.click(plot.x + 0.5 * plot.width, plot.y + 0.5 * plot.height);
    assert(Math.abs((await time()) / last - 0.475) < 0.08, `${scene}: a click on a plot goes to its time`);
    assert.match(await page.locator('#plots .legend b').first().textContent(), /\d/, `${scene}: plots show values`);
    // It shows values under the pointer: of a cable its tension, of a body where it is.
    await page.locator('canvas.scene').scrollIntoViewIfNeeded();
    const box = await page.locator('canvas.scene').boundingBox();
    const seen = new Set();
    for (let i = 1; i < 30; i++)
      for (let k = 1; k < 16; k++) {
        await page.mouse.move(box.x + (i / 30) * box.width, box.y + (k / 16) * box.height);
        const text = await page.evaluate(() => {
          const tip = document.querySelector('.tip');
          return getComputedStyle(tip).display === 'none' ? '' : tip.textContent;
        });
        if (text) seen.add(text);
      }
    assert([...seen].some((text) => words.test(text)), `${scene}: a tension under the pointer, found ${[...seen].slice(0, 5).join(' | ')}`);
    assert(scene === 'overhand-knot' || [...seen].some((text) => / m\/s$|rad/.test(text)), `${scene}: a body or wheel under the pointer`);
    // A telephone, light and dark.
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize({ width: 375, height: 760 });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(60);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert(wide <= 375, `${scene}: ${wide} px wide at 375`);
      const small = await page.evaluate(() => Math.min(...[...document.querySelectorAll('.bar button, .bar select')].map((b) => b.getBoundingClientRect().height)));
      assert(small >= 32, `${scene}: a button of ${small} px`);
      for (const selector of ['h1', 'p.about', '.legend', 'figcaption', 'td', '.tensions']) {
        if (!(await page.locator(selector).count())) continue;
        const ratio = await contrast(selector);
        assert(ratio >= 4.5, `${scene}, ${colorScheme}: contrast of ${selector} is ${ratio.toFixed(2)}`);
      }
      assert((await drawn()) > 0.005, `${scene}, ${colorScheme}: drawn`);
      await page.evaluate(() => window.scrollTo(0, 0));
      if (shots) await page.screenshot({ path: join(shots, `${scene}-${colorScheme}.png`) });
    }
    assert.deepEqual(errors, [], `${scene}: the console is silent`);
    assert.deepEqual(asked, [], `${scene}: nothing is asked of a network`);
    console.log(`   ok: ${scene}`);
  }
} finally {
  await close();
  rmSync(folder, { recursive: true, force: true });
}
