// The text of a scene: errors, completion, links, files that change.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { at, atStart, command, go, page, shots, server, state } from './tools.mjs';

export const checks = {
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
    // Another scene does not lose it either.
    await page.evaluate(() => (location.hash = '#scene=belt'));
    await page.waitForFunction(() => window.playground.session.layout?.name === 'belt drive');
    await page.click('#message button');
    await page.waitForFunction((text) => window.playground.editor.text === text, broken);
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
    // What is no link, is cut off, or unpacks to a hundred megabytes is told, and nothing else happens.
    const bomb = deflateRawSync(Buffer.alloc(100 << 20, 32)).toString('base64url');
    for (const broken of ['#z=nonsense', address.slice(address.indexOf('#'), -40), `#z=${bomb}`]) {
      await go(broken);
      await page.waitForFunction(() => /damaged/.test(document.querySelector('#message').textContent));
    }
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
  async 'what is wrong with a scene is told at its line while it is written, in form or in meaning'() {
    await go('#scene=atwood');
    await page.click('#tab-text');
    await page.waitForSelector('.cm-content');
    const text = await page.evaluate(() => window.playground.editor.text);
    const wrong = [
      ['"on": "wheel"', '"on": "whele"', /wheel/],
      ['"mass": 1.5', '"mass": "1.5 m"', /kg/],
      ['"mass": 1.5', '"mass": -1.5', /mass/],
      ['"mass": 1.5', '"mas": 1.5', /mass/],
      ['"mass": 1.5', '"mass" 1.5', /:|colon/],
      ['cables.rope.spans.0.tension', 'cables.rope.spans.0.tenson', /tension/],
    ];
    for (const [was, is, says] of wrong) {
      const changed = text.replace(was, is);
      assert.notEqual(changed, text, was);
      const line = changed.slice(0, changed.indexOf(is)).split('\n').length;
      await page.evaluate((next) => (window.playground.editor.text = next), changed);
      await page.waitForFunction((n) => document.querySelector('#problem:not([hidden])')?.textContent.startsWith(`Line ${n}:`), line, { timeout: 10_000 }).catch(async () => assert.fail(`${is}: ${await page.textContent('#problem')} instead of line ${line}`));
      assert.match(await page.textContent('#problem'), says, is);
      await page.evaluate((next) => (window.playground.editor.text = next), text);
      await page.waitForSelector('#problem', { state: 'hidden' });
    }
  },
  async 'the schema completes keys and words'() {
    await go('#scene=atwood');
    await page.click('#tab-text');
    await page.waitForSelector('.cm-content');
    await page.evaluate(() => (window.playground.editor.text = '{\n  "cables": {\n    "rope": {\n      \n    }\n  }\n}\n'));
    await page.click('.cm-line:nth-child(4)');
    await page.keyboard.press('End');
    const offered = async () => {
      await page.waitForSelector('.cm-tooltip-autocomplete li');
      return page.locator('.cm-tooltip-autocomplete li').allTextContents();
    };
    await page.keyboard.type('"mo');
    const keys = await offered();
    assert.ok(keys.some((key) => key.includes('model')), String(keys));
    await page.waitForTimeout(120); // a completion that has just come is not taken by a key
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.playground.editor.text.includes('"model": '));
    await page.keyboard.press('Control+Space');
    const words = await offered();
    for (const word of ['joints', 'strand', 'hoist', 'chain', 'particles']) assert.ok(words.some((one) => one.includes(word)), `${word} is not among ${words}`);
    await page.evaluate(() => localStorage.clear());
  },
};
